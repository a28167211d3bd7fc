/** What was written from here, what was kept of it, and what somebody else made of it since, as changes that can be told in a seller's words. */

import { differenceAt, type Segments, withValueAt } from '../../../base/json-difference.ts';
import type { Change, Subject } from '../../model/change.ts';
import { adapterOf, isListing } from '../../model/find-adapter.ts';
import { type MemberComparison, placesOf } from './undo-conflicts.ts';
import type { WriteValues } from './values.ts';

type Side = 'target' | 'last' | 'previous' | 'now';

/** The subject and places are those of the change that it is told beside. */
export function changeBetween(
  { subject, places, toldParameters }: Pick<Change, 'subject' | 'places' | 'toldParameters'>,
  comparisons: readonly MemberComparison[],
  [from, to]: readonly [Side, Side],
): Change {
  const side = (name: Side) =>
    sideOf(
      subject,
      comparisons.map((one) => [one.segments, one[name]]),
      adapterOf(subject).createSplitter().joinState,
    );
  const [before, after] = [side(from), side(to)];
  const differences = adapterOf(subject).compare(before, after);
  return { subject, places, toldParameters, before, after, differences, isWhole: false, warnings: [] };
}

/** A side of a change, made of its members. */
function sideOf(
  subject: Subject,
  members: readonly (readonly [Segments, unknown])[],
  toState = (made: unknown) => made,
): unknown {
  const made = members.reduce<unknown>((made, [segments, value]) => withValueAt(made, segments, value), {});
  return adapterOf(subject).sideOf(toState(made));
}

/** A change as it was kept: the members alone, with the values before and after it. */
export function keptChange(values: Pick<WriteValues, 'parameters' | 'members'>): Change {
  const { parameters, members } = values;
  const subject: Subject = isListing(values)
    ? { kind: 'listing', sku: String(parameters.sku) }
    : { kind: 'store', id: String(parameters.supplySourceId) };
  const side = (name: 'before' | 'after') =>
    sideOf(
      subject,
      members.map((one) => [one.segments, one[name]]),
    );
  const differences = members.map(({ segments, before, after }) => differenceAt(segments, before, after));
  const known = { subject, places: placesOf(values), toldParameters: [], warnings: [] };
  return { ...known, before: side('before'), after: side('after'), differences, isWhole: false };
}
