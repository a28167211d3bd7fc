/** Stores the journal as one row for each write: its intent before anything is sent, its outcome after. */

import * as z from 'zod';
import { parseJson } from '../../../base/json.ts';
import { type StoreStep, select, sql } from '../../../store/statement.ts';
import { RECORDED, type RecordedOutcome } from '../../model/outcome.ts';
import {
  factsSchema,
  type JournalEntry,
  type JournalLine,
  outcomeSchema,
  requestSchema,
  storedValuesSchema,
} from './entry.ts';

/**
 * A row stays for good. Its values (`kept`, `found`) are removed after some days, and so is the row of a
 * single listing of a feed. `seen` means that a read after the end of the write matched what was sent.
 */
export const WRITE_TABLES = `
  CREATE TABLE writes (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    time TEXT NOT NULL,
    account TEXT NOT NULL,
    operation TEXT NOT NULL,
    facts TEXT NOT NULL,
    thing TEXT AS (facts ->> 'thing'),
    request TEXT,
    kept TEXT,
    outcome TEXT,
    ended_at TEXT,
    ending TEXT,
    found TEXT,
    seen INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX writes_time ON writes (time);
  CREATE INDEX writes_thing ON writes (thing, time);
  CREATE INDEX writes_kept ON writes (time) WHERE kept IS NOT NULL;
  CREATE INDEX writes_listing ON writes (time) WHERE kind = 'listing';
  INSERT INTO writes (id, kind, time, account, operation, facts, request, kept, outcome, ended_at, ending, found, seen)
    SELECT id, iif(h.id IS NULL, 'other', 'write'), j.time, j.account, j.operation,
      json_patch(json_remove(j.intent, '$.parameters', '$.body'), coalesce(h.entry, '{}')), j.intent,
      h.kept, coalesce(j.outcome, h.outcome), coalesce(j.ended_at, h.ended_at), j.ending, h.found,
      coalesce(h.seen, 0)
    FROM journal AS j LEFT JOIN history AS h USING (id) ORDER BY j.n;
  INSERT INTO writes (id, kind, time, account, operation, facts, kept, outcome, ended_at, found, seen)
    SELECT id, 'listing', time, entry ->> 'account', entry ->> 'operation',
      entry, kept, outcome, ended_at, found, seen
    FROM history WHERE id NOT IN (SELECT id FROM journal) ORDER BY n;
  DROP TABLE journal;
  DROP TABLE history`;

/**
 * Returns the same id for the same listing of a batch, however often it is recorded; the last record counts.
 */
export const entryIdOf = (batch: string, n: number) => `${batch}-${n}`;

/**
 * Adds a line. A repeated `begun` line changes nothing, and a later record of the same id replaces the first.
 * @returns false for the end of a write whose record is gone
 */
export function* addLine(line: JournalLine): StoreStep<boolean> {
  const { id, time } = line;
  if (line.kind === 'begun') {
    const { account, operation, values } = line;
    const [facts, request] = [factsSchema, requestSchema].map((schema) => JSON.stringify(schema.parse(line)));
    yield sql`INSERT INTO writes (id, kind, time, account, operation, facts, request, kept)
      VALUES (${id}, ${line.as}, ${time}, ${account}, ${operation}, ${facts}, ${request},
        ${values && JSON.stringify(values)})
      ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, time = excluded.time,
        account = excluded.account, operation = excluded.operation,
        facts = json_patch(facts, excluded.facts), request = json_patch(request, excluded.request),
        kept = excluded.kept, outcome = NULL, ended_at = NULL, ending = NULL, found = NULL, seen = 0
      WHERE excluded.time > time OR (kind = 'other' AND excluded.kind = 'write')`;
    return true;
  }
  if (line.kind === 'seen') {
    yield sql`UPDATE writes SET seen = 1 WHERE id = ${id}`;
    return true;
  }
  const { outcome, ...ending } = outcomeSchema.parse(line);
  const found = line.found && JSON.stringify(line.found);
  const rows = yield sql`UPDATE writes SET outcome = ${outcome}, ended_at = ${time},
    ending = json_patch(coalesce(ending, '{}'), ${JSON.stringify(ending)}),
    found = iif(kept IS NULL, NULL, coalesce(${found}, found)), seen = seen * ${found === undefined ? 1 : 0}
    WHERE id = ${id} RETURNING id`;
  return rows.length > 0;
}

/** Removes the values that are older than `oldest`. @returns whether there were any */
export function* removeOld(oldest: string): StoreStep<boolean> {
  const emptied = yield sql`UPDATE writes SET kept = NULL, found = NULL
    WHERE kept IS NOT NULL AND kind <> 'listing' AND time < ${oldest} RETURNING n`;
  const removed = yield sql`DELETE FROM writes WHERE kind = 'listing' AND time < ${oldest} RETURNING n`;
  return emptied.length + removed.length > 0;
}

const text = z.string();
const json = text.transform((value) => parseJson(value));
const knownSchema = z.object({
  id: text,
  time: text,
  account: text,
  operation: text,
  facts: json.pipe(factsSchema),
  outcome: z.enum(RECORDED).nullable(),
  ended_at: text.nullable(),
});
const rowSchema = knownSchema.extend({
  kind: text,
  has_values: z.int(),
  request: json.pipe(requestSchema).nullable(),
  ending: json.pipe(outcomeSchema.omit({ outcome: true })).nullable(),
});

/** A write without an outcome counts as unknown. */
const toEntry = ({
  facts,
  outcome,
  ended_at: endedAt,
  ...known
}: z.output<typeof knownSchema>): JournalEntry => ({
  ...known,
  ...facts,
  outcome: outcome ?? 'unknown',
  ...(endedAt !== null && { endedAt }),
});

export interface JournalQuery {
  account?: string | undefined;
  /** An operation id, or the part after its group (`updateSupplySource`). */
  operation?: string | undefined;
  /** Milliseconds since the epoch, inclusive. */
  since?: number | undefined;
  outcome?: RecordedOutcome | undefined;
  /** The number of newest entries; all when left out. */
  limit?: number | undefined;
  /** Includes each listing of a feed, beside the feed's own entry. */
  withListings?: boolean | undefined;
}

const isoTime = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());

/** Selects entries, oldest first; `hasValues` is true where their values are still stored. */
export function* selectJournal(
  query: JournalQuery,
): StoreStep<{ entry: JournalEntry; hasValues: boolean }[]> {
  const { account, operation, outcome, limit = -1, withListings = false } = query;
  const since = isoTime(query.since);
  const rows = yield* select(
    sql`SELECT id, kind, time, account, operation, facts, request, outcome, ended_at, ending,
      kept IS NOT NULL AS has_values FROM writes
      WHERE (${account} IS NULL OR account = ${account})
        AND (${operation} IS NULL OR operation = ${operation} OR substr(operation, instr(operation, '/') + 1) = ${operation})
        AND (${since} IS NULL OR time >= ${since})
        AND (${outcome} IS NULL OR coalesce(outcome, 'unknown') = ${outcome})
        AND (${Number(withListings)} OR kind <> 'listing')
      ORDER BY time DESC, n DESC LIMIT ${limit}`,
    rowSchema,
  );
  return rows.reverse().map(({ kind, request, ending, has_values: hasValues, ...row }) => {
    const isListing = kind === 'listing' && { isListing: true };
    // The digest of the listing or store means nothing to a reader.
    const { thing: _thing, ...known } = toEntry(row);
    return { entry: { ...known, ...request, ...ending, ...isListing }, hasValues: hasValues === 1 };
  });
}

/**
 * Selects the writes that an undo finds, oldest first, without the request.
 * @param thing leaves out only those known to be about another thing
 */
export function* selectWrites(since: number, thing?: string): StoreStep<JournalEntry[]> {
  const from = isoTime(since);
  const rows = yield* select(
    thing === undefined
      ? sql`SELECT id, time, account, operation, facts, outcome, ended_at FROM writes
          WHERE kind <> 'other' AND time >= ${from} ORDER BY +n`
      : sql`SELECT id, time, account, operation, facts, outcome, ended_at FROM writes
          WHERE kind <> 'other' AND (thing = ${thing} OR thing IS NULL) AND time >= ${from} ORDER BY n`,
    knownSchema,
  );
  return rows.map(toEntry);
}

export function* hasOldValues(oldest: string): StoreStep<boolean> {
  const rows = yield sql`SELECT n FROM writes WHERE kept IS NOT NULL AND time < ${oldest}
    UNION ALL SELECT n FROM writes WHERE kind = 'listing' AND time < ${oldest} LIMIT 1`;
  return rows.length > 0;
}

const valuesSchema = z.object({
  kept: json.pipe(storedValuesSchema).nullable(),
  found: json.pipe(storedValuesSchema).nullable(),
  seen: z.int().transform((seen) => seen === 1),
});

/** Returns undefined for an entry that is gone. */
export function* selectValues(id: string) {
  const rows = yield* select(sql`SELECT kept, found, seen FROM writes WHERE id = ${id}`, valuesSchema);
  return rows[0];
}
