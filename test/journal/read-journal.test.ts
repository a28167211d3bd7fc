/** Filters and limits, over journals of any length. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/errors.ts';
import type { OutcomeKind } from '../../src/journal/entry.ts';
import { type JournalQuery, readJournal } from '../../src/journal/read-journal.ts';
import { createFolder, openJournal } from './helpers.ts';

async function writeSome(): Promise<string> {
  const folder = await createFolder();
  const { journal } = openJournal(folder);
  const write = async (account: string, operation: string, outcome?: OutcomeKind) => {
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

  it('says what to do when the folder is no folder', async () => {
    const file = join(await createFolder(), 'file');
    await writeFile(file, '');
    await expect(readJournal({ folder: file })).rejects.toThrow(ConfigError);
  });
});
