/** One write of the assistant's before anybody is asked: marks resolved, the store found, what it changes worked out, and the form in which the assistant sees it. */

import { formatPath } from '../../base/json-difference.ts';
import type { CallInput, CallOptions, CallResult, PreparedRequest } from '../../call/client-types.ts';
import { findStore } from '../../call/find-store.ts';
import { typeWarnings } from '../../service/describe/type-warnings.ts';
import { effectOfCall } from '../../service/facts/effects.ts';
import type { Operation } from '../../service/facts/operation.ts';
import type { RecentWrites } from '../keep/undo/pending-writes.ts';
import { tellCannotUndo } from '../keep/undo-record.ts';
import type { Warning } from '../model/change.ts';
import type { State, StateParts } from '../model/read-state.ts';
import { createWriteView, type PreparedWrite } from '../model/write-view.ts';
import type { Session, ToolContext } from '../session.ts';
import { showRequest } from './marked-request.ts';
import { showPending } from './recent-writes.ts';
import { resolveArguments, type ServiceArguments } from './resolve-arguments.ts';
import { diffWrite } from './write-diff.ts';

/** The operation, the account, and what the assistant gave, its marks in it. */
export interface RequestedWrite {
  operation: Operation;
  account: string;
  asked: ServiceArguments;
  /** The state that the body was made of: members of it that are not known here are sent as they were. */
  answeredBody?: unknown;
  /** Answers of reading operations that values of it come from: what is personal in them is hidden in it. */
  seen?: readonly { operation: string; body: unknown }[];
  /** The values are known from here, not given by the assistant: what looks like a mark in them is none. */
  isKept?: boolean;
  /** The person is asked about it although it only requests something. */
  isAsked?: boolean;
  /** Values that were hidden when they were given, beside what the assistant saw of them. */
  hidden?: readonly { value: unknown; shown: unknown }[];
  /** The state that it changes, where it was read with that of others. */
  known?: { operation: string; answer: Pick<CallResult, 'body' | 'bytes'>; state: State };
  /** What was written lately, where that is known from the others of a list. */
  recent?: RecentWrites | undefined;
}

/** @throws AppError for what would hinder the write too; nothing is sent then */
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
  // What was made of the arguments is what is shown, confirmed, recorded and sent.
  const input = {
    ...given,
    parameters: request.parameters,
    ...(body === undefined ? {} : { body: request.body }),
  };
  const doubtful = [
    ...doubtfulMarketplaces(request.marketplaces),
    ...(await typeWarnings({ operation: operation.id, parameters, body }, session.program.now())),
  ];
  const show = (made: PreparedRequest) => showRequest(made, operation, { given: asked, replaced });
  const isNew = planned.isAbsent;
  return finishWrite({ input, request, planned, replaced, view, recent, doubtful, isNew, show }, session);
}

interface Planned extends Pick<PreparedWrite, 'input' | 'request' | 'planned' | 'replaced' | 'view'> {
  recent?: RecentWrites | undefined;
  /** Warnings beside those of the plan. */
  doubtful?: readonly Warning[];
  isNew?: boolean | undefined;
  /** The request as the assistant sees it. */
  show(request: PreparedRequest): PreparedRequest;
}

/** What nobody could see yet laid over what was read, the reason told where it could not be taken back, and all of it with marks too. */
export async function finishWrite(
  { input, request, planned, replaced, view, recent, doubtful = [], isNew, show }: Planned,
  session: Session,
): Promise<PreparedWrite> {
  const made = await showPending({ input, request, change: planned.change, view }, recent, session);
  const change = { ...made, warnings: [...doubtful, ...made.warnings] };
  const hidden = view.change(change);
  const cannotUndo = await tellCannotUndo(input, { change, shown: hidden, isNew }, session);
  const told = cannotUndo === undefined ? {} : { cannotUndo };
  const shown = { request: show(request), change: { ...hidden, ...told } };
  const marked = { parameters: shown.request.parameters, body: shown.request.body };
  return {
    input,
    request,
    planned,
    replaced,
    view,
    shown,
    change: { ...change, ...told },
    ...(replaced.length === 0 ? {} : { marked }),
  };
}

/** The request and what it changes; a store that is given by its alias is found by it. */
async function plan(given: CallInput, parts: StateParts, call: CallOptions, known: State | undefined) {
  const prepare = async (input: CallInput) => {
    const request = await parts.client.prepare(input);
    const { operation, account } = input;
    const parameters = { ...request.parameters, ...request.filledIn };
    const written = { operation, account, parameters, body: request.body };
    const planned = await diffWrite(written, parts, call, known);
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
