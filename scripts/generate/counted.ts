/** Counts figures of the program that are the same on every machine, so that a document is never behind them. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toListedTool } from '../../src/protocol/listed-tool.ts';
import { listOperations } from '../../src/service/describe/list-operations.ts';
import { loadRegistry } from '../../src/service/registry/registry.ts';
import { loadTools } from '../../tools/index.ts';
import { countLoaded } from '../bench/loaded-files.ts';
import { Session } from '../bench/session.ts';
import { bundleWithWorkers } from '../bundle.ts';

const PROGRAM_FOLDER = 'build/counted';

/** A table for docs/benchmarks.md. What is loaded is in whole KB: no small change of the code makes it another. */
export async function countedTable(): Promise<string> {
  const { data } = await listOperations(await loadRegistry());
  if (data.kind !== 'groups') throw new Error('Without a filter the operations are told by group');
  const tools = (await loadTools()).map(toListedTool);
  const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const { files, bytes } = await countStart();
  const rows = [
    ['operations of the public API that can be called', String(data.public.callable)],
    [
      '`tools/list`: what models are shown of it (names, descriptions, input schemas)',
      `${bytesOf(shown)} bytes`,
    ],
    ['`tools/list`: the whole of it', `${bytesOf({ tools })} bytes`],
    [
      'loaded of the program before `tools/list` is answered',
      `${files} files, ${Math.round(bytes / 1000)} KB`,
    ],
  ];
  return ['| counted | figure |', '|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n');
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

async function countStart(): Promise<{ files: number; bytes: number }> {
  await bundleWithWorkers('src/main.ts', PROGRAM_FOLDER);
  const folder = await mkdtemp(join(tmpdir(), 'seller-counted-'));
  const env = { HOME: folder, NODE_V8_COVERAGE: join(folder, 'coverage') };
  const session = new Session({ name: 'counted', file: `${PROGRAM_FOLDER}/main.mjs` }, { env });
  await session.initialize();
  await session.request('tools/list');
  await session.close();
  const counted = await countLoaded(env.NODE_V8_COVERAGE);
  await rm(folder, { recursive: true, force: true });
  return counted;
}
