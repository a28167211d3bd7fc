/** What was changed lately from here, and what of it can be undone, for a person to choose from. */

import { groupBy } from '../../../base/group-by.ts';
import { escapeText } from '../../../base/text/escape-text.ts';
import { localTime, timeZoneName } from '../../../base/text/local-time.ts';
import { shortenToCharacters } from '../../../base/text/shorten.ts';
import { count } from '../../../base/text/value-words.ts';
import type { HistoryEntry } from '../../keep/history/history-file.ts';
import { indexUndone, type UndoneBy } from '../../keep/history/standing.ts';
import type { BatchSummary } from '../../run/batches/summary.ts';
import { isOver } from '../../run/batches/summary.ts';
import type { Session } from '../../tool-context.ts';
import { whyNotNow } from './find-entry.ts';

const MOST_LISTED = 20;
/** Items of lists that are named one by one, the newest list first; of a list that does not fit none is. */
const MOST_ITEMS = 25;
/** Characters of what one changed. */
const MOST_WHAT = 200;

interface ListedChange {
  id: string;
  /** Of this computer. */
  local_time: string;
  what: string;
  outcome: string;
  can_undo: boolean;
  why_not?: string;
  /** Writes that it stands for, where it is a list. */
  items?: number;
  /** Each of them, to be undone by itself; only where they are few. */
  single?: ListedItem[];
  /** How to find them where they are many. */
  find_items?: string;
}

interface ListedItem {
  id: string;
  what: string;
  outcome: string;
}

/** The newest first; the items of one list as one. */
export async function listUndoable(
  entries: readonly HistoryEntry[],
  account: string,
  session: Session,
): Promise<{ changes: ListedChange[]; time_zone: string; left_out: number }> {
  const { maskText } = await session.personal();
  const show = (text: string) => shortenToCharacters(maskText(session.redactor.redact(text)), MOST_WHAT);
  const groups = groupBy(entries, ({ batch, id }) => batch ?? id);
  const undone = indexUndone(entries);
  const open = await openLists(account, entries, session);
  const all = [...groups].reverse();
  let room = MOST_ITEMS;
  const changes = all.slice(0, MOST_LISTED).map(([id, group]) => {
    const listed = toListed(id, group, undone, show, open.get(id));
    if (listed.items === undefined || group.length === 1) return listed;
    const [first] = group;
    if (first !== undefined && group.length > room) return { ...listed, find_items: findItems(id, first) };
    room -= group.length;
    return { ...listed, single: group.map((entry) => toItem(entry, show)) };
  });
  return { time_zone: timeZoneName(), left_out: Math.max(0, all.length - MOST_LISTED), changes };
}

function toItem(entry: HistoryEntry, show: (text: string) => string): ListedItem {
  return { id: entry.id, what: whatOf(entry, show), outcome: outcomeWords(entry.outcome) };
}

const whatOf = ({ what, operation }: HistoryEntry, show: (text: string) => string) =>
  what === undefined ? escapeText(operation) : show(what);

const findItems = (batch: string, { operation }: HistoryEntry) =>
  operation.startsWith('listings-items/')
    ? `One listing of it: undo_change with id ${batch}/ and the SKU behind it.`
    : `query_data has each of them: SELECT id, what, outcome FROM changes WHERE list = '${batch}'`;

function toListed(
  id: string,
  group: readonly HistoryEntry[],
  undone: UndoneBy,
  show: (text: string) => string,
  list: BatchSummary | undefined,
): ListedChange {
  // What can be taken back is what somebody looks for here.
  const undoable = group.find((entry) => whyNotNow(entry, undone) === undefined);
  const first = undoable ?? group[0];
  const why = first === undefined || undoable !== undefined ? undefined : whyNotNow(first, undone);
  const words = first === undefined ? '' : whatOf(first, show);
  const outcomes = outcomesOf(group);
  return {
    id,
    local_time: localTime(first?.time ?? 0),
    what: group.length === 1 ? words : `${count(group.length)} changes, one of them: ${words}`,
    outcome: [...howFar(list), outcomes].join('; '),
    can_undo: undoable !== undefined,
    ...(why === undefined ? {} : { why_not: escapeText(why) }),
    ...(first?.batch === undefined ? {} : { items: group.length }),
  };
}

/** Lists that are not over, by their ids. */
async function openLists(account: string, entries: readonly HistoryEntry[], session: Session) {
  const [newest] = entries.slice(-1);
  const lists = newest === undefined ? [] : await (await session.batches()).unfinished(account, newest.owner);
  return new Map(lists.filter(({ state }) => !isOver(state)).map((list) => [list.id, list]));
}

/** `64 of 260, unfinished`. */
function howFar(list: BatchSummary | undefined): string[] {
  if (list === undefined) return [];
  const { state, total, counts } = list;
  const done = `${count(total - counts.pending)} of ${count(total)}`;
  return [`${done}, ${state === 'unfinished' ? state : 'under way'}`];
}

/** `done`, of several `9 done, 1 not accepted`. */
function outcomesOf(group: readonly HistoryEntry[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of group) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts]
    .map(([outcome, number]) => (counts.size === 1 ? '' : `${count(number)} `) + outcomeWords(outcome))
    .join(', ');
}

const outcomeWords = (outcome: string) => outcome.replaceAll('_', ' ');

export function undoableWords({
  changes,
  time_zone: zone,
  left_out: leftOut,
}: Awaited<ReturnType<typeof listUndoable>>): string {
  if (changes.length === 0) return 'Nothing that was changed from here is kept for this account.';
  const lines = changes.map((change) => {
    const { id, local_time: time, outcome, can_undo: canUndo, why_not: why, single = [] } = change;
    const what = single.length > 1 ? `a list of ${single.length} changes` : change.what;
    const each =
      single.length > 1 ? single.map((item) => `    ${item.id}  ${item.what} [${item.outcome}]`) : [];
    const head = `${time}  ${id}\n  ${what} [${outcome}${canUndo ? '' : `; cannot be undone: ${why ?? ''}`}]`;
    const find = change.find_items === undefined ? [] : [`  ${change.find_items}`];
    return [head, ...each, ...find].join('\n');
  });
  const more = leftOut === 0 ? [] : [`${leftOut} older ones are not listed.`];
  return [`Changes made from here, the newest first (times: ${zone}):`, ...lines, ...more, NEXT].join('\n');
}

const NEXT = 'Call undo_change with the id of the one to undo; the id of a list undoes all of it.';
