/** A document that goes out: measured and digested as its bytes are, however they come, and made anew each time that it is read. */

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  bytesOf,
  documentOfBytes,
  documentOfFile,
  documentOfPieces,
} from '../../../../src/write/handlers/document/outgoing-document.ts';
import { MAX_FEED_DOCUMENT_BYTES } from '../../../../src/write/handlers/feed/limits.ts';

const pieces = fc.array(fc.uint8Array({ maxLength: 20 }), { minLength: 1, maxLength: 5 });

it('from bytes, pieces or a file it is the same', async () => {
  await fc.assert(
    fc.asyncProperty(pieces, async (parts) => {
      const all = Buffer.concat(parts);
      fc.pre(all.length > 0);
      const file = {
        bytes: all.length,
        async *read() {
          yield* parts;
        },
      };
      const known = {
        contentType: 'a/b',
        bytes: all.length,
        sha256: createHash('sha256').update(all).digest('hex'),
        md5: createHash('md5').update(all).digest('base64'),
      };
      const made = [
        documentOfBytes(all, 'a/b'),
        documentOfPieces(() => parts, 'a/b'),
        await documentOfFile(file, 'a/b'),
      ];
      for (const one of made) {
        expect(one).toMatchObject(known);
        expect(await bytesOf(one)).toEqual(all);
        expect(await bytesOf(one)).toEqual(all);
      }
    }),
  );
});

it('none that is empty or too large', async () => {
  const file = (bytes: number) => ({ bytes, read: async function* () {} });
  expect(() => documentOfBytes(Buffer.alloc(0), 'a/b')).toThrow('The document is empty; nothing was sent.');
  expect(() => documentOfPieces(() => [], 'a/b')).toThrow('The document is empty');
  await expect(documentOfFile(file(0), 'a/b')).rejects.toThrow('The document is empty');
  const more = MAX_FEED_DOCUMENT_BYTES + 1;
  await expect(documentOfFile(file(more), 'a/b')).rejects.toThrow(
    `The document is larger than ${MAX_FEED_DOCUMENT_BYTES} bytes`,
  );
  await expect(documentOfFile(file(MAX_FEED_DOCUMENT_BYTES), 'a/b')).resolves.toMatchObject({
    bytes: MAX_FEED_DOCUMENT_BYTES,
  });
});
