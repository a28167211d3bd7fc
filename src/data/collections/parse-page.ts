/** Parses one answer of a paging operation: its items by list, the next page and the total. */

import { isJsonObject } from '../../base/json.ts';
import { valueAt } from '../../base/json-difference.ts';
import type { Paging } from '../../service/facts/operation.ts';

interface PageList {
  /** The member that contains it, if an answer has several lists. */
  name?: string;
  items: readonly unknown[];
  /** The path of the list within the answer. */
  at: readonly string[];
}

export interface ResultPage {
  lists: readonly PageList[];
  /** The number of items in all lists. */
  count: number;
  /** The token of the next page, absent on the last one. */
  next?: string;
  /** The total number of items, if the answer states it. */
  total?: number;
}

/** The dotted paths at which answers state their total. */
const TOTALS = [
  'numberOfResults',
  'totalResults',
  'totalCount',
  'pagination.totalResults',
  'pagination.total',
  'payload.totalResultSetSize',
  'payload.pagination.total',
];

export function readPage(body: unknown, paging: Paging): ResultPage {
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

/** Returns the lists at a path; `a.b.*` means every list within the object at `a.b`, named by its member. */
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

/** @param path a dotted path */
export const memberAt = (value: unknown, path: string) => valueAt(value, path.split('.'));

/** Returns the same value with one member set; it copies objects on the way and creates missing ones. */
export function withMember(value: unknown, path: string, member: unknown): unknown {
  const [name = '', ...rest] = path.split('.');
  const holder = isJsonObject(value) ? value : {};
  const inner = rest.length === 0 ? member : withMember(holder[name], rest.join('.'), member);
  return { ...holder, [name]: inner };
}

/** Returns `ListingsItems` for `searchListingsItems`; the tables turn it into an SQL name. */
export function nounOf(name: string): string {
  return name.replace(/^(?:[Gg]et|[Ll]ist|[Ss]earch)(?=[A-Z])/, '');
}
