/** What one answer of a paging operation holds: its items by list, where the next page is, and how many there are in all. */

import { isJsonObject } from '../../base/json.ts';
import { valueAt } from '../../base/json-difference.ts';
import type { Paging } from '../../service/facts/operation.ts';

interface PageList {
  /** Member that holds it, where an answer has several lists. */
  name?: string;
  items: readonly unknown[];
  /** Path of the list within the answer. */
  at: readonly string[];
}

export interface Page {
  lists: readonly PageList[];
  /** Items of all lists. */
  count: number;
  /** Token of the next page, absent on the last one. */
  next?: string;
  /** How many there are in all, where the answer tells. */
  total?: number;
}

/** Where answers tell how many there are, dotted from the root. */
const TOTALS = [
  'numberOfResults',
  'totalResults',
  'totalCount',
  'pagination.totalResults',
  'pagination.total',
  'payload.totalResultSetSize',
  'payload.pagination.total',
];

export function readPage(body: unknown, paging: Paging): Page {
  const lists = listsAt(body, paging.list);
  const given = memberAt(body, paging.output);
  const total = [paging.by === 'offset' ? paging.output : undefined, ...TOTALS]
    .map((path) => (path === undefined ? undefined : memberAt(body, path)))
    .find((value) => typeof value === 'number' && Number.isInteger(value) && value >= 0);
  return {
    lists,
    count: lists.reduce((sum, { items }) => sum + items.length, 0),
    ...(paging.by === 'token' && typeof given === 'string' && given !== '' ? { next: given } : {}),
    ...(typeof total === 'number' ? { total } : {}),
  };
}

/** `a.b.*`: every list within the object at `a.b`, by its member's name. */
function listsAt(body: unknown, path: string): PageList[] {
  if (!path.endsWith('.*')) {
    const list = memberAt(body, path);
    return [{ items: Array.isArray(list) ? list : [], at: path.split('.') }];
  }
  const at = path.split('.').slice(0, -1);
  const holder = memberAt(body, at.join('.'));
  if (!isJsonObject(holder)) return [];
  return Object.entries(holder).flatMap(([name, list]) =>
    Array.isArray(list) && list.length > 0 ? [{ name, items: list, at: [...at, name] }] : [],
  );
}

/** @param path dotted */
export const memberAt = (value: unknown, path: string) => valueAt(value, path.split('.'));

/** The same value with one member set; objects on the way are copied, missing ones made. */
export function withMember(value: unknown, path: string, member: unknown): unknown {
  const [name = '', ...rest] = path.split('.');
  const holder = isJsonObject(value) ? value : {};
  const inner = rest.length === 0 ? member : withMember(holder[name], rest.join('.'), member);
  return { ...holder, [name]: inner };
}

/** `searchListingsItems` -> `ListingsItems`; the tables make a name of it that SQL takes. */
export function nounOf(name: string): string {
  return name.replace(/^(?:[Gg]et|[Ll]ist|[Ss]earch)(?=[A-Z])/, '');
}
