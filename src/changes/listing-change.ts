/** What a write makes of a listing: its attributes before and after, in the marketplaces that the call names. */

import type { CallOptions } from '../client/client.ts';
import { isJsonObject } from '../json.ts';
import type { Difference } from '../json-difference.ts';
import { own } from '../service/facts/schema-parts.ts';
import { canonicalJson, sha256 } from '../writes/canonical-json.ts';
import type { ReadBack } from '../writes/failure.ts';
import type { Change, Subject, Warning } from './change.ts';
import { applyPatches, type Patched } from './listing/apply-patches.ts';
import { type Attributes, inPlaces, toAttributes } from './listing/entries.ts';
import { compareAttribute } from './listing/find-in-answer.ts';
import type { PlannedWrite } from './planned-write.ts';
import { AS_SENT } from './read-back.ts';
import type { State, StateReader, WrittenCall } from './read-state.ts';
import { whyNot } from './store-change.ts';

/** What getListingsItem is asked for. */
export const LISTING_PARTS = { includedData: ['summaries', 'attributes', 'productTypes'] };

const TOLD = ['sellerId', 'sku', 'marketplaceIds'];

export function planListing(written: WrittenCall, read: State, reader: StateReader): PlannedWrite {
  const { operation, parameters, body } = written;
  const places = [parameters.marketplaceIds].flat().filter((id) => typeof id === 'string');
  const state = 'state' in read ? read.state : undefined;
  const subject = listingSubject(String(parameters.sku), state);
  const look = { operation: reader.operation, parameters: reader.parameters };
  const known = { subject, places, toldParameters: TOLD };
  const isNew = 'absent' in read && operation.name === 'putListingsItem';
  const before = isNew ? {} : attributesOf(state, places);
  if (before === undefined) {
    return { change: { ...known, isWhole: false, noDifferences: whyNot(read), warnings: [] }, look };
  }
  if (operation.effect === 'delete') return planDeletion(known, before, reader);
  const made = makeOf(operation.name, before, body, places);
  if ('problem' in made) {
    const change = { ...known, isWhole: false, noDifferences: `${made.problem}.`, warnings: [] };
    return { change, look };
  }
  const touched = { before: pick(before, made.touched), after: pick(made.after, made.touched) };
  const change: Change = {
    ...{
      ...known,
      ...touched,
      differences: compareAttributes(touched.before, touched.after),
      isWhole: isWholeOf(body),
    },
    sent: sentBeside(body, state),
    warnings: warnAboutListing(made.touched, before, body, state),
  };
  return {
    ...{ change, look, basis: sha256(touched.before) },
    readBack: (call) => readListingBack(reader, touched, places, call),
  };
}

/**
 * What `basis` of the same patches would be for a listing as it is shown now; undefined for an answer that is no listing,
 * or patches of which that cannot be told.
 */
export function basisOfListing(
  shown: unknown,
  patches: unknown,
  places: readonly string[],
): string | undefined {
  const now = attributesOf(shown, places);
  const made = now && applyPatches(now, patches);
  if (now === undefined || made === undefined || 'problem' in made) return undefined;
  return sha256(pick(now, made.touched));
}

/** False while a listing still shows a value from before the change. */
export function isListingVisible(
  shown: unknown,
  { before, after }: Pick<Change, 'before' | 'after'>,
  places: readonly string[],
): boolean {
  const [old, sent, found] = [toAttributes(before), toAttributes(after), attributesOf(shown, places) ?? {}];
  const names = [...new Set([...Object.keys(old), ...Object.keys(sent)])];
  return names.every((name) => {
    const sides = { before: own(old, name), sent: own(sent, name), found: own(found, name) };
    return compareAttribute(name, sides).notYet.length === 0;
  });
}

/** By its title in the first of the marketplaces. */
function listingSubject(sku: string, state: unknown): Subject {
  const summaries = isJsonObject(state) && Array.isArray(state.summaries) ? state.summaries : [];
  const names = [
    ...summaries.filter(isJsonObject).map(({ itemName }) => itemName),
    ...(toAttributes(isJsonObject(state) ? state.attributes : undefined).item_name ?? [])
      .filter(isJsonObject)
      .map(({ value }) => value),
  ];
  const title = names.find((name) => typeof name === 'string' && name !== '');
  return { kind: 'listing', sku, ...(typeof title === 'string' && { title }) };
}

function attributesOf(
  state: unknown,
  places: readonly string[],
): Record<string, readonly unknown[]> | undefined {
  // A listing without attributes is one; an answer that is no listing tells nothing.
  if (!isJsonObject(state) || (typeof state.sku !== 'string' && !isJsonObject(state.attributes)))
    return undefined;
  return inPlaces(toAttributes(state.attributes), places);
}

function makeOf(name: string, before: Attributes, body: unknown, places: readonly string[]): Patched {
  if (!isJsonObject(body)) return { problem: 'The body is no object' };
  if (name === 'patchListingsItem') return applyPatches(before, body.patches);
  const given = toAttributes(body.attributes);
  // Entries for other marketplaces are told too, as new: nothing that is sent is passed over.
  const after = { ...given };
  const isAll = isWholeOf(body);
  const names = isAll ? [...new Set([...Object.keys(before), ...Object.keys(given)])] : Object.keys(given);
  return { after: places.length === 0 ? given : after, touched: names };
}

/** An offer alone, or the product alone, leaves the other as it is. */
function isWholeOf(body: unknown): boolean {
  const requirements = isJsonObject(body) ? body.requirements : undefined;
  return requirements === undefined || requirements === 'LISTING';
}

function pick(attributes: Attributes, names: readonly string[]): Record<string, readonly unknown[]> {
  return Object.fromEntries(names.flatMap((name) => (attributes[name] ? [[name, attributes[name]]] : [])));
}

/** One difference an attribute: its entries are read together. */
export function compareAttributes(before: Attributes, after: Attributes): Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name): Difference[] => {
    const [was, is] = [own(before, name), own(after, name)];
    if (canonicalJson(was) === canonicalJson(is)) return [];
    const place = { path: `attributes.${name}`, segments: ['attributes', name] };
    if (was === undefined) return [{ ...place, kind: 'added', after: is }];
    if (is === undefined) return [{ ...place, kind: 'removed', before: was }];
    return [{ ...place, kind: 'changed', before: was, after: is }];
  });
}

/** What else is sent, unless the listing has it already. */
function sentBeside(body: unknown, state: unknown): NonNullable<Change['sent']> {
  if (!isJsonObject(body)) return [];
  return Object.entries(body).flatMap(([name, value]) => {
    if (name === 'patches' || name === 'attributes') return [];
    if (name === 'productType' && productTypes(state).includes(String(value))) return [];
    return [{ segments: [name], value }];
  });
}

function productTypes(state: unknown): string[] {
  if (!isJsonObject(state)) return [];
  const all = [state.productTypes, state.summaries].flatMap((list) => (Array.isArray(list) ? list : []));
  return all
    .filter(isJsonObject)
    .flatMap(({ productType }) => (typeof productType === 'string' ? [productType] : []));
}

function warnAboutListing(
  touched: readonly string[],
  before: Attributes,
  body: unknown,
  state: unknown,
): Warning[] {
  const types = productTypes(state);
  const given = isJsonObject(body) ? body.productType : undefined;
  const wrongType =
    types.length > 0 && typeof given === 'string' && !types.includes(given)
      ? [
          at(
            ['productType'],
            `is ${JSON.stringify(given)}, while the listing is a ${JSON.stringify(types[0])}`,
          ),
        ]
      : [];
  return [...wrongType, ...touched.flatMap((name) => nearMiss(name, before))];
}

const at = (segments: string[], message: string): Warning => ({
  path: segments.join('.'),
  segments,
  message,
});

/** A new attribute whose name is nearly that of one that is there is probably misspelt. */
function nearMiss(name: string, before: Attributes): Warning[] {
  if (Object.hasOwn(before, name)) return [];
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '')
      .replace(/s$/, '');
  const meant = Object.keys(before).find((known) => plain(known) === plain(name));
  return meant === undefined
    ? []
    : [at(['attributes', name], `is new; did you mean ${JSON.stringify(meant)}?`)];
}

function planDeletion(
  known: Pick<Change, 'subject' | 'places' | 'toldParameters'>,
  before: Attributes,
  reader: StateReader,
): PlannedWrite {
  const gone: Difference = { path: '', segments: [], kind: 'removed', before };
  return {
    change: { ...known, before, differences: [gone], isWhole: true, warnings: [] },
    basis: sha256(before),
    look: { operation: reader.operation, parameters: reader.parameters },
    async readBack(call) {
      const found = await reader.read(call);
      if ('absent' in found) return AS_SENT;
      if ('problem' in found) throw found.problem;
      const still: Difference = { path: '', segments: [], kind: 'added', after: 'the listing' };
      return { differences: [], notYet: [still] };
    },
  };
}

async function readListingBack(
  reader: StateReader,
  { before, after }: { before: Attributes; after: Attributes },
  places: readonly string[],
  call: CallOptions,
): Promise<ReadBack> {
  const read = await reader.read(call);
  if ('problem' in read) throw read.problem;
  const found = 'absent' in read ? {} : (attributesOf(read.state, places) ?? {});
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const compared = names.map((name) =>
    compareAttribute(name, { before: own(before, name), sent: own(after, name), found: own(found, name) }),
  );
  return {
    differences: compared.flatMap(({ differences }) => differences),
    notYet: compared.flatMap(({ notYet }) => notYet),
    found: pick(found, names),
  };
}
