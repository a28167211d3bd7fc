/** Takes out of a JSON value the members that were asked for by path, and says which paths lead nowhere. */

import { isJsonObject } from '../../json.ts';
import { type Entry, type Part, type TextPart, wholePart } from './part.ts';
import { formatSegment, isEach, joinPath, parsePath, type Range, rangeOf, type Segment } from './path.ts';
import { explainUnknown, type UnknownPath } from './unknown-path.ts';

export interface Selection {
  /** The value cut down to what was selected: objects keep their shape, arrays hold only the chosen elements. */
  part: Part;
  /** Paths that lead nowhere, with the names that do. */
  unknown: UnknownPath[];
}

/** What is still to be walked of one of the paths. */
interface Tail {
  id: number;
  segments: readonly Segment[];
}

/**
 * Selects by path (syntax: path.ts). No paths selects everything. An element that lacks a member asked of
 * every element stays as `{}`; several ranges of one text become the stretch that covers them all.
 */
export function selectMembers(value: unknown, paths: readonly string[]): Selection {
  if (paths.length === 0) return { part: wholePart(value), unknown: [] };
  const hits = new Set<number>();
  const tails = paths.flatMap((path, id) => {
    const segments = parsePath(path);
    return segments === undefined ? [] : [{ id, segments }];
  });
  const part = project(value, tails, hits) ?? nothing(value);
  return { part, unknown: paths.filter((_, id) => !hits.has(id)).map((path) => explainUnknown(value, path)) };
}

function nothing(value: unknown): Part {
  if (Array.isArray(value)) return { kind: 'elements', entries: [], total: value.length };
  if (isJsonObject(value)) return { kind: 'members', entries: [], total: Object.keys(value).length };
  return wholePart(null);
}

/** Undefined when no path leads anywhere from here. */
function project(value: unknown, tails: readonly Tail[], hits: Set<number>): Part | undefined {
  const ended = tails.filter((tail) => tail.segments.length === 0);
  for (const tail of ended) hits.add(tail.id);
  const going = tails.filter((tail) => tail.segments.length > 0);
  const inner = going.length === 0 ? undefined : projectInner(value, going, hits);
  if (ended.length === 0) return inner;
  if (typeof value !== 'string') return wholePart(value);
  return { kind: 'text', full: value, from: 0, to: value.length, asked: true };
}

function projectInner(value: unknown, tails: readonly Tail[], hits: Set<number>): Part | undefined {
  if (typeof value === 'string') return projectText(value, tails, hits);
  if (Array.isArray(value)) return projectElements(value, tails, hits);
  return isJsonObject(value) ? projectMembers(value, tails, hits) : undefined;
}

function projectText(full: string, tails: readonly Tail[], hits: Set<number>): TextPart | undefined {
  let covered: Range | undefined;
  for (const { id, segments } of tails) {
    const [head, ...more] = segments;
    const range = head === undefined ? undefined : rangeOf(head);
    if (range === undefined || more.length > 0 || range.from > Math.max(0, full.length - 1)) continue;
    hits.add(id);
    covered = {
      from: Math.min(range.from, covered?.from ?? Infinity),
      to: Math.max(range.to, covered?.to ?? 0),
    };
  }
  if (covered === undefined) return undefined;
  const from = pastPair(full, covered.from);
  const to = pastPair(full, Math.min(covered.to + 1, full.length));
  return { kind: 'text', full, from, to, asked: true };
}

/** A surrogate pair belongs to the range in which it starts: a cut inside it moves behind it. */
function pastPair(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at + 1 : at;
}

function projectElements(
  value: readonly unknown[],
  tails: readonly Tail[],
  hits: Set<number>,
): Part | undefined {
  let matched = false;
  const steps = tails.flatMap(intoElements);
  const format = createFormat();
  const entries = value.flatMap((element, index): Entry[] => {
    const inner = steps.flatMap(({ from, to, tail }) => (index >= from && index <= to ? [tail] : []));
    if (inner.length === 0) return [];
    const part = project(element, inner, hits);
    matched ||= part !== undefined;
    const shown = part ?? withoutMember(element, inner, tails);
    return shown === undefined ? [] : [{ key: index, part: shown, tails: format(inner) }];
  });
  return matched ? { kind: 'elements', entries, total: value.length } : undefined;
}

/** What is left of a path in the elements from one index to another, worked out once for all of them. */
interface Step extends Range {
  tail: Tail;
}

function intoElements(tail: Tail): Step[] {
  const [head, ...segments] = tail.segments;
  if (head === undefined) return [];
  const all = { from: 0, to: Infinity };
  if (isEach(head)) return [{ ...all, tail: { id: tail.id, segments } }];
  const range = rangeOf(head);
  return [range === undefined ? { ...all, tail } : { ...range, tail: { id: tail.id, segments } }];
}

/** An element without the member asked of every element keeps its place; one named by index does not. */
function withoutMember(element: unknown, inner: readonly Tail[], tails: readonly Tail[]): Part | undefined {
  if (!inner.some((tail) => tails.includes(tail))) return undefined;
  return isJsonObject(element) ? nothing(element) : wholePart(element);
}

function projectMembers(
  value: Record<string, unknown>,
  tails: readonly Tail[],
  hits: Set<number>,
): Part | undefined {
  const names = Object.keys(value);
  const chosen = new Map<string, Tail[]>();
  for (const { id, segments } of tails) {
    const [head, ...rest] = segments;
    const tail = { id, segments: rest };
    for (const name of head === undefined ? [] : membersFor(value, names, head)) {
      const inner = chosen.get(name);
      if (inner === undefined) chosen.set(name, [tail]);
      else inner.push(tail);
    }
  }
  const format = createFormat();
  const entries = names.flatMap((name): Entry[] => {
    const inner = chosen.get(name);
    const part = inner && project(value[name], inner, hits);
    return part === undefined ? [] : [{ key: name, part, tails: format(inner ?? []) }];
  });
  return entries.length === 0 ? undefined : { kind: 'members', entries, total: names.length };
}

function membersFor(value: object, names: readonly string[], head: Segment): readonly string[] {
  if (isEach(head)) return names;
  return Object.hasOwn(value, head.text) ? [head.text] : [];
}

/** Writes tails as paths, each once however many elements share it. */
function createFormat(): (tails: readonly Tail[]) => readonly string[] {
  const texts = new Map<Tail, string>();
  let last: { tails: readonly Tail[]; paths: readonly string[] } | undefined;
  const textOf = (tail: Tail) => {
    const text = texts.get(tail) ?? tail.segments.map(formatSegment).reduce(joinPath, '');
    texts.set(tail, text);
    return text;
  };
  return (tails) => {
    if (last?.tails.length === tails.length && tails.every((tail, i) => tail === last?.tails[i]))
      return last.paths;
    const paths = tails.map(textOf);
    last = { tails, paths: paths.includes('') ? [''] : [...new Set(paths)] };
    return last.paths;
  };
}
