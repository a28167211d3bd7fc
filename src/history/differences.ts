/** What was written from here, and what somebody else made of it since, as changes that can be told in a seller's words. */

import type { Change, Subject } from '../changes/change.ts';
import { toAttributes } from '../changes/listing/entries.ts';
import { compareAttributes } from '../changes/listing-change.ts';
import { compareSupplySources } from '../changes/supply-source/state.ts';
import { isJsonObject } from '../json.ts';
import { withValueAt } from './members.ts';
import type { Standing } from './standing.ts';

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
