/** Gathers the shape of all items of a JSON list before the tables are laid out. */

import { isJsonObject } from '../../../base/json.ts';
import { type DateReader, looksLikeDate } from '../dates.ts';
import { toPathName } from '../sql-names.ts';
import { type ColumnValues, lookAtText, newColumn, readAmount, seeContact } from './column-values.ts';

/** Max distinct members in all items together; further ones stay JSON in their object. */
const MAX_NODES = 5_000;

/** Max depth of an object that gets columns of its own. */
const MAX_DEPTH = 6;

/** All values at one path: the items themselves, or one member of them. */
export interface Shape {
  /** The shapes of the members below. */
  members: Map<string, Shape>;
  /** The number of objects, lists of objects and other lists at this path. */
  objects: number;
  objectLists: number;
  otherLists: number;
  emptyLists: number;
  texts: number;
  numbers: number;
  booleans: number;
  /** The shape of the objects in the lists at this path. */
  element: Shape | undefined;
  /** True once its members are no longer distinguished. */
  isOpen: boolean;
  /** The texts and numbers at this path as a column; undefined while there are none. */
  values: ColumnValues;
}

export type ShapeReader = ReturnType<typeof createShapeReader>;

export function createShapeReader(readDate: DateReader) {
  let nodes = 0;
  const make = (name: string): Shape => {
    nodes += 1;
    return {
      members: new Map(),
      objects: 0,
      objectLists: 0,
      otherLists: 0,
      emptyLists: 0,
      texts: 0,
      numbers: 0,
      booleans: 0,
      element: undefined,
      isOpen: false,
      values: newColumn(toPathName(name.split(' '))),
    };
  };
  const see = (shape: Shape, value: unknown, name: string, depth: number): void => {
    if (value === null || value === undefined) return;
    if (typeof value === 'string') seeText(shape, value, readDate);
    else if (typeof value === 'number') shape.numbers += 1;
    else if (typeof value === 'boolean') shape.booleans += 1;
    else if (Array.isArray(value)) seeList(shape, value, depth);
    else seeObject(shape, value, name, depth);
  };
  const seeObject = (shape: Shape, value: object, name: string, depth: number): void => {
    shape.objects += 1;
    if (depth > MAX_DEPTH) shape.isOpen = true;
    if (shape.isOpen) return;
    for (const [key, member] of Object.entries(value)) {
      let below = shape.members.get(key);
      if (below === undefined) {
        if (nodes >= MAX_NODES) {
          shape.isOpen = true;
          return;
        }
        below = make(name === '' ? key : `${name} ${key}`);
        shape.members.set(key, below);
      }
      see(below, member, name === '' ? key : `${name} ${key}`, depth + 1);
    }
  };
  const seeList = (shape: Shape, list: readonly unknown[], depth: number): void => {
    if (list.length === 0) shape.emptyLists += 1;
    else if (list.every(isJsonObject)) {
      shape.objectLists += 1;
      shape.element ??= make('');
      for (const element of list) see(shape.element, element, '', depth + 1);
    } else shape.otherLists += 1;
  };
  const root = make('');
  let items = 0;
  return {
    root,
    see(item: unknown) {
      items += 1;
      see(root, item, '', 0);
    },
    /** Returns the number of items. */
    seen: () => items,
  };
}

/** Gives lists that were always empty the shape that was expected there. */
export function fillEmptyLists(shape: Shape, expected: Shape): void {
  const { emptyLists, objectLists, otherLists } = shape;
  if (emptyLists > 0 && objectLists + otherLists === 0 && expected.objectLists > 0) {
    Object.assign(shape, { emptyLists: 0, objectLists: emptyLists, element: expected.element });
    return;
  }
  if (shape.element !== undefined && expected.element !== undefined) {
    fillEmptyLists(shape.element, expected.element);
  }
  for (const [name, member] of shape.members) {
    const below = expected.members.get(name);
    if (below !== undefined) fillEmptyLists(member, below);
  }
}

/** @param path a path of own members only */
export function follow(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (!isJsonObject(found)) return undefined;
    found = Object.getOwnPropertyDescriptor(found, name)?.value;
  }
  return found;
}

/** Detects dates only, because the service types JSON values: a text is no amount unless its name says so. */
const kindOfText = (_: ColumnValues, text: string) => (looksLikeDate(text) ? 'date' : 'text');

function seeText(shape: Shape, text: string, readDate: DateReader): void {
  shape.texts += 1;
  const { values } = shape;
  if (text === '') return;
  seeContact(values, text);
  if (values.kind === 'open') values.kind = kindOfText(values, text);
  values.isFilled = true;
  if (values.kind === 'text') lookAtText(values, text, kindOfText);
  if (values.kind === 'amount') values.isMixed = readAmount(values, text) === undefined || values.isMixed;
  else if (values.kind === 'date' && readDate(text, values.order) === undefined) {
    values.isMixed = true;
    values.hasUnknownDates ||= looksLikeDate(text);
  }
}
