/** A store of the version before, in which the journal and the history were two tables, is one journal for this version. */

import { expect, it } from 'vitest';
import { put } from '../../src/store/statement.ts';
import { openStore } from '../../src/store/store.ts';
import { openStateStore, STATE_TABLES } from '../../src/write/state-store.ts';
import { createFolder, openJournal } from './records/journal/helpers.ts';

const time = (minute: number) => `2026-11-20T12:0${minute}:00.000Z`;
const PATCH = 'listings-items/patchListingsItem';
const values = (sku: string) => ({
  parameters: { sku },
  members: [{ segments: ['a'], before: 1, after: 2 }],
});

it('keeps what was written, what became of it, and the values with which it is undone', async () => {
  const folder = await createFolder();
  const before = openStore(folder, { tables: STATE_TABLES.slice(0, 4) });
  const written = (id: string, minute: number, more: object) => {
    const named = { id, time: time(minute), account: 'shop', operation: PATCH };
    return put('journal', 'id', { ...named, ...more });
  };
  const kept = (id: string, minute: number, more: object) => {
    const entry = { id, time: time(minute), account: 'shop', owner: 'mark', operation: PATCH, ...more };
    const clear = JSON.stringify({ clear: values(id) });
    return put('history', 'id', { id, time: time(minute), entry: JSON.stringify(entry), kept: clear });
  };
  await before.run(function* () {
    const request = {
      owner: 'mark',
      what: 'title',
      parameters: { sku: 'one' },
      body: { a: null },
      bodySha256: 'x',
    };
    const ending = JSON.stringify({ status: 200, requestId: 'r-1' });
    const ended = { outcome: 'done', ended_at: time(2), ending };
    yield written('one', 1, { intent: JSON.stringify(request), ...ended });
    yield written('no', 3, {
      intent: '{"parameters":{}}',
      outcome: 'refused',
      ended_at: time(3),
      ending: '{"error":"no"}',
    });
    yield kept('one', 1, { thing: 'thing of one', isPart: true });
    yield kept('b1-7', 4, { batch: 'b1', cannot: 'so it is' });
  });
  await before.close();

  const store = openStateStore(folder);
  const { journal } = openJournal(folder, { store, now: () => Date.parse(time(5)) });
  const entries = (await journal.read({ withListings: true })).map(({ open, ...entry }) => entry);
  const known = { account: 'shop', operation: PATCH };
  const request = { parameters: { sku: 'one' }, body: { a: null }, bodySha256: 'x' };
  const one = {
    id: 'one',
    time: time(1),
    ...known,
    owner: 'mark',
    what: 'title',
    isPart: true,
  };
  const ended = { outcome: 'done', endedAt: time(2), status: 200, requestId: 'r-1' };
  const refused = { parameters: {}, outcome: 'refused', endedAt: time(3), error: 'no' };
  const listing = { owner: 'mark', batch: 'b1', cannot: 'so it is', outcome: 'unknown', isListing: true };
  expect(entries).toEqual([
    { ...one, ...request, ...ended },
    { id: 'no', time: time(3), ...known, ...refused },
    { id: 'b1-7', time: time(4), ...known, ...listing },
  ]);
  const undoable = await journal.list();
  expect(undoable.map(({ id, thing }) => [id, thing])).toEqual([
    ['one', 'thing of one'],
    ['b1-7', undefined],
  ]);
  expect(await Promise.all(undoable.map(({ open }) => open()))).toEqual([values('one'), values('b1-7')]);
  await store.close();
});
