/**
 * Adds a folder of API definitions and calls every case that they declare through the real server; says first how the
 * folder differs from the committed facts (operations that are missing here, facts that differ, ours that are gone).
 *
 *   npm run check:definitions -- <folder> [--answer-tokens N] [--all]
 *
 * --all also lists every refused case with the members that the definition forbids. Exit 1 when a case fails. Refused: forbidden by the definition itself, and reported before anything was sent.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createDefinitionStore } from '../src/definitions/store/store.ts';
import { runProgram } from '../test/helpers/run-program.ts';
import { committedFacts, describeDrift, findDrift } from './check-definitions/drift.ts';
import { buildReport } from './check-definitions/report.ts';
import { runAll } from './check-definitions/run-all.ts';

/** Lines for a reader, and whether every case passed. */
export async function checkDefinitions(
  folder: string,
  { budget = 10_000, all = false } = {},
): Promise<{ ok: boolean; lines: string[] }> {
  const home = await mkdtemp(join(tmpdir(), 'check-definitions-'));
  const started = performance.now();
  try {
    const dataDir = join(home, 'data');
    const added = await runProgram(['definitions', 'add', folder, `--data-dir=${dataDir}`]);
    if (added.code !== 0) return { ok: false, lines: [added.stderr.trim()] };
    const { files } = await createDefinitionStore(join(dataDir, 'definitions')).load();
    const checked = await runAll(files, { dataDir, stateDir: join(home, 'state'), budget });
    const drift = describeDrift(await findDrift(files, committedFacts()));
    const { lines, failed } = buildReport(files, checked, (performance.now() - started) / 1000, all);
    return { ok: failed === 0 && checked.length > 0, lines: [...drift, ...lines] };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'answer-tokens': { type: 'string' }, all: { type: 'boolean' } },
  });
  const [folder] = positionals;
  if (folder === undefined) {
    console.error('usage: npm run check:definitions -- <folder> [--answer-tokens N] [--all]');
    process.exitCode = 2;
  } else {
    const { ok, lines } = await checkDefinitions(folder, {
      budget: Number(values['answer-tokens'] ?? 10_000),
      all: values.all,
    });
    console.log(lines.join('\n'));
    process.exitCode = ok ? 0 : 1;
  }
}
