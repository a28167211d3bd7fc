/** What versions before the store have left in the state folder: lines of the journal and the history, which are read once and set aside. Lists that went out as a whole are left out: what they changed cannot be undone any more. */

import { constants } from 'node:fs';
import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeeperThan, parseJson } from '../../base/json.ts';
import { makeFolder } from '../../disk/make-folder.ts';
import { openFile } from '../../disk/open-file.ts';
import type { OldState } from '../../disk/store.ts';
import { addHistoryLine, lineSchema as historySchema } from './history/history-table.ts';
import { lineSchema as journalSchema } from './journal/entry.ts';
import { addJournalLine } from './journal/journal-table.ts';

const HISTORY = 'history';
const ASIDE = 'before-store';
/** Every line of the journal began like this, so that one behind a torn one was found. */
const LINE_START = '{ "v":1,';

/** Undefined where there are none. @throws the system's error */
export async function findOldLines(folder: string): Promise<OldState | undefined> {
  const own = await namesIn(folder, /^writes(?:-[\w.-]+)?\.jsonl$/);
  const days = await namesIn(join(folder, HISTORY), /^\d{4}-\d{2}-\d{2}\.jsonl$/);
  if (own.length + days.length === 0) return undefined;
  // The one without a time in its name is the newest, and comes last.
  const files = await Promise.all(own.sort().map((name) => readOwn(join(folder, name))));
  const lines = await Promise.all(days.sort().map((name) => readOwn(join(folder, HISTORY, name))));
  return {
    *step() {
      const records = files.join('\n').split('\n').flatMap(toRecord);
      // The file of an outcome can come before that of its intent.
      for (const one of records) if (one.kind !== 'outcome') yield* addJournalLine(one);
      for (const one of records) if (one.kind === 'outcome') yield* addJournalLine(one);
      for (const text of lines.join('\n').split('\n')) {
        const { data } = historySchema.safeParse(parseJson(text));
        if (data !== undefined) yield* addHistoryLine(data);
      }
    },
    async setAside() {
      const aside = join(folder, ASIDE);
      await makeFolder(aside, 0o700);
      for (const name of own) await rename(join(folder, name), join(aside, name));
      await rename(join(folder, HISTORY), join(aside, `${HISTORY}-${Date.now()}`)).catch(() => undefined);
    },
  };
}

/** @throws NotAFileError for a link, a pipe or a device in the place of one */
async function readOwn(path: string): Promise<string> {
  const handle = await openFile(path, constants.O_RDONLY);
  return handle.readFile('utf8').finally(() => handle.close());
}

function toRecord(text: string) {
  const value = parseJson(text.slice(Math.max(0, text.lastIndexOf(LINE_START))));
  return isDeeperThan(value) ? [] : (journalSchema.safeParse(value).data ?? []);
}

async function namesIn(folder: string, wanted: RegExp): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => wanted.test(name));
}
