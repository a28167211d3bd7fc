/** Reads the state that a write changes, with the operation that the facts name for it. */

import {
  ApiError,
  type AppError,
  CredentialError,
  InputError,
  NetworkError,
  RateLimitError,
  TimeoutError,
} from '../../base/errors.ts';
import { isJsonObject } from '../../base/json.ts';
import type { Segments } from '../../base/json-difference.ts';
import type { CallInput, CallOptions, CallResult, Client } from '../../call/client-types.ts';
import type { Operation, Reading, ReadingValue } from '../../service/facts/operation.ts';
import { own } from '../../service/facts/schema-parts.ts';
import { otherVersions } from '../../service/facts/versions.ts';
import type { Registry } from '../../service/registry/registry.ts';

/** Most time for it; a write whose old values are slow to come is still asked about, without them. */
const MOST_MS = 10_000;

/** The write whose state is read. */
export interface WrittenCall {
  operation: Operation;
  account: string;
  /** Those that the account fills in too, marketplaces by id. */
  parameters: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/** `absent`: it is not there (404). `numbersAsText`: where a text stands for a number of too many digits. */
export type State =
  | { state: unknown; numbersAsText: readonly Segments[] }
  | { absent: AppError }
  | { problem: AppError };

/** @throws AppError why it cannot be read */
export function stateOf(read: State): unknown {
  if ('state' in read) return read.state;
  throw 'absent' in read ? read.absent : read.problem;
}

/** In a sentence; words of the service in it are marked. */
export function whyNot(read: State): string {
  if ('absent' in read) return read.absent.message;
  return 'problem' in read
    ? read.problem.message
    : 'The service answered with something else than was asked for.';
}

/** What reading takes. */
export interface StateParts {
  client: Client;
  registry: Registry;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Is told each answer, with the id of its operation, before anything is made of it. */
  seen?: (operation: string, answer: Pick<CallResult, 'body' | 'bytes'>) => Promise<void>;
  /** Whose state it is: nobody else's is read where the account has changed since. */
  owner?: CallInput['owner'];
}

export interface StateReader {
  /** Id of the operation that reads it, and with what: how to look again. */
  operation: string;
  parameters: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch: part of a state holds for some time only, such as a sale. */
  now(): number;
  /** @throws AppError for what would hinder the write too: missing credentials, a cancelled call */
  read(call: CallOptions): Promise<State>;
}

/**
 * A reader, or why there is none, in a sentence.
 * @param more parameters beside those that the facts name, for the parts of the answer that are wanted
 */
export function createStateReader(
  written: WrittenCall,
  { client, registry, now, seen, owner }: StateParts,
  more: Readonly<Record<string, unknown>> = {},
): StateReader | string {
  const { state } = written.operation;
  if (state === undefined) return 'no operation reads what this one writes';
  if (Object.values(state.parameters).some(({ from }) => from === 'answer')) {
    return 'there are none, this makes something new';
  }
  const operation = registry.find(state.operation);
  if (operation.auth.kind !== 'seller') return `${operation.id} shows them, and takes another token`;
  const parameters = { ...readingParameters(state, written, operation), ...more };
  const missing = operation.parameters.find(
    ({ name, required }) => required && parameters[name] === undefined,
  );
  if (missing !== undefined) return `${operation.id} shows them, and takes more than this write tells`;
  const { account } = written;
  const others = otherVersions(operation.id, parameters).map((version) => ({
    ...version,
    operation: registry.find(version.operation),
  }));
  /** The version that answered last. */
  let used = { operation: operation.id, parameters };
  return {
    get operation() {
      return used.operation;
    },
    get parameters() {
      return used.parameters;
    },
    now,
    async read(call) {
      try {
        const asked = {
          operation,
          account,
          parameters,
          owner,
          otherVersions: others,
          withoutPersonalData: true,
        };
        const answer = await client.call(asked, { ...call, timeoutMs: MOST_MS });
        const other = others.find((version) => version.operation.id === answer.answeredBy);
        if (other !== undefined)
          used = { operation: other.operation.id, parameters: { ...other.parameters } };
        await seen?.(used.operation, answer);
        return { state: answer.body, numbersAsText: answer.findNumbersAsText?.() ?? [] };
      } catch (error) {
        if (call.signal?.aborted === true || !isServicesFault(error)) throw error;
        return error instanceof ApiError && error.status === 404 ? { absent: error } : { problem: error };
      }
    },
  };
}

/** What a reading takes its parameters from. */
type ReadingSource = Pick<WrittenCall, 'parameters' | 'body'> & { answer?: unknown };

/** Those that the reading operation takes and the write, or what it was answered, gives. */
export function readingParameters(
  reading: Reading,
  written: ReadingSource,
  operation: Operation,
): Record<string, unknown> {
  const known = new Map(operation.parameters.map(({ name, schema }) => [name, schema.type]));
  const values = Object.entries(reading.parameters).map(
    ([name, value]) => [name, sourceOf(value, written)] as const,
  );
  const given = values.filter(([name, value]) => known.has(name) && value !== undefined);
  // What the account fills in is one text, also where a list is taken.
  return Object.fromEntries(
    given.map(([name, value]) => [name, known.get(name) === 'array' ? [value].flat() : value]),
  );
}

function sourceOf({ from, name }: ReadingValue, { parameters, body, answer }: ReadingSource): unknown {
  if (from === 'constant') return name;
  if (from === 'parameter') return own(parameters, name);
  return name
    .split('.')
    .reduce<unknown>(
      (value, member) => (isJsonObject(value) ? own(value, member) : undefined),
      from === 'answer' ? answer : body,
    );
}

/** Faults that say nothing about whether the write itself would work. */
function isServicesFault(error: unknown): error is AppError {
  if (error instanceof CredentialError) return false;
  return [ApiError, NetworkError, TimeoutError, RateLimitError, InputError].some(
    (kind) => error instanceof kind,
  );
}
