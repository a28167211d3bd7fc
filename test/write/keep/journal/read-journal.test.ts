/** Filters and limits, over journals of any length. */

import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../../src/base/errors.ts';
import { type JournalQuery, readJournal } from '../../../../src/write/keep/journal/read-journal.ts';
import type { Recorded } from '../../../../src/write/model/outcome.ts';
import { createFolder, openJournal } from './helpers.ts';

async function writeSome(): Promise<string> {
  const folder = await createFolder();
  const { journal } = openJournal(folder);
  const write = async (account: string, operation: string, outcome?: Recorded) => {
    const id = await journal.begin({ account, operation, parameters: {} });
    if (outcome !== undefined) await journal.end(id, { outcome });
  };
  await write('one', 'Supply Sources/updateSupplySource', 'done');
  await write('two', 'Supply Sources/updateSupplySource', 'failed');
  await write('one', 'Feeds/createFeed');
  await write('one', 'Feeds/cancelFeed', 'unknown');
  return folder;
}

describe('readJournal', () => {
  it.each<[Omit<JournalQuery, 'folder'>, string[]]>([
    [{}, ['w-1', 'w-2', 'w-3', 'w-4']],
    [{ account: 'one' }, ['w-1', 'w-3', 'w-4']],
    [{ operation: 'Feeds/createFeed' }, ['w-3']],
    [{ operation: 'updateSupplySource' }, ['w-1', 'w-2']],
    [{ operation: 'SupplySource' }, []],
    [{ outcome: 'unknown' }, ['w-3', 'w-4']],
    [{ outcome: 'done' }, ['w-1']],
    [{ since: Date.parse('2026-11-20T12:00:03Z') }, ['w-2', 'w-3', 'w-4']],
    [{ limit: 2 }, ['w-3', 'w-4']],
    [{ account: 'one', outcome: 'unknown', limit: 1 }, ['w-4']],
  ])('filters by %j', async (query, ids) => {
    const { entries } = await readJournal({ ...query, folder: await writeSome() });
    expect(entries.map(({ id }) => id)).toEqual(ids);
  });

  it('what is told once more has not begun anew', async () => {
    const folder = await writeSome();
    const file = join(folder, 'writes.jsonl');
    const [first = ''] = (await readFile(file, 'utf8')).split('\n');
    await appendFile(file, `${first}\n`);
    const { entries } = await readJournal({ folder });
    expect(entries.map(({ outcome }) => outcome)).toEqual(['done', 'failed', 'unknown', 'unknown']);
  });

  it('is empty where nothing was ever written', async () => {
    const folder = join(await createFolder(), 'none');
    expect(await readJournal({ folder })).toEqual({ entries: [], damagedLines: 0 });
  });

  it('finds an old match behind many newer lines, and outcomes of whatever is kept', async () => {
    const folder = await createFolder();
    const line = (at: number, fields: object) =>
      JSON.stringify({
        v: 1,
        id: `w-${at}`,
        time: new Date(1_700_000_000_000 + at).toISOString(),
        ...fields,
      });
    const intents = Array.from({ length: 6_000 }, (_, at) => [
      line(at, { kind: 'intent', account: 'a', operation: 'o', parameters: {} }),
      line(at, { kind: 'outcome', outcome: at === 7 ? 'failed' : 'done' }),
    ]);
    await writeFile(join(folder, 'writes.jsonl'), `${intents.flat().join('\n')}\n`);
    const failed = await readJournal({ folder, outcome: 'failed', limit: 5 });
    expect(failed.entries.map(({ id }) => id)).toEqual(['w-7']);
    const newest = await readJournal({ folder, limit: 3 });
    expect(newest.entries.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['w-5997', 'done'],
      ['w-5998', 'done'],
      ['w-5999', 'done'],
    ]);
  });

  const lineOf = (at: number, fields: object) =>
    JSON.stringify({ v: 1, id: `w-${at}`, time: new Date(1_700_000_000_000 + at).toISOString(), ...fields });
  const intentOf = (at: number) =>
    lineOf(at, { kind: 'intent', account: 'a', operation: 'o', parameters: {} });
  const outcomeOf = (at: number, outcome: string) => lineOf(at, { kind: 'outcome', outcome });

  it('finds an outcome whose file was put aside before that of its intent', async () => {
    const folder = await createFolder();
    await writeFile(join(folder, 'writes-2026-a.jsonl'), `${outcomeOf(1, 'done')}\n`);
    await writeFile(join(folder, 'writes.jsonl'), `${intentOf(1)}\n${intentOf(2)}\n`);
    const { entries } = await readJournal({ folder });
    expect(entries.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['w-1', 'done'],
      ['w-2', 'unknown'],
    ]);
    expect(entries[0]).toMatchObject({ endedAt: '2023-11-14T22:13:20.001Z' });
  });

  it('remembers ten thousand such outcomes and forgets the oldest', async () => {
    const folder = await createFolder();
    const early = Array.from({ length: 10_001 }, (_, at) => outcomeOf(at, 'done'));
    await writeFile(join(folder, 'writes-2026-a.jsonl'), early.join('\n'));
    await writeFile(join(folder, 'writes.jsonl'), [intentOf(0), intentOf(1), intentOf(10_000)].join('\n'));
    const { entries } = await readJournal({ folder });
    expect(entries.map(({ outcome }) => outcome)).toEqual(['unknown', 'done', 'done']);
  });

  it('keeps recent intents that do not match yet: their outcome may follow', async () => {
    const folder = await createFolder();
    const intents = Array.from({ length: 2_100 }, (_, at) => intentOf(at));
    // Pruned for the first time at the 2,005th, when the newest thousand stay.
    const late = (at: number) => [...intents, outcomeOf(at, 'done')].join('\n');
    const find = async (at: number) => {
      await writeFile(join(folder, 'writes.jsonl'), late(at));
      return (await readJournal({ folder, outcome: 'done', limit: 2 })).entries.map(({ id }) => id);
    };
    expect([await find(1_004), await find(1_005), await find(2_099)]).toEqual([[], ['w-1005'], ['w-2099']]);
  });

  it('sorts by time, whatever the order of the lines', async () => {
    const folder = await createFolder();
    await writeFile(join(folder, 'writes.jsonl'), [intentOf(3), intentOf(1), intentOf(2)].join('\n'));
    const { entries } = await readJournal({ folder, limit: 2 });
    expect(entries.map(({ id }) => id)).toEqual(['w-2', 'w-3']);
  });

  it('counts a line as damaged that nests deeper than any of ours', async () => {
    const folder = await createFolder();
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    const lines = [60, 70, 20_000].map((levels) =>
      lineOf(levels, { kind: 'intent', account: 'a', operation: 'o', body: 0 }).replace(
        '"body":0',
        `"body":${deep(levels)}`,
      ),
    );
    await writeFile(join(folder, 'writes.jsonl'), lines.join('\n'));
    const { entries, damagedLines } = await readJournal({ folder });
    expect([entries.map(({ id }) => id), damagedLines]).toEqual([['w-60'], 2]);
  });

  it('says what to do when the folder is no folder', async () => {
    const file = join(await createFolder(), 'file');
    await writeFile(file, '');
    await expect(readJournal({ folder: file })).rejects.toThrow(ConfigError);
  });
});
