/**
 * Adapts all other operations: it compares the members of the body with the reading operation's response,
 * names them by their paths, and undoes none.
 */

import { sha256 } from '../../base/canonical-json.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { findDifferences, type JsonDifference } from '../../base/json-difference.ts';
import type { CallOptions } from '../../call/client-types.ts';
import { type Change, type ReadBack, sortReadBack, unknownChange, type WriteDiff } from './change.ts';
import { asPath, describeDifferences } from './format/describe-difference.ts';
import { valuesByPath } from './member-values.ts';
import {
  type ReadState,
  type StateReader,
  stateOf,
  unreadableReason,
  type WrittenCall,
} from './read-state.ts';
import { storeAdapter } from './store/store-adapter.ts';
import type { SubjectAdapter } from './subject-adapter.ts';

export const genericAdapter: SubjectAdapter = {
  ...storeAdapter,
  planners: {},
  lines: ({ differences = [] }) => describeDifferences(differences),
  place: asPath,
  values: ({ differences = [] }) => valuesByPath(differences, asPath),
  undoneWith: {},
};

export function planGeneric({ body }: WrittenCall, read: ReadState, reader: StateReader): WriteDiff {
  if ('absent' in read) return { change: unknownChange(`${reader.operation} finds nothing there yet`) };
  if (!('state' in read)) return { change: unknownChange(unreadableReason(read)) };
  if (!isJsonObject(body) || Object.keys(body).length === 0) {
    const now = scalarsOf(read.state);
    const change = unknownChange();
    // The body has nothing to compare, so the current state describes the subject.
    return { change: { ...change, before: now }, stateDigest: sha256(now) };
  }
  const base = findBase(read.state, Object.keys(body));
  if (base === undefined)
    return { change: unknownChange(`${reader.operation} shows nothing of the same names`) };
  const before = pick(base, body);
  const change: Change = {
    ...unknownChange(),
    before,
    after: pick(body, before),
    differences: compare(before, body),
    sent: Object.keys(body)
      .filter((name) => !Object.hasOwn(before, name))
      .map((name) => ({ segments: [name], value: body[name] })),
  };
  return {
    change,
    stateDigest: sha256(before),
    readBack: (call) => readGenericBack(reader, body, before, call),
  };
}

/** Returns the members of `holder` that `wanted` has too. */
function pick(holder: JsonObject, wanted: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(holder).filter(([name]) => Object.hasOwn(wanted, name)));
}

/**
 * Compares member by member. A nested member that only the state has does not count as removed, because a
 * reading operation may show more than the write takes. An item of a list does.
 */
function compare(before: JsonObject, body: JsonObject): JsonDifference[] {
  return Object.keys(before).flatMap((name) =>
    findDifferences(before[name], body[name], isReadAsOne, [name]).filter(
      ({ kind, segments }) => kind !== 'removed' || typeof segments.at(-1) === 'number',
    ),
  );
}

/**
 * Returns true for lists of plain values, and for an object or a list that is sent empty, because it has no
 * member to name.
 */
function isReadAsOne(before: unknown, after: unknown): boolean {
  if (isJsonObject(after)) return Object.keys(after).length === 0;
  if (!Array.isArray(before) || !Array.isArray(after)) return false;
  return (
    after.length === 0 || [...before, ...after].every((item) => typeof item !== 'object' || item === null)
  );
}

/**
 * Finds the part of a response with most of these names: the response itself, or a member of it (`payload`).
 */
function findBase(state: unknown, names: readonly string[]): JsonObject | undefined {
  if (!isJsonObject(state)) return undefined;
  const inner = Object.values(state).filter(isJsonObject);
  const deeper = inner.flatMap((one) => Object.values(one).filter(isJsonObject));
  const count = (one: JsonObject) => names.filter((name) => Object.hasOwn(one, name)).length;
  const [best] = [state, ...inner, ...deeper].sort((a, b) => count(b) - count(a));
  return best !== undefined && count(best) > 0 ? best : undefined;
}

/** Returns the plain values at the top of a response, or of its payload. */
function scalarsOf(state: unknown): JsonObject {
  if (!isJsonObject(state)) return {};
  const whole = isJsonObject(state.payload) ? state.payload : state;
  return Object.fromEntries(
    Object.entries(whole).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value)),
  );
}

async function readGenericBack(
  reader: StateReader,
  body: JsonObject,
  before: JsonObject,
  call: CallOptions,
): Promise<ReadBack> {
  const found = findBase(stateOf(await reader.read(call)), Object.keys(before));
  const sent = pick(body, before);
  // A member that the service shows beside the sent ones is no difference.
  const differences = findDifferences(sent, pick(found ?? {}, before), isReadAsOne);
  return sortReadBack(
    differences.filter(({ kind }) => kind !== 'added'),
    before,
  );
}
