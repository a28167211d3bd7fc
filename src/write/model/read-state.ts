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
import type { Operation, RelatedRead, RelatedReadValue } from '../../service/facts/operation.ts';
import { own } from '../../service/facts/schema-parts.ts';
import { otherVersions } from '../../service/facts/versions.ts';
import type { Registry } from '../../service/registry/registry.ts';

/** The max time for it; if the old values come too late, the user is asked without them. */
const MAX_MS = 10_000;

/** The write whose state is read. */
export interface WrittenCall {
  operation: Operation;
  account: string;
  /** The parameters, including those that the account fills in, with marketplaces by id. */
  parameters: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/**
 * `absent`: it does not exist (404). `numbersAsText`: the paths of texts that replace numbers with too many
 * digits.
 */
export type ReadState =
  | { state: unknown; numbersAsText: readonly Segments[] }
  | { absent: AppError }
  | { problem: AppError };

/** Returns the state. @throws AppError with the reason why it cannot be read */
export function stateOf(read: ReadState): unknown {
  if ('state' in read) return read.state;
  throw 'absent' in read ? read.absent : read.problem;
}

/** Explains in a sentence why it cannot be read; the service's words in it are marked. */
export function unreadableReason(read: ReadState): string {
  if ('absent' in read) return read.absent.message;
  return 'problem' in read
    ? read.problem.message
    : 'The service answered with something else than was asked for.';
}

export interface StateParts {
  client: Client;
  registry: Registry;
  /** Returns milliseconds since the epoch. */
  now(): number;
  /** Called with each response and the id of its operation, before the response is used. */
  seen?: (operation: string, answer: Pick<CallResult, 'body' | 'bytes'>) => Promise<void>;
  /** The owner of the state: no other owner's is read if the account has changed since. */
  owner?: CallInput['owner'];
}

export interface StateReader {
  /** The id and parameters of the reading operation, to read it again. */
  operation: string;
  parameters: Readonly<Record<string, unknown>>;
  /** Returns milliseconds since the epoch, because parts of a state expire, such as a sale. */
  now(): number;
  /** @throws AppError for anything that would hinder the write too: missing credentials, a cancelled call */
  read(call: CallOptions): Promise<ReadState>;
}

/**
 * Creates a reader.
 * @param more parameters beside those that the facts name, for the wanted parts of the response
 * @returns the reader, or a sentence that says why there is none
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
        const answer = await client.call(asked, { ...call, timeoutMs: MAX_MS });
        const other = others.find((version) => version.operation.id === answer.answeredBy);
        if (other !== undefined)
          used = { operation: other.operation.id, parameters: { ...other.parameters } };
        await seen?.(used.operation, answer);
        return { state: answer.body, numbersAsText: answer.findNumbersAsText?.() ?? [] };
      } catch (error) {
        if (call.signal?.aborted === true || !isServiceFault(error)) throw error;
        return error instanceof ApiError && error.status === 404 ? { absent: error } : { problem: error };
      }
    },
  };
}

/** The sources of a reading operation's parameters. */
type ReadingSource = Pick<WrittenCall, 'parameters' | 'body'> & { answer?: unknown };

/** Returns the reading operation's parameters that the write, or its response, supplies. */
export function readingParameters(
  reading: RelatedRead,
  written: ReadingSource,
  operation: Operation,
): Record<string, unknown> {
  const known = new Map(operation.parameters.map(({ name, schema }) => [name, schema.type]));
  const values = Object.entries(reading.parameters).map(
    ([name, value]) => [name, sourceOf(value, written)] as const,
  );
  const given = values.filter(([name, value]) => known.has(name) && value !== undefined);
  // The account fills in one text, also where the operation takes a list.
  return Object.fromEntries(
    given.map(([name, value]) => [name, known.get(name) === 'array' ? [value].flat() : value]),
  );
}

function sourceOf({ from, name }: RelatedReadValue, { parameters, body, answer }: ReadingSource): unknown {
  if (from === 'constant') return name;
  if (from === 'parameter') return own(parameters, name);
  return name
    .split('.')
    .reduce<unknown>(
      (value, member) => (isJsonObject(value) ? own(value, member) : undefined),
      from === 'answer' ? answer : body,
    );
}

/** Returns true for faults that do not show whether the write itself would work. */
function isServiceFault(error: unknown): error is AppError {
  if (error instanceof CredentialError) return false;
  return [ApiError, NetworkError, TimeoutError, RateLimitError, InputError].some(
    (kind) => error instanceof kind,
  );
}
