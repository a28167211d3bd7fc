/**
 * Follows work that a call only started, by the operation that reads its progress, for as long as the call
 * has time.
 */

import { type Clock, sleep, systemClock } from '../../base/clock.ts';
import { AppError, CancelledError } from '../../base/errors.ts';
import { escapeText, showText } from '../../base/text/escape-text.ts';
import type { CallInput, CallOptions, CallResult } from '../../call/client-types.ts';
import { effectOfCall } from '../../service/facts/effects.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { type WorkStates, workStatesOf } from '../../service/facts/work-states.ts';
import type { Registry } from '../../service/registry/registry.ts';
import { readingParameters, type StateParts, type WrittenCall } from '../model/read-state.ts';
import { formatReason, type Reason, reasonsOf, valuesAt } from '../model/verdict.ts';

/** The state of the work at the end of the call. */
export interface StartedWork {
  state: 'done' | 'failed' | 'working';
  /** The service's own word: untrusted text, to be escaped where it is shown. */
  status?: string;
  /** The failures, or a warning of the service, without buyers' data. */
  reasons: readonly Reason[];
  /** The call that reads the progress; absent if the service has no operation for it. */
  reader?: { operation: string; parameters: Readonly<Record<string, unknown>> };
  /** The reason why its state could not be read. */
  problem?: AppError;
}

interface FollowParts extends Omit<StateParts, 'registry' | 'now'> {
  registry: Pick<Registry, 'find'>;
  /** Masks buyers' data in a response. */
  show: (value: unknown) => unknown;
  clock?: Clock;
}

/** Returns true if the service accepted the call, and the work may outlast its response. */
export function startsWork({ progress }: Operation, { status }: Pick<CallResult, 'status'>): boolean {
  return progress !== undefined || status === 202;
}

const MIN_POLL_MS = 500;
const SLOWER = 1.6;
const MAX_POLL_MS = 5_000;
const MAX_FOLLOW_MS = 40_000;
/** The milliseconds of the call that remain for the read-back and the answer. */
const RESERVE_MS = 5_000;
/** The max time for one read. */
const READ_MS = 10_000;

/**
 * Follows the work. It never throws, because the service has accepted the call, whatever happens afterwards.
 */
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
  const until = Math.min(deadline - RESERVE_MS, clock.now() + MAX_FOLLOW_MS);
  let found: Followed = { state: 'working' };
  for (let pause = MIN_POLL_MS; ; pause = Math.min(pause * SLOWER, MAX_POLL_MS)) {
    if (clock.now() + pause >= until || signal.aborted) return found;
    try {
      await sleep(clock, pause, signal);
      found = await readState(input, states, parts, call);
    } catch (error) {
      if (signal.aborted || error instanceof CancelledError) return found;
      if (!(error instanceof AppError)) throw error;
      return { ...found, problem: error };
    }
    if (found.state !== 'working' || states.isSlow === true) return found;
  }
}

async function readState(
  input: CallInput,
  states: WorkStates,
  { client, seen, show }: FollowParts,
  call: CallOptions,
): Promise<Followed> {
  const answer = await client.call(input, { ...call, timeoutMs: READ_MS });
  await seen?.(input.operation.id, answer);
  const [status] = valuesAt(answer.body, states.status.split('.'));
  if (typeof status !== 'string') return { state: 'working' };
  const state = states.failed.includes(status) ? 'failed' : states.done.includes(status) ? 'done' : 'working';
  const [problems] = states.problems === undefined ? [] : valuesAt(answer.body, states.problems.split('.'));
  return { state, status, reasons: state === 'working' ? [] : reasonsOf(show(problems)) };
}

/**
 * Formats the complete call that reads the progress: `read_operation {"operation": ..., "parameters": ...}`.
 */
export function formatReader({ reader }: StartedWork): string | undefined {
  return reader && `read_operation ${escapeText(JSON.stringify(reader))}`;
}

const MAX_REASONS = 5;

/** Formats the state as sentences, for the journal and for a batch item. */
export function formatWork(work: StartedWork): string {
  const { state, status, reasons, problem } = work;
  const called = status === undefined ? '' : `, ${showText(status, 80)}`;
  if (state === 'failed') {
    const why = reasons.slice(0, MAX_REASONS).map(formatReason).join('; ');
    return `The service took it, and the work failed${called}${why === '' ? '' : `: ${why}`}`;
  }
  const how = formatReader(work);
  const unread = problem === undefined ? '' : ' Its state could not be read.';
  return `The service still works on it${called}, and it may fail.${unread}${how === undefined ? '' : ` How far it has come: ${how}`}`;
}
