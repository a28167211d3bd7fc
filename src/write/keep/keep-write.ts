/** Makes a write one that can be taken back: what it changes is kept before it is sent, and told where that cannot be. */

import { ownerMark } from '../../accounts/owner.ts';
import { sha256 } from '../../base/canonical-json.ts';
import { quoteName } from '../../base/text/quote-name.ts';
import { shortenToCharacters } from '../../base/text/shorten.ts';
import type { CallInput, PreparedRequest } from '../../call/client.ts';
import { effectOfCall } from '../../service/facts/effects.ts';
import { alikeOf, type Change, type PlannedWrite } from '../model/change.ts';
import { changeWords } from '../model/words/change-lines.ts';
import { otherSellers, type Parameters } from '../model/words/whose.ts';
import type { WriteView } from '../model/write-view.ts';
import type { Session } from '../session.ts';
import { withoutPersonal } from './history/undoable.ts';
import type { Keep } from './history/values.ts';

/** Characters of what changes, for the journal. */
const MOST_WHAT = 400;

/** The change with the sentence that says why it could not be taken back, where it could not. */
export async function tellCannotUndo(
  { operation, parameters }: Pick<CallInput, 'operation' | 'parameters'>,
  { change, shown, isNew }: { change: Change; shown: Change; isNew?: boolean | undefined },
  session: Session,
): Promise<string | undefined> {
  if (effectOfCall(operation, parameters) === 'request') return undefined;
  const history = await session.history();
  return history.whyNot({ operation, change, shown, isNew });
}

/**
 * What a yes is good for: the state that the preview compared with, and whether the write can be taken back. One that
 * no longer can, though its preview did not say so, is asked anew.
 */
export function basisOf(planned: Pick<PlannedWrite, 'basis'>, { cannotUndo }: Change): string | undefined {
  return cannotUndo === undefined ? planned.basis : sha256([planned.basis, cannotUndo]);
}

export interface WriteToHold {
  input: CallInput;
  request: Pick<PreparedRequest, 'owner' | 'parameters' | 'filledIn'>;
  planned: Pick<PlannedWrite, 'readBack'> & {
    /** As it was read before it was sent. */
    change?: Change;
  };
  /** With `cannotUndo`. */
  change: Change;
  shown: { change: Change };
  view: Pick<WriteView, 'readBack'>;
}

/** Empty where it is the account's own. */
function ofSeller(owner: WriteToHold['request']['owner'], parameters: Parameters): string {
  const [other] = otherSellers(owner, [parameters]);
  return other === undefined ? '' : `seller ${quoteName(other)}: `;
}

/** @param of the list that it is an item of, the entry that it takes back */
export async function keepWrite(
  { input, request, planned, change, shown, view }: WriteToHold,
  session: Session,
  of: { batch?: string; undoes?: string; isPart?: boolean | undefined } = {},
): Promise<{ keep?: Keep; readBack: PlannedWrite['readBack'] }> {
  const { account, operation } = input;
  const readBack = view.readBack(planned.readBack);
  if (effectOfCall(operation, input.parameters) === 'request') return { readBack };
  const parameters = { ...request.parameters, ...request.filledIn };
  const words = changeWords(withoutPersonal(shown.change));
  const what = words && shortenToCharacters(ofSeller(request.owner, parameters) + words, MOST_WHAT);
  const held = (await session.history()).hold(
    {
      account,
      owner: ownerMark(request.owner),
      operation,
      body: input.body,
      parameters,
      change,
      shown: shown.change,
      ...of,
      what,
    },
    change.cannotUndo,
  );
  const read = planned.readBack;
  if (read === undefined) return { keep: held, readBack: undefined };
  const alike = alikeOf(planned.change, change).map((one) => ({ ...one, before: one.after }));
  const noting: PlannedWrite['readBack'] = async (call) => {
    const found = await read(call);
    if (found.problem !== undefined) return found;
    // It read like this before it was sent too: whether it is visible cannot be told.
    if (alike.length > 0) return { ...found, notYet: [...found.notYet, ...alike] };
    // Where a write is pending, another value proves nothing, because that write may be what is visible by
    // now.
    const isAsSent = found.differences.length + found.notYet.length === 0;
    if (change.pending === undefined || isAsSent) held.note(found.found);
    return found;
  };
  return { keep: held, readBack: view.readBack(noting) };
}
