/** What a walk down a value makes of the paths: worked out once for each list of them, however many elements share it. */

import { formatSegment, isEach, joinPath, type Range, rangeOf, type Segment } from './path.ts';

/** What is still to be walked of one of the paths. */
export interface Tail {
  id: number;
  segments: readonly Segment[];
}

/** What one walk down a value finds out of each list of tails once, however many elements share it. */
export interface Walk {
  hits: Set<number>;
  split(tails: readonly Tail[]): { ended: readonly Tail[]; going: readonly Tail[] };
  steps(tails: readonly Tail[]): readonly Step[];
  /** The steps into an element that none of the ranges tells from the others; undefined where there are ranges. */
  everyElement(tails: readonly Tail[]): readonly Tail[] | undefined;
  members(tails: readonly Tail[]): MemberPlan;
  paths(tails: readonly Tail[]): readonly string[];
}

export function startWalk(): Walk {
  const walk = {
    hits: new Set<number>(),
    split: once((tails) => ({
      ended: tails.filter((tail) => tail.segments.length === 0),
      going: tails.filter((tail) => tail.segments.length > 0),
    })),
    steps: once((tails) => tails.flatMap(intoElements)),
    everyElement: once((tails): readonly Tail[] | undefined => {
      const steps = walk.steps(tails);
      return steps.every(({ from, to }) => from === 0 && to === Infinity)
        ? steps.map(({ tail }) => tail)
        : undefined;
    }),
    members: once(planMembers),
    paths: once((tails) => {
      const paths = tails.map(({ segments }) => segments.map(formatSegment).reduce(joinPath, ''));
      return paths.includes('') ? [''] : [...new Set(paths)];
    }),
  };
  return walk;
}

/** Remembers by the list itself, not by what is in it. */
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

/** What is left of a path in the elements from one index to another, worked out once for all of them. */
export interface Step extends Range {
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

/** Which tails lead into which member. */
interface MemberPlan {
  /** Into a member that is named, those of every member among them, in the order of the paths. */
  named: ReadonlyMap<string, readonly Tail[]>;
  /** Into any other. */
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
