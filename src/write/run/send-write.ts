/** Sends one approved write: records its intent before and its outcome after, and reads it back. */

import { type Identity, identityDigest, identityOf } from '../../accounts/owner.ts';
import { AppError, CancelledError } from '../../base/errors.ts';
import { isJsonObject } from '../../base/json.ts';
import type { CallInput, CallOptions, CallResult, Client, PreparedRequest } from '../../call/client-types.ts';
import { effectOfCall } from '../../service/facts/effects.ts';
import type { Intent, ReadBackDifference, WriteOutcome } from '../keep/journal/entry.ts';
import type { Journal } from '../keep/journal/journal.ts';
import type { UndoValues } from '../keep/undo/write-values.ts';
import type { ReadBack } from '../model/change.ts';
import type { Recorded } from '../model/outcome.ts';
import { readVerdict, type Verdict, verdictWords } from '../model/verdict.ts';
import type { Marked } from '../model/write-view.ts';
import { describeFate, failureOutcome } from './failure.ts';
import { type StartedWork, startsWork, workWords } from './follow-work.ts';
import { isNotSent } from './items/error-outcome.ts';

export interface WriteRequest {
  input: CallInput;
  /** From `prepare`: whose it is and what the account fills in are part of what is confirmed. */
  prepared: Pick<PreparedRequest, 'filledIn' | 'owner'>;
  /** Digest of the state that the preview compared with; undefined where it compared with none. */
  stateDigest?: string;
  /** With marks instead of personal values, for the journal; absent where no mark was given. */
  marked?: Marked;
  call: CallOptions;
  /**
   * Is told before anything is sent, with the id in the journal; a request has none.
   * @throws what hinders the write: nothing is sent then
   */
  onRecorded?: (journalId?: string) => Promise<void>;
  /** Is told an answer that says no to all or some of it, before anything of it is recorded. */
  onRejected?: (response: CallResult) => Promise<void>;
  /** Reads the written thing again and compares it with what was sent and what was there; absent where nothing can be read. */
  readBack?: () => Promise<ReadBack>;
  /** Follows work that the call only started, as far as its time goes; never throws. */
  follow?: (response: CallResult) => Promise<StartedWork>;
  /** Facts that the journal records beside the request. */
  facts?: Pick<Intent, 'batch' | 'undoes' | 'isPart' | 'what'>;
  /** The values with which it can be undone; absent where it is no write that an undo finds. */
  undo?: UndoValues | undefined;
}

/** The read-back for the answer, and the members as they were found for the journal. */
interface FoundAgain {
  readBack: ReadBack;
  found?: unknown;
}

/** What became of a write that was sent. */
export type WriteResult =
  | {
      /** `accepted_not_visible`: the service said yes, and still shows at least one of the values from before. */
      outcome: 'done' | 'accepted_not_visible';
      journalId: string;
      /** Under `idempotencyKey` the one that was sent, where the operation takes one. */
      response: CallResult;
      readBack?: ReadBack;
      /** Where the call only started work, which is done by now. */
      work?: StartedWork;
      journalProblem?: string;
    }
  | {
      /** The HTTP status is 2xx, and the answer says no: to all of it, or to some items of a batch. */
      outcome: 'not_accepted' | 'partly_accepted';
      /** Absent for a request, which the journal does not hold. */
      journalId?: string;
      response: CallResult;
      verdict: Verdict;
      journalProblem?: string;
    }
  | {
      /** `requested`: the service works on it, and it may still fail; `failed`: that work has failed. */
      outcome: 'requested' | 'failed';
      /** Absent where it asked for something that changes nothing: nobody was asked, and the journal does not hold it. */
      journalId?: string;
      response: CallResult;
      verdict: Verdict;
      /** Absent where nothing was started. */
      work?: StartedWork;
      journalProblem?: string;
    };

/** What a confirmation is bound to: exactly what a code stands for. */
export interface WriteContent {
  account: string;
  /** Operation id. */
  operation: string;
  parameters: Readonly<Record<string, unknown>>;
  /** Undefined where nothing is sent as a body. */
  body?: unknown;
  /** Whose it is: an account of the same name may become another's. */
  identity: Identity;
  /** Digest of the state that the preview compared with; undefined where it compared with none. */
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

/** What the journal records of it. */
export function intentOf(content: WriteContent, marked: Marked | undefined): Intent {
  const { account, operation, parameters, body, identity } = content;
  return {
    account,
    owner: identityDigest(identity),
    operation,
    parameters,
    body,
    // What the account has filled in is recorded as it is.
    ...(marked === undefined
      ? {}
      : { recorded: { ...marked, parameters: { ...parameters, ...marked.parameters } } }),
  };
}

/** For what changes nothing of the seller's. @throws CancelledError, and whatever the client throws */
export async function sendWithoutApproval(request: WriteRequest, client: Client): Promise<WriteResult> {
  refuseCancelled(request);
  await request.onRecorded?.();
  const idempotencyKey = chooseKey(request.input);
  const input = { ...request.input, owner: request.prepared.owner, idempotencyKey };
  const response = await client.call(input, request.call);
  const verdict = readVerdict(input.operation, response);
  if (verdict.outcome !== 'accepted') await request.onRejected?.(response);
  // To a question whether something would be accepted, no is an answer like any other.
  const isPreview = effectOfCall(input.operation, input.parameters) !== input.operation.effect;
  if (verdict.outcome !== 'accepted' && !isPreview) return { outcome: verdict.outcome, response, verdict };
  const work = startsWork(input.operation, response) ? await request.follow?.(response) : undefined;
  const outcome = work?.state === 'failed' ? 'failed' : 'requested';
  return { outcome, response, verdict, ...(work && { work }) };
}

/** A yes that arrives after the call was cancelled sends nothing. */
function refuseCancelled({ call }: WriteRequest): void {
  if (call.signal?.aborted === true) throw new CancelledError('The call was cancelled; nothing was sent.');
}

/** @throws whatever the client throws, with what a read-back found added where the fate of the write is unknown. */
export async function sendAndRecord(
  request: WriteRequest,
  { client, journal, now }: { client: Client; journal: Journal; now: () => number },
): Promise<WriteResult> {
  refuseCancelled(request);
  const idempotencyKey = chooseKey(request.input);
  const journalId = await begin(request, idempotencyKey, journal);
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
    outcome: Recorded,
    more: Pick<WriteOutcome, 'error' | 'differences'>,
    found?: unknown,
  ) => {
    const ending = { outcome, ...known, ...more };
    const problem = await journal.end(journalId, ending, { found, isPersonal });
    return { journalId, response, journalProblem: problem?.message };
  };
  if (verdict.outcome !== 'accepted') {
    const { outcome } = verdict;
    return { outcome, ...(await end(outcome, { error: verdictWords(verdict) })), verdict };
  }
  const record = () => journal.end(journalId, { outcome: 'requested', ...known });
  const work = await follow(request, response, record);
  const isUnderWay = work !== undefined && work.state !== 'done' && input.operation.progress !== undefined;
  const { readBack, found } = (isUnderWay ? undefined : await tryReadBack(request)) ?? {};
  const outcome = outcomeOf(work, readBack);
  const started = work && { work };
  if (outcome === 'requested' || outcome === 'failed') {
    const error = work && workWords(work);
    return { outcome, ...(await end(outcome, { error }, found)), verdict, ...started };
  }
  const differences = toJournal(readBack);
  return { outcome, ...(await end(outcome, { differences }, found)), readBack, ...started };
}

/** Recorded as requested before it is followed, so that a process that is killed in between leaves that behind. */
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
  // Where no operation tells the end, the state that was written does.
  const isSeen =
    readBack !== undefined && readBack.problem === undefined && readBack.differences.length === 0;
  return isSeen ? visibleOutcome(readBack) : 'requested';
}

/** Resolves with the entry's id once the intent and the values before are on the disk, and whoever waits for that knows it. */
async function begin(
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
    // Nothing was sent.
    const reason = error instanceof Error ? error.message : String(error);
    throw tellProblem(error, await journal.end(id, { outcome: 'refused', error: reason }));
  }
}

function visibleOutcome(readBack: ReadBack | undefined): 'done' | 'accepted_not_visible' {
  return readBack === undefined || readBack.notYet.length === 0 ? 'done' : 'accepted_not_visible';
}

/**
 * The caller's key, or a new one; undefined where the operation takes none. It is made here rather than in the client,
 * since it is recorded before anything is sent: a process that is killed in between leaves it behind for the repeat.
 */
function chooseKey({ operation, parameters, body }: CallInput): string | undefined {
  const place = operation.idempotencyKey;
  if (place === undefined) return undefined;
  const holder = place.in === 'header' ? parameters : body;
  if (!isJsonObject(holder)) return undefined;
  const given = Object.hasOwn(holder, place.name) ? holder[place.name] : undefined;
  return given === undefined || given === null ? crypto.randomUUID() : String(given);
}

/** A write without an answer is the one that has to be read back: it must not use up the time of both. */
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
    return tellProblem(error, await journal.end(id, outcome));
  }
  const { readBack, found } = (await tryReadBack(request)) ?? {};
  // Nobody said yes here: what is still as it was may mean that nothing was applied.
  const differing = readBack && {
    ...readBack,
    differences: [...readBack.differences, ...readBack.notYet],
    notYet: [],
  };
  const ending = { ...outcome, differences: toJournal(differing) };
  const isPersonal = request.undo?.isPersonal;
  tellProblem(error, await journal.end(id, ending, { found, isPersonal }));
  if (!(error instanceof AppError)) return error;
  return error.withHintFirst(describeFate(error, readBack, request.input.operation, outcome.idempotencyKey));
}

/** A failed write that the journal could not record to its end is told with that, like one that was done. */
export function tellProblem(error: unknown, problem: AppError | undefined): unknown {
  return error instanceof AppError && problem !== undefined ? error.withHintFirst(problem.message) : error;
}

async function tryReadBack({ readBack, call }: WriteRequest): Promise<FoundAgain | undefined> {
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
  // An empty list says that it reads as it was sent.
  if (readBack.differences.length === 0 && readBack.notYet.length > 0) return undefined;
  return readBack.differences.map(({ path, before, after }) => ({ path, sent: before, found: after }));
}
