/** Makes a write one that can be undone: the journal gets what it changes before it is sent, and the preview says where that cannot be. */

import { sha256 } from '../../base/canonical-json.ts';
import { type Segments, valueAt } from '../../base/json-difference.ts';
import { quoteName } from '../../base/text/quote-name.ts';
import { shortenToCharacters } from '../../base/text/shorten.ts';
import type { CallInput } from '../../call/client-types.ts';
import { effectOfCall } from '../../service/facts/effects.ts';
import { alikeOf, type Change, type WriteDiff } from '../model/change.ts';
import { adapterOf } from '../model/find-adapter.ts';
import { changeWords } from '../model/words/change-lines.ts';
import { otherSellers, type Parameters } from '../model/words/whose.ts';
import type { Write } from '../model/write.ts';
import type { WriteView } from '../model/write-view.ts';
import type { Session } from '../session.ts';
import { withoutPersonal } from './journal/mask.ts';
import { isPersonal, thingDigest, type UndoValues, valuesOf, type WriteValues } from './undo/write-values.ts';

/** Characters of what changes, for the journal. */
const MAX_WHAT = 400;

/** The change with the sentence that says why it could not be taken back, where it could not. */
export async function tellCannotUndo(
  { operation, parameters }: Pick<CallInput, 'operation' | 'parameters'>,
  { change, shown, isNew }: { change: Change; shown: Change; isNew?: boolean | undefined },
  session: Session,
): Promise<string | undefined> {
  if (effectOfCall(operation, parameters) === 'request') return undefined;
  return (await session.journal()).whyNot({ operation, change, shown, isNew }, parameters);
}

/**
 * Digest of what an approval is good for: the state that the preview compared with, and whether the write can be undone. One that
 * no longer can, though its preview did not say so, is asked anew.
 */
export function approvedDigest({ stateDigest }: Partial<WriteDiff>, { cannotUndo }: Change) {
  return cannotUndo === undefined ? stateDigest : sha256([stateDigest, cannotUndo]);
}

/** A write whose change says, too, why it cannot be taken back. */
export interface WriteToRecord extends Pick<Write, 'input' | 'request' | 'change'> {
  shown: Pick<Write['shown'], 'change'>;
  planned: Pick<WriteDiff, 'readBack'> & {
    /** As it was read before it was sent. */
    change?: Change;
  };
  view: Pick<WriteView, 'readBack'>;
}

/** Empty where it is the account's own. */
function ofSeller(owner: WriteToRecord['request']['owner'], parameters: Parameters): string {
  const [other] = otherSellers(owner, [parameters]);
  return other === undefined ? '' : `seller ${quoteName(other)}: `;
}

/** @returns what the journal records beside the request, and how to read it back; a request that changes nothing is not recorded */
export function buildUndoRecord({ input, request, planned, change, shown, view }: WriteToRecord) {
  const { operation, body } = input;
  if (effectOfCall(operation, input.parameters) === 'request')
    return { readBack: view.readBack(planned.readBack) };
  const parameters = { ...input.parameters, ...request.filledIn };
  const words = changeWords(withoutPersonal(shown.change));
  const what = words && shortenToCharacters(ofSeller(request.owner, parameters) + words, MAX_WHAT);
  const kept = { parameters, body, change, shown: shown.change };
  const isOfThing = parameters.sku !== undefined || parameters.supplySourceId !== undefined;
  const undo: UndoValues = {
    ...(change.cannotUndo === undefined && { values: valuesOf(kept) }),
    isPersonal: isPersonal(kept),
    cannot: change.cannotUndo,
    thing: isOfThing ? thingDigest({ parameters: { ...parameters } }) : undefined,
  };
  return { what, undo, readBack: view.readBack(noting({ planned, change }, undo.values)) };
}

/** Reads it back, with the members as they were found, for the journal. */
function noting(
  { planned, change }: Pick<WriteToRecord, 'planned' | 'change'>,
  values: WriteValues | undefined,
): WriteDiff['readBack'] {
  const { readBack: read } = planned;
  if (read === undefined) return undefined;
  const alike = alikeOf(planned.change, change).map((one) => ({ ...one, before: one.after }));
  return async (call) => {
    const { found: state, ...told } = await read(call);
    if (told.problem !== undefined) return told;
    // It read like this before it was sent too: whether it is visible cannot be told.
    if (alike.length > 0) return { ...told, notYet: [...told.notYet, ...alike] };
    // Another value proves nothing while a write is pending, because that write may be visible by now.
    const isAsSent = told.differences.length + told.notYet.length === 0;
    if (values === undefined || (change.pending !== undefined && !isAsSent)) return told;
    const side = adapterOf(change.subject).stateOf(state);
    return { ...told, found: values.members.map(({ segments }) => foundAt(side, segments)) };
  };
}

function foundAt(state: unknown, segments: Segments): { found?: unknown } {
  const found = valueAt(state, segments);
  return found === undefined ? {} : { found };
}
