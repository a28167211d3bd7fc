/** Packs the npm package from a staging folder and checks its contents. */

import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { runQuietly } from '../process/run.ts';
import { isPinnedNode } from './package-json.ts';

/** npm itself adds package.json, README and LICENSE. */
const EXPECTED =
  /^(package\.json|README\.md|LICENSE|dist\/((?:main|content-worker|tables-worker)\.mjs|views\.(?:js|css)|node-sqlite3-wasm\.wasm|THIRD-PARTY-NOTICES\.txt|chunks\/[\w.-]+\.mjs))$/;

const NEEDED = [
  'dist/main.mjs',
  'dist/content-worker.mjs',
  'dist/tables-worker.mjs',
  'dist/views.css',
  'dist/views.js',
  'dist/node-sqlite3-wasm.wasm',
  'dist/THIRD-PARTY-NOTICES.txt',
  'LICENSE',
  'README.md',
];

const packSchema = z.tuple([
  z.object({
    filename: z.string(),
    size: z.number(),
    unpackedSize: z.number(),
    files: z.array(z.object({ path: z.string(), size: z.number() })),
  }),
]);

export interface PackedTarball {
  file: string;
  bytes: number;
  unpackedBytes: number;
  files: number;
}

/** @throws Error naming what does not belong in the package, or is missing. */
export async function packTarball(program: string, staging: string, target: string): Promise<PackedTarball> {
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true });
  await writeFile(join(staging, 'package.json'), await publishedPackageJson());
  for (const name of ['README.md', 'LICENSE']) await cp(name, join(staging, name));
  await cp(program, join(staging, 'dist'), { recursive: true });
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', resolve(target)];
  const { stdout } = await runQuietly('npm', args, { cwd: staging });
  const [packed] = packSchema.parse(JSON.parse(stdout));
  const paths = packed.files.map(({ path }) => path);
  const strange = paths.filter((path) => !EXPECTED.test(path));
  if (strange.length > 0) throw new Error(`Not needed in the npm package: ${strange.join(', ')}`);
  const missing = NEEDED.filter((path) => !paths.includes(path));
  if (missing.length > 0) throw new Error(`Missing from the npm package: ${missing.join(', ')}`);
  return {
    file: join(target, packed.filename),
    bytes: packed.size,
    unpackedBytes: packed.unpackedSize,
    files: paths.length,
  };
}

/** Leaves out the parts that only a developer needs (scripts, their dependencies, a Node of their own), and names the Node that the program runs on. */
async function publishedPackageJson(): Promise<string> {
  const all = z.record(z.string(), z.unknown()).parse(JSON.parse(await readFile('package.json', 'utf8')));
  const { scripts: _scripts, devDependencies: _dev, optionalDependencies, config, ...kept } = all;
  const optional = Object.entries(z.record(z.string(), z.string()).parse(optionalDependencies));
  const installed = Object.fromEntries(optional.filter(([name]) => !isPinnedNode(name)));
  const published = { ...kept, engines: config, optionalDependencies: installed };
  return `${JSON.stringify(published, undefined, 2)}\n`;
}
