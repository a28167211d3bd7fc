/**
 * Prepares one write before anybody is asked: it resolves placeholders, finds the store, plans the change,
 * and masks it for the assistant.
 */

import { formatPath } from '../../base/json-difference.ts';
import type { CallInput, CallOptions, CallResult, PreparedRequest } from '../../call/client-types.ts';
import { findStore } from '../../call/find-store.ts';
import { typeWarnings } from '../../service/describe/type-warnings.ts';
import { effectOfCall } from '../../service/facts/effects.ts';
import type { Operation } from '../../service/facts/operation.ts';
import type { Warning } from '../model/change.ts';
import type { ReadState, StateParts } from '../model/read-state.ts';
import { createWriteView, type PreparedWrite } from '../model/write-view.ts';
import type { RecentWrites } from '../records/undo/pending-writes.ts';
import { explainCannotUndo } from '../records/undo-record.ts';
import type { Session, ToolContext } from '../session.ts';
import { maskRequest } from './mask-request.ts';
import { showPending } from './recent-writes.ts';
import { resolveArguments, type ServiceArguments } from './resolve-arguments.ts';
import { readStateAndDiff } from './write-diff.ts';

/** The operation, the account, and the arguments of the assistant with their placeholders. */
export interface RequestedWrite {
  operation: Operation;
  account: string;
  asked: ServiceArguments;
  /** The state that the body was made of; members of it that are not known here are sent unchanged. */
  answeredBody?: unknown;
  /**
   * The responses of reading operations that its values come from; their personal data is masked in the
   * write.
   */
  seen?: readonly { operation: string; body: unknown }[];
  /** The values come from this program, not from the assistant, so that text like a placeholder is none. */
  isKept?: boolean;
  /** The user is asked about it although it is only a request. */
  isAsked?: boolean;
  /** The values that were masked when they were given, with what the assistant saw instead. */
  hidden?: readonly { value: unknown; shown: unknown }[];
  /** The current state, if it was read together with others. */
  known?: { operation: string; answer: Pick<CallResult, 'body' | 'bytes'>; state: ReadState };
  /** The recent writes, if they are known from the rest of a batch. */
  recent?: RecentWrites | undefined;
}

/** @throws AppError for anything that would hinder the write too; nothing is sent then */
export async function prepareWrite(wanted: RequestedWrite, ctx: ToolContext): Promise<PreparedWrite> {
  const { session, call } = ctx;
  const { operation, account, asked, answeredBody, seen = [], isKept = false, hidden: before = [] } = wanted;
  const { known, recent, isAsked = false } = wanted;
  const [personal, client, registry] = await Promise.all([
    session.personal(),
    session.client(),
    session.program.registry(),
  ]);
  const { replaced, parameters, body } = isKept
    ? { replaced: [], parameters: asked.parameters ?? {}, body: asked.body }
    : await resolveArguments(asked, account, ctx, {
        asksNobody: !isAsked && effectOfCall(operation, asked.parameters ?? {}) === 'request',
      });
  const view = createWriteView({ personal, account, replaced });
  for (const { value, shown } of before) view.hidden(value, shown);
  for (const { operation: id, body } of seen) await view.seen(id, { body, bytes: 0 });
  if (known !== undefined) await view.seen(known.operation, known.answer);
  const given = {
    operation,
    account,
    parameters,
    body,
    answeredBody,
  };
  const parts = { client, registry, now: session.program.now, seen: view.seen };
  const { request, planned } = await plan(given, parts, call, known?.state);
  // The prepared values are the ones that are shown, confirmed, recorded and sent.
  const input = {
    ...given,
    parameters: request.parameters,
    ...(body === undefined ? {} : { body: request.body }),
  };
  const doubtful = [
    ...doubtfulMarketplaces(request.marketplaces),
    ...(await typeWarnings({ operation: operation.id, parameters, body }, session.program.now())),
  ];
  const show = (made: PreparedRequest) => maskRequest(made, operation, { given: asked, replaced });
  const isNew = planned.isAbsent;
  return finishWrite({ input, request, planned, replaced, view, recent, doubtful, isNew, show }, session);
}

interface WriteToFinish extends Pick<PreparedWrite, 'input' | 'request' | 'planned' | 'replaced' | 'view'> {
  recent?: RecentWrites | undefined;
  /** The warnings beside those of the plan. */
  doubtful?: readonly Warning[];
  isNew?: boolean | undefined;
  /** Returns the request as the assistant sees it. */
  show(request: PreparedRequest): PreparedRequest;
}

/**
 * Overlays pending writes on the state that was read, adds the reason if it cannot be undone, and masks all
 * of it.
 */
export async function finishWrite(
  { input, request, planned, replaced, view, recent, doubtful = [], isNew, show }: WriteToFinish,
  session: Session,
): Promise<PreparedWrite> {
  const merged = await showPending({ input, request, change: planned.change, view }, recent, session);
  const change = { ...merged, warnings: [...doubtful, ...merged.warnings] };
  const hidden = view.change(change);
  const cannotUndo = await explainCannotUndo(input, { change, shown: hidden, isNew }, session);
  const undoReason = cannotUndo === undefined ? {} : { cannotUndo };
  const shown = { request: show(request), change: { ...hidden, ...undoReason } };
  const marked = { parameters: shown.request.parameters, body: shown.request.body };
  return {
    input,
    request,
    planned,
    replaced,
    view,
    shown,
    change: { ...change, ...undoReason },
    ...(replaced.length === 0 ? {} : { marked }),
  };
}

/** Prepares the request and its diff; a store that is given by its alias is looked up. */
async function plan(given: CallInput, parts: StateParts, call: CallOptions, known: ReadState | undefined) {
  const prepare = async (input: CallInput) => {
    const request = await parts.client.prepare(input);
    const { operation, account } = input;
    const parameters = { ...request.parameters, ...request.filledIn };
    const written = { operation, account, parameters, body: request.body };
    const planned = await readStateAndDiff(written, parts, call, known);
    return { request, planned };
  };
  const first = await prepare(given);
  const { supplySourceId } = given.parameters;
  if (first.planned.isAbsent !== true || typeof supplySourceId !== 'string') return first;
  const id = await findStore(supplySourceId, { ...parts, account: given.account }, call);
  if (id === undefined || id === supplySourceId) return first;
  return prepare({ ...given, parameters: { ...given.parameters, supplySourceId: id } });
}

function doubtfulMarketplaces(marketplaces: PreparedRequest['marketplaces']): Warning[] {
  return marketplaces.flatMap(({ segments, warning }) =>
    warning === undefined ? [] : [{ path: formatPath(segments), segments, message: warning }],
  );
}
