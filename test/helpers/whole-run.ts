/** Once for a whole run: bundles what tests start as threads and processes; removes it, and their folders, in the end. */

import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';
import { bundleWorkers } from '../../scripts/bundle.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of `tables-worker.mjs` and of the processes below as `.mjs`. */
    programs: string;
    /** A folder for folders of tests. */
    scratch: string;
  }
}

const PROCESSES = [
  'batches-process',
  'frozen-process',
  'files-process',
  'reading-process',
  'tables-process',
  'world-process',
];

const made: string[] = [];

export async function setup(project: TestProject): Promise<void> {
  const cache = resolve('node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const scratch = await mkdtemp(join(tmpdir(), 'seller-tests-'));
  const folder = await mkdtemp(join(cache, 'test-programs-'));
  // Some tests start them as another user.
  await chmod(folder, 0o755);
  const processes = build({
    entryPoints: PROCESSES.map((name) => `test/helpers/${name}.ts`),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
  await Promise.all([processes, bundleWorkers(folder)]);
  project.provide('programs', folder);
  project.provide('scratch', scratch);
  made.push(folder, scratch);
}

export async function teardown(): Promise<void> {
  for (const folder of made) await rm(folder, { recursive: true, force: true });
}
