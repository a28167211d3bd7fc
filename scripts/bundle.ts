/** How a program is bundled: the same for dist/ and for the programs that the benchmark compares it with. */

import { type BuildOptions, build } from 'esbuild';

/** Writes `<outdir>/main.mjs` and its chunks. */
export async function bundle(entry: string, outdir: string, more: BuildOptions = {}): Promise<void> {
  await build({ ...SETTINGS, ...more, entryPoints: { main: entry }, outdir });
}

const SETTINGS: BuildOptions = {
  outExtension: { '.js': '.mjs' },
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: ['@napi-rs/keyring'],
  alias: { '@modelcontextprotocol/server/_shims': './scripts/bundle/sdk-shims.ts' },
  // Otherwise jsonc-parser resolves to UMD, which esbuild bundles into a file that fails at run time.
  mainFields: ['module', 'main'],
  legalComments: 'none',
  // CommonJS libraries in the bundle look for `require`.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
};
