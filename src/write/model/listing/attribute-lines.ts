/**
 * Renders changes of a listing's attributes in sellers' terms: prices, quantities, bullet points, titles, and
 * all others.
 */

import { canonicalJson } from '../../../base/canonical-json.ts';
import { isJsonObject, type JsonObject, toObject } from '../../../base/json.ts';
import { formatPath } from '../../../base/json-difference.ts';
import { quoteText, showText } from '../../../base/text/escape-text.ts';
import { marketplaceById } from '../../../service/facts/marketplaces.ts';
import { own } from '../../../service/facts/schema-parts.ts';
import type { Change } from '../change.ts';
import {
  countMembers,
  describeMembers,
  formatPendingNote,
  lineOf,
  wrapLine,
} from '../format/describe-difference.ts';
import type { TextLine } from '../format/fit-lines.ts';
import { countUnits, describeValue, formatMoney, MAX_VALUE, type ShowText } from '../format/value.ts';
import { contentOf, entriesOf, isSelected, namesIn, SELECTORS, selectorOf, toAttributes } from './entries.ts';
import { memberParts } from './format-offer.ts';

/** The sellers' terms for the attributes that change most. */
const NAMES: Readonly<Record<string, string>> = {
  item_name: 'title',
  bullet_point: 'bullet points',
  product_description: 'description',
  generic_keyword: 'search terms',
  main_product_image_locator: 'main image',
  list_price: 'list price',
  condition_type: 'condition',
  merchant_shipping_group: 'shipping group',
  purchasable_offer: 'offer',
  fulfillment_availability: 'stock',
  brand: 'brand',
};

/** Renders one line for each attribute and scope; before and after are attributes by name. */
export function listingLines(change: Change): TextLine[] {
  if (change.differences === undefined) return [];
  if (change.after === undefined) return deletedLine(change);
  return changedScopes(change).flatMap((scope) => scopeLines(scope));
}

const MAX_NAMED = 20;

function deletedLine({ before }: Change): TextLine[] {
  const names = Object.keys(toAttributes(before));
  if (names.length === 0)
    return [lineOf(() => 'the whole listing is deleted; the service shows no attributes of it', 1)];
  const more = names.length - MAX_NAMED;
  const listed = names.slice(0, MAX_NAMED).map((name) => attributeName(name));
  const text = `the whole listing is deleted, with its ${countUnits(names.length, 'attribute')}: ${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return [lineOf(() => text, 1)];
}

/** Names an attribute: `bullet points`; any other gets its own name. */
export function attributeName(name: string, show: ShowText = showText): string {
  const image = /^other_product_image_locator_(\d)$/.exec(name)?.[1];
  return own(NAMES, name) ?? (image === undefined ? formatPath([name], show) : `image ${image}`);
}

interface EntryScope {
  /** One of its entries, for the selectors. */
  one: unknown;
  before: unknown[];
  after: unknown[];
  /** The entries before, once pending writes of ours are visible. */
  pending: unknown[];
}

/** Returns each changed scope of each attribute, with the words that tell it from the others. */
export function changedScopes({
  before,
  pending = before,
  after,
  places,
}: Pick<Change, 'before' | 'pending' | 'after' | 'places'>) {
  const [old, next, coming] = [toAttributes(before), toAttributes(after), toAttributes(pending)];
  return namesIn(old, next, coming).flatMap((attribute) => {
    const [was, is] = [entriesOf(old, attribute), entriesOf(next, attribute)];
    return scopesOf(was, is, entriesOf(coming, attribute))
      .filter((scope) => !isSame(scope.before, scope.after) || !isSame(scope.pending, scope.after))
      .map((scope) => ({ ...scope, attribute, where: formatScope(scope, was, is, places) }));
  });
}

/**
 * Groups entries with the same scope: those with equal selectors, or equal common selectors if one leaves
 * some out.
 */
export function scopesOf(
  before: readonly unknown[],
  after: readonly unknown[],
  pending: readonly unknown[] = before,
): EntryScope[] {
  const scopes = new Map<string, EntryScope>();
  const scopeFor = (entry: unknown): EntryScope => {
    const key = scopeKey(entry);
    const known =
      scopes.get(key) ??
      [...scopes.values()].find(({ one }) => isJsonObject(entry) && isSelected(entry, one));
    const scope = known ?? { one: entry, before: [], after: [], pending: [] };
    if (known === undefined) scopes.set(key, scope);
    return scope;
  };
  for (const entry of before) scopeFor(entry).before.push(entry);
  for (const entry of after) scopeFor(entry).after.push(entry);
  for (const entry of pending) scopeFor(entry).pending.push(entry);
  return [...scopes.values()];
}

function scopeKey(entry: unknown): string {
  return isJsonObject(entry) ? canonicalJson(SELECTORS.map((name) => selectorOf(entry, name) ?? null)) : '';
}

/** Formats the selectors that tell this entry from the others, and those that are sent anew or removed. */
export function formatScope(
  scope: EntryScope,
  before: readonly unknown[],
  after: readonly unknown[],
  places: readonly string[],
): string {
  const entry = scope.after[0] ?? scope.one;
  if (!isJsonObject(entry)) return '';
  const languages = [...before, ...after].filter(isJsonObject).map((one) => selectorOf(one, 'language_tag'));
  const isOneLanguage = before.length > 0 && new Set(languages.filter((one) => one !== undefined)).size <= 1;
  const old = scope.before[0];
  const isAsBefore = (name: string) =>
    own(entry, name) === undefined ||
    (isJsonObject(old) && scope.after.length > 0 && own(old, name) === own(entry, name));
  const words = SELECTORS.flatMap((name) => {
    const value = selectorOf(entry, name);
    if (value === undefined) return [];
    if (name === 'marketplace_id')
      return places.length === 1 && places[0] === value ? [] : [displayName(value)];
    if (name === 'audience') {
      if (value === 'ALL') return isAsBefore(name) ? [] : ['audience ALL'];
      return [value === 'B2B' ? 'business customers' : quoteText(value)];
    }
    if (name === 'fulfillment_channel_code')
      return value === 'DEFAULT' && isAsBefore(name) ? [] : [`channel ${plainCode(value)}`];
    return name === 'language_tag' && !(isOneLanguage && isAsBefore(name)) ? [plainCode(value)] : [];
  });
  return words.join(', ');
}

const displayName = (id: string) => marketplaceById(id)?.name ?? quoteText(id);
const plainCode = (code: string) => (/^[\w.-]{1,40}$/.test(code) ? code : quoteText(code));

/** Renders one scope of one attribute, whose entries before and after differ. */
function scopeLines({
  attribute,
  where,
  before,
  after,
  pending,
}: ReturnType<typeof changedScopes>[number]): TextLine[] {
  const label = formatLabel(attributeName(attribute), where);
  const isOne = before.length <= 1 && after.length <= 1 && pending.length <= 1;
  // The members of an offer or a stock need no label: `price: 19.99 EUR -> 17.99 EUR`.
  const parts = isOne
    ? (memberParts(attribute, before[0], after[0], pendingEntry({ before, pending })) ?? [])
    : [];
  const members = Math.max(countMembers(before), countMembers(after), 1);
  if (parts.length > 0)
    return [lineOf(() => `${where === '' ? '' : `${where}, `}${parts.join('; ')}`, members)];
  const sides = separate(before, after);
  const lines =
    !isOne || attribute === 'bullet_point'
      ? [listLine(label, sides.before, sides.after)]
      : singleLines(label, sides.before[0], sides.after[0]);
  return isSame(pending, before) ? lines : withNote(lines, pending.map(simplifyEntry));
}

/** Returns the pending entry: empty where a pending write removes it, undefined where there is none. */
export const pendingEntry = ({ before, pending }: Pick<EntryScope, 'before' | 'pending'>) =>
  pending[0] ?? (before.length > 0 ? {} : undefined);

/** Adds the note on the pending write to the last line. */
function withNote(lines: readonly TextLine[], pending: readonly unknown[]): TextLine[] {
  const words = pending.length === 0 ? 'none' : pending.map((one) => formatSimple(one, MAX_VALUE)).join(', ');
  return lines.map((line, at) =>
    at < lines.length - 1 ? line : wrapLine(line, '', formatPendingNote(words)),
  );
}

const isSame = (one: unknown, other: unknown) => canonicalJson(one) === canonicalJson(other);

/** Drops the selectors if they are the same for all entries, and the rest shows the change. */
function separate(before: readonly unknown[], after: readonly unknown[]) {
  const sides = { before: before.map(simplifyEntry), after: after.map(simplifyEntry) };
  const selectors = after.map((entry) => canonicalJson(selectorsOf(entry)));
  const isAlike = new Set(selectors).size <= 1;
  const isShown = isSame(before, after) || !isSame(sides.before, sides.after);
  return isAlike && isShown ? sides : { before, after };
}

function selectorsOf(entry: unknown): unknown {
  if (!isJsonObject(entry)) return null;
  return SELECTORS.filter((name) => name !== 'currency').map((name) => own(entry, name) ?? null);
}

export const formatLabel = (name: string, where: string) => (where === '' ? name : `${name} (${where})`);

/** Simplifies an entry: `{ value: "x" }` is "x", `{ value: 0.41, unit: "kilograms" }` is 0.41 kilograms. */
export function simplifyEntry(entry: unknown): unknown {
  if (entry === undefined) return undefined;
  const content = contentOf(entry);
  if (!isJsonObject(content)) return content;
  const whole = withCurrency(content, entry);
  const [name, ...others] = Object.keys(whole);
  return others.length === 0 && (name === 'value' || name === 'media_location') ? whole[name] : whole;
}

/** Adds the currency, which is a selector of an offer, but content of a plain price. */
function withCurrency(content: JsonObject, entry: unknown): JsonObject {
  const { currency } = toObject(entry);
  return currency === undefined ? content : { ...content, currency };
}

function singleLines(label: string, before: unknown, after: unknown): TextLine[] {
  const members = Math.max(countMembers(before), countMembers(after));
  const words = (value: unknown, most: number) => formatSimple(value, most);
  if (before !== undefined && after !== undefined)
    return [lineOf((most) => `${label}: ${words(before, most)} -> ${words(after, most)}`, members)];
  const value = after ?? before;
  if (value === undefined) return [lineOf(() => `${label}: none`, 1)];
  const [head, end] = after === undefined ? ['removed (was ', ')'] : ['added ', ''];
  if (words(value, Infinity).length > MAX_VALUE && typeof value === 'object')
    return describeMembers(value).map((line) => wrapLine(line, `${label}, ${head}`, end));
  return [lineOf((most) => `${label}: ${head}${words(value, most)}${end}`, members)];
}

/** Formats a price with its currency, a measure with its unit, and any other value as it is. */
export function formatSimple(value: unknown, most: number): string {
  if (isJsonObject(value)) {
    const names = Object.keys(value).sort().join();
    const { unit } = value;
    if (names === 'unit,value' && typeof value.value === 'number' && typeof unit === 'string') {
      if (/^[A-Za-z_]{1,30}$/.test(unit)) return `${value.value} ${unit.replaceAll('_', ' ')}`;
    }
    if (names === 'currency,value' || names === 'currency,value_with_tax') {
      const money = formatMoney(value.value ?? value.value_with_tax, value.currency);
      if (money !== undefined) return money;
    }
  }
  return describeValue(value, [], most);
}

/** Formats a list: `bullet points 2 -> 3. New: "x". The two existing ones stay.` */
function listLine(label: string, before: readonly unknown[], after: readonly unknown[]): TextLine {
  const added = without(after, before);
  const removed = without(before, after);
  const stayed = without(before, removed);
  const keptAfter = without(after, added);
  const isMoved = canonicalJson(stayed) !== canonicalJson(keptAfter);
  const words = (values: readonly unknown[], most: number) =>
    values.map((value) => formatSimple(value, most)).join(', ');
  const text = (most: number) =>
    [
      `${label} ${before.length} -> ${after.length}.`,
      ...(added.length === 0 ? [] : [`New: ${words(added, most)}.`]),
      ...(removed.length === 0 ? [] : [`Removed: ${words(removed, most)}.`]),
      ...(stayed.length === 0 ? [] : [formatKept(stayed.length, removed.length > 0, isMoved)]),
    ].join(' ');
  const members = [...added, ...removed].reduce((sum: number, value) => sum + countMembers(value), 0);
  return lineOf(text, members + (isMoved ? stayed.length : 0));
}

/** Returns the items of `all` that `others` lacks; repeated items count. */
function without(all: readonly unknown[], others: readonly unknown[]): unknown[] {
  const left = others.map(canonicalJson);
  return all.filter((one) => {
    const at = left.indexOf(canonicalJson(one));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

function formatKept(count: number, hasRemoved: boolean, isMoved: boolean): string {
  const number = NUMBERS[count] ?? String(count);
  const which = hasRemoved ? 'other' : 'existing';
  const verb = isMoved ? 'in another order' : '';
  const stay = count === 1 ? `The ${which} one stays` : `The ${number} ${which} ones stay`;
  return `${stay}${verb === '' ? '' : `, ${verb}`}.`;
}
