/** What a list must be before anybody is asked: each thing once; what would change nothing is left out of it, and told. */

import { canonicalJson } from '../../base/canonical-json.ts';
import { InputError } from '../../base/errors.ts';
import { changesNothing } from '../model/change.ts';
import { nameOf } from '../model/words/subject.ts';
import type { BatchWrite, PreparedBatch } from './prepared-batch.ts';

/** Named in a sentence; of more, the first. */
const MOST_NAMED = 5;

/** @throws InputError where two writes are about the same thing: the second would be compared with what was there before the first */
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

/** A listing is one in each of its places. */
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
  // How items of another kind relate to the writes is not known here.
  if (list.items !== undefined) return list;
  const same: string[] = [];
  for (const { key, change, shown } of list.writes) {
    if (changesNothing(change)) same.push(nameOf({ key, change: shown.change }));
  }
  if (same.length === 0) return list;
  const writes = list.writes.filter(({ change }) => !changesNothing(change));
  return { ...list, writes, remarks: [...(list.remarks ?? []), sameWords(same)] };
}

export function sameWords(names: readonly string[]): string {
  const told = names.slice(0, MOST_NAMED).join(', ');
  const more = names.length - MOST_NAMED;
  return `Already like this, and not sent: ${told}${more > 0 ? ` and ${more} more` : ''}.`;
}
