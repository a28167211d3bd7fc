/** Plans a write to a listing: its attributes before and after, in the marketplaces that the call names. */

import { canonicalJson, sha256 } from '../../../base/canonical-json.ts';
import { InputError } from '../../../base/errors.ts';
import { isJsonObject, objectsIn, toObject } from '../../../base/json.ts';
import type { JsonDifference } from '../../../base/json-difference.ts';
import type { CallOptions } from '../../../call/client-types.ts';
import { own } from '../../../service/facts/schema-parts.ts';
import type { Change, ReadBack, Subject, Warning, WriteDiff } from '../change.ts';
import { AS_SENT } from '../change.ts';
import { formatMarketplaceIds, MAX_MARKETPLACES } from '../format/subject.ts';
import { type ReadState, type StateReader, unreadableReason, type WrittenCall } from '../read-state.ts';
import type { OtherMarketplaces } from '../subject-adapter.ts';
import {
  applyPatches,
  areEntries,
  attributeOfPatch,
  marketplacesOfPatches,
  replaceEntries,
} from './apply-patches.ts';
import { attributeDifference, compareAttribute } from './compare-attribute.ts';
import {
  type Attributes,
  attributesFor,
  crossedBounds,
  entriesOf,
  keyOf,
  marketplaceOfEntry,
  marketplacesOfEntries,
  namesIn,
  OFFER,
  sortByMarketplace,
  toAttributes,
  toList,
} from './entries.ts';
import { type OfferedNow, offeredNow } from './offered-now.ts';

/** The parts of a listing that getListingsItem is asked for. */
export const LISTING_PARTS = {
  includedData: ['summaries', 'attributes', 'productTypes', 'fulfillmentAvailability', 'offers'],
};

/** Returns the marketplaces that the body names and the call does not, because their entries are read too. */
export function marketplacesOutsideCall({ operation, parameters, body }: WrittenCall): string[] {
  if (!isJsonObject(body)) return [];
  const named =
    operation.name === 'patchListingsItem'
      ? marketplacesOfPatches(body.patches)
      : Object.values(toAttributes(body.attributes)).flatMap(marketplacesOfEntries);
  const here = idsOfCall(parameters);
  return [...new Set(named)].filter((id) => !here.includes(id)).toSorted();
}

const idsOfCall = (parameters: WrittenCall['parameters']): string[] =>
  [parameters.marketplaceIds].flat().filter((id) => typeof id === 'string');

export function planListing(
  written: WrittenCall,
  read: ReadState,
  reader: StateReader,
  elsewhere?: OtherMarketplaces,
): WriteDiff {
  const { operation, parameters, body } = written;
  const here = idsOfCall(parameters);
  const ids = [...here, ...(elsewhere?.places ?? [])];
  const state = 'state' in read ? read.state : undefined;
  const subject = listingSubject(String(parameters.sku), state);
  const isInHead = elsewhere === undefined && ids.length <= MAX_MARKETPLACES;
  const named = ['sellerId', 'sku', ...(isInHead ? ['marketplaceIds'] : [])];
  const known = { subject, places: ids, toldParameters: named };
  const isNew = 'absent' in read && operation.name === 'putListingsItem';
  const now = reader.now();
  const local = isNew ? NOTHING_OFFERED : attributesOf(state, here, now);
  if (local === undefined) {
    return { change: { ...known, isWhole: false, noDifferences: unreadableReason(read), warnings: [] } };
  }
  if (operation.effect === 'delete') return planDeletion(known, local.attributes, reader);
  const others = elsewhere && attributesElsewhere(elsewhere.read, elsewhere.places, now);
  const before = withEntries(local.attributes, others?.attributes ?? {}, here);
  const unread = elsewhere === undefined || others !== undefined ? [] : elsewhere.places;
  const result = applyWrite(operation.name, before, body, here);
  if ('problem' in result) {
    const change = { ...known, isWhole: false, noDifferences: `${result.problem}.`, warnings: [] };
    return { change };
  }
  const touched = {
    before: pick(before, result.touched),
    after: notIn(pick(result.after, result.touched), unread),
  };
  const unclear = [local, ...(others === undefined ? [] : [others])].flatMap((one) =>
    [...one.unclear].filter(([name]) => result.touched.includes(name)),
  );
  const unshown = unshownOf(
    operation.name,
    body,
    result.untold,
    unread,
    unclear.map(([name]) => name),
  );
  const change: Change = {
    ...known,
    ...touched,
    differences: compareAttributes(touched.before, touched.after),
    isWhole: isWholeOf(body) && unclear.length === 0,
    sent: [...unshown, ...sentBeside(operation.name, body, state)],
    ...cannotUndo(result.isOdd, unread),
    warnings: [
      ...unclear.map(([name, why]) => at(['attributes', name], why)),
      ...warnAboutBounds(touched.after[OFFER] ?? []),
      ...warnAboutUnnamed(touched, body),
      ...warnAboutListing(result.touched, before, body, state),
    ],
  };
  return {
    change,
    stateDigest: sha256(unread.length === 0 ? touched.before : [touched.before, unread]),
    readBack: (call) => readListingBack({ reader, here, elsewhere, unread }, touched, call),
  };
}

function cannotUndo(isOdd: boolean, unread: readonly string[]): Pick<Change, 'cannotUndo'> {
  if (unread.length > 0) return { cannotUndo: `${unreadReason(unread)}, so it is not known.` };
  return isOdd ? { cannotUndo: 'not all that it sends is known here, nor what it does.' } : {};
}

const unreadReason = (ids: readonly string[]) =>
  `what is there in ${formatMarketplaceIds(ids)} could not be read`;

const NOTHING_OFFERED: OfferedNow = { attributes: {}, unclear: new Map() };

/**
 * Returns the attributes of other marketplaces; undefined if they could not be read, because their absence is
 * unknown then.
 */
function attributesElsewhere(read: ReadState, ids: readonly string[], now: number): OfferedNow | undefined {
  const all = 'state' in read ? attributesOf(read.state, ids, now) : undefined;
  if (all === undefined) return undefined;
  // Entries that apply everywhere are among those of the call's own marketplaces.
  const isNamed = (entry: unknown) => marketplaceOfEntry(entry) !== undefined;
  const { attributes, unclear } = all;
  const named = attributesFor(Object.keys(attributes), (name) => entriesOf(attributes, name).filter(isNamed));
  return { attributes: named, unclear };
}

/** Merges the entries of both, by attribute. */
const withEntries = (mine: Attributes, others: Attributes, here: readonly string[]) =>
  attributesFor(namesIn(mine, others), (name) =>
    sortByMarketplace([...entriesOf(mine, name), ...entriesOf(others, name)], here),
  );

/** Returns the attributes without the entries of these marketplaces. */
const notIn = (attributes: Attributes, ids: readonly string[]) =>
  attributesFor(Object.keys(attributes), (name) =>
    entriesOf(attributes, name).filter((entry) => !ids.includes(marketplaceOfEntry(entry) ?? '')),
  );

/** Returns the sent values that no difference shows, including those that name an unread marketplace. */
function unshownOf(
  operation: string,
  body: unknown,
  untold: readonly (string | number)[],
  unread: readonly string[],
  unclear: readonly string[],
): NonNullable<Change['sent']> {
  if (!isJsonObject(body)) return [];
  const name = operation === 'patchListingsItem' ? 'patches' : 'attributes';
  const all: [string | number, unknown][] =
    Array.isArray(body.patches) && name === 'patches'
      ? [...body.patches.entries()]
      : Object.entries(isJsonObject(body[name]) ? body[name] : {});
  const namesUnread = (value: unknown) =>
    marketplacesOfEntries(toList(name === 'patches' && isJsonObject(value) ? value.value : value)).some(
      (id) => unread.includes(id),
    );
  const isUnclear = (at: string | number, value: unknown) =>
    unclear.includes(name === 'patches' ? (attributeOfPatch(value) ?? '') : String(at));
  return all.flatMap(([at, value]) =>
    untold.includes(at) || namesUnread(value) || isUnclear(at, value)
      ? [{ segments: [name, at], value }]
      : [],
  );
}

/**
 * Returns the `stateDigest` that the same patches have for a listing as it is shown now.
 * @returns undefined if the response is no listing, or the effect of the patches is unknown
 */
export function stateDigestOfListing(
  shown: unknown,
  patches: unknown,
  ids: readonly string[],
  now: number,
): string | undefined {
  const there = attributesOf(shown, ids, now)?.attributes;
  const result = there && applyPatches(there, patches, ids);
  if (there === undefined || result === undefined || 'problem' in result) return undefined;
  return sha256(pick(there, result.touched));
}

/**
 * Returns true if a listing is still as it was when its patches were shown. Patches with an unknown effect
 * were shown unapplied, which stays valid while the listing exists.
 */
export function isAsShown(
  shown: unknown,
  { patches, stateDigest }: { patches: unknown; stateDigest?: string | undefined },
  ids: readonly string[],
  now: number,
): boolean {
  if (stateDigest === undefined) return attributesOf(shown, ids, now) !== undefined;
  return stateDigestOfListing(shown, patches, ids, now) === stateDigest;
}

/** Compares a listing with a change: it has the sent values, still an old one, or others. */
export function compareListing(
  shown: unknown,
  { before, after }: Pick<Change, 'before' | 'after'>,
  ids: readonly string[],
  now: number,
): 'same' | 'not_yet' | 'differs' {
  const found = attributesOf(shown, ids, now) ?? NOTHING_OFFERED;
  const compared = compareAll(toAttributes(before), toAttributes(after), found);
  if (compared.some(({ notYet }) => notYet.length > 0)) return 'not_yet';
  return compared.some(({ differences }) => differences.length > 0) ? 'differs' : 'same';
}

const compareAll = (before: Attributes, sent: Attributes, { attributes, unclear }: OfferedNow) =>
  namesIn(before, sent).map((name) => {
    const [wanted, found] = [own(sent, name), own(attributes, name)];
    const compared = compareAttribute(name, { before: own(before, name), sent: wanted, found });
    // Submitted is not offered: an offer without the value yet does not prove that it was accepted.
    const isSure = !unclear.has(name) || compared.differences.length + compared.notYet.length > 0;
    return isSure
      ? compared
      : { ...compared, notYet: [attributeDifference(['attributes', name], wanted, undefined)] };
  });

/** Describes the listing by its title in the first of the marketplaces. */
function listingSubject(sku: string, state: unknown): Subject {
  const { summaries, attributes } = toObject(state);
  const names = [
    ...objectsIn(summaries).map(({ itemName }) => itemName),
    ...objectsIn(toAttributes(attributes).item_name).map(({ value }) => value),
  ];
  const title = names.find((name) => typeof name === 'string' && name !== '');
  return { kind: 'listing', sku, ...(typeof title === 'string' && { title }) };
}

/** Reads the attributes of an answer; returns undefined for an answer that is no listing. */
export function attributesOf(state: unknown, ids: readonly string[], now: number): OfferedNow | undefined {
  // A listing without attributes is one; any other response proves nothing.
  if (!isJsonObject(state) || (typeof state.sku !== 'string' && !isJsonObject(state.attributes)))
    return undefined;
  return offeredNow(state, ids, now);
}

function applyWrite(name: string, before: Attributes, body: unknown, ids: readonly string[]) {
  if (!isJsonObject(body)) return { problem: 'The body is no object' };
  if (name === 'patchListingsItem') return applyPatches(before, body.patches, ids);
  const given = toAttributes(body.attributes);
  const names = namesIn(isWholeOf(body) ? before : {}, given);
  const sent = toObject(body.attributes);
  const odd = Object.keys(sent).filter((one) => !areEntries(sent[one]));
  return {
    after: attributesFor(names, (one) =>
      sortByMarketplace(replaceEntries(entriesOf(before, one), entriesOf(given, one), ids), ids),
    ),
    touched: names,
    untold: odd,
    isOdd: odd.length > 0 || !isJsonObject(body.attributes),
  };
}

/**
 * Returns true if the body replaces the whole listing; an offer alone, or the product alone, leaves the other
 * unchanged.
 */
function isWholeOf(body: unknown): boolean {
  const { requirements } = toObject(body);
  return requirements === undefined || requirements === 'LISTING';
}

function pick(attributes: Attributes, names: readonly string[]): Record<string, readonly unknown[]> {
  const present = names.filter((name) => Object.hasOwn(attributes, name));
  return Object.fromEntries(present.map((name) => [name, attributes[name] ?? []]));
}

/** Finds one difference for each attribute, because its entries are read together. */
export function compareAttributes(before: Attributes, after: Attributes): JsonDifference[] {
  return namesIn(before, after).flatMap((name) => {
    const [was, is] = [own(before, name), own(after, name)];
    return canonicalJson(was) === canonicalJson(is)
      ? []
      : [attributeDifference(['attributes', name], was, is)];
  });
}

/** Returns the other sent members, unless the listing has them already. */
function sentBeside(operation: string, body: unknown, state: unknown): NonNullable<Change['sent']> {
  if (!isJsonObject(body)) return [];
  return Object.entries(body).flatMap(([name, value]) => {
    if (operation === 'patchListingsItem' ? name === 'patches' : name === 'attributes' && isJsonObject(value))
      return [];
    if (name === 'productType' && productTypes(state).includes(String(value))) return [];
    return [{ segments: [name], value }];
  });
}

function productTypes(state: unknown): string[] {
  const { productTypes: types, summaries } = toObject(state);
  const all = [...objectsIn(types), ...objectsIn(summaries)];
  return all.flatMap(({ productType }) => (typeof productType === 'string' ? [productType] : []));
}

function warnAboutListing(
  touched: readonly string[],
  before: Attributes,
  body: unknown,
  state: unknown,
): Warning[] {
  const types = productTypes(state);
  const { productType: given } = toObject(body);
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

/**
 * Warns about offers that are written with contradicting bounds, because the service may refuse every price
 * of them.
 */
function warnAboutBounds(offers: readonly unknown[]): Warning[] {
  return offers.filter(isJsonObject).flatMap((entry) => {
    const bounds = crossedBounds(entry);
    if (bounds === undefined) return [];
    const { least, most } = bounds;
    const message = `has a minimum price of ${least} above its maximum price of ${most}: set minimum_price to at most ${most}, or maximum_price to at least ${least}`;
    return [at(['attributes', OFFER], message)];
  });
}

/**
 * Warns about offers that no patch names: no document says that the service removes them, and it leaves
 * channels (docs#1714).
 */
function warnAboutUnnamed(
  { before, after }: { before: Attributes; after: Attributes },
  body: unknown,
): Warning[] {
  const patches = toList(toObject(body).patches).filter((patch) => attributeOfPatch(patch) === OFFER);
  const isDeleted = patches.some((patch) => toObject(patch).op === 'delete');
  if (patches.length === 0 || isDeleted) return [];
  const keysOf = (entries: readonly unknown[]) => entries.map((entry) => canonicalJson(keyOf(OFFER, entry)));
  const left = new Set(keysOf(after[OFFER] ?? []));
  const unnamed = new Set(keysOf(before[OFFER] ?? []).filter((key) => !left.has(key)));
  return [...unnamed].map((key) =>
    at(
      ['attributes', OFFER],
      `may keep the offer ${key}, which no patch names: delete it by these selectors to be sure that it goes`,
    ),
  );
}

const at = (segments: string[], message: string): Warning => ({
  path: segments.join('.'),
  segments,
  message,
});

/**
 * Warns about a new attribute that is nearly named like an existing one, because it is probably misspelled.
 */
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
): WriteDiff {
  const gone: JsonDifference = { path: '', segments: [], kind: 'removed', before };
  return {
    change: { ...known, before, differences: [gone], isWhole: true, warnings: [] },
    stateDigest: sha256(before),
    async readBack(call) {
      const found = await reader.read(call);
      if ('absent' in found) return AS_SENT;
      if ('problem' in found) throw found.problem;
      const still: JsonDifference = { path: '', segments: [], kind: 'added', after: 'the listing' };
      return { differences: [], notYet: [still] };
    },
  };
}

interface ReadBackParts {
  reader: StateReader;
  here: readonly string[];
  elsewhere: OtherMarketplaces | undefined;
  unread: readonly string[];
}

async function readListingBack(
  { reader, here, elsewhere, unread }: ReadBackParts,
  { before, after }: { before: Attributes; after: Attributes },
  call: CallOptions,
): Promise<ReadBack> {
  const [read, other] = await Promise.all([reader.read(call), elsewhere?.reader.read(call)]);
  if ('problem' in read) throw read.problem;
  const now = reader.now();
  const others = other && attributesElsewhere(other, elsewhere?.places ?? [], now);
  // The old state is unknown, so a change cannot be recognized.
  if (unread.length > 0 || (other !== undefined && others === undefined)) {
    throw new InputError(`It is not known what became of it: ${unreadReason(elsewhere?.places ?? [])}.`);
  }
  const local = ('state' in read && attributesOf(read.state, here, now)) || NOTHING_OFFERED;
  const found = withEntries(local.attributes, others?.attributes ?? {}, here);
  const unclear = new Map([...local.unclear, ...(others?.unclear ?? [])]);
  const compared = compareAll(before, after, { attributes: found, unclear });
  return {
    differences: compared.flatMap(({ differences }) => differences),
    notYet: compared.flatMap(({ notYet }) => notYet),
    found: pick(found, namesIn(before, after)),
  };
}
