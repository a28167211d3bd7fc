/** `npm run mutation -- <folder>`: changes a folder of src/ bit by bit and lists the changes that its own tests miss. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { FOLDER_VARIABLE, FURTHER_VARIABLE, findFolder } from './mutation/folders.ts';
import { buildOptions } from './mutation/options.ts';
import { readReport } from './mutation/read-report.ts';
import { SAMPLE_VARIABLE } from './mutation/sample.ts';
import { writeCertain } from './mutation/second-look.ts';
import { buildLists, buildTable } from './mutation/write-text.ts';

const RESULTS = 'build/mutation';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    // `--files retry.ts,pace*.ts`: only these files of the folder, with results in separate files.
    files: { type: 'string' },
    // `--sample 10`: only every tenth mutant; enough for a score of a large folder, not for its list.
    sample: { type: 'string' },
    // `--with 'test/e2e/writes-*.test.ts'`: these tests judge it too, as they do in `npm test`; repeatable.
    with: { type: 'string', multiple: true },
  },
});
process.env[FURTHER_VARIABLE] = values.with?.join(',') ?? '';
await mutate(positionals[0] ?? '', values.files?.split(','), values.sample);

async function mutate(name: string, files?: readonly string[], sample?: string): Promise<void> {
  const folder = findFolder(name);
  const started = performance.now();
  const file = name.replaceAll('/', '-');
  const result = `${RESULTS}/${files === undefined && sample === undefined ? file : `${file}-part`}`;
  mkdirSync(RESULTS, { recursive: true });
  // Stryker's processes read the same vitest config, for whichever folder this names.
  process.env[FOLDER_VARIABLE] = name;
  if (sample !== undefined) process.env[SAMPLE_VARIABLE] = sample;
  const patterns = files === undefined ? folder.mutate() : files.flatMap((file) => folder.mutate(file));
  const run = { name: file, mutate: patterns, reportFile: `${result}.json`, isSample: sample !== undefined };
  await new Stryker(buildOptions(run)).runMutationTest();
  const certainFile = `${result}-certain.json`;
  const inDoubt = writeCertain(run.reportFile, certainFile);
  if (inDoubt > 0) {
    console.log(`${inDoubt} ran out of time: a second look, with more of it`);
    await new Stryker(buildOptions({ ...run, certainFile })).runMutationTest();
  }
  rmSync(certainFile);
  const { scores, findings } = readReport(run.reportFile);
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  const table = `${buildTable(name, scores)}\n${minutes} minutes\n`;
  writeFileSync(`${result}.txt`, `${table}\n${buildLists(findings)}`);
  console.log(`${table}${result}.txt lists what survived`);
}
