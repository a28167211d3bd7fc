/** Which of a list are meant: named, or the rows of a query. */

import { InputError } from '../../../base/errors.ts';
import { queryRows } from '../../plan/query-rows.ts';
import type { ToolContext } from '../../session.ts';
import { MOST_LISTINGS, tooMany } from '../listing/asked-items.ts';

export interface AskedPart {
  skus?: readonly string[] | undefined;
  query?: string | undefined;
}

/** SKUs, or ids of stores, each once; undefined where the whole list is meant. @throws InputError */
export async function readPart(
  { skus, query }: AskedPart,
  account: string,
  ctx: ToolContext,
): Promise<string[] | undefined> {
  if (skus === undefined && query === undefined) return undefined;
  if (skus !== undefined && query !== undefined) {
    throw new InputError('Give skus or query, not both; nothing was sent.');
  }
  const things = [...new Set(skus ?? (await readQuery(query ?? '', account, ctx)))];
  if (things.length === 0) throw new InputError('None of the list is named; nothing was sent.', HOW);
  return things;
}

const HOW = "Such as query: SELECT sku FROM changes WHERE list = '...' AND member = 'price' AND new < 10.";

async function readQuery(query: string, account: string, ctx: ToolContext): Promise<string[]> {
  // A row for each member that was changed.
  const { columns, rows, total } = await queryRows(query, { account, maxRows: MOST_ROWS }, ctx);
  const names = columns.map((name) => name.trim().toLowerCase());
  const places = ['sku', 'store'].map((name) => names.indexOf(name)).filter((at) => at >= 0);
  if (places.length === 0)
    throw new InputError('The query has no column sku or store; nothing was sent.', HOW);
  if (total > MOST_ROWS) throw tooMany(total.toLocaleString('en-US'));
  return rows.map((row, at) => {
    const thing = places.map((place) => row[place]).find((value) => value !== null && value !== undefined);
    if (typeof thing === 'string' && thing !== '') return thing;
    throw new InputError(`Row ${at + 1} of the query has no SKU or store; nothing was sent.`, HOW);
  });
}

const MOST_ROWS = 4 * MOST_LISTINGS;
