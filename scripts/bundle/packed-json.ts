/** Packs the facts of operations, the shapes of answers and the schemas of datasets, large and much the same, so that the installed program stays within its size. They are unpacked in a few milliseconds when they are first needed. */

import { readFile } from 'node:fs/promises';
import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'esbuild';

export const packedJson: Plugin = {
  name: 'packed-json',
  setup({ onLoad }) {
    onLoad({ filter: /\/facts\/generated\/(?:answers|datasets|facts)\.json$/ }, async ({ path }) => {
      const text = JSON.stringify(JSON.parse(await readFile(path, 'utf8')));
      const packed = brotliCompressSync(text).toString('base64');
      const contents = [
        "import { brotliDecompressSync } from 'node:zlib';",
        `export default JSON.parse(brotliDecompressSync(Buffer.from('${packed}', 'base64')).toString());`,
      ].join('\n');
      return { contents, loader: 'js' };
    });
  },
};
