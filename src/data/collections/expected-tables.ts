/** Which tables and columns collecting an operation gives: an answer with all that its definition names, taken through the very steps of a collection. */

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
  /** Of a nested list: the table whose rows hold it, and the columns that join the two. */
  parent: string | undefined;
  joining: readonly ColumnInfo[];
  /** The others, as they are told of a collection: those that are asked for most first. */
  columns: readonly ColumnInfo[];
}

export interface ExpectedTables {
  /** `each`: beside the columns of the SELECT, and `error`. */
  by: 'pages' | 'each';
  tables: readonly ExpectedTable[];
}

/** @param answer of the operation that is called for it: of one that takes many, of the one that takes one */
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
  // Some pages hold a list for each of several names: each is a table.
  const lists = readPage(exampleOf(answer), paging).lists;
  const tables = lists.flatMap(({ name, items, at }) =>
    layOutItems(name === undefined ? table : `${table}_${name}`, { items, at, key: paging.key }, id, taken),
  );
  return { by: 'pages', tables };
}

/** Of one that has pages of one list: items with all that they may hold. */
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

/** Of a report, where its columns are known. */
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
    // The country that is made of the channel: see `addMarketplace` in the tables' worker.
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

/** Asked for wherever they stand. */
const ASKED = /(?:^|_)(?:sku|asin|status|quantity|amount|price)$/;
const UP = 1.5;

export const isAskedFor = ({ name }: Pick<ColumnInfo, 'name'>) => ASKED.test(name);

/** What is masked is asked for last, what stands deep inside seldom. */
function byImportance(one: ItemColumn, other: ItemColumn): number {
  return Number(isPersonal(one.info)) - Number(isPersonal(other.info)) || depthOf(one) - depthOf(other);
}

const depthOf = ({ path, info }: ItemColumn) => path.length - (isAskedFor(info) ? UP : 0);

/** What is answered for one row. */
function answeredIn(answer: AnswerShape, operation: string): Omit<Items, 'key'> {
  const form = batchForm(operation);
  if (form?.operation !== operation) return itemsIn(exampleOf(answer), answer);
  const row = { parameters: { [form.key]: TEXT }, body: undefined, marketplaceId: undefined };
  const [outcome] = readBatch(form, exampleOf(answer, ['errors']), [row]);
  return outcome !== undefined && 'items' in outcome ? outcome : { items: [], at: [] };
}

// An answer with all that a shape names, each list with one element.

const TEXT = '';
const MOMENT = '2026-01-31T00:00:00Z';

/** How often a shape is followed into itself: objects as deep as they get columns, lists as deep as anybody asks. */
const MOST_OBJECTS = 8;
const MOST_LISTS = 3;

/** Of one answer: a file of a user's may double its shapes at every level. */
const MOST_PARTS = 20_000;

interface Above {
  name: string;
  /** That stand around it. */
  lists: number;
}

/** @param without members of these names */
function exampleOf({ schema, defs }: AnswerShape, without: readonly string[] = []): unknown {
  let parts = 0;
  const build = (part: JsonSchema, above: readonly Above[], lists: number): unknown => {
    parts += 1;
    if (parts > MOST_PARTS) return undefined;
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

function isFollowed(name: string, above: readonly Above[], lists: number): boolean {
  const same = above.filter((one) => one.name === name);
  return same.length >= ((same[0]?.lists ?? lists) < lists ? MOST_LISTS : MOST_OBJECTS);
}

function plainExample(type: JsonSchema['type'], format: string | undefined): unknown {
  if (type === 'string') return format === undefined ? TEXT : MOMENT;
  if (type === 'boolean') return true;
  if (type === 'object') return {};
  return type === undefined ? null : 1;
}
