/**
 * Builds changes, which can be described in a seller's terms, from a recorded write and from what someone
 * else has changed since. It also masks the values for the assistant.
 */

import { differenceAt, type Segments, withValueAt } from '../../../base/json-difference.ts';
import type { PersonalData } from '../../../privacy/personal/personal-data.ts';
import type { Change, Subject } from '../../model/change.ts';
import { adapterOf, adapterOfRecorded, isListing } from '../../model/find-adapter.ts';
import type { MemberValue } from '../../model/member-values.ts';
import { createWriteView } from '../../model/write-view.ts';
import { maskMember } from '../journal/mask.ts';
import { type MemberComparison, marketplaceIdsOf } from './undo-conflicts.ts';
import type { WriteValues } from './write-values.ts';

type ComparisonSide = 'target' | 'last' | 'previous' | 'now';

/**
 * Builds the change between two sides; the subject and marketplaces are those of the change that it is shown
 * beside.
 */
export function changeBetween(
  { subject, places, toldParameters }: Pick<Change, 'subject' | 'places' | 'toldParameters'>,
  comparisons: readonly MemberComparison[],
  [from, to]: readonly [ComparisonSide, ComparisonSide],
): Change {
  const side = (name: ComparisonSide) =>
    sideOf(
      subject,
      comparisons.map((one) => [one.segments, one[name]]),
      adapterOf(subject).createSplitter().joinState,
    );
  const [before, after] = [side(from), side(to)];
  const differences = adapterOf(subject).compare(before, after);
  return { subject, places, toldParameters, before, after, differences, isWhole: false, warnings: [] };
}

/** Builds one side of a change from its members. */
function sideOf(
  subject: Subject,
  members: readonly (readonly [Segments, unknown])[],
  toState = (made: unknown) => made,
): unknown {
  const made = members.reduce<unknown>((made, [segments, value]) => withValueAt(made, segments, value), {});
  return adapterOf(subject).sideOf(toState(made));
}

/** Builds a change from a record: only its members, with the values before and after. */
export function recordedChange(values: Pick<WriteValues, 'parameters' | 'members'>): Change {
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
  const known = { subject, places: marketplaceIdsOf(values), toldParameters: [], warnings: [] };
  return { ...known, before: side('before'), after: side('after'), differences, isWhole: false };
}

/**
 * Returns the values as read states, because a value that was personal when it was read stays personal when
 * it is written back.
 */
export function readStatesOf({ parameters, members }: Pick<WriteValues, 'parameters' | 'members'>) {
  const { shownBy: operation } = adapterOfRecorded({ parameters });
  return members.flatMap((member) =>
    [member.before, member.after].map((value) => ({
      operation,
      body: member.segments.reduceRight<unknown>((inner, name) => ({ [String(name)]: inner }), value ?? null),
    })),
  );
}

/** Returns the placeholders of the recorded values, so that they resolve to the same values here. */
export function placeholdersOf({ members }: Pick<WriteValues, 'members'>) {
  return members.flatMap(({ before, after, shown }) =>
    shown === undefined
      ? []
      : [
          { value: before, shown: shown.before },
          { value: after, shown: shown.after },
        ],
  );
}

/** Returns the values member by member, with everything masked that the journal masks. */
export async function maskedValues(
  values: WriteValues,
  account: string,
  personal: PersonalData,
): Promise<MemberValue[]> {
  const view = createWriteView({ personal, account, replaced: [] });
  for (const { value, shown } of placeholdersOf(values)) view.hidden(value, shown);
  for (const { operation, body } of readStatesOf(values)) await view.seen(operation, { body, bytes: 0 });
  const members = values.members.map(({ segments, before, after }) => {
    const side = (value: unknown) => maskMember(segments, personal.maskTexts(view.value(value)));
    return { segments, before: side(before), after: side(after) };
  });
  const change = recordedChange({ ...values, members });
  return adapterOf(change.subject).values(change);
}
