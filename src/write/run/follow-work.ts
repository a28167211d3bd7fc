/** Work that a call only started: how far it has come by the operation that tells it, followed for as long as the call has time. */

import { type Clock, sleep, systemClock } from '../../base/clock.ts';
import { AppError, CancelledError } from '../../base/errors.ts';
import { escapeText, showText } from '../../base/text/escape-text.ts';
import type { CallInput, CallOptions, CallResult } from '../../call/client-types.ts';
import { effectOfCall } from '../../service/facts/effects.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { type WorkStates, workStatesOf } from '../../service/facts/work-states.ts';
import type { Registry } from '../../service/registry/registry.ts';
import { readingParameters, type StateParts, type WrittenCall } from '../model/read-state.ts';
import { type Reason, reasonsOf, reasonWords, valuesAt } from '../model/verdict.ts';

/** What is known of the work at the end of the call. */
export interface StartedWork {
  state: 'done' | 'failed' | 'working';
  /** In the service's own word: data, to be escaped where it is shown. */
  status?: string;
  /** What went wrong, or a warning of the service's, without buyers' data. */
  reasons: readonly Reason[];
  /** The call that tells how far the work has come; absent where the service has no operation for it. */
  reader?: { operation: string; parameters: Readonly<Record<string, unknown>> };
  /** Why its state could not be read. */
  problem?: AppError;
}

interface FollowParts extends Omit<StateParts, 'registry' | 'now'> {
  registry: Pick<Registry, 'find'>;
  /** Hides what is a buyer's in an answer. */
  show: (value: unknown) => unknown;
  clock?: Clock;
}

/** The service took the call, and what it asks for is not done with its answer. */
export function startsWork({ progress }: Operation, { status }: Pick<CallResult, 'status'>): boolean {
  return progress !== undefined || status === 202;
}

const FIRST_LOOK_MS = 500;
const SLOWER = 1.6;
const SLOWEST_LOOK_MS = 5_000;
const MOST_FOLLOW_MS = 40_000;
/** Left of the call for what comes after: reading back, and the answer itself. */
const RESERVE_MS = 5_000;
/** Longest time for one look. */
const LOOK_MS = 10_000;

/** Never throws: the service has taken the call, whatever becomes of looking after it. */
export async function followWork(
  written: WrittenCall & { response: CallResult },
  parts: FollowParts,
  call: CallOptions,
): Promise<StartedWork> {
  const { operation, parameters, response } = written;
  const reading = operation.progress ?? operation.state;
  const reader = reading && parts.registry.find(reading.operation);
  if (reading === undefined || reader === undefined) return { state: 'working', reasons: [] };
  const asked = readingParameters(reading, { ...written, answer: response.body }, reader);
  const isWhole = reader.parameters.every(({ name, required }) => !required || asked[name] !== undefined);
  const known = { reasons: [], ...(isWhole && { reader: { operation: reader.id, parameters: asked } }) };
  const states = operation.progress === undefined ? undefined : workStatesOf(reader.id);
  if (states === undefined || !isWhole) return { state: 'working', ...known };
  const isRequest = effectOfCall(operation, parameters) === 'request';
  if (states.isSlow === true && isRequest) return { state: 'working', ...known };
  const input = { operation: reader, account: written.account, parameters: asked, owner: parts.owner };
  return { ...known, ...(await followUntil({ input, states }, parts, call)) };
}

type Followed = Pick<StartedWork, 'state' | 'status' | 'problem'> & Partial<StartedWork>;

async function followUntil(
  { input, states }: { input: CallInput; states: WorkStates },
  parts: FollowParts,
  call: CallOptions,
): Promise<Followed> {
  const { clock = systemClock } = parts;
  const { signal = new AbortController().signal, deadline = Number.POSITIVE_INFINITY } = call;
  const until = Math.min(deadline - RESERVE_MS, clock.now() + MOST_FOLLOW_MS);
  let found: Followed = { state: 'working' };
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * SLOWER, SLOWEST_LOOK_MS)) {
    if (clock.now() + pause >= until || signal.aborted) return found;
    try {
      await sleep(clock, pause, signal);
      found = await lookOnce(input, states, parts, call);
    } catch (error) {
      if (signal.aborted || error instanceof CancelledError) return found;
      if (!(error instanceof AppError)) throw error;
      return { ...found, problem: error };
    }
    if (found.state !== 'working' || states.isSlow === true) return found;
  }
}

async function lookOnce(
  input: CallInput,
  states: WorkStates,
  { client, seen, show }: FollowParts,
  call: CallOptions,
): Promise<Followed> {
  const answer = await client.call(input, { ...call, timeoutMs: LOOK_MS });
  await seen?.(input.operation.id, answer);
  const [status] = valuesAt(answer.body, states.status.split('.'));
  if (typeof status !== 'string') return { state: 'working' };
  const state = states.failed.includes(status) ? 'failed' : states.done.includes(status) ? 'done' : 'working';
  const [problems] = states.problems === undefined ? [] : valuesAt(answer.body, states.problems.split('.'));
  return { state, status, reasons: state === 'working' ? [] : reasonsOf(show(problems)) };
}

/** `read_operation {"operation": ..., "parameters": ...}`: the call that tells how far it has come, ready to be made. */
export function readerWords({ reader }: StartedWork): string | undefined {
  return reader && `read_operation ${escapeText(JSON.stringify(reader))}`;
}

const MOST_REASONS = 5;

/** In sentences, for the journal and for an item of a list. */
export function workWords(work: StartedWork): string {
  const { state, status, reasons, problem } = work;
  const called = status === undefined ? '' : `, ${showText(status, 80)}`;
  if (state === 'failed') {
    const why = reasons.slice(0, MOST_REASONS).map(reasonWords).join('; ');
    return `The service took it, and the work failed${called}${why === '' ? '' : `: ${why}`}`;
  }
  const how = readerWords(work);
  const unread = problem === undefined ? '' : ' Its state could not be read.';
  return `The service still works on it${called}, and it may fail.${unread}${how === undefined ? '' : ` How far it has come: ${how}`}`;
}
