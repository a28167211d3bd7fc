/** Writes a body to an open file as it arrives: counted, bounded, after a look at the free disk. */

import type { FileHandle } from 'node:fs/promises';
import { codeOf, NetworkError } from '../../base/errors.ts';

/** Bytes of disk for each downloaded one: the file itself, and the table, which takes as much as the unpacked text. */
const ROOM_FOR_PACKED = 12;
const ROOM_FOR_PLAIN = 3;

export interface SaveOptions {
  /** Bytes that were announced, if they were. */
  ofBytes: number | undefined;
  /** Most bytes. */
  limit: number;
  /** Bytes free on the disk of the file. */
  freeBytes: () => Promise<number>;
  onProgress?: ((progress: { bytes: number; ofBytes?: number }) => void) | undefined;
}

/**
 * Gives the number of bytes. @throws NetworkError `BODY_TOO_LARGE`, `DISK_FULL`, `BODY_CUT_SHORT`; what the body throws
 */
export async function saveBody(
  body: AsyncIterable<unknown>,
  file: FileHandle,
  options: SaveOptions,
): Promise<number> {
  const { ofBytes, limit } = options;
  let bytes = 0;
  if (ofBytes !== undefined && ofBytes > limit) throw tooLarge(limit);
  for await (const piece of body) {
    if (!(piece instanceof Uint8Array)) continue;
    if (bytes === 0) await checkRoom(piece, options);
    if (bytes + piece.length > limit) throw tooLarge(limit);
    await write(file, piece, bytes);
    bytes += piece.length;
    options.onProgress?.({ bytes, ofBytes });
  }
  if (ofBytes !== undefined && bytes !== ofBytes) {
    throw new NetworkError(
      'BODY_CUT_SHORT',
      'unknown',
      `${bytes} of ${ofBytes} bytes of the document arrived.`,
      'Collect it again.',
    );
  }
  return bytes;
}

async function write(file: FileHandle, piece: Uint8Array, position: number): Promise<void> {
  try {
    for (let written = 0; written < piece.length; ) {
      const { bytesWritten } = await file.write(piece, written, piece.length - written, position + written);
      written += bytesWritten;
    }
  } catch (error) {
    throw notWritten(error);
  }
}

function notWritten(error: unknown): NetworkError {
  const code = codeOf(error) || 'UNKNOWN';
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull('The disk is full.', error);
  const message = `The document could not be written to the disk (${code}).`;
  return new NetworkError('NOT_WRITTEN', 'unknown', message, 'Check the disk of the data folder.', {
    cause: error,
  });
}

/** Once the first bytes tell whether it is packed. Where the size was not announced, what has come has to do. */
async function checkRoom(first: Uint8Array, { ofBytes, freeBytes }: SaveOptions): Promise<void> {
  const isPacked = first[0] === 0x1f && first[1] === 0x8b;
  const needed = (ofBytes ?? first.length) * (isPacked ? ROOM_FOR_PACKED : ROOM_FOR_PLAIN);
  const free = await freeBytes();
  if (free >= needed) return;
  throw diskFull(
    `The document needs about ${inMegabytes(needed)} of disk, and ${inMegabytes(free)} are free.`,
  );
}

function inMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_000_000)} MB`;
}

function tooLarge(limit: number): NetworkError {
  return new NetworkError(
    'BODY_TOO_LARGE',
    'unknown',
    `The document has more than ${inMegabytes(limit)}, which is the limit for a download.`,
    'Ask for less at once: fewer days, fewer marketplaces, or a smaller report type.',
  );
}

function diskFull(message: string, cause?: unknown): NetworkError {
  return new NetworkError(
    'DISK_FULL',
    'unknown',
    message,
    'Nothing was kept. Free some space, then collect again.',
    {
      cause,
    },
  );
}
