/** What was changed from here, as its view shows it: the journal with the values before and after, and what can be taken back. */

import type { Change, ChangeItem, ChangesView } from '../../views/data.ts';
import { groupBy } from '../base/group-by.ts';
import type { ChangeRow, SqlValue } from '../data/tables/types.ts';
import type { PersonalData } from '../privacy/personal/personal-data.ts';
import { readChanges } from '../write/keep/changes-table.ts';
import type { History } from '../write/keep/history/history.ts';
import type { HistoryEntry } from '../write/keep/history/history-file.ts';
import { indexUndone, type UndoneBy } from '../write/keep/history/standing.ts';
import { whyNotNow, whyNotOfMany } from '../write/kinds/undo/find-entry.ts';

/** Writes and lists that are handed over, and items of one list. */
const MOST = 500;
const MOST_ITEMS = 2_000;

export interface ChangesSources {
  account: string;
  /** Of the account's owner; undefined where nothing was written. */
  mark: string | undefined;
  /** Of the journal. */
  folder: string;
  history: Pick<History, 'list' | 'keepDays'>;
  personal: PersonalData;
  redact(text: string): string;
}

/** @throws ConfigError where the journal is there and cannot be read */
export async function readChangesView({
  account,
  mark,
  folder,
  history,
  personal,
  redact,
}: ChangesSources): Promise<ChangesView> {
  const ask = 'Which changes did you make, and which of them can be undone?';
  if (mark === undefined) return { kind: 'changes', ask, changes: [], left: 0, ofOthers: 0 };
  const { rows, leftOut } = await readChanges({ account, mark, folder, history, personal });
  const entries = (await history.list()).filter((entry) => entry.account === account && entry.owner === mark);
  const undone = indexUndone(entries);
  const kept = groupBy(entries, ({ batch, id }) => batch ?? id);
  const groups = [...groupBy(rows, ({ list, id }) => String(list ?? id))].toReversed();
  return {
    kind: 'changes',
    ask,
    changes: groups
      .slice(0, MOST)
      .map(([id, group]) =>
        toChange(id, group, { entries: kept.get(id) ?? [], undone, redact, keepDays: history.keepDays }),
      ),
    left: Math.max(0, groups.length - MOST),
    ofOthers: leftOut,
  };
}

interface Kept {
  entries: readonly HistoryEntry[];
  undone: UndoneBy;
  keepDays: number;
  redact(text: string): string;
}

function toChange(
  id: string,
  rows: readonly ChangeRow[],
  { entries, undone, keepDays, redact }: Kept,
): Change {
  const show = (value: SqlValue | undefined) =>
    value === null || value === undefined ? null : redact(String(value));
  const first = rows[0] ?? {};
  const things = groupBy(rows, ({ id: one }) => String(one));
  const outcomes = new Map<string, number>();
  for (const [row] of things.values()) {
    const words = outcomeWords(row?.outcome);
    outcomes.set(words, (outcomes.get(words) ?? 0) + 1);
  }
  const many = things.size > 1;
  const isOpen = entries.some((entry) => whyNotOfMany(entry, undone) === undefined);
  const [entry] = entries;
  const why =
    entry === undefined
      ? `its values are not kept (they are for ${keepDays} days).`
      : whyNotNow(entry, undone);
  const items = rows.map(
    (row): ChangeItem => ({
      id: String(row.id),
      thing: show(row.sku ?? row.store) ?? show(row.operation) ?? '',
      member: show(row.member),
      from: memberOf(row.old, redact),
      to: memberOf(row.new, redact),
      currency: show(row.currency),
      outcome: outcomeWords(row.outcome),
      error: show(row.error),
    }),
  );
  return {
    id,
    at: String(first.at ?? ''),
    what: many ? `a list of ${things.size} changes` : (show(first.what) ?? show(first.operation) ?? ''),
    outcome: [...outcomes]
      .map(([words, number]) => (outcomes.size > 1 ? `${number} ${words}` : words))
      .join(', '),
    isGood: [...outcomes.keys()].every((words) => words === 'done'),
    error: show(rows.find(({ error }) => error !== null && error !== undefined)?.error),
    undoes: show(first.undoes),
    ...(isOpen
      ? { ask: `Take back the ${many ? 'list of changes' : 'change'} ${id}: show me what it would do first.` }
      : { whyNot: why ?? '' }),
    items: items.slice(0, MOST_ITEMS),
    left: Math.max(0, items.length - MOST_ITEMS),
  };
}

const outcomeWords = (outcome: SqlValue | undefined) => String(outcome ?? 'unknown').replaceAll('_', ' ');

function memberOf(value: SqlValue | undefined, redact: (text: string) => string): string | number | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'number' ? value : redact(value);
}
