/** Figures in the documents: each measured part says of which program it is, and what people wrote agrees with what is counted. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { digestProgram, machineText, readMachineText } from '../../scripts/bench/machine.ts';
import { checkFigures, findParts } from '../../scripts/release/figures.ts';

const machine = {
  processor: 'Made-up (R) 9; 2 GHz',
  cores: 2,
  memoryGb: 8,
  system: 'Linux 6 x64',
  node: 'v20.1.0',
  date: '2026-01-02',
  commit: 'abc1234+',
  digest: '0123456789abcdef',
};

it('what a table says of its program is read back', () => {
  const { date, commit, digest } = machine;
  expect(readMachineText(machineText(machine))).toEqual({ date, commit, digest });
  expect(readMachineText('2 cores (AMD EPYC), 24 GB, Linux, Node 20.20.2, 2026-11-20')).toBeUndefined();
});

it('every part with figures is found, also one that does not say of which program it is', () => {
  const document = `<!-- point 1 -->\n${machineText(machine)}\n\n| |\n<!-- /point 1 -->\n<!-- soak -->\n\`\`\`\n`;
  expect(findParts(document)).toMatchObject([
    { name: 'point 1', digest: machine.digest },
    { name: 'soak', digest: 'none' },
  ]);
  expect(() => findParts('# Figures')).toThrow('no part with figures');
});

it('another program has another digest, and each part of the document is told with its command', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'seller-figures-'));
  await writeFile(join(folder, 'main.mjs'), 'one');
  const before = await digestProgram(folder);
  await writeFile(join(folder, 'main.mjs'), 'two');
  expect(await digestProgram(folder)).not.toBe(before);
  const parts = findParts(await readFile('docs/benchmarks.md', 'utf8')).map(({ name }) => name);
  expect(parts).toEqual(expect.arrayContaining(['point 1', 'point 4', 'soak']));
  const told = await checkFigures(folder).catch(String);
  for (const part of parts) expect(told).toContain(`${part} was measured of another program`);
  expect(told).toContain('npm run bench -- --only 1 --write-docs');
  expect(told).toContain('npm run soak -- --write-docs');
  await rm(folder, { recursive: true });
});

it('the documents count as many operations as the program has', async () => {
  const [, counted] = /can be called \| (\d+) \|/.exec(await readFile('docs/benchmarks.md', 'utf8')) ?? [];
  for (const file of ['README.md', 'docs/tools.md']) {
    const [, told] = /\b(\d{3}) (?:current )?operations\b/.exec(await readFile(file, 'utf8')) ?? [];
    expect(told, file).toBe(counted);
  }
});
