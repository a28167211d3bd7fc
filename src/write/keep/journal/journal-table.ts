/** The journal in the store: one row for each write, its intent before anything is sent, its outcome after. */

import * as z from 'zod';
import { parseJson } from '../../../base/json.ts';
import { type Step, select, sql } from '../../../disk/statement.ts';
import { RECORDED, type Recorded } from '../../model/outcome.ts';
import {
  factsSchema,
  type JournalEntry,
  type JournalLine,
  keptSchema,
  outcomeSchema,
  requestSchema,
} from './entry.ts';

/**
 * A row stays for good, as it is told; its values (`kept`, `found`) go after some days, and so does a row that stands for
 * one listing of a feed. `seen`: it was read as it was sent after it had ended.
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

/** The same listing of a list has the same id, however often it is recorded: the last counts. */
export const entryIdOf = (batch: string, n: number) => `${batch}-${n}`;

/**
 * A write that is told twice has not begun anew; one that is recorded again later takes the place of the first.
 * @returns false for the end of a write whose record is not there any more
 */
export function* addLine(line: JournalLine): Step<boolean> {
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

/** Removes values that are older. @returns whether there were any */
export function* removeOld(oldest: string): Step<boolean> {
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
  /** Milliseconds since the epoch; entries at that moment count. */
  since?: number | undefined;
  outcome?: Recorded | undefined;
  /** The newest so many; all when left out. */
  limit?: number | undefined;
  /** Each listing of a feed stands beside it. */
  withListings?: boolean | undefined;
}

const isoTime = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());

/** Oldest first, as they are told; `hasValues` where they are still kept. */
export function* selectJournal(query: JournalQuery): Step<{ entry: JournalEntry; hasValues: boolean }[]> {
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
    // The digest of what it is about says nothing to a reader.
    const { thing: _thing, ...known } = toEntry(row);
    return { entry: { ...known, ...request, ...ending, ...isListing }, hasValues: hasValues === 1 };
  });
}

/** Selects the writes that an undo finds, oldest first, without the request. @param thing leaves out only those that are known to be about another */
export function* selectWrites(since: number, thing?: string): Step<JournalEntry[]> {
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

export function* hasOlder(oldest: string): Step<boolean> {
  const rows = yield sql`SELECT n FROM writes WHERE kept IS NOT NULL AND time < ${oldest}
    UNION ALL SELECT n FROM writes WHERE kind = 'listing' AND time < ${oldest} LIMIT 1`;
  return rows.length > 0;
}

const valuesSchema = z.object({
  kept: json.pipe(keptSchema).nullable(),
  found: json.pipe(keptSchema).nullable(),
  seen: z.int().transform((seen) => seen === 1),
});

/** Undefined for an entry that is not there any more. */
export function* selectValues(id: string) {
  const rows = yield* select(sql`SELECT kept, found, seen FROM writes WHERE id = ${id}`, valuesSchema);
  return rows[0];
}
