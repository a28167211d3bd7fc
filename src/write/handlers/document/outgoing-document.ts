/** A document that is to go out, from a text, rows or a file: measured and digested before anybody is asked about it. */

import { createHash } from 'node:crypto';
import { InputError } from '../../../base/errors.ts';
import type { OutgoingDocument } from '../feed/feed.ts';
import { MOST_DOCUMENT_BYTES } from '../feed/limits.ts';

/** @throws InputError for an empty one, and one that is too large */
export function documentOfBytes(bytes: Uint8Array, contentType: string): OutgoingDocument {
  return documentOfPieces(() => [bytes], contentType);
}

/** Of what is made anew each time that it is read. @throws InputError as `documentOfBytes` */
export function documentOfPieces(read: () => Iterable<Uint8Array>, contentType: string): OutgoingDocument {
  const { add, digests } = startDigests();
  let bytes = 0;
  for (const piece of read()) {
    add(piece);
    bytes += piece.length;
  }
  refuseSize(bytes);
  return {
    contentType,
    bytes,
    ...digests(),
    async *read() {
      yield* read();
    },
  };
}

function startDigests() {
  const [sha, md] = [createHash('sha256'), createHash('md5')];
  return {
    add(piece: Uint8Array) {
      sha.update(piece);
      md.update(piece);
    },
    digests: () => ({ sha256: sha.digest('hex'), md5: md.digest('base64') }),
  };
}

/** Something that can be read from the beginning again and again, and says so where it has changed. */
interface Readable {
  bytes: number;
  read(): AsyncIterable<Uint8Array>;
}

/** Reads it once for its digests. @throws InputError as `documentOfBytes`, and what `read` throws */
export async function documentOfFile(file: Readable, contentType: string): Promise<OutgoingDocument> {
  refuseSize(file.bytes);
  const { add, digests } = startDigests();
  for await (const piece of file.read()) add(piece);
  return { contentType, bytes: file.bytes, ...digests(), read: () => file.read() };
}

/** All of it, within the limit that it was made with. */
export async function bytesOf({ read }: Pick<OutgoingDocument, 'read'>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of read()) pieces.push(piece);
  return Buffer.concat(pieces);
}

function refuseSize(bytes: number): void {
  if (bytes === 0) {
    throw new InputError('The document is empty; nothing was sent.', 'Give a document with content.');
  }
  if (bytes > MOST_DOCUMENT_BYTES) {
    throw new InputError(
      // The message leaves out the document's own size, which would tell the length of a masked value.
      `The document is larger than ${MOST_DOCUMENT_BYTES} bytes, the most that is sent; nothing was sent.`,
      'Split it into several documents.',
    );
  }
}
