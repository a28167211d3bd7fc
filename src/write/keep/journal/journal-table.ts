/** The journal in the store: a row for each write, its intent before anything is sent, its outcome after. */

import * as z from 'zod';
import { parseJson } from '../../../base/json.ts';
import { type Step, select, sql } from '../../../disk/statement.ts';
import { RECORDED, type Recorded } from '../../model/outcome.ts';
import { intentSchema, type JournalEntry, type JournalLine, outcomeSchema } from './entry.ts';

export interface JournalQuery {
  account?: string | undefined;
  /** An operation id, or the part after its group (`updateSupplySource`). */
  operation?: string | undefined;
  /** Milliseconds since the epoch; entries at that moment count. */
  since?: number | undefined;
  outcome?: Recorded | undefined;
  /** The newest so many; all when left out. */
  limit?: number | undefined;
}

/** Resolves to false for the outcome of a write whose record is not there any more. What is told twice has not begun anew. */
export function* addJournalLine({ v: _version, ...line }: JournalLine): Step<boolean> {
  if (line.kind === 'outcome') {
    const { kind: _kind, id, time, outcome, ...ending } = line;
    const found = yield sql`UPDATE journal SET outcome = ${outcome}, ended_at = ${time},
      ending = json_patch(coalesce(ending, '{}'), ${JSON.stringify(ending)})
      WHERE id = ${id} RETURNING id`;
    return found.length > 0;
  }
  const { kind: _kind, id, time, account, operation, ...rest } = line;
  const ending = line.kind === 'refusal' ? outcomeSchema.parse(line) : undefined;
  yield sql`INSERT OR IGNORE INTO journal (id, time, account, operation, intent, outcome, ended_at, ending)
    VALUES (${id}, ${time}, ${account}, ${operation}, ${JSON.stringify(rest)},
      ${ending?.outcome}, ${ending && time}, ${ending && JSON.stringify(ending)})`;
  return true;
}

const text = z.string();
const json = text.transform((value) => parseJson(value));
const rowSchema = z.object({
  id: text,
  time: text,
  account: text,
  operation: text,
  intent: json.pipe(intentSchema.omit({ account: true, operation: true })),
  outcome: z.enum(RECORDED).nullable(),
  ended_at: text.nullable(),
  ending: json.pipe(outcomeSchema.omit({ outcome: true })).nullable(),
});

/** Oldest first. A write without an outcome counts as unknown. */
export function* selectJournal(query: JournalQuery): Step<JournalEntry[]> {
  const { account, operation, outcome, limit = -1 } = query;
  const since = query.since === undefined ? undefined : new Date(query.since).toISOString();
  const rows = yield* select(
    sql`SELECT id, time, account, operation, intent, outcome, ended_at, ending FROM journal
      WHERE (${account} IS NULL OR account = ${account})
        AND (${operation} IS NULL OR operation = ${operation} OR substr(operation, instr(operation, '/') + 1) = ${operation})
        AND (${since} IS NULL OR time >= ${since})
        AND (${outcome} IS NULL OR coalesce(outcome, 'unknown') = ${outcome})
      ORDER BY time DESC, n DESC LIMIT ${limit}`,
    rowSchema,
  );
  return rows.reverse().map(({ intent, ending, outcome: ended, ended_at: endedAt, ...entry }) => ({
    ...entry,
    ...intent,
    ...ending,
    outcome: ended ?? 'unknown',
    ...(endedAt !== null && { endedAt }),
  }));
}
