/**
 * Describes attributes of a listing as they are sent, where its state is not known: their words, amounts, and
 * what is unusual.
 */

import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { showText } from '../../../base/text/escape-text.ts';
import { quoteName } from '../../../base/text/quote-name.ts';
import { decimalsOf, marketplaceById } from '../../../service/facts/marketplaces.ts';
import { own } from '../../../service/facts/schema-parts.ts';
import { formatMoney } from '../format/value.ts';
import {
  attributeName,
  formatLabel,
  formatScope,
  formatSimple,
  scopesOf,
  simplifyEntry,
} from './attribute-lines.ts';
import { stepsOf } from './changed-amounts.ts';
import {
  contentMembersOf,
  isWarehouse,
  marketplaceOfEntry,
  OFFER,
  PRICES,
  STOCK,
  selectorOf,
} from './entries.ts';
import { sentMembers } from './format-offer.ts';
import { describeOffer } from './unusual.ts';

/**
 * Renders each entry, and leaves nothing of it out: `price: 17.99 EUR`, `title (de_DE): "Lampe"`.
 * @param places the call's marketplaces: an entry of the only one does not name it
 */
export function describeSent(attribute: string, entries: readonly unknown[], places: readonly string[]) {
  const label = attributeName(attribute);
  if (entries.length === 0) return [`${label}: nothing`];
  return scopesOf([], entries).flatMap((scope) => {
    const where = formatScope(scope, [], entries, places);
    return scope.after.map((entry) => {
      const members = sentMembers(attribute, entry);
      if (members !== undefined && members.length > 0) {
        return `${where === '' ? '' : `${where}, `}${members.join('; ')}`;
      }
      return `${formatLabel(label, where)}: ${formatSimple(simplifyEntry(entry), Infinity)}`;
    });
  });
}

/** Reports each number in the entries with its name, such as `price in EUR` or `quantity`. */
export function eachAmount(
  attribute: string,
  entries: readonly unknown[],
  tell: (what: string, value: number) => void,
): void {
  for (const entry of entries) {
    const audience = isJsonObject(entry) ? selectorOf(entry, 'audience') : undefined;
    const whose = attribute === OFFER && audience !== undefined && audience !== 'ALL' ? `${audience} ` : '';
    const currency = isJsonObject(entry) ? entry.currency : undefined;
    const hasOwnNames = attribute === OFFER || attribute === STOCK;
    if (!hasOwnNames) {
      eachNumber(attributeName(attribute, quoteName), entry, undefined, tell);
      continue;
    }
    for (const [name, value] of Object.entries(contentMembersOf(entry))) {
      eachNumber(whose + (own(PRICES, name) ?? quoteName(name)), value, currency, tell);
    }
  }
}

/** These members are the number itself, so their own name adds nothing. */
const OF_VALUE = /^(?:value|value_with_tax|amount|schedule)$/i;
const CURRENCY = /^currency(?:_?code)?$/i;

/**
 * Reads each number in a value. A numeric text counts if its name or a currency shows that it is an amount.
 */
export function eachNumber(
  what: string,
  value: unknown,
  currency: unknown,
  tell: (what: string, value: number) => void,
): void {
  if (typeof value === 'number' || typeof value === 'string') {
    const isAmount = currency !== undefined || typeof value === 'number' || isAmountName(what);
    const amount = isAmount ? amountOf(value) : undefined;
    if (amount !== undefined) tell(inCurrency(what, currency), amount);
  } else if (Array.isArray(value)) {
    for (const inner of value) eachNumber(what, inner, currency, tell);
  } else if (isJsonObject(value)) {
    const [own] = Object.entries(value).filter(
      ([name, one]) => CURRENCY.test(name) && typeof one === 'string',
    );
    for (const [name, inner] of Object.entries(value)) {
      if (CURRENCY.test(name)) continue;
      eachNumber(
        OF_VALUE.test(name) ? what : `${what} ${quoteName(name)}`,
        inner,
        own?.[1] ?? currency,
        tell,
      );
    }
  }
}

export const isAmountName = (name: string): boolean =>
  /price|amount|quantity|(?:^|[^a-z])qty|refund|\bfee|charge|principal/i.test(name);

export const inCurrency = (what: string, currency: unknown): string =>
  typeof currency === 'string' && currency !== '' ? `${what} in ${quoteName(currency)}` : what;

/** Nearly every amount has this form. */
const NUMBER = /^[-+]?\d{1,15}(?:\.\d{1,12})?$/;

/** Parses `17.99`, `17,99` and `1.234,50 EUR`; returns undefined for text that is no number. */
export function amountOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > 40) return undefined;
  if (NUMBER.test(value)) return Number(value);
  const bare = value.replace(/[A-Za-z\p{Sc}\s'"]/gu, '');
  if (!/^[-+]?[\d.,]+$/.test(bare) || !/\d/.test(bare)) return undefined;
  if (/^[-+]?0[.,]\d+$/.test(bare)) return Number(bare.replace(',', '.'));
  // The last separator marks the decimals, unless it separates thousands.
  const [, whole = '', decimals = ''] = /^(.*?)(?:[.,](\d{1,2}|\d{4,}))?$/.exec(bare) ?? [];
  const number = Number(`${whole.replace(/[.,]/g, '') || '0'}.${decimals || '0'}`);
  return Number.isFinite(number) ? number : undefined;
}

interface UnusualPart {
  kind: string;
  words: string;
}

/** Returns the unusual parts of an offer or a stock that is sent. */
export function unusualSent(attribute: string, entries: readonly unknown[]): UnusualPart[] {
  if (attribute === OFFER) return entries.filter(isJsonObject).flatMap(unusualOffer);
  return attribute === STOCK ? entries.filter(isJsonObject).flatMap(unusualStock) : [];
}

/** Matches the amounts in the words about an offer, because the kind leaves them out. */
const AMOUNTS = /(?: (?:by|of))? \d[\d.,]*(?: (?:%|[A-Z]{3}))?/g;

function unusualOffer(entry: JsonObject): UnusualPart[] {
  const amounts = Object.entries(PRICES).flatMap(([member, name]) => {
    const price = own(entry, member);
    if (price === undefined) return [];
    const steps = stepsOf(price);
    if (steps === undefined) return [{ kind: 'no plain amount', words: `${name} is no plain amount` }];
    if (member.startsWith('minimum') || member.startsWith('maximum')) return [];
    return steps.flatMap((amount) => lowPrice(name, amount, entry.currency) ?? []);
  });
  const known = /^(?:price to 0|price below 0)$/;
  const words = describeOffer(undefined, entry).filter((one) => !known.test(one));
  return [...amounts, ...words.map((one) => ({ kind: one.replace(AMOUNTS, ''), words: one }))];
}

/**
 * Reports a price below one unit of the currency, or below a hundred if it has no smaller unit. Such a price
 * is most often a mistake.
 */
export function lowPrice(name: string, amount: number, currency: unknown): UnusualPart | undefined {
  const lowest = typeof currency === 'string' && decimalsOf(currency) === 0 ? 100 : 1;
  if (amount >= lowest) return undefined;
  return { kind: 'very low price', words: `${name} of ${formatMoney(amount, currency) ?? amount}` };
}

function unusualStock(entry: JsonObject): UnusualPart[] {
  const code = selectorOf(entry, 'fulfillment_channel_code') ?? 'DEFAULT';
  return [
    ...(entry.quantity === 0 ? [{ kind: 'quantity 0', words: 'quantity 0' }] : []),
    ...(isWarehouse(code)
      ? [{ kind: 'FBA stock', words: `stock of an FBA listing (${quoteName(code)})` }]
      : []),
  ];
}

/** Finds marketplaces that a value names beside these, anywhere in it. */
export function findOtherMarketplaces(value: unknown, places: readonly string[]): UnusualPart[] {
  const found = new Set<string>();
  const visit = (one: unknown) => {
    const id = marketplaceOfEntry(one);
    if (id !== undefined && !places.includes(id)) found.add(id);
    if (typeof one === 'object' && one !== null) for (const inner of Object.values(one)) visit(inner);
  };
  visit(value);
  return [...found].map((id) => ({
    kind: 'another marketplace',
    words: `in ${marketplaceById(id)?.name ?? showText(id, 60)}`,
  }));
}
