/** The bytes of a document that stood in an answer as they were before packing, or why they are not there. */

import { promisify } from 'node:util';
import { constants, gunzip, inflate } from 'node:zlib';

/** Of one document in an answer, unpacked. */
export const MOST_DOCUMENT_BYTES = 50_000_000;

/** Times that a document is packed: twice happens. */
const MOST_LAYERS = 2;

export type Unpacked =
  | { bytes: Uint8Array }
  | { fault: 'too-large' }
  | { fault: 'damaged'; start: Uint8Array };

const isGzip = ([first, second]: Uint8Array) => first === 0x1f && second === 0x8b;

/** The two bytes of a header that zlib writes, which check themselves. */
const isZlib = ([first = 0, second = 0]: Uint8Array) =>
  (first & 0x0f) === 8 && first >> 4 <= 7 && (first * 256 + second) % 31 === 0;

export const isPacked = (bytes: Uint8Array) => isGzip(bytes) || isZlib(bytes);

const unpackers = { gzip: promisify(gunzip), zlib: promisify(inflate) };

/** What is not packed is given as it is, and so is what only begins like zlib. */
export async function unpack(bytes: Uint8Array, layers = 0): Promise<Unpacked> {
  if (bytes.length > MOST_DOCUMENT_BYTES) return { fault: 'too-large' };
  if (layers === MOST_LAYERS || !isPacked(bytes)) return { bytes };
  const unpacker = isGzip(bytes) ? unpackers.gzip : unpackers.zlib;
  try {
    return await unpack(await unpacker(bytes, { maxOutputLength: MOST_DOCUMENT_BYTES }), layers + 1);
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    if (isTooLarge) return { fault: 'too-large' };
    return isGzip(bytes) ? { fault: 'damaged', start: await startOf(bytes) } : { bytes };
  }
}

/** As far as a packed document can be read whose end is missing. */
async function startOf(bytes: Uint8Array): Promise<Uint8Array> {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MOST_DOCUMENT_BYTES };
  return unpackers.gzip(bytes, options).catch(() => new Uint8Array());
}
