/** The members that a write changes, each with its whole value before and after: what a write that takes it back needs. */

import * as z from 'zod';
import { canonicalJson } from '../../../base/canonical-json.ts';
import { isJsonObject } from '../../../base/json.ts';
import { type Segments, valueAt } from '../../../base/json-difference.ts';
import { type Change, type Subject, segmentsSchema } from '../../model/change.ts';

/** `before` or `after` is absent where the member was not there. */
export const memberSchema = z.object({
  segments: segmentsSchema,
  before: z.unknown().optional(),
  after: z.unknown().optional(),
});
export type Member = z.infer<typeof memberSchema>;

/** What the segments lead into: a change of a listing is about its attributes, one of a store about all of it. */
export const stateOf = ({ kind }: Subject, side: unknown): unknown =>
  kind === 'listing' ? { attributes: side } : side;

/** By which a patch names the attribute of a member. */
export const pointerOf = ([, name]: Segments) =>
  `/attributes/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** A list is one member, whatever in it changes: its places mean nothing once others change it too. */
export function membersOf({ before, after, differences = [], subject }: Change): Member[] {
  const [was, is] = [stateOf(subject, before), stateOf(subject, after)];
  const places = new Map<string, Segments>();
  for (const { segments } of differences) {
    const list = segments.findIndex((segment) => typeof segment === 'number');
    const place = list < 0 ? segments : segments.slice(0, list);
    places.set(JSON.stringify(place), place);
  }
  return [...places.values()].map((segments) => ({
    segments,
    ...withValue('before', valueAt(was, segments)),
    ...withValue('after', valueAt(is, segments)),
  }));
}

function withValue<Name extends 'before' | 'after'>(name: Name, value: unknown) {
  return value === undefined || value === null ? {} : { [name]: value };
}

/** A copy in which the member has this value; without it where the value is undefined. */
export function withValueAt(holder: unknown, [name, ...rest]: Segments, value: unknown): unknown {
  if (name === undefined) return value;
  const members = new Map(Object.entries(isJsonObject(holder) ? holder : {}));
  const key = String(name);
  const inner = rest.length === 0 ? value : withValueAt(members.get(key), rest, value);
  if (inner === undefined) members.delete(key);
  else members.set(key, inner);
  return Object.fromEntries(members);
}

/** How much of `inner` is behind `outer`; undefined where it is not inside it. */
export function placeWithin(outer: Segments, inner: Segments): Segments | undefined {
  return outer.every((name, at) => inner[at] === name) ? inner.slice(outer.length) : undefined;
}

export const isSameValue = (one: unknown, other: unknown) =>
  (one === undefined) === (other === undefined) &&
  (one === undefined || canonicalJson(one) === canonicalJson(other));
