/** A downloaded file as the bytes that it was before packing, with what it is told from its beginning. */

import { type FileKind, fileKind } from './file-kind.ts';
import { DOCUMENT_LIMITS, type DocumentLimits } from './limits.ts';
import { Unpacker } from './unpack.ts';

export interface UnpackedFile {
  kind: FileKind;
  /** To be iterated once; leaving early closes the file. @throws DocumentError */
  pieces(): AsyncGenerator<Uint8Array, void, undefined>;
  /** For one whose pieces are not wanted. */
  close(): Promise<void>;
}

/** @throws DocumentError where even the beginning is damaged; the system's error where the file cannot be read */
export async function openUnpacked(
  file: string,
  limits: Partial<DocumentLimits> = {},
): Promise<UnpackedFile> {
  const pieces = new Unpacker(file, { ...DOCUMENT_LIMITS, ...limits }).pieces();
  const first = await pieces.next();
  const start = first.value ?? new Uint8Array();
  return {
    kind: fileKind(start),
    async *pieces() {
      try {
        yield start;
        yield* pieces;
      } finally {
        await pieces.return();
      }
    },
    async close() {
      await pieces.return();
    },
  };
}
