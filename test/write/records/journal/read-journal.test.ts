/** Filters and limits. */

import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../../src/base/errors.ts';
import type { RecordedOutcome } from '../../../../src/write/model/outcome.ts';
import type { JournalQuery } from '../../../../src/write/records/journal/journal-table.ts';
import { createFolder, openJournal, readEntries } from './helpers.ts';

async function writeSome(): Promise<string> {
  const folder = await createFolder();
  const { journal } = openJournal(folder);
  const write = async (account: string, operation: string, outcome?: RecordedOutcome) => {
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
  it.each<[JournalQuery, string[]]>([
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
    const entries = await readEntries(await writeSome(), query);
    expect(entries.map(({ id }) => id)).toEqual(ids);
  });

  it('is empty where nothing was ever written, and makes nothing', async () => {
    const folder = join(await createFolder(), 'none');
    expect(await readEntries(folder)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });

  it('sorts by time, whatever the order of the records', async () => {
    const folder = await createFolder();
    const { journal, clock } = openJournal(folder);
    for (const minutes of [3, 1, 2]) {
      clock.now = Date.UTC(2026, 10, 20, 12, minutes);
      await journal.begin({ account: 'a', operation: 'o', parameters: {} });
    }
    expect((await readEntries(folder, { limit: 2 })).map(({ id }) => id)).toEqual(['w-3', 'w-1']);
  });

  it('says what to do when the folder is no folder', async () => {
    const file = join(await createFolder(), 'file');
    await writeFile(file, '');
    const { journal } = openJournal(file);
    await expect(journal.begin({ account: 'a', operation: 'o', parameters: {} })).rejects.toThrow(
      ConfigError,
    );
  });
});
