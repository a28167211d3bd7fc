/**
 * Sends one approved write: it records the intent before and the outcome after, and reads the result back.
 */

import { type Identity, identityDigest, identityOf } from '../../accounts/owner.ts';
import { AppError, CancelledError } from '../../base/errors.ts';
import { isJsonObject } from '../../base/json.ts';
import type { CallInput, CallOptions, CallResult, Client, PreparedRequest } from '../../call/client-types.ts';
import { effectOfCall } from '../../service/facts/effects.ts';
import type { ReadBack } from '../model/change.ts';
import type { RecordedOutcome } from '../model/outcome.ts';
import { formatVerdict, readVerdict, type Verdict } from '../model/verdict.ts';
import type { MaskedArguments } from '../model/write-view.ts';
import type { ReadBackDifference, WriteIntent, WriteOutcome } from '../records/journal/entry.ts';
import type { Journal } from '../records/journal/journal.ts';
import type { UndoValues } from '../records/undo/write-values.ts';
import { describeReadBackOutcome, failureOutcome } from './failure.ts';
import { formatWork, type StartedWork, startsWork } from './follow-work.ts';
import { isNotSent } from './items/error-outcome.ts';

export interface WriteRequest {
  input: CallInput;
  /**
   * The result of `prepare`: the owner and the values that the account fills in are part of the confirmed
   * content.
   */
  prepared: Pick<PreparedRequest, 'filledIn' | 'owner'>;
  /** The digest of the state that the preview compared with; undefined if it compared with none. */
  stateDigest?: string;
  /** The request with placeholders instead of personal values, for the journal; absent if it has none. */
  marked?: MaskedArguments;
  call: CallOptions;
  /**
   * Called before anything is sent, with the journal's id; a request has none.
   * @throws anything that hinders the write: nothing is sent then
   */
  onRecorded?: (journalId?: string) => Promise<void>;
  /** Called with a response that rejects all or some of it, before any of it is recorded. */
  onRejected?: (response: CallResult) => Promise<void>;
  /**
   * Reads the written thing again and compares it with the sent values and the old ones; absent if nothing
   * can be read.
   */
  readBack?: () => Promise<ReadBack>;
  /** Follows work that the call only started, within its time; never throws. */
  follow?: (response: CallResult) => Promise<StartedWork>;
  /** The facts that the journal records beside the request. */
  facts?: Pick<WriteIntent, 'batch' | 'undoes' | 'isPart' | 'what'>;
  /** The values that an undo needs; absent for a write that no undo finds. */
  undo?: UndoValues | undefined;
}

/** The read-back for the answer, and the members as they were found for the journal. */
interface ReadBackResult {
  readBack: ReadBack;
  found?: unknown;
}

export type WriteResult =
  | {
      /** `accepted_not_visible`: the service accepted it, and still shows at least one of the old values. */
      outcome: 'done' | 'accepted_not_visible';
      journalId: string;
      /** Its `idempotencyKey` is the one that was sent, if the operation takes one. */
      response: CallResult;
      readBack?: ReadBack;
      /** The work, if the call only started some that is done by now. */
      work?: StartedWork;
      journalProblem?: string;
    }
  | {
      /** The HTTP status is 2xx, and the response rejects all of it, or some items of a batch. */
      outcome: 'not_accepted' | 'partly_accepted';
      /** The journal entry, absent for a request, which the journal does not record. */
      journalId?: string;
      response: CallResult;
      verdict: Verdict;
      journalProblem?: string;
    }
  | {
      /** `requested`: the service works on it, and it may still fail; `failed`: that work has failed. */
      outcome: 'requested' | 'failed';
      /**
       * The journal entry, absent if the call changes nothing: nobody was asked, and the journal does not
       * record it.
       */
      journalId?: string;
      response: CallResult;
      verdict: Verdict;
      /** The work, absent if nothing was started. */
      work?: StartedWork;
      journalProblem?: string;
    };

/** The content that a confirmation or code is bound to. */
export interface WriteContent {
  account: string;
  /** The operation id. */
  operation: string;
  parameters: Readonly<Record<string, unknown>>;
  /** The body, undefined if there is none. */
  body?: unknown;
  /** The identity of the owner, because an account of the same name may become another's. */
  identity: Identity;
  /** The digest of the state that the preview compared with; undefined if it compared with none. */
  stateDigest?: string;
}

export function contentOf({
  input,
  prepared,
  stateDigest,
}: Pick<WriteRequest, 'input' | 'prepared' | 'stateDigest'>): WriteContent {
  const { account, operation, parameters, body } = input;
  const all = { ...parameters, ...prepared.filledIn };
  return {
    account,
    operation: operation.id,
    parameters: all,
    body,
    identity: identityOf(prepared.owner),
    stateDigest,
  };
}

/** Returns the intent that the journal records. */
export function intentOf(content: WriteContent, marked: MaskedArguments | undefined): WriteIntent {
  const { account, operation, parameters, body, identity } = content;
  return {
    account,
    owner: identityDigest(identity),
    operation,
    parameters,
    body,
    // Values that the account has filled in are recorded unmasked.
    ...(marked === undefined
      ? {}
      : { recorded: { ...marked, parameters: { ...parameters, ...marked.parameters } } }),
  };
}

/**
 * Sends a call that changes nothing of the seller's.
 * @throws CancelledError, and whatever the client throws
 */
export async function sendWithoutApproval(request: WriteRequest, client: Client): Promise<WriteResult> {
  refuseCancelled(request);
  await request.onRecorded?.();
  const idempotencyKey = chooseKey(request.input);
  const input = { ...request.input, owner: request.prepared.owner, idempotencyKey };
  const response = await client.call(input, request.call);
  const verdict = readVerdict(input.operation, response);
  if (verdict.outcome !== 'accepted') await request.onRejected?.(response);
  // A preview asks whether something would be accepted, so a rejection is a regular answer.
  const isPreview = effectOfCall(input.operation, input.parameters) !== input.operation.effect;
  if (verdict.outcome !== 'accepted' && !isPreview) return { outcome: verdict.outcome, response, verdict };
  const work = startsWork(input.operation, response) ? await request.follow?.(response) : undefined;
  const outcome = work?.state === 'failed' ? 'failed' : 'requested';
  return { outcome, response, verdict, ...(work && { work }) };
}

/** Refuses a cancelled call, because an approval after the cancellation must send nothing. */
function refuseCancelled({ call }: WriteRequest): void {
  if (call.signal?.aborted === true) throw new CancelledError('The call was cancelled; nothing was sent.');
}

/**
 * @throws whatever the client throws, with the result of a read-back added if the outcome of the write is
 * unknown
 */
export async function sendAndRecord(
  request: WriteRequest,
  { client, journal, now }: { client: Client; journal: Journal; now: () => number },
): Promise<WriteResult> {
  refuseCancelled(request);
  const idempotencyKey = chooseKey(request.input);
  const journalId = await beginEntry(request, idempotencyKey, journal);
  let response: CallResult;
  try {
    response = await client.call(
      { ...request.input, owner: request.prepared.owner, idempotencyKey },
      leaveTimeToReadBack(request, now()),
    );
  } catch (error) {
    throw await recordFailure(error, journalId, request, journal, idempotencyKey);
  }
  const { input } = request;
  const verdict = readVerdict(input.operation, response);
  if (verdict.outcome !== 'accepted') await request.onRejected?.(response);
  const known = {
    status: response.status,
    requestId: response.requestId?.data(),
    idempotencyKey: response.idempotencyKey,
  };
  const isPersonal = request.undo?.isPersonal;
  const end = async (
    outcome: RecordedOutcome,
    more: Pick<WriteOutcome, 'error' | 'differences'>,
    found?: unknown,
  ) => {
    const ending = { outcome, ...known, ...more };
    const problem = await journal.end(journalId, ending, { found, isPersonal });
    return { journalId, response, journalProblem: problem?.message };
  };
  if (verdict.outcome !== 'accepted') {
    const { outcome } = verdict;
    return { outcome, ...(await end(outcome, { error: formatVerdict(verdict) })), verdict };
  }
  const record = () => journal.end(journalId, { outcome: 'requested', ...known });
  const work = await follow(request, response, record);
  const isUnderWay = work !== undefined && work.state !== 'done' && input.operation.progress !== undefined;
  const { readBack, found } = (isUnderWay ? undefined : await tryReadBack(request)) ?? {};
  const outcome = outcomeOf(work, readBack);
  const started = work && { work };
  if (outcome === 'requested' || outcome === 'failed') {
    const error = work && formatWork(work);
    return { outcome, ...(await end(outcome, { error }, found)), verdict, ...started };
  }
  const differences = toJournal(readBack);
  return { outcome, ...(await end(outcome, { differences }, found)), readBack, ...started };
}

/** Follows started work. The request is recorded first, so that a crash in between leaves a trace. */
async function follow(
  { input: { operation }, follow: toItsEnd }: WriteRequest,
  response: CallResult,
  record: () => Promise<unknown>,
): Promise<StartedWork | undefined> {
  if (!startsWork(operation, response)) return undefined;
  await record();
  return toItsEnd === undefined ? { state: 'working', reasons: [] } : toItsEnd(response);
}

function outcomeOf(work: StartedWork | undefined, readBack: ReadBack | undefined) {
  if (work?.state === 'failed') return 'failed';
  if (work === undefined || work.state === 'done') return visibleOutcome(readBack);
  // If no operation reports the end, the written state does.
  const isSeen =
    readBack !== undefined && readBack.problem === undefined && readBack.differences.length === 0;
  return isSeen ? visibleOutcome(readBack) : 'requested';
}

/**
 * Begins the journal entry. It resolves with its id once intent and old values are on the disk, and
 * `onRecorded` has the id.
 */
async function beginEntry(
  request: WriteRequest,
  idempotencyKey: string | undefined,
  journal: Journal,
): Promise<string> {
  const intent = intentOf(contentOf(request), request.marked);
  const id = await journal.begin({ ...intent, idempotencyKey, ...request.facts }, request.undo);
  try {
    await request.onRecorded?.(id);
    return id;
  } catch (error) {
    // The write was not sent.
    const reason = error instanceof Error ? error.message : String(error);
    throw addJournalProblem(error, await journal.end(id, { outcome: 'refused', error: reason }));
  }
}

function visibleOutcome(readBack: ReadBack | undefined): 'done' | 'accepted_not_visible' {
  return readBack === undefined || readBack.notYet.length === 0 ? 'done' : 'accepted_not_visible';
}

/**
 * Returns the caller's key, or a new one; undefined if the operation takes none. It is made here rather than
 * in the client, because it is recorded before anything is sent. A crash in between then leaves the key for
 * the repeat.
 */
function chooseKey({ operation, parameters, body }: CallInput): string | undefined {
  const field = operation.idempotencyKey;
  if (field === undefined) return undefined;
  const holder = field.in === 'header' ? parameters : body;
  if (!isJsonObject(holder)) return undefined;
  const given = Object.hasOwn(holder, field.name) ? holder[field.name] : undefined;
  return given === undefined || given === null ? crypto.randomUUID() : String(given);
}

/** Reserves time for the read-back, because a write that timed out needs it most. */
const SHARE_OF_THE_WRITE = 0.8;

function leaveTimeToReadBack({ call, readBack }: WriteRequest, now: number): CallOptions {
  const { deadline } = call;
  if (deadline === undefined || readBack === undefined) return call;
  return { ...call, deadline: now + (deadline - now) * SHARE_OF_THE_WRITE };
}

async function recordFailure(
  error: unknown,
  id: string,
  request: WriteRequest,
  journal: Journal,
  key: string | undefined,
): Promise<unknown> {
  const failure = failureOutcome(error, key);
  // A batch item that was not sent has not failed.
  const isAttempt = request.facts?.batch !== undefined && failure.outcome === 'failed' && isNotSent(error);
  const outcome: WriteOutcome = isAttempt ? { ...failure, outcome: 'refused' } : failure;
  if (outcome.outcome !== 'unknown') {
    return addJournalProblem(error, await journal.end(id, outcome));
  }
  const { readBack, found } = (await tryReadBack(request)) ?? {};
  // The service accepted nothing here, so unchanged values may mean that the write was not applied.
  const differing = readBack && {
    ...readBack,
    differences: [...readBack.differences, ...readBack.notYet],
    notYet: [],
  };
  const ending = { ...outcome, differences: toJournal(differing) };
  const isPersonal = request.undo?.isPersonal;
  addJournalProblem(error, await journal.end(id, ending, { found, isPersonal }));
  if (!(error instanceof AppError)) return error;
  return error.withHintFirst(
    describeReadBackOutcome(error, readBack, request.input.operation, outcome.idempotencyKey),
  );
}

/** Adds the journal's problem to the hint, so that a failed write reports it as a successful one does. */
export function addJournalProblem(error: unknown, problem: AppError | undefined): unknown {
  return error instanceof AppError && problem !== undefined ? error.withHintFirst(problem.message) : error;
}

async function tryReadBack({ readBack, call }: WriteRequest): Promise<ReadBackResult | undefined> {
  if (readBack === undefined || call.signal?.aborted === true) return undefined;
  try {
    const { found, ...told } = await readBack();
    return { readBack: told, found };
  } catch (problem) {
    return { readBack: { differences: [], notYet: [], problem } };
  }
}

function toJournal(readBack: ReadBack | undefined): ReadBackDifference[] | undefined {
  if (readBack === undefined || readBack.problem !== undefined) return undefined;
  // An empty list means that the read-back matches.
  if (readBack.differences.length === 0 && readBack.notYet.length > 0) return undefined;
  return readBack.differences.map(({ path, before, after }) => ({ path, sent: before, found: after }));
}
