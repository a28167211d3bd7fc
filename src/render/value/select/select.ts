/** Selects members of a JSON value by path, and reports the paths that do not exist. */

import { isJsonObject } from '../../../base/json.ts';
import { type PartEntry, type TextPart, type ValuePart, wholePart } from './part.ts';
import {
  formatSegment,
  type IndexRange,
  isEach,
  joinPath,
  parsePath,
  rangeOf,
  type Segment,
} from './path.ts';
import { explainUnknownPath, type UnknownPath } from './unknown-path.ts';

/**
 * Selects by path (syntax: path.ts). No paths select everything. If a member is selected in every element, an
 * element without it stays as `{}`. Several ranges of one text become one range that covers them all.
 * @returns the value reduced to the selection (objects keep their shape, arrays have only the selected
 * elements), and the paths that do not exist, with valid names.
 */
export function selectMembers(
  value: unknown,
  paths: readonly string[],
): { part: ValuePart; unknown: UnknownPath[] } {
  if (paths.length === 0) return { part: wholePart(value), unknown: [] };
  const walk = startWalk();
  const tails = paths.flatMap((path, id) => {
    const segments = parsePath(path);
    return segments === undefined ? [] : [{ id, segments }];
  });
  const part = project(value, tails, walk) ?? nothing(value);
  const missed = paths.filter((_, id) => !walk.hits.has(id)).map((path) => explainUnknownPath(value, path));
  // A path into the elements of an empty list is not wrong.
  return { part, unknown: missed.filter(({ inEmptyList }) => inEmptyList !== true) };
}

function nothing(value: unknown): ValuePart {
  if (Array.isArray(value)) return { kind: 'elements', entries: [], total: value.length };
  if (isJsonObject(value)) return { kind: 'members', entries: [], total: Object.keys(value).length };
  return wholePart(null);
}

/** Returns undefined when no path exists from here. */
function project(value: unknown, tails: readonly Tail[], walk: Walker): ValuePart | undefined {
  const { ended, going } = walk.split(tails);
  for (const tail of ended) walk.hits.add(tail.id);
  const inner = going.length === 0 ? undefined : projectInner(value, going, walk);
  if (ended.length === 0) return inner;
  if (typeof value !== 'string') return wholePart(value);
  return { kind: 'text', full: value, from: 0, to: value.length, asked: true };
}

function projectInner(value: unknown, tails: readonly Tail[], walk: Walker): ValuePart | undefined {
  if (typeof value === 'string') return projectText(value, tails, walk.hits);
  if (Array.isArray(value)) return projectElements(value, tails, walk);
  return isJsonObject(value) ? projectMembers(value, tails, walk) : undefined;
}

function projectText(full: string, tails: readonly Tail[], hits: Set<number>): TextPart | undefined {
  let covered: IndexRange | undefined;
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

/**
 * Moves a cut inside a surrogate pair behind it, because the pair belongs to the range in which it starts.
 */
function pastPair(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at + 1 : at;
}

function projectElements(
  value: readonly unknown[],
  tails: readonly Tail[],
  walk: Walker,
): ValuePart | undefined {
  if (value.length === 0) return { kind: 'elements', entries: [], total: 0 };
  let matched = false;
  const steps = walk.steps(tails);
  const every = walk.everyElement(tails);
  // Elements without a name that is selected in every element stay; this does not apply to elements selected
  // by index.
  const isSelectedInAll = steps.some(({ tail }) => tails.includes(tail));
  let last: readonly Tail[] = [];
  const entries = value.flatMap((element, index): PartEntry[] => {
    const inner = every ?? reached(steps, index, last);
    last = inner;
    if (inner.length === 0) return [];
    const part = project(element, inner, walk);
    matched ||= part !== undefined;
    const shown = part ?? (isSelectedInAll ? withoutMember(element) : undefined);
    return shown === undefined ? [] : [{ key: index, part: shown, tails: walk.paths(inner) }];
  });
  return matched ? { kind: 'elements', entries, total: value.length } : undefined;
}

/** Returns the tails that lead into an element; `last` itself if they equal those of the previous element. */
function reached(steps: readonly ElementStep[], index: number, last: readonly Tail[]): readonly Tail[] {
  const inner = steps.flatMap(({ from, to, tail }) => (index >= from && index <= to ? [tail] : []));
  return inner.length === last.length && inner.every((tail, i) => tail === last[i]) ? last : inner;
}

function withoutMember(element: unknown): ValuePart {
  return isJsonObject(element) ? nothing(element) : wholePart(element);
}

function projectMembers(
  value: Record<string, unknown>,
  tails: readonly Tail[],
  walk: Walker,
): ValuePart | undefined {
  const plan = walk.members(tails);
  const names = Object.keys(value);
  const entries = names.flatMap((name): PartEntry[] => {
    const inner = plan.named.get(name) ?? plan.each;
    const part = inner.length === 0 ? undefined : project(value[name], inner, walk);
    return part === undefined ? [] : [{ key: name, part, tails: walk.paths(inner) }];
  });
  return entries.length === 0 ? undefined : { kind: 'members', entries, total: names.length };
}

// The functions below prepare the paths of a walk once for each list of them, however many elements share it.

/** The rest of a path that is still to be walked. */
interface Tail {
  id: number;
  segments: readonly Segment[];
}

/** Results of one walk that are computed once for each list of tails, however many elements share it. */
type Walker = ReturnType<typeof startWalk>;

function startWalk() {
  const steps = once((tails) => tails.flatMap(intoElements));
  return {
    hits: new Set<number>(),
    split: once((tails) => ({
      ended: tails.filter((tail) => tail.segments.length === 0),
      going: tails.filter((tail) => tail.segments.length > 0),
    })),
    steps,
    /**
     * Returns the tails into every element if all elements have the same ones; undefined if there are ranges.
     */
    everyElement: once((tails) => {
      const into = steps(tails);
      const isEvery = into.every(({ from, to }) => from === 0 && to === Infinity);
      return isEvery ? into.map(({ tail }) => tail) : undefined;
    }),
    members: once(planMembers),
    paths: once((tails) => {
      const paths = tails.map(({ segments }) => segments.map(formatSegment).reduce(joinPath, ''));
      return paths.includes('') ? [''] : [...new Set(paths)];
    }),
  };
}

/** Caches by the identity of the list, not by its contents. */
function once<T>(find: (tails: readonly Tail[]) => T): (tails: readonly Tail[]) => T {
  const found = new Map<readonly Tail[], T>();
  return (tails) => {
    const known = found.get(tails);
    if (known !== undefined) return known;
    const value = find(tails);
    found.set(tails, value);
    return value;
  };
}

/** The rest of a path in the elements from one index to another, computed once for all of them. */
interface ElementStep extends IndexRange {
  tail: Tail;
}

function intoElements(tail: Tail): ElementStep[] {
  const [head, ...segments] = tail.segments;
  if (head === undefined) return [];
  const all = { from: 0, to: Infinity };
  if (isEach(head)) return [{ ...all, tail: { id: tail.id, segments } }];
  const range = rangeOf(head);
  return [range === undefined ? { ...all, tail } : { ...range, tail: { id: tail.id, segments } }];
}

/** The tails that lead into each member. */
interface MemberPlan {
  /** The tails into a member that is named, with those for every member, in the order of the paths. */
  named: ReadonlyMap<string, readonly Tail[]>;
  /** The tails into any other member. */
  each: readonly Tail[];
}

function planMembers(tails: readonly Tail[]): MemberPlan {
  const named = new Map<string, Tail[]>();
  for (const { segments } of tails) {
    const [head] = segments;
    if (head !== undefined && !isEach(head)) named.set(head.text, []);
  }
  const each: Tail[] = [];
  for (const { id, segments } of tails) {
    const [head, ...rest] = segments;
    if (head === undefined) continue;
    const tail = { id, segments: rest };
    if (!isEach(head)) named.get(head.text)?.push(tail);
    else for (const list of [each, ...named.values()]) list.push(tail);
  }
  return { named, each };
}
