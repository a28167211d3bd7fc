/** How a program is bundled: the same for dist/ and for the programs that the benchmark compares it with. */

import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { leanLibraries } from './bundle/lean-libraries.ts';
import { packedJson } from './bundle/packed-json.ts';

/** Writes `<outdir>/main.mjs` and its chunks. */
export async function bundle(entry: string, outdir: string, more: BuildOptions = {}): Promise<void> {
  await build({ ...SETTINGS, ...more, entryPoints: { main: entry }, outdir });
}

/**
 * These files lie beside the program: the worker threads for tables and for outgoing documents, and SQLite,
 * which the tables worker loads from its own folder.
 */
export const TABLES_WORKER = 'tables-worker.mjs';
export const SQLITE = 'node-sqlite3-wasm.wasm';
const WORKERS = {
  'tables-worker': 'src/data/tables/worker/entry.ts',
  'content-worker': 'src/write/handlers/document/content/content-worker.ts',
};

/** Writes the program together with the workers that it starts: what they need alike stands in chunks that they share. */
export async function bundleWithWorkers(
  entry: string,
  outdir: string,
  more: BuildOptions = {},
): Promise<void> {
  const entryPoints = { main: entry, ...WORKERS };
  const views = await bundleViews(outdir);
  const plugins = [leanLibraries, packedJson, alsoBundled(views), ...(more.plugins ?? [])];
  await build({ ...SETTINGS, ...more, plugins, entryPoints, outdir });
  await dropBanners(outdir);
  await copySqlite(outdir);
}

/** Takes the banner out of files that need none: there are some hundreds of them, and most are small. */
async function dropBanners(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true });
  for (const file of files.filter((name) => name.endsWith('.mjs'))) {
    const path = join(folder, file);
    const text = await readFile(path, 'utf8');
    const rest = text.replace(REQUIRE_BANNER, '');
    if (rest !== text && !/\brequire\b/.test(rest)) await writeFile(path, rest);
  }
}

/** Writes the workers alone, for tests of what starts them, with what a page shows. */
export async function bundleWorkers(outdir: string): Promise<void> {
  await Promise.all([build({ ...SETTINGS, entryPoints: WORKERS, outdir }), bundleViews(outdir)]);
  await copySqlite(outdir);
}

/** Writes what a page shows in a browser: the one script and the one style sheet that stand in it. */
async function bundleViews(outdir: string): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints: [
      { in: 'views/main.tsx', out: 'views' },
      { in: 'views/style.css', out: 'views' },
    ],
    outdir,
    metafile: true,
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    // Browsers of the last two years.
    target: ['chrome120', 'firefox121', 'safari17'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'error',
  });
  return metafile;
}

/** Adds the inputs of other bundles to the list of what ships, and so to the notices. */
function alsoBundled({ inputs, outputs }: Metafile): Plugin {
  return {
    name: 'also-bundled',
    setup({ onEnd }) {
      onEnd(({ metafile }) => {
        Object.assign(metafile?.inputs ?? {}, inputs);
        Object.assign(metafile?.outputs ?? {}, outputs);
      });
    },
  };
}

/** A bundle that contains SQLite looks for its other half beside itself. */
export function copySqlite(folder: string): Promise<void> {
  return copyFile(join('node_modules/node-sqlite3-wasm/dist', SQLITE), join(folder, SQLITE));
}

const REQUIRE_BANNER =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);";

const PG_PARTS = './scripts/bundle/pg-parts.ts';

const SETTINGS: BuildOptions = {
  outExtension: { '.js': '.mjs' },
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  minify: true,
  // UTF-8 keeps the bundle small, because text in many languages takes half the bytes of its escapes.
  charset: 'utf8',
  format: 'esm',
  platform: 'node',
  target: 'node24.10',
  external: ['@napi-rs/keyring'],
  alias: {
    '@modelcontextprotocol/server/_shims': './scripts/bundle/sdk-shims.ts',
    'pg-types': PG_PARTS,
    'pg-connection-string': PG_PARTS,
    pgpass: PG_PARTS,
    'pg-cloudflare': PG_PARTS,
  },
  // Otherwise jsonc-parser resolves to UMD, which esbuild bundles into a file that fails at run time.
  mainFields: ['module', 'main'],
  legalComments: 'none',
  // node-sqlite3-wasm looks for its other half in this folder.
  define: { __dirname: 'import.meta.dirname' },
  // CommonJS libraries in the bundle look for `require`.
  banner: { js: REQUIRE_BANNER },
};
