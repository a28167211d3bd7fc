/**
 * Checks a batch before anybody is asked: each thing occurs once. Writes that would change nothing are left
 * out and reported.
 */

import { canonicalJson } from '../../base/canonical-json.ts';
import { InputError } from '../../base/errors.ts';
import { changesNothing } from '../model/change.ts';
import { nameOf } from '../model/format/subject.ts';
import type { BatchWrite, PreparedBatch } from './prepared-batch.ts';

/** The number of names that a sentence lists; the rest is counted. */
const MAX_NAMED = 5;

/**
 * @throws InputError if two writes change the same thing: the second would be compared with the state before
 * the first
 */
export function checkBatch(writes: Iterable<BatchWrite>): void {
  const seen = new Set<string>();
  for (const write of writes) {
    const things = thingsOf(write);
    if (things.some((thing) => seen.has(thing))) {
      throw new InputError(
        `Two of the list change the same thing, ${nameOf({ key: write.key, change: write.shown.change })}; nothing was sent.`,
        'Put what is to change about one thing into one item.',
      );
    }
    for (const thing of things) seen.add(thing);
  }
}

/** Returns the keys of the changed things; a listing counts once for each marketplace. */
function thingsOf({ change, input }: BatchWrite): string[] {
  const { subject, places } = change;
  if (subject.kind === 'store') return [JSON.stringify([subject.kind, subject.id])];
  if (subject.kind === 'listing') {
    const all = places.length === 0 ? [''] : places;
    return all.map((place) => JSON.stringify([subject.kind, subject.sku, place]));
  }
  const { operation, parameters, body } = input;
  return [canonicalJson([operation.id, parameters, body])];
}

export function withoutUnchanged(list: PreparedBatch): PreparedBatch {
  // The relation of such items to the writes is unknown here.
  if (list.items !== undefined) return list;
  const unchanged: string[] = [];
  for (const { key, change, shown } of list.writes) {
    if (changesNothing(change)) unchanged.push(nameOf({ key, change: shown.change }));
  }
  if (unchanged.length === 0) return list;
  const writes = list.writes.filter(({ change }) => !changesNothing(change));
  return { ...list, writes, remarks: [...(list.remarks ?? []), formatUnchanged(unchanged)] };
}

export function formatUnchanged(names: readonly string[]): string {
  const listed = names.slice(0, MAX_NAMED).join(', ');
  const more = names.length - MAX_NAMED;
  return `Already like this, and not sent: ${listed}${more > 0 ? ` and ${more} more` : ''}.`;
}
