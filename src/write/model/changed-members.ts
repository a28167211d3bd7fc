/**
 * Lists the members that a write changes, each with its whole value before and after, as an undo needs them.
 */

import { canonicalJson } from '../../base/canonical-json.ts';
import { type Segments, valueAt } from '../../base/json-difference.ts';
import type { Change, MemberChange } from './change.ts';
import { adapterOf } from './find-adapter.ts';

/**
 * Returns the changed members. A list is one member, because its indexes mean nothing once others change it
 * too.
 */
export function membersOf({ before, pending, after, differences = [], subject }: Change): MemberChange[] {
  const [was, is] = [pending ?? before, after].map(adapterOf(subject).stateOf);
  const paths = new Map<string, Segments>();
  for (const { segments } of differences) {
    const list = segments.findIndex((segment) => typeof segment === 'number');
    const path = list < 0 ? segments : segments.slice(0, list);
    paths.set(JSON.stringify(path), path);
  }
  return [...paths.values()].map((segments) => ({
    segments,
    ...withValue('before', valueAt(was, segments)),
    ...withValue('after', valueAt(is, segments)),
  }));
}

function withValue<Name extends 'before' | 'after'>(name: Name, value: unknown) {
  return value === undefined || value === null ? {} : { [name]: value };
}

/** Returns the rest of `inner` after `outer`; undefined if `inner` is not inside it. */
export function pathWithin(outer: Segments, inner: Segments): Segments | undefined {
  return outer.every((name, at) => inner[at] === name) ? inner.slice(outer.length) : undefined;
}

export const isSameValue = (one: unknown, other: unknown) =>
  (one === undefined) === (other === undefined) &&
  (one === undefined || canonicalJson(one) === canonicalJson(other));
