/** The first look takes over what earlier versions left in the state folder, once, and sets it aside. */

import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createSingleKey } from '../../src/privacy/sealed/keychain-keys.ts';
import { createSealer } from '../../src/privacy/sealed/sealer.ts';
import { localBatches, openBatchTable } from '../../src/write/run/batches/batch-table.ts';
import { openRecord } from '../../src/write/run/batches/record.ts';
import { openStateStore } from '../../src/write/state-store.ts';
import { createFolder, openJournal, readEntries } from './records/journal/helpers.ts';

const NOW = Date.parse('2026-11-24T12:00:00Z');
const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();
const line = (fields: object) => `{ "v":1,${JSON.stringify(fields).slice(1)}`;
const intent = (id: string, minutes: number) =>
  line({ kind: 'intent', id, time: at(minutes), account: 'shop', operation: 'g/o', parameters: { id } });
const outcome = (id: string, minutes: number) =>
  line({ kind: 'outcome', id, time: at(minutes), outcome: 'done', status: 200 });

it('lines of journal and history are taken over, whatever a kill has left of them', async () => {
  const folder = await createFolder();
  await mkdir(join(folder, 'history'), { recursive: true });
  // An outcome in a file before that of its intent; half a line, with a whole one behind it; what is not ours.
  await writeFile(join(folder, 'writes-2026-a.jsonl'), `${intent('one', 0)}\n${outcome('two', 3)}\n`);
  const torn = intent('never', 1).slice(0, 40);
  await writeFile(
    join(folder, 'writes.jsonl'),
    `${intent('two', 1)}\n${torn}${intent('three', 2)}\nnonsense\n[]\n${outcome('one', 4)}\n`,
  );
  const sealer = createSealer(createSingleKey());
  const values = { parameters: { sku: 'S1' }, members: [{ segments: ['a'], before: 1, after: 2 }] };
  const known = { account: 'shop', owner: 'mark', operation: 'listings-items/patchListingsItem', thing: 't' };
  const kept = { v: 1, kind: 'kept', id: 'one', time: at(0), ...known };
  const ended = { v: 1, kind: 'ended', id: 'one', time: at(4), outcome: 'done' };
  const other = { ...kept, id: 'two', values: { clear: values } };
  const seen = { v: 1, kind: 'seen', id: 'none', time: at(5), ids: ['none', 'two'] };
  await writeFile(
    join(folder, 'history', '2026-11-24.jsonl'),
    [{ ...kept, values: { sealed: await sealer.seal(JSON.stringify(values)) } }, ended, other, seen, { v: 9 }]
      .map((one) => `${JSON.stringify(one)}\n`)
      .join(''),
  );

  const entries = (await readEntries(folder)).map(({ id, outcome: is, endedAt }) => [id, is, endedAt]);
  expect(entries).toEqual([
    ['one', 'done', at(4)],
    ['two', 'done', at(3)],
    ['three', 'unknown', undefined],
  ]);
  const store = openStateStore(folder);
  const { journal } = openJournal(folder, { store, now: () => NOW, sealer: async () => sealer });
  const [entry, second, ...others] = await journal.list();
  expect(others).toEqual([]);
  expect(await second?.open()).toEqual({ ...values, found: [2] });
  expect(entry).toMatchObject({ id: 'one', outcome: 'done', ...known });
  expect(await entry?.open()).toEqual(values);
  await store.close();
  const [aside = '', ...rest] = (await readdir(folder)).sort();
  expect([aside, rest]).toEqual([expect.stringMatching(/^before-store-/), ['store.db']]);
  // Values are kept for some days, and the journal for good.
  expect((await readdir(join(folder, aside))).sort()).toEqual(['writes-2026-a.jsonl', 'writes.jsonl']);

  // Several start at once, and one of them takes over what the last one had moved before it was killed.
  const left = join(folder, 'taken-over-left');
  await mkdir(left);
  await writeFile(join(left, 'writes.jsonl'), `${intent('left', 8)}\n`);
  await Promise.all(Array.from({ length: 4 }, () => readEntries(folder)));
  // A process of the earlier version may still run, and write anew.
  await writeFile(join(folder, 'writes.jsonl'), `${intent('late', 9)}\n`);
  await openJournal(folder).journal.begin({ account: 'shop', operation: 'g/o', parameters: {} });
  expect((await readEntries(folder)).map(({ id }) => id)).toEqual([
    'w-1',
    'one',
    'two',
    'three',
    'left',
    'late',
  ]);
});

it('lists under way go on, and what a process of before may still send is in doubt', async () => {
  const folder = await createFolder();
  const write = (name: string, text: string) => writeFile(join(folder, 'batches', name), text);
  const line = (of: object) => `${JSON.stringify(of)}\n`;
  await mkdir(join(folder, 'batches'), { recursive: true });
  const head = (id: string) =>
    line({
      ...{ t: 'list', v: 1, id, account: 'shop', owner: 'mark', tool: 'change_listings', asked: id },
      ...{ digest: 'd', words: '2 listings', createdAt: NOW, total: 2, check: 'c', kept: 'clear' },
    });
  const sending = (i: number) => line({ t: 'sending', i, by: 'old', at: NOW });
  await write('00000001.jsonl', `${head('00000001')}${sending(0)}{"t":"end`);
  await write('00000001.run', '{"place":"elsewhere","pid":1,"mark":"old"}');
  await write('00000002.jsonl', `${head('00000002')}{"t":"sen\n{"t":"torn"}\n${sending(1)}`);
  await write('00000003.jsonl', head('00000003'));
  await write('00000003.told', '');

  const table = openBatchTable(localBatches(openStateStore(folder)));
  expect((await table.list()).map(({ id }) => id)).toEqual(['00000001', '00000002']);
  const sealer = createSealer(createSingleKey());
  for (const [id, item, mayLeave] of [
    ['00000001', 0, true],
    ['00000002', 1, false],
  ] as const) {
    const record = await openRecord(id, { table, sealer });
    const found = [record?.phaseOf(item), record?.mayStillLeave(item), record?.flags().isInDoubt];
    expect(found).toEqual(['sending', mayLeave, false]);
  }
});
