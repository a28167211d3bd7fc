/** `npm run mutation -- <folder>`: changes a folder of src/ bit by bit and lists the changes that its own tests miss. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { buildOptions } from './mutation/options.ts';
import { readReport } from './mutation/read-report.ts';
import { findRoom, ROOM_VARIABLE } from './mutation/rooms.ts';
import { writeCertain } from './mutation/second-look.ts';
import { buildLists, buildTable } from './mutation/write-text.ts';

const FOLDER = 'build/mutation';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  // `--files retry.ts,pace*.ts`: only these files of the room, with results in separate files.
  options: { files: { type: 'string' } },
});
await mutate(positionals[0] ?? '', values.files?.split(','));

async function mutate(name: string, files?: readonly string[]): Promise<void> {
  const room = findRoom(name);
  const started = performance.now();
  const file = name.replaceAll('/', '-');
  const result = `${FOLDER}/${files === undefined ? file : `${file}-part`}`;
  mkdirSync(FOLDER, { recursive: true });
  // Stryker's processes read the same vitest config, for whichever room this names.
  process.env[ROOM_VARIABLE] = name;
  const patterns = files === undefined ? room.mutate() : files.flatMap((file) => room.mutate(file));
  const run = { name: file, mutate: patterns, reportFile: `${result}.json` };
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
