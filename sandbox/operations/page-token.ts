/** Page tokens: opaque to the caller, and good for the search that gave them out. */

import * as z from 'zod';
import { parseJson } from '../../src/base/json.ts';
import { BadParameter } from './query.ts';

const tokenSchema = z.strictObject({
  operation: z.string(),
  /** The search that goes on, as a query. */
  search: z.string(),
  from: z.int().min(0),
  /** When it was given out, in milliseconds. */
  at: z.number(),
});

export interface Paged {
  operation: string;
  /** The parameter that holds a token. */
  tokenName: string;
  now: number;
  /** A token older than this is refused. */
  lifetimeMs?: number;
}

export interface Place {
  /** Where this page begins. */
  from: number;
  /** The parameters of the search: those of its first page, whatever stands beside the token. */
  query: URLSearchParams;
  /** The token of the page that begins at `from`. */
  tokenAt(from: number): string;
  /** The page of these that begins here, and the token of the one behind it, where there is one. */
  cut<Item>(found: readonly Item[], size: number): { items: readonly Item[]; next?: string };
}

/** @throws BadParameter for a token that is not of this operation, or too old. */
export function findPlace(query: URLSearchParams, { operation, tokenName, now, lifetimeMs }: Paged): Place {
  const token = query.get(tokenName);
  const known = token === null ? undefined : read(token);
  if (token !== null && known?.operation !== operation) {
    throw new BadParameter(`${tokenName}: is not a token of ${operation}.`);
  }
  if (known !== undefined && lifetimeMs !== undefined && now - known.at > lifetimeMs) {
    throw new BadParameter(`${tokenName}: has expired ${lifetimeMs / 1000} seconds after it was given out.`);
  }
  const search = new URLSearchParams(known?.search ?? query);
  const from = known?.from ?? 0;
  const tokenAt = (at: number) => write({ operation, search: search.toString(), from: at, at: now });
  return {
    from,
    query: search,
    tokenAt,
    cut(found, size) {
      const to = Math.min(from + size, found.length);
      return { items: found.slice(from, to), ...(to < found.length && { next: tokenAt(to) }) };
    },
  };
}

const write = (value: z.infer<typeof tokenSchema>): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

function read(token: string): z.infer<typeof tokenSchema> | undefined {
  return tokenSchema.safeParse(parseJson(Buffer.from(token, 'base64url').toString())).data;
}
