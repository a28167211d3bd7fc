/** What was changed lately from here, and what of it can be undone, for a person to choose from. */

import type { HistoryEntry } from '../../history/history.ts';
import { indexUndone, type UndoneBy } from '../../history/standing.ts';
import { escapeText } from '../../text/escape-text.ts';
import { localTime, timeZoneName } from '../../text/local-time.ts';
import { shortenToCharacters } from '../../text/shorten.ts';
import type { Session } from '../session.ts';
import { whyNotNow } from './find-entry.ts';

const MOST_LISTED = 20;
/** Characters of what one changed. */
const MOST_WHAT = 200;

export interface ListedChange {
  id: string;
  /** Of this computer. */
  local_time: string;
  what: string;
  outcome: string;
  can_undo: boolean;
  why_not?: string;
  /** Writes that it stands for, where it is a list. */
  items?: number;
}

/** The newest first; the items of one list as one. */
export async function listUndo(
  entries: readonly HistoryEntry[],
  session: Session,
): Promise<{ changes: ListedChange[]; time_zone: string; left_out: number }> {
  const { maskText } = await session.personal();
  const show = (text: string) => shortenToCharacters(maskText(session.redactor.redact(text)), MOST_WHAT);
  const groups = new Map<string, HistoryEntry[]>();
  for (const entry of entries) {
    const id = entry.batch ?? entry.id;
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [entry]);
    else group.push(entry);
  }
  const undone = indexUndone(entries);
  const all = [...groups].reverse();
  return {
    time_zone: timeZoneName(),
    left_out: Math.max(0, all.length - MOST_LISTED),
    changes: all.slice(0, MOST_LISTED).map(([id, group]) => toListed(id, group, undone, show)),
  };
}

function toListed(
  id: string,
  group: readonly HistoryEntry[],
  undone: UndoneBy,
  show: (text: string) => string,
): ListedChange {
  const reasons = group.map((entry) => whyNotNow(entry, undone));
  const canUndo = reasons.includes(undefined);
  const [first] = group;
  const words = first?.what === undefined ? escapeText(first?.operation ?? '') : show(first.what);
  const outcomes = [...new Set(group.map(({ outcome }) => outcome))].map(outcomeWords).join(', ');
  const [why] = reasons;
  return {
    id,
    local_time: localTime(first?.time ?? 0),
    what: group.length === 1 ? words : `${group.length.toLocaleString('en-US')} changes, the first: ${words}`,
    outcome: outcomes,
    can_undo: canUndo,
    ...(canUndo || why === undefined ? {} : { why_not: escapeText(why) }),
    ...(first?.batch === undefined ? {} : { items: group.length }),
  };
}

const outcomeWords = (outcome: string) => outcome.replaceAll('_', ' ');

export function listWords({
  changes,
  time_zone: zone,
  left_out: leftOut,
}: Awaited<ReturnType<typeof listUndo>>): string {
  if (changes.length === 0) return 'Nothing that was changed from here is kept for this account.';
  const lines = changes.map(
    ({ id, local_time: time, what, outcome, can_undo: canUndo, why_not: why }) =>
      `${time}  ${id}\n  ${what} [${outcome}${canUndo ? '' : `; cannot be undone: ${why ?? ''}`}]`,
  );
  const more = leftOut === 0 ? [] : [`${leftOut} older ones are not listed.`];
  return [`Changes made from here, the newest first (times: ${zone}):`, ...lines, ...more, NEXT].join('\n');
}

const NEXT = 'Call undo_change with the id of the one to undo.';
