/** Reads the journal back: intents paired with their outcomes, filtered, newest last. */

import { ConfigError } from '../../../base/errors.ts';
import { NotAFileError } from '../../../disk/open-file.ts';
import type { Recorded } from '../../model/outcome.ts';
import type { JournalEntry, JournalLine, WriteOutcome } from './entry.ts';
import { readLines } from './journal-file.ts';
import { parseLine } from './line.ts';

export interface JournalQuery {
  folder: string;
  account?: string | undefined;
  /** An operation id, or the part after its group (`updateSupplySource`). */
  operation?: string | undefined;
  /** Milliseconds since the epoch; entries at that moment count. */
  since?: number | undefined;
  outcome?: Recorded | undefined;
  /** The newest so many; all when left out. */
  limit?: number | undefined;
}

/** Intents kept beside those that match already, since their outcome may still follow. */
const RECENT = 1_000;
/** Outcomes kept for an intent that may still come; most belong to writes that were not asked for. */
const MAX_EARLY = 10_000;

/** What an outcome adds to an entry. */
type Ending = WriteOutcome & Pick<JournalEntry, 'endedAt'>;

/** @throws ConfigError when the files are there and cannot be read */
export async function readJournal(query: JournalQuery) {
  const entries = new Map<string, JournalEntry>();
  const early = new Map<string, Ending>();
  let damagedLines = 0;
  try {
    for await (const text of readLines(query.folder)) {
      const { record, isWhole } = parseLine(text);
      if (!isWhole) damagedLines += 1;
      if (record !== undefined) addRecord(entries, early, record, query);
      if (entries.size > 2 * RECENT + 2 * (query.limit ?? Number.POSITIVE_INFINITY)) prune(entries, query);
    }
  } catch (error) {
    throw describeFailure(error, query.folder);
  }
  return {
    /** Oldest first. */
    entries: selectNewest(entries, query),
    /** Lines that are no record: torn by a kill, or not ours. */
    damagedLines,
  };
}

function addRecord(
  entries: Map<string, JournalEntry>,
  early: Map<string, Ending>,
  { v: _version, ...line }: JournalLine,
  query: JournalQuery,
): void {
  if (line.kind === 'outcome') {
    const { kind: _kind, id, time, ...fields } = line;
    const entry = entries.get(id);
    if (entry === undefined) rememberEarly(early, id, { ...fields, endedAt: time });
    else entries.set(id, { ...entry, ...fields, endedAt: time });
    return;
  }
  // What is told twice has not begun anew.
  if (entries.has(line.id) || !isAskedFor(line, query)) return;
  const { kind, ...fields } = line;
  const ended = kind === 'refusal' ? { endedAt: line.time } : early.get(line.id);
  entries.set(line.id, { outcome: 'unknown', ...fields, ...ended });
}

/** When several processes put files aside at once, an outcome's file can come before its intent's. */
function rememberEarly(early: Map<string, Ending>, id: string, ending: Ending): void {
  early.set(id, ending);
  const [oldest] = early.keys();
  if (early.size > MAX_EARLY && oldest !== undefined) early.delete(oldest);
}

function isAskedFor(
  { account, operation, time }: Pick<JournalEntry, 'account' | 'operation' | 'time'>,
  query: JournalQuery,
): boolean {
  return (
    (query.account === undefined || query.account === account) &&
    (query.operation === undefined ||
      query.operation === operation ||
      operation.endsWith(`/${query.operation}`)) &&
    (query.since === undefined || Date.parse(time) >= query.since)
  );
}

/** The newest entries that match in everything, oldest of them first. */
function selectNewest(entries: ReadonlyMap<string, JournalEntry>, query: JournalQuery): JournalEntry[] {
  const matching = sortByTime(entries).filter(({ outcome }) => (query.outcome ?? outcome) === outcome);
  return query.limit === undefined ? matching : matching.slice(Math.max(0, matching.length - query.limit));
}

/** Keeps memory bounded by what is asked for, however long the journal is. */
function prune(entries: Map<string, JournalEntry>, query: JournalQuery): void {
  const kept = new Set([...selectNewest(entries, query), ...sortByTime(entries).slice(-RECENT)]);
  for (const [id, entry] of entries) if (!kept.has(entry)) entries.delete(id);
}

function sortByTime(entries: ReadonlyMap<string, JournalEntry>): JournalEntry[] {
  return [...entries.values()].sort((a, b) => Date.parse(a.time) - Date.parse(b.time));
}

function describeFailure(error: unknown, folder: string): ConfigError {
  const reason = error instanceof Error ? error.message : String(error);
  return new ConfigError(
    `The journal of writes in ${folder} cannot be read: ${reason}.`,
    error instanceof NotAFileError
      ? 'Move it away, or name another folder with --state-dir (SELLER_STATE_DIR).'
      : 'Make the folder and its writes*.jsonl files readable, or name another folder with --state-dir (SELLER_STATE_DIR).',
    { cause: error },
  );
}
