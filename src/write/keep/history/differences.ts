/** What was written from here, what was kept of it, and what somebody else made of it since, as changes that can be told in a seller's words. */

import { isJsonObject } from '../../../base/json.ts';
import { formatPath } from '../../../base/json-difference.ts';
import { toAttributes } from '../../kinds/listing/entries.ts';
import { compareAttributes } from '../../kinds/listing/listing-change.ts';
import { compareSupplySources } from '../../kinds/store/state.ts';
import type { Change, Subject } from '../../plan/change.ts';
import { withValueAt } from './members.ts';
import { isListing, placesOf, type Standing } from './standing.ts';
import type { WriteValues } from './values.ts';

type Side = 'target' | 'last' | 'previous' | 'now';

/** The subject and places are those of the change that it is told beside. */
export function changeBetween(
  { subject, places, toldParameters }: Pick<Change, 'subject' | 'places' | 'toldParameters'>,
  standings: readonly Standing[],
  [from, to]: readonly [Side, Side],
): Change {
  const [before, after] = [sideOf(subject, standings, from), sideOf(subject, standings, to)];
  const differences =
    subject.kind === 'listing'
      ? compareAttributes(toAttributes(before), toAttributes(after))
      : compareSupplySources(before, after);
  return { subject, places, toldParameters, before, after, differences, isWhole: false, warnings: [] };
}

function sideOf(subject: Subject, standings: readonly Standing[], side: Side): unknown {
  const whole = standings.reduce<unknown>(
    (made, standing) => withValueAt(made, standing.segments, standing[side]),
    {},
  );
  if (subject.kind !== 'listing') return whole;
  return isJsonObject(whole) && isJsonObject(whole.attributes) ? whole.attributes : {};
}

/** A change as it was kept: the members alone, with the values before and after it. */
export function keptChange(values: Pick<WriteValues, 'parameters' | 'members'>): Change {
  const { parameters, members } = values;
  const subject: Subject = isListing(values)
    ? { kind: 'listing', sku: String(parameters.sku) }
    : { kind: 'store', id: String(parameters.supplySourceId) };
  const side = (name: 'before' | 'after') => {
    const all = subject.kind === 'listing' ? { attributes: {} } : {};
    const whole = members.reduce<unknown>((made, one) => withValueAt(made, one.segments, one[name]), all);
    return subject.kind === 'listing' && isJsonObject(whole) ? (whole.attributes ?? {}) : whole;
  };
  const differences = members.map(({ segments, before, after }) => ({
    path: formatPath(segments),
    segments,
    before,
    after,
    kind:
      before === undefined
        ? ('added' as const)
        : after === undefined
          ? ('removed' as const)
          : ('changed' as const),
  }));
  const known = { subject, places: placesOf(values), toldParameters: [], warnings: [] };
  return { ...known, before: side('before'), after: side('after'), differences, isWhole: false };
}
