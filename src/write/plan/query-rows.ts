/** All rows of a query over collected data for a tool that works on them: they never pass the assistant. */

import { InputError } from '../../base/errors.ts';
import type { QueryResult } from '../../data/tables/types.ts';
import type { ToolContext } from '../tool-context.ts';

/** Longest time for it. */
const MOST_MS = 30_000;
/** Left of the call's own time for what is done with the rows. */
const MARGIN_MS = 5_000;
const MOST_BYTES = 20_000_000;

/** @throws InputError where not all of so many rows could be given; whatever the query throws */
export async function queryRows(
  sql: string,
  { account, maxRows }: { account: string; maxRows: number },
  { session, call }: ToolContext,
): Promise<QueryResult> {
  const tables = await session.tables(account);
  const left = Math.floor(call.deadline - performance.now() - MARGIN_MS);
  const timeoutMs = Math.max(1, Math.min(MOST_MS, left));
  const found = await tables.query(sql, { maxRows, maxBytes: MOST_BYTES, timeoutMs, signal: call.signal });
  if (found.rows.length < Math.min(found.total, maxRows)) {
    throw new InputError(
      `The rows of the query are larger than ${MOST_BYTES / 1_000_000} MB; nothing was sent.`,
      'Ask for fewer rows or columns at once.',
    );
  }
  return found;
}
