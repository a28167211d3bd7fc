/**
 * Builds the view of the changes made by this program: the journal with the values before and after, and what
 * can be undone.
 */

import type { Change, ChangeItem, ChangesView } from '../../views/data.ts';
import { groupBy } from '../base/group-by.ts';
import type { ChangeRow, Changes, SqlValue } from '../data/tables/table-types.ts';
import { RECORDED } from '../write/model/outcome.ts';
import type { AccountWrite, AccountWrites } from '../write/records/account-writes.ts';

/** The maximum number of writes and batches in the view, and of items in one batch. */
const MAX_CHANGES = 500;
const MAX_ITEMS = 2_000;

interface ChangesSources extends Pick<AccountWrites, 'keepDays'> {
  /** The recorded writes, oldest first, and the rows of their changes. */
  writes: readonly AccountWrite[];
  changes: Changes;
  redact(text: string): string;
}

export function describeChanges({ writes, changes, keepDays, redact }: ChangesSources): ChangesView {
  const writesById = groupBy(writes, ({ batch, id }) => batch ?? id);
  const groups = [...groupBy(changes.rows, ({ list, id }) => String(list ?? id))].toReversed();
  return {
    kind: 'changes',
    ask: 'Which changes did you make, and which of them can be undone?',
    changes: groups
      .slice(0, MAX_CHANGES)
      .map(([id, group]) => toChange(id, group, { writes: writesById.get(id) ?? [], redact, keepDays })),
    left: Math.max(0, groups.length - MAX_CHANGES),
    ofOthers: changes.leftOut,
  };
}

function toChange(
  id: string,
  attempts: readonly ChangeRow[],
  { writes, keepDays, redact }: Omit<ChangesSources, 'changes'>,
): Change {
  // A batch item counts once, however many attempts it took.
  const superseded = new Set(writes.flatMap((one) => (one.isSuperseded ? [one.id] : [])));
  const rows = attempts.filter((row) => !superseded.has(String(row.id)));
  const show = (value: SqlValue | undefined) =>
    value === null || value === undefined ? null : redact(String(value));
  const first = rows[0] ?? {};
  const things = groupBy(rows, ({ id: one }) => String(one));
  const outcomes = new Map<string, number>();
  for (const [row] of things.values()) {
    const words = formatOutcome(row?.outcome);
    outcomes.set(words, (outcomes.get(words) ?? 0) + 1);
  }
  const many = things.size > 1;
  const isOpen = writes.some(({ whyNot }) => whyNot === undefined);
  const [write] = writes;
  const why = write === undefined ? `its values are not kept (they are for ${keepDays} days).` : write.whyNot;
  const items = rows.map(
    (row): ChangeItem => ({
      id: String(row.id),
      thing: show(row.sku ?? row.store) ?? show(row.operation) ?? '',
      member: show(row.member),
      from: memberOf(row.old, redact),
      to: memberOf(row.new, redact),
      currency: show(row.currency),
      outcome: formatOutcome(row.outcome),
      error: show(row.error),
    }),
  );
  return {
    id,
    at: String(first.at ?? ''),
    what: many ? `a list of ${things.size} changes` : (show(first.what) ?? show(first.operation) ?? ''),
    // The order is fixed, whichever item was written first.
    outcome: [...outcomes]
      .toSorted(([one], [other]) => ORDER.indexOf(one) - ORDER.indexOf(other))
      .map(([words, number]) => (outcomes.size > 1 ? `${number} ${words}` : words))
      .join(', '),
    isGood: [...outcomes.keys()].every((words) => words === 'done'),
    error: show(rows.find(({ error }) => error !== null && error !== undefined)?.error),
    undoes: show(first.undoes),
    ...(isOpen
      ? { ask: `Take back the ${many ? 'list of changes' : 'change'} ${id}: show me what it would do first.` }
      : { whyNot: why ?? '' }),
    items: items.slice(0, MAX_ITEMS),
    left: Math.max(0, items.length - MAX_ITEMS),
  };
}

const formatOutcome = (outcome: SqlValue | undefined) =>
  outcome === 'refused' ? 'not sent' : String(outcome ?? 'unknown').replaceAll('_', ' ');

/** Outcomes are listed in this order. */
const ORDER = RECORDED.map(formatOutcome);

function memberOf(value: SqlValue | undefined, redact: (text: string) => string): string | number | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'number' ? value : redact(value);
}
