/**
 * Builds a document to send from a text, rows or a file. It is measured and digested before an approval is
 * requested.
 */

import { createHash } from 'node:crypto';
import { InputError } from '../../../base/errors.ts';
import type { OutgoingDocument } from '../feed/feed.ts';
import { MAX_FEED_DOCUMENT_BYTES } from '../feed/limits.ts';

/** @throws InputError for an empty document, and for one that is too large */
export function documentOfBytes(bytes: Uint8Array, contentType: string): OutgoingDocument {
  return documentOfPieces(() => [bytes], contentType);
}

/**
 * Builds a document from content that is generated anew on each read.
 * @throws InputError as `documentOfBytes`
 */
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

/** A source that can be read repeatedly, and that throws where it has changed. */
interface RereadableSource {
  bytes: number;
  read(): AsyncIterable<Uint8Array>;
}

/** Reads the source once for its digests. @throws InputError as `documentOfBytes`, and what `read` throws */
export async function documentOfFile(file: RereadableSource, contentType: string): Promise<OutgoingDocument> {
  refuseSize(file.bytes);
  const { add, digests } = startDigests();
  for await (const piece of file.read()) add(piece);
  return { contentType, bytes: file.bytes, ...digests(), read: () => file.read() };
}

/** Returns the whole content, which is within the limit that the document was built with. */
export async function bytesOf({ read }: Pick<OutgoingDocument, 'read'>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of read()) pieces.push(piece);
  return Buffer.concat(pieces);
}

function refuseSize(bytes: number): void {
  if (bytes === 0) {
    throw new InputError('The document is empty; nothing was sent.', 'Give a document with content.');
  }
  if (bytes > MAX_FEED_DOCUMENT_BYTES) {
    throw new InputError(
      // The message omits the document's own size, which would reveal the length of a masked value.
      `The document is larger than ${MAX_FEED_DOCUMENT_BYTES} bytes, the most that is sent; nothing was sent.`,
      'Split it into several documents.',
    );
  }
}
