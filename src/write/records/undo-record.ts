/**
 * Makes a write undoable: the journal gets its change before it is sent, or the preview says why it cannot be
 * undone.
 */

import { sha256 } from '../../base/canonical-json.ts';
import { type Segments, valueAt } from '../../base/json-difference.ts';
import { quoteName } from '../../base/text/quote-name.ts';
import { shortenToCharacters } from '../../base/text/shorten.ts';
import type { CallInput } from '../../call/client-types.ts';
import { effectOfCall } from '../../service/facts/effects.ts';
import { type Change, findAlreadySet, type WriteDiff } from '../model/change.ts';
import { adapterOf } from '../model/find-adapter.ts';
import { formatChange } from '../model/format/change-lines.ts';
import { type CallParameters, otherSellers } from '../model/format/seller-lines.ts';
import type { Write } from '../model/write.ts';
import type { WriteView } from '../model/write-view.ts';
import type { Session } from '../session.ts';
import { withoutPersonal } from './journal/mask.ts';
import {
  buildWriteValues,
  isPersonal,
  thingDigest,
  type UndoValues,
  type WriteValues,
} from './undo/write-values.ts';

/** Maximum characters of a change in the journal. */
const MAX_WHAT = 400;

/** Returns the sentence that says why the write could not be undone; undefined where it could. */
export async function explainCannotUndo(
  { operation, parameters }: Pick<CallInput, 'operation' | 'parameters'>,
  { change, shown, isNew }: { change: Change; shown: Change; isNew?: boolean | undefined },
  session: Session,
): Promise<string | undefined> {
  if (effectOfCall(operation, parameters) === 'request') return undefined;
  return (await session.journal()).whyNot({ operation, change, shown, isNew }, parameters);
}

/**
 * Returns the digest of what an approval covers: the state that the preview compared with, and whether the
 * write can be undone. A write that can no longer be undone, though its preview did not say so, needs a new
 * approval.
 */
export function approvedDigest({ stateDigest }: Partial<WriteDiff>, { cannotUndo }: Change) {
  return cannotUndo === undefined ? stateDigest : sha256([stateDigest, cannotUndo]);
}

/** A write whose change also says why it cannot be undone. */
export interface WriteToRecord extends Pick<Write, 'input' | 'request' | 'change'> {
  shown: Pick<Write['shown'], 'change'>;
  planned: Pick<WriteDiff, 'readBack'> & {
    /** The change as it was read before sending. */
    change?: Change;
  };
  view: Pick<WriteView, 'readBack'>;
}

/** Returns an empty text where the seller is the account's own. */
function formatSeller(owner: WriteToRecord['request']['owner'], parameters: CallParameters): string {
  const [other] = otherSellers(owner, [parameters]);
  return other === undefined ? '' : `seller ${quoteName(other)}: `;
}

/**
 * @returns what the journal records beside the request, and how to read it back; a request without changes is
 * not recorded
 */
export function buildJournalParts({ input, request, planned, change, shown, view }: WriteToRecord) {
  const { operation, body } = input;
  if (effectOfCall(operation, input.parameters) === 'request')
    return { readBack: view.readBack(planned.readBack) };
  const parameters = { ...input.parameters, ...request.filledIn };
  const text = formatChange(withoutPersonal(shown.change));
  const what = text && shortenToCharacters(formatSeller(request.owner, parameters) + text, MAX_WHAT);
  const recorded = { parameters, body, change, shown: shown.change };
  const isOfThing = parameters.sku !== undefined || parameters.supplySourceId !== undefined;
  const undo: UndoValues = {
    ...(change.cannotUndo === undefined && { values: buildWriteValues(recorded) }),
    isPersonal: isPersonal(recorded),
    cannot: change.cannotUndo,
    thing: isOfThing ? thingDigest({ parameters: { ...parameters } }) : undefined,
  };
  return { what, undo, readBack: view.readBack(recordReadBack({ planned, change }, undo.values)) };
}

/** Returns a read-back that also returns the members as they were found, for the journal. */
function recordReadBack(
  { planned, change }: Pick<WriteToRecord, 'planned' | 'change'>,
  values: WriteValues | undefined,
): WriteDiff['readBack'] {
  const { readBack: read } = planned;
  if (read === undefined) return undefined;
  const alike = findAlreadySet(planned.change, change).map((one) => ({ ...one, before: one.after }));
  return async (call) => {
    const { found: state, ...result } = await read(call);
    if (result.problem !== undefined) return result;
    // The state matched before sending, too, so the read cannot show whether the write is visible.
    if (alike.length > 0) return { ...result, notYet: [...result.notYet, ...alike] };
    // Another value proves nothing while a write is pending, because that write may be visible by now.
    const isAsSent = result.differences.length + result.notYet.length === 0;
    if (values === undefined || (change.pending !== undefined && !isAsSent)) return result;
    const side = adapterOf(change.subject).stateOf(state);
    return { ...result, found: values.members.map(({ segments }) => foundAt(side, segments)) };
  };
}

function foundAt(state: unknown, segments: Segments): { found?: unknown } {
  const found = valueAt(state, segments);
  return found === undefined ? {} : { found };
}
