/** Builds dist/: one minified bundle that starts the server, the rest in chunks loaded on first use. */

import { rm } from 'node:fs/promises';
import { build } from 'esbuild';

await rm('dist', { recursive: true, force: true });
await build({
  entryPoints: { main: 'src/main.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: ['@napi-rs/keyring'],
  // Otherwise jsonc-parser comes as UMD, which esbuild bundles into a file that fails at run time.
  mainFields: ['module', 'main'],
  legalComments: 'none',
  // CommonJS libraries in the bundle look for `require`.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
});
