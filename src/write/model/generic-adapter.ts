/** The adapter for whatever else an operation writes: it compares the members of the body with what the reading operation shows, tells them by their paths, and undoes none. */

import { sha256 } from '../../base/canonical-json.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { type Difference, findDifferences } from '../../base/json-difference.ts';
import type { CallOptions } from '../../call/client-types.ts';
import { type Change, type ReadBack, sortReadBack, unknownChange, type WriteDiff } from './change.ts';
import { placeValues } from './member-values.ts';
import { type State, type StateReader, stateOf, type WrittenCall, whyNot } from './read-state.ts';
import { storeAdapter } from './store/store-adapter.ts';
import type { SubjectAdapter } from './subject-adapter.ts';
import { asPath, describeDifferences } from './words/describe-difference.ts';

export const genericAdapter: SubjectAdapter = {
  ...storeAdapter,
  planners: {},
  lines: ({ differences = [] }) => describeDifferences(differences),
  place: asPath,
  values: ({ differences = [] }) => placeValues(differences, asPath),
  undoneWith: {},
};

export function planGeneric({ body }: WrittenCall, read: State, reader: StateReader): WriteDiff {
  if ('absent' in read) return { change: unknownChange(`${reader.operation} finds nothing there yet`) };
  if (!('state' in read)) return { change: unknownChange(whyNot(read)) };
  if (!isJsonObject(body) || Object.keys(body).length === 0) {
    const now = scalarsOf(read.state);
    const change = unknownChange();
    // Nothing is sent that could be compared: what is there now is what it is about.
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

/** The members of `holder` that `wanted` has too. */
function pick(holder: JsonObject, wanted: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(holder).filter(([name]) => Object.hasOwn(wanted, name)));
}

/**
 * Member by member. What the state has and the body has not, deeper down, is not told as removed: whether a reading
 * operation shows more than the write takes is not known. An item of a list is.
 */
function compare(before: JsonObject, body: JsonObject): Difference[] {
  return Object.keys(before).flatMap((name) =>
    findDifferences(before[name], body[name], isReadAsOne, [name]).filter(
      ({ kind, segments }) => kind !== 'removed' || typeof segments.at(-1) === 'number',
    ),
  );
}

/** Lists of plain values, and an object or a list that is sent empty: it has no member of its own to be told by. */
function isReadAsOne(before: unknown, after: unknown): boolean {
  if (isJsonObject(after)) return Object.keys(after).length === 0;
  if (!Array.isArray(before) || !Array.isArray(after)) return false;
  return (
    after.length === 0 || [...before, ...after].every((item) => typeof item !== 'object' || item === null)
  );
}

/** The part of an answer that holds most of these names: the answer itself, or a member of it (`payload`). */
function findBase(state: unknown, names: readonly string[]): JsonObject | undefined {
  if (!isJsonObject(state)) return undefined;
  const inner = Object.values(state).filter(isJsonObject);
  const deeper = inner.flatMap((one) => Object.values(one).filter(isJsonObject));
  const count = (one: JsonObject) => names.filter((name) => Object.hasOwn(one, name)).length;
  const [best] = [state, ...inner, ...deeper].sort((a, b) => count(b) - count(a));
  return best !== undefined && count(best) > 0 ? best : undefined;
}

/** Plain values at the top of an answer, or of its payload. */
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
  // A member that the service shows beside what was sent is no difference.
  const differences = findDifferences(sent, pick(found ?? {}, before), isReadAsOne);
  return sortReadBack(
    differences.filter(({ kind }) => kind !== 'added'),
    before,
  );
}
