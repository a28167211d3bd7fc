/** Works out what a write changes before anybody is asked: reads the state, and makes of it what the write would. */

import { closest, distance } from 'fastest-levenshtein';
import { sha256 } from '../../base/canonical-json.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { type Difference, findDifferences, formatPath, type Segments } from '../../base/json-difference.ts';
import type { CallOptions } from '../../call/client.ts';
import { effectOfCall } from '../../service/facts/effects.ts';
import type { JsonSchema, Operation } from '../../service/facts/operation.ts';
import { type Defs, own, resolveSchema } from '../../service/facts/schema-parts.ts';
import type { PlannedWrite, ReadBack } from '../model/change.ts';
import { type Change, sortReadBack, unknownChange, type Warning } from '../model/change.ts';
import {
  type Elsewhere,
  LISTING_PARTS,
  placesElsewhere,
  planListing,
} from '../model/listing/listing-change.ts';
import {
  createStateReader,
  type State,
  type StateParts,
  type StateReader,
  stateOf,
  type WrittenCall,
  whyNot,
} from '../model/read-state.ts';
import { planStoreStatus, planStoreUpdate } from '../model/store/store-change.ts';

interface Kind {
  /** Parameters of the reading operation beside those that the facts name. */
  more?: Readonly<Record<string, unknown>>;
  /** Marketplaces that the body names beside those of the call. */
  elsewhere?(written: WrittenCall): readonly string[];
  plan(written: WrittenCall, read: State, reader: StateReader, elsewhere?: Elsewhere): PlannedWrite;
}

const listing: Kind = { more: LISTING_PARTS, elsewhere: placesElsewhere, plan: planListing };
const status: Kind = { plan: planStoreStatus };

/** By operation; any other is told member by member. */
const KINDS: Readonly<Record<string, Kind>> = {
  'supply-sources/updateSupplySource': {
    plan: ({ parameters, body }, read, reader) =>
      planStoreUpdate(String(parameters.supplySourceId), body, read, reader),
  },
  'supply-sources/updateSupplySourceStatus': status,
  'supply-sources/archiveSupplySource': status,
  'listings-items/patchListingsItem': listing,
  'listings-items/putListingsItem': listing,
  'listings-items/deleteListingsItem': listing,
};

/**
 * For a request, which is sent unasked, nothing is read. A state that cannot be read is told, and the write can be asked.
 * @param known the state where it has been read already, as the reading operation would show it
 * @throws AppError for what would hinder the write too
 */
export async function planWrite(
  written: WrittenCall,
  parts: StateParts,
  call: CallOptions,
  known?: State,
): Promise<PlannedWrite> {
  const planned = await planState(written, parts, call, known);
  const unknown = warnAboutUnknown(written.operation, written.body);
  const { change } = planned;
  // Of a store, members that the definition does not name are compared like any other.
  const isWhole = change.isWhole && (change.subject.kind === 'store' || unknown.length === 0);
  return { ...planned, change: { ...change, isWhole, warnings: [...change.warnings, ...unknown] } };
}

async function planState(
  written: WrittenCall,
  parts: StateParts,
  call: CallOptions,
  known: State | undefined,
): Promise<PlannedWrite> {
  const { operation, parameters } = written;
  if (effectOfCall(operation, parameters) === 'request') return { change: unknownChange() };
  const kind = Object.hasOwn(KINDS, operation.id) ? KINDS[operation.id] : undefined;
  const reader = createStateReader(written, parts, kind?.more);
  if (typeof reader === 'string') return { change: unknownChange(reader) };
  const [read, elsewhere] = await Promise.all([
    known ?? reader.read(call),
    readElsewhere(kind?.elsewhere?.(written) ?? [], written, parts, call),
  ]);
  return { ...(kind?.plan ?? planOther)(written, read, reader, elsewhere), isAbsent: 'absent' in read };
}

/** By itself, so that a place that cannot be read leaves the others known. */
async function readElsewhere(
  places: readonly string[],
  written: WrittenCall,
  parts: StateParts,
  call: CallOptions,
): Promise<Elsewhere | undefined> {
  if (places.length === 0) return undefined;
  const parameters = { ...written.parameters, marketplaceIds: places };
  const reader = createStateReader({ ...written, parameters }, parts, LISTING_PARTS);
  return typeof reader === 'string' ? undefined : { places, reader, read: await reader.read(call) };
}

// What a write makes of anything else: the members of its body held against what the reading operation shows.

function planOther({ body }: WrittenCall, read: State, reader: StateReader): PlannedWrite {
  if ('absent' in read) return { change: unknownChange(`${reader.operation} finds nothing there yet`) };
  if (!('state' in read)) return { change: unknownChange(whyNot(read)) };
  if (!isJsonObject(body) || Object.keys(body).length === 0) {
    const now = scalarsOf(read.state);
    const change = unknownChange();
    // Nothing is sent that could be compared: what is there now is what it is about.
    return { change: { ...change, before: now }, basis: sha256(now) };
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
    basis: sha256(before),
    readBack: (call) => readOtherBack(reader, body, before, call),
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

async function readOtherBack(
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

// Members of a body that its definition does not name: sent all the same, and told, since most are misspelt.

/** Told at most: a body of another kind is one mistake, not thousands. */
const MOST_TOLD = 20;
/** Characters of a name that is compared with others. */
const LONGEST_COMPARED = 100;

function warnAboutUnknown({ body, defs = {} }: Operation, sent: unknown): Warning[] {
  if (body === undefined) return [];
  const found: Warning[] = [];
  visit(body.schema, sent, [], defs, found);
  return found;
}

function visit(schema: JsonSchema, value: unknown, segments: Segments, defs: Defs, found: Warning[]): void {
  if (found.length >= MOST_TOLD) return;
  const { properties, additionalProperties, items } = resolveSchema(schema, defs);
  if (Array.isArray(value)) {
    if (items !== undefined)
      for (const [at, one] of value.entries()) visit(items, one, [...segments, at], defs, found);
    return;
  }
  if (!isJsonObject(value)) return;
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  for (const [name, member] of Object.entries(value)) {
    const inner = own(properties, name);
    const place = [...segments, name];
    if (inner !== undefined) visit(inner, member, place, defs, found);
    else if (typeof additionalProperties === 'object')
      visit(additionalProperties, member, place, defs, found);
    else if (properties !== undefined && !isOpen && found.length < MOST_TOLD) {
      found.push({
        path: formatPath(place),
        segments: place,
        message: unknown(name, Object.keys(properties)),
      });
    }
  }
}

function unknown(name: string, known: readonly string[]): string {
  const short = name.slice(0, LONGEST_COMPARED).toLowerCase();
  const near = closest(
    short,
    known.map((one) => one.toLowerCase()),
  );
  const meant = known.find((one) => one.toLowerCase() === near);
  const isNear = meant !== undefined && distance(short, near) <= Math.max(2, short.length / 3);
  return `is not a member that the definition names${isNear ? `; did you mean ${JSON.stringify(meant)}?` : ''}`;
}
