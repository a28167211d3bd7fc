/** Changes of a listing's attributes in the words of sellers: prices, quantities, bullet points, titles, and all others. */

import { canonicalJson } from '../../../base/canonical-json.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { formatPath } from '../../../base/json-difference.ts';
import { quoteText } from '../../../base/text/escape-text.ts';
import { marketplaceById } from '../../../service/facts/marketplaces.ts';
import { own } from '../../../service/facts/schema-parts.ts';
import { countMembers, describeMembers } from '../../ask/describe-difference.ts';
import type { Line } from '../../ask/fit-lines.ts';
import { countUnits, describeValue, MAX_VALUE, moneyWords, type Show } from '../../ask/words/value.ts';
import type { Change } from '../../plan/change.ts';
import { contentOf, isMeant, SELECTORS, selectorOf, toAttributes } from './entries.ts';
import { memberParts } from './offer-words.ts';

/** What sellers call the attributes that they change most. */
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

/** One line for each attribute and each of its places; before and after are attributes by name. */
export function listingLines(change: Change, show: Show): Line[] {
  if (change.differences === undefined) return [];
  if (change.after === undefined) return deletedLine(change, show);
  const [before, after] = [toAttributes(change.before), toAttributes(change.after)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) =>
    attributeLines(
      { name, before: own(before, name) ?? [], after: own(after, name) ?? [], places: change.places },
      show,
    ),
  );
}

const MOST_NAMED = 20;

function deletedLine({ before }: Change, show: Show): Line[] {
  const names = Object.keys(toAttributes(before));
  if (names.length === 0) {
    const text = 'the whole listing is deleted; the service shows no attributes of it';
    return [{ text, short: text, members: 1 }];
  }
  const more = names.length - MOST_NAMED;
  const listed = names.slice(0, MOST_NAMED).map((name) => attributeName(name, show));
  const text = `the whole listing is deleted, with its ${countUnits(names.length, 'attribute')}: ${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return [{ text, short: text, members: 1 }];
}

interface AttributeChange {
  name: string;
  before: readonly unknown[];
  after: readonly unknown[];
  places: readonly string[];
}

/** `bullet points`; of any other its own name. */
export function attributeName(name: string, show: Show): string {
  const image = /^other_product_image_locator_(\d)$/.exec(name)?.[1];
  return own(NAMES, name) ?? (image === undefined ? formatPath([name], show) : `image ${image}`);
}

interface Scope {
  /** One of its entries, for the selectors. */
  one: unknown;
  before: unknown[];
  after: unknown[];
}

function attributeLines({ name, before, after, places }: AttributeChange, show: Show): Line[] {
  return scopesOf(before, after).flatMap((scope) => {
    if (canonicalJson(scope.before) === canonicalJson(scope.after)) return [];
    const where = scopeWords(scope, before, after, places);
    return scopeLines(attributeName(name, show), where, name, scope, show);
  });
}

/** Entries that are about the same: by equal selectors, or by those that both have where one leaves some out. */
export function scopesOf(before: readonly unknown[], after: readonly unknown[]): Scope[] {
  const scopes = new Map<string, Scope>();
  const scopeFor = (entry: unknown): Scope => {
    const key = scopeKey(entry);
    const known =
      scopes.get(key) ?? [...scopes.values()].find(({ one }) => isJsonObject(entry) && isMeant(entry, one));
    const scope = known ?? { one: entry, before: [], after: [] };
    if (known === undefined) scopes.set(key, scope);
    return scope;
  };
  for (const entry of before) scopeFor(entry).before.push(entry);
  for (const entry of after) scopeFor(entry).after.push(entry);
  return [...scopes.values()];
}

function scopeKey(entry: unknown): string {
  return isJsonObject(entry) ? canonicalJson(SELECTORS.map((name) => selectorOf(entry, name) ?? null)) : '';
}

/** What a reader needs to tell this entry from the others, and whatever of its selectors is sent anew or removed. */
export function scopeWords(
  scope: Scope,
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
  const told = SELECTORS.flatMap((name) => {
    const value = selectorOf(entry, name);
    if (value === undefined) return [];
    if (name === 'marketplace_id')
      return places.length === 1 && places[0] === value ? [] : [placeName(value)];
    if (name === 'audience') {
      if (value === 'ALL') return isAsBefore(name) ? [] : ['audience ALL'];
      return [value === 'B2B' ? 'business customers' : quoteText(value)];
    }
    if (name === 'fulfillment_channel_code')
      return value === 'DEFAULT' && isAsBefore(name) ? [] : [`channel ${plainCode(value)}`];
    return name === 'language_tag' && !(isOneLanguage && isAsBefore(name)) ? [plainCode(value)] : [];
  });
  return told.join(', ');
}

const placeName = (id: string) => marketplaceById(id)?.name ?? quoteText(id);
const plainCode = (code: string) => (/^[\w.-]{1,40}$/.test(code) ? code : quoteText(code));

/** One place of one attribute, its entries before and after, which differ. */
function scopeLines(
  name: string,
  where: string,
  attribute: string,
  { before, after }: Scope,
  show: Show,
): Line[] {
  const members = Math.max(countMembers(before), countMembers(after), 1);
  if (before.length <= 1 && after.length <= 1) {
    const [old, next] = [before[0], after[0]];
    const parts = memberParts(attribute, old, next, show) ?? [];
    if (parts.length > 0) return [partLine(where, parts, members)];
    if (attribute !== 'bullet_point') {
      const sides = tellApart(before, after);
      return singleLines(labelled(name, where), sides.before[0], sides.after[0], show);
    }
  }
  const sides = tellApart(before, after);
  return [listLine(labelled(name, where), sides.before, sides.after, show)];
}

/** Without their selectors, where those are told for all of them, and the rest tells what changes. */
function tellApart(before: readonly unknown[], after: readonly unknown[]) {
  const sides = { before: before.map(simple), after: after.map(simple) };
  const selectors = after.map((entry) => canonicalJson(selectorsOf(entry)));
  const isAlike = new Set(selectors).size <= 1;
  return isAlike && canonicalJson(sides.before) !== canonicalJson(sides.after) ? sides : { before, after };
}

function selectorsOf(entry: unknown): unknown {
  if (!isJsonObject(entry)) return null;
  return SELECTORS.filter((name) => name !== 'currency').map((name) => own(entry, name) ?? null);
}

export const labelled = (name: string, where: string) => (where === '' ? name : `${name} (${where})`);

/** The members of an offer and of a stock speak for themselves: `price: 19.99 EUR -> 17.99 EUR`. */
function partLine(where: string, parts: readonly string[], members: number): Line {
  const text = `${where === '' ? '' : `${where}, `}${parts.join('; ')}`;
  return { text, short: text, members };
}

/** `{ value: "x" }` is "x", `{ value: 0.41, unit: "kilograms" }` is 0.41 kilograms. */
export function simple(entry: unknown): unknown {
  if (entry === undefined) return undefined;
  const content = contentOf(entry);
  if (!isJsonObject(content)) return content;
  const whole = withCurrency(content, entry);
  const [name, ...others] = Object.keys(whole);
  return others.length === 0 && (name === 'value' || name === 'media_location') ? whole[name] : whole;
}

/** A currency is a selector of an offer, and content of a plain price. */
function withCurrency(content: JsonObject, entry: unknown): JsonObject {
  const currency = isJsonObject(entry) ? entry.currency : undefined;
  return currency === undefined ? content : { ...content, currency };
}

function singleLines(label: string, before: unknown, after: unknown, show: Show): Line[] {
  const members = Math.max(countMembers(before), countMembers(after));
  const words = (value: unknown, most: number) => simpleWords(value, show, most);
  if (before === undefined || after === undefined) {
    const value = after ?? before;
    const [head, end] = after === undefined ? ['removed (was ', ')'] : ['added ', ''];
    if (words(value, Infinity).length > MAX_VALUE && typeof value === 'object') {
      const inner = describeMembers(value, show);
      return inner.map((line) => ({
        ...line,
        text: `${label}, ${head}${line.text}${end}`,
        short: `${label}, ${head}${line.short}${end}`,
      }));
    }
    const text = (most: number) => `${label}: ${head}${words(value, most)}${end}`;
    return [{ text: text(Infinity), short: text(MAX_VALUE), members }];
  }
  const text = (most: number) => `${label}: ${words(before, most)} -> ${words(after, most)}`;
  return [{ text: text(Infinity), short: text(MAX_VALUE), members }];
}

/** A price with its currency, a measure with its unit, anything else as it is. */
function simpleWords(value: unknown, show: Show, most: number): string {
  if (isJsonObject(value)) {
    const names = Object.keys(value).sort().join();
    const { unit } = value;
    if (names === 'unit,value' && typeof value.value === 'number' && typeof unit === 'string') {
      if (/^[A-Za-z_]{1,30}$/.test(unit)) return `${value.value} ${unit.replaceAll('_', ' ')}`;
    }
    if (names === 'currency,value' || names === 'currency,value_with_tax') {
      const money = moneyWords(value.value ?? value.value_with_tax, value.currency);
      if (money !== undefined) return money;
    }
  }
  return describeValue(value, [], show, most);
}

/** `bullet points 2 -> 3. New: "x". The two existing ones stay.` */
function listLine(label: string, before: readonly unknown[], after: readonly unknown[], show: Show): Line {
  const added = without(after, before);
  const removed = without(before, after);
  const kept = without(before, removed);
  const keptAfter = without(after, added);
  const isMoved = canonicalJson(kept) !== canonicalJson(keptAfter);
  const words = (values: readonly unknown[], most: number) =>
    values.map((value) => simpleWords(value, show, most)).join(', ');
  const text = (most: number) =>
    [
      `${label} ${before.length} -> ${after.length}.`,
      ...(added.length === 0 ? [] : [`New: ${words(added, most)}.`]),
      ...(removed.length === 0 ? [] : [`Removed: ${words(removed, most)}.`]),
      ...(kept.length === 0 ? [] : [keptWords(kept.length, removed.length > 0, isMoved)]),
    ].join(' ');
  const members = [...added, ...removed].reduce((sum: number, value) => sum + countMembers(value), 0);
  return { text: text(Infinity), short: text(MAX_VALUE), members: members + (isMoved ? kept.length : 0) };
}

/** Those of `all` that `others` does not hold, each as often as it is held. */
function without(all: readonly unknown[], others: readonly unknown[]): unknown[] {
  const left = others.map(canonicalJson);
  return all.filter((one) => {
    const at = left.indexOf(canonicalJson(one));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

function keptWords(count: number, hasRemoved: boolean, isMoved: boolean): string {
  const number = NUMBERS[count] ?? String(count);
  const which = hasRemoved ? 'other' : 'existing';
  const verb = isMoved ? 'in another order' : '';
  const stay = count === 1 ? `The ${which} one stays` : `The ${number} ${which} ones stay`;
  return `${stay}${verb === '' ? '' : `, ${verb}`}.`;
}
