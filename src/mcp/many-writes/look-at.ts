/** Reads a write of a list that was sent without an answer: applied, certainly not, or not known. Never sends. */

import { planWrite } from '../../changes/plan-write.ts';
import type { PlannedWrite } from '../../changes/planned-write.ts';
import type { WriteGuard } from '../../writes/write-guard.ts';
import { keepWrite, type WriteToHold } from '../keep-write.ts';
import { createWriteView, type WriteView } from '../write-view.ts';
import type { SenderParts } from './sender.ts';
import type { StoredWrite } from './stored-write.ts';

export type LookParts = SenderParts & { signal: AbortSignal };

/** For the history. */
export const heldOf = (
  { input, change, shown, filledIn }: StoredWrite,
  view: WriteView,
  { owner }: SenderParts,
): WriteToHold => ({
  input,
  change,
  shown,
  view,
  planned: {},
  request: { owner, parameters: input.parameters, filledIn },
});

/** As its state is read. */
export const writtenOf = ({ input, filledIn }: StoredWrite) => ({
  operation: input.operation,
  account: input.account,
  body: input.body,
  parameters: { ...input.parameters, ...filledIn },
});

/** What is there now, held against what the write makes of it. Never sends. */
export async function lookAt(write: StoredWrite, journalId: string | undefined, parts: LookParts) {
  const { client, registry, account, owner, personal, signal } = parts;
  const view = createWriteView({ personal, account, replaced: [] });
  const { operation } = write.input;
  const planned = await planWrite(writtenOf(write), { client, registry, owner, seen: view.seen }, { signal });
  const { differences, sent = [] } = planned.change;
  const isThere =
    operation.effect === 'delete'
      ? planned.isAbsent === true || differences?.length === 0
      : differences?.length === 0 && sent.length === 0;
  // What read like this before it was sent says nothing.
  if (isThere && planned.basis !== undefined && planned.basis === write.basis) return 'unknown';
  if (!isThere) return isUntouched(planned, write) ? 'not_applied' : 'unknown';
  if (journalId !== undefined)
    await settle(write, journalId, { outcome: 'done', differences: [] }, view, parts);
  const why = 'It was sent without an answer; read again, the service has what was sent.';
  return {
    kind: 'accepted',
    readBack: 'same',
    why,
    ...(journalId === undefined ? {} : { journalId }),
  } as const;
}

/** Journal and history say so too. */
export async function tellNotSent(write: StoredWrite, journalId: string, why: string, parts: SenderParts) {
  const view = createWriteView({ personal: parts.personal, account: parts.account, replaced: [] });
  await settle(write, journalId, { outcome: 'refused', error: why }, view, parts);
}

async function settle(
  write: StoredWrite,
  journalId: string,
  outcome: Parameters<WriteGuard['settle']>[1],
  view: WriteView,
  parts: SenderParts,
) {
  const { keep } = await keepWrite(heldOf(write, view, parts), parts.session, { batch: parts.batch });
  await parts.writes.settle(journalId, outcome);
  await keep?.end(journalId, outcome.outcome);
}

/** An accepted change of a listing is seen minutes later: that the old value stands says nothing. */
function isUntouched(planned: PlannedWrite, { input, basis }: StoredWrite): boolean {
  return !input.operation.id.startsWith('listings-items/') && basis !== undefined && planned.basis === basis;
}
