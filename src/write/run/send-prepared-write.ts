/**
 * Sends an approved write, alone or as an item of a batch: it decides what is recorded, and how the write is
 * followed and read back.
 */

import type { DispatchHooks } from '../../call/api-request.ts';
import type { CallOptions } from '../../call/client-types.ts';
import type { Write } from '../model/write.ts';
import type { WriteView } from '../model/write-view.ts';
import { buildJournalParts, type WriteToRecord } from '../records/undo-record.ts';
import type { Session } from '../session.ts';
import { followWork } from './follow-work.ts';
import type { WriteRequest, WriteResult } from './send-write.ts';

interface ApprovedWrite
  extends WriteToRecord,
    Pick<Write, 'stateDigest' | 'marked' | 'undoes' | 'isPart'>,
    Pick<WriteRequest, 'onRecorded'> {
  view: Pick<WriteView, 'readBack' | 'seen' | 'value'>;
  /** Hooks for the dispatch of the write; reads do not call them. */
  dispatchHooks?: DispatchHooks;
  /** The id of the batch that it belongs to. */
  batch?: string;
}

/** @throws WriteRefusedError if writes are now switched off; whatever the client throws */
export async function sendThroughGuard(
  { batch, undoes, isPart, dispatchHooks, ...write }: ApprovedWrite,
  call: CallOptions,
  session: Session,
): Promise<WriteResult> {
  const { input, request, stateDigest, marked, onRecorded, view } = write;
  const { readBack, what, undo } = buildJournalParts(write);
  const [client, registry] = await Promise.all([session.client(), session.program.registry()]);
  const written = { ...input, parameters: { ...input.parameters, ...request.filledIn } };
  const parts = { client, registry, owner: request.owner, seen: view.seen, show: view.value };
  return (await session.writeGuard()).sendApproved({
    input,
    prepared: request,
    stateDigest,
    marked,
    onRecorded,
    call: { ...call, dispatchHooks },
    facts: { batch, undoes, isPart, what },
    undo,
    onRejected: (response) => view.seen(input.operation.id, response),
    follow: (response) => followWork({ ...written, response }, parts, call),
    readBack: readBack && (() => readBack(call)),
  });
}
