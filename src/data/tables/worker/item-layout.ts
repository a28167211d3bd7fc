/**
 * Lays out tables for items of known shape: columns for plain members, separate tables for nested lists, JSON
 * for the rest.
 */

import type { ValueSource } from '../../../privacy/personal/kinds.ts';
import type { Decimals } from '../amounts.ts';
import { OF_THE_ITEM, TRUTHS } from '../personal-tables.ts';
import { toName, toPathName, uniqueName } from '../sql-names.ts';
import type { ColumnInfo } from '../table-types.ts';
import {
  type ColumnKind,
  type ColumnValues,
  describeColumn,
  joinDecimals,
  settleColumn,
} from './column-values.ts';
import type { Shape } from './item-shape.ts';
import { personalOfMember, personalOfShape } from './personal-columns.ts';

/** An object with more members than this, over all items, has data as names and stays JSON. */
const MAX_MEMBERS = 50;

/** Max columns of one table; further objects stay JSON. SQLite takes 2,000. */
const MAX_COLUMNS = 500;

/** Max tables of nested lists; further lists stay JSON. */
const MAX_TABLES = 30;

/** Members whose own members are named by the product type: listings have hundreds. */
const OPEN_MEMBERS = new Set(['attributes']);

export interface ItemColumn {
  /** The member names that lead to the value; empty for the item itself. */
  path: string[];
  values: ColumnValues;
  kind: ColumnKind | 'number' | 'json';
  info: ColumnInfo;
}

export interface ItemTable {
  name: string;
  columns: ItemColumn[];
  lists: { path: string[]; table: ItemTable }[];
  /** The column with the row number of the enclosing list, if this is a list within a nested list. */
  parentColumn: string | undefined;
  /** The column of a nested list that repeats the item's key. */
  keyColumn: ColumnInfo | undefined;
  parent: string | undefined;
  /** The members that lead from the item to a nested list. */
  path: string[] | undefined;
}

export interface ItemParts {
  /** The dotted path of the member that identifies items; without one all are stored. */
  key: string | undefined;
  source: ValueSource;
  /** The path of the items within the answer or document. */
  at: readonly string[];
  /** Members that only the caller provided, and the service in no item. */
  given?: ReadonlySet<string>;
}

export interface LayoutParts extends ItemParts {
  /** The table names in use in the collection; those of nested lists are added. */
  tables: Set<string>;
  /** Whether all members are known beforehand, so that a null figure is one that is not yet available. */
  hasTemplate?: boolean;
}

/** @param name the top table, whose name is reserved already */
export function layOut(name: string, root: Shape, parts: LayoutParts): ItemTable {
  const budget = { tables: MAX_TABLES };
  const all = joinDecimals(everyColumn(root));
  return layOutTable({
    ...parts,
    top: parts.at,
    name,
    shape: root,
    depth: 0,
    parent: undefined,
    all,
    budget,
  });
}

interface TablePart extends LayoutParts {
  /** The path of the items that contain all parts. */
  top: readonly string[];
  name: string;
  shape: Shape;
  depth: number;
  parent: string | undefined;
  all: Decimals;
  budget: { tables: number };
}

function layOutTable(part: TablePart): ItemTable {
  const { name, shape, key, depth, parent, all, budget, tables, source } = part;
  const used = new Set(depth === 0 ? ['item'] : ['item', 'n']);
  const parentColumn = depth > 1 ? uniqueName('parent_n', used) : undefined;
  const keyColumn = depth > 0 && key !== undefined ? describeKey(key, part, used) : undefined;
  const path = depth === 0 ? undefined : part.at.slice(part.top.length);
  const table: ItemTable = { name, columns: [], lists: [], parentColumn, keyColumn, parent, path };
  const visit = (at: Shape, path: string[]): void => {
    if (isList(at) && budget.tables > 0) {
      budget.tables -= 1;
      const below = uniqueName(`${name}_${toPathName(path) || 'list'}`, tables);
      const shape = at.element ?? at;
      const inner = {
        ...part,
        name: below,
        shape,
        depth: depth + 1,
        parent: name,
        at: [...part.at, ...path],
      };
      table.lists.push({ path, table: layOutTable(inner) });
    } else if (isFlat(at, path) && table.columns.length + at.members.size <= MAX_COLUMNS) {
      for (const [member, below] of at.members) visit(below, [...path, member]);
    } else {
      const column = toColumn(at, path, used, all);
      const personal =
        depth === 0 && part.given?.has(path.join('.')) === true
          ? { given: true }
          : personalOfShape(source, at, [...part.at, ...path]);
      table.columns.push({ ...column, info: { ...column.info, ...personal } });
    }
  };
  visit(shape, []);
  return table;
}

function describeKey(key: string, { source, top }: TablePart, used: Set<string>): ColumnInfo {
  const name = uniqueName(`item_${toName(key.replaceAll('.', ' '))}`, used);
  const personal = personalOfMember(source, [...top, ...key.split('.')], true);
  return { name, type: 'text', note: OF_THE_ITEM, personal };
}

/** Returns the columns, those that join tables first; the table of the items does not list its `item`. */
export function columnsOf({ columns, parent, parentColumn, keyColumn }: ItemTable): ColumnInfo[] {
  const own = columns.map(({ info }) => info);
  if (parent === undefined) return own;
  return [
    { name: 'item', type: 'number', note: 'joins item of the table of all items' },
    { name: 'n', type: 'number', note: 'its number within the item' },
    ...(parentColumn === undefined
      ? []
      : [
          {
            name: parentColumn,
            type: 'number' as const,
            note: 'n of the row that holds it, in the parent table',
          },
        ]),
    ...(keyColumn === undefined ? [] : [keyColumn]),
    ...own,
  ];
}

const hasAny = (...counts: number[]) => counts.some((count) => count > 0);

function isList(shape: Shape): boolean {
  const { objectLists, objects, otherLists, texts, numbers, booleans } = shape;
  return objectLists > 0 && !hasAny(objects, otherLists, texts, numbers, booleans);
}

function isFlat(shape: Shape, path: readonly string[]): boolean {
  const { objects, objectLists, otherLists, emptyLists, texts, numbers, booleans, members, isOpen } = shape;
  if (objects === 0 || members.size === 0 || isOpen) return false;
  if (hasAny(objectLists, otherLists, emptyLists, texts, numbers, booleans)) return false;
  // The items themselves are always split into columns, regardless of the number of their members.
  return path.length === 0 || (members.size <= MAX_MEMBERS && !OPEN_MEMBERS.has(path.at(-1) ?? ''));
}

function toColumn(shape: Shape, path: string[], used: Set<string>, all: Decimals): ItemColumn {
  const name = uniqueName(toPathName(path) || 'value', used);
  const { column } = settleColumn({ ...shape.values, name }, all);
  const kind = kindOf(shape, column);
  const note = noteOf(shape, kind, column);
  const described = describeColumn({
    ...column,
    kind: kind === 'amount' || kind === 'date' ? kind : 'text',
    note,
  });
  const type = kind === 'number' ? 'number' : kind === 'json' ? 'json' : described.type;
  return { path, values: column, kind, info: { ...described, type } };
}

function kindOf(shape: Shape, column: ColumnValues): ItemColumn['kind'] {
  const { objects, objectLists, otherLists, emptyLists, texts, numbers, booleans } = shape;
  if (hasAny(objects, objectLists, otherLists, emptyLists)) return 'json';
  if (texts === 0 && hasAny(numbers, booleans)) return 'number';
  if (column.kind === 'amount') return booleans === 0 ? 'amount' : 'text';
  return column.kind === 'date' && !hasAny(numbers, booleans) ? 'date' : 'text';
}

function noteOf({ booleans, numbers }: Shape, kind: ItemColumn['kind'], { note }: ColumnValues) {
  if (kind === 'json') return 'JSON: use json_extract or json_each';
  if (kind === 'number' && booleans > 0) return TRUTHS;
  if (kind === 'text' && hasAny(numbers, booleans)) return 'text: not all values are of one type';
  return note;
}

function everyColumn(shape: Shape): ColumnValues[] {
  const below = [...shape.members.values(), ...(shape.element === undefined ? [] : [shape.element])];
  return [shape.values, ...below.flatMap(everyColumn)];
}
