/**
 * Predicts the tables and columns of a collection: an example answer with every defined member passes through
 * the steps of a collection.
 */

import type { ValueSource } from '../../privacy/personal/kinds.ts';
import { batchForm } from '../../service/facts/batches.ts';
import type { AnswerShape, JsonSchema, Operation } from '../../service/facts/operation.ts';
import type { KnownColumns } from '../../service/facts/report-columns.ts';
import { MARKETPLACE_HEADINGS, traitsOfReport } from '../../service/facts/report-traits.ts';
import { nameOfRef, resolveSchema } from '../../service/facts/schema-parts.ts';
import { newDecimals } from '../tables/amounts.ts';
import { dateReader } from '../tables/dates.ts';
import { isPersonal } from '../tables/personal-tables.ts';
import { nameLists, toName, toNames, uniqueName } from '../tables/sql-names.ts';
import type { ColumnInfo } from '../tables/table-types.ts';
import { describeColumn, newColumn, settleColumn } from '../tables/worker/column-values.ts';
import { columnsOf, type ItemColumn, type ItemTable, layOut } from '../tables/worker/item-layout.ts';
import { createShapeReader } from '../tables/worker/item-shape.ts';
import { readBatch } from './batch-calls.ts';
import type { ExpectedAnswer } from './collect-each.ts';
import { tableOfReport } from './collect-report.ts';
import { itemsIn, rowOf } from './each-results.ts';
import { nounOf, readPage } from './parse-page.ts';

export interface ExpectedTable {
  name: string;
  /** The table that contains a nested list, with the columns that join the two. */
  parent: string | undefined;
  joining: readonly ColumnInfo[];
  /** The other columns as described for a collection: the most requested first. */
  columns: readonly ColumnInfo[];
}

export interface ExpectedTables {
  /** `each` tables also have the columns of the SELECT, and `error`. */
  by: 'pages' | 'each';
  tables: readonly ExpectedTable[];
}

/**
 * @param answer the shape of the called operation's answer: of the batch operation if it replaces the single
 * one
 */
export function expectedTables(operation: Operation, answer: AnswerShape): ExpectedTables {
  const { id, paging } = operation;
  const table = nounOf(operation.name);
  const taken = new Set<string>();
  if (paging === undefined) {
    const { items, at } = answeredIn(answer, id);
    const each = { items: items.map((item) => rowOf({}, item)), at, key: undefined };
    const [main, ...others] = layOutItems(table, each, id, taken);
    const columns = main?.columns.filter(({ name }) => name !== 'error') ?? [];
    return { by: 'each', tables: main === undefined ? [] : [{ ...main, columns }, ...others] };
  }
  // Some pages contain a list for each of several names: each is a table.
  const lists = readPage(exampleOf(answer), paging).lists;
  const tables = lists.flatMap(({ name, items, at }) =>
    layOutItems(name === undefined ? table : `${table}_${name}`, { items, at, key: paging.key }, id, taken),
  );
  return { by: 'pages', tables };
}

/** Returns items with all possible members, for an operation that pages one list. */
export function expectedItems({ paging }: Operation, answer: AnswerShape): Items['items'] | undefined {
  if (paging === undefined) return undefined;
  const [list, another] = readPage(exampleOf(answer), paging).lists;
  return another === undefined && list?.name === undefined ? list?.items : undefined;
}

/** Finds the rows of one call: the items of its answer, and the columns of the tables that these make. */
export function expectedAnswer(operation: Operation, answer: AnswerShape): ExpectedAnswer {
  const { id, paging } = operation;
  const lists = paging === undefined ? [answeredIn(answer, id)] : readPage(exampleOf(answer), paging).lists;
  const main = expectedTables(operation, answer).tables.filter(({ parent }) => parent === undefined);
  return {
    items: lists.flatMap(({ items }) => items),
    at: lists[0]?.at ?? [],
    columns: main.flatMap(({ columns }) => columns.map(({ name }) => name)),
  };
}

/** Returns the tables of a report whose columns are known. */
export function expectedReport(type: string, { headings, lists }: KnownColumns): ExpectedTable[] {
  const table = toName(tableOfReport(type));
  const taken = new Set<string>();
  if (headings.length > 0) {
    const columns = toNames(headings, ['item']).map((name) => {
      const { column } = settleColumn(newColumn(name), newDecimals());
      return describeColumn(column);
    });
    const isNamed = columns.some(({ name }) => MARKETPLACE_HEADINGS.includes(name));
    const isRegional = traitsOfReport(type)?.scope === 'region';
    // The country derives from the channel: see `addMarketplace` in the tables' worker.
    if (isNamed && isRegional) {
      const isTaken = columns.some(({ name }) => name === 'marketplace');
      columns.push({ name: isTaken ? 'marketplace_country' : 'marketplace', type: 'text' });
    }
    return [{ name: table, parent: undefined, joining: [], columns }];
  }
  const names = nameLists(table, [...lists.keys()], taken);
  const tables = [...lists].flatMap(([path, schema]) => {
    const example = exampleOf({ schema, defs: {} });
    const at = path === '' ? [] : path.split('.');
    const name = names.get(path) ?? table;
    return layOutNamed(name, { items: [example], at, key: undefined }, { reportType: type }, taken);
  });
  return tables;
}

interface Items {
  items: readonly unknown[];
  at: readonly string[];
  key: string | undefined;
}

function layOutItems(table: string, items: Items, operation: string, tables: Set<string>): ExpectedTable[] {
  return layOutNamed(uniqueName(toName(table) || 'data', tables), items, { operation }, tables);
}

function layOutNamed(
  name: string,
  { items, at, key }: Items,
  source: ValueSource,
  tables: Set<string>,
): ExpectedTable[] {
  const { root, see } = createShapeReader(dateReader(source.reportType));
  items.forEach(see);
  return listTables(layOut(name, root, { key, source, at, tables }));
}

function listTables(table: ItemTable): ExpectedTable[] {
  const { name, parent, lists } = table;
  const joining = columnsOf({ ...table, columns: [] });
  const columns = table.columns.toSorted(byImportance).map(({ info }) => info);
  return [{ name, parent, joining, columns }, ...lists.flatMap((list) => listTables(list.table))];
}

/** Matches columns that are requested at any depth. */
const OFTEN_REQUESTED = /(?:^|_)(?:sku|asin|status|quantity|amount|price)$/;
const UP = 1.5;

export const isOftenRequested = ({ name }: Pick<ColumnInfo, 'name'>) => OFTEN_REQUESTED.test(name);

/** Sorts masked columns last and deep ones late, because they are rarely requested. */
function byImportance(one: ItemColumn, other: ItemColumn): number {
  return Number(isPersonal(one.info)) - Number(isPersonal(other.info)) || depthOf(one) - depthOf(other);
}

const depthOf = ({ path, info }: ItemColumn) => path.length - (isOftenRequested(info) ? UP : 0);

/** Returns the items of the answer for one row. */
function answeredIn(answer: AnswerShape, operation: string): Omit<Items, 'key'> {
  const form = batchForm(operation);
  if (form?.operation !== operation) return itemsIn(exampleOf(answer), answer);
  const row = { parameters: { [form.key]: TEXT }, body: undefined, marketplaceId: undefined };
  const [outcome] = readBatch(form, exampleOf(answer, ['errors']), [row]);
  return outcome !== undefined && 'items' in outcome ? outcome : { items: [], at: [] };
}

// Builds an example answer with every member that a shape names, and one element in each list.

const TEXT = '';
const MOMENT = '2026-01-31T00:00:00Z';

/** Max recursions of a shape: objects as deep as columns go, lists as deep as callers need. */
const MAX_OBJECT_RECURSIONS = 8;
const MAX_LIST_RECURSIONS = 3;

/** Max parts of one example, because a user's file may double its shapes at every level. */
const MAX_EXAMPLE_PARTS = 20_000;

interface EnclosingShape {
  name: string;
  /** The number of lists around it. */
  lists: number;
}

/** @param without names of members to leave out */
function exampleOf({ schema, defs }: AnswerShape, without: readonly string[] = []): unknown {
  let parts = 0;
  const build = (part: JsonSchema, above: readonly EnclosingShape[], lists: number): unknown => {
    parts += 1;
    if (parts > MAX_EXAMPLE_PARTS) return undefined;
    const name = part.$ref === undefined ? undefined : nameOfRef(part.$ref);
    if (name !== undefined && isFollowed(name, above, lists)) return undefined;
    const inside = name === undefined ? above : [...above, { name, lists }];
    const { type, properties, items, format } = resolveSchema(part, defs);
    if (properties !== undefined) {
      const members = Object.entries(properties).filter(([member]) => !without.includes(member));
      return Object.fromEntries(members.map(([member, below]) => [member, build(below, inside, lists)]));
    }
    if (type === 'array' || items !== undefined) {
      const element = items === undefined ? undefined : build(items, inside, lists + 1);
      return element === undefined ? [] : [element];
    }
    return plainExample(type, format);
  };
  return build(schema, [], 0);
}

function isFollowed(name: string, above: readonly EnclosingShape[], lists: number): boolean {
  const same = above.filter((one) => one.name === name);
  return same.length >= ((same[0]?.lists ?? lists) < lists ? MAX_LIST_RECURSIONS : MAX_OBJECT_RECURSIONS);
}

function plainExample(type: JsonSchema['type'], format: string | undefined): unknown {
  if (type === 'string') return format === undefined ? TEXT : MOMENT;
  if (type === 'boolean') return true;
  if (type === 'object') return {};
  return type === undefined ? null : 1;
}
