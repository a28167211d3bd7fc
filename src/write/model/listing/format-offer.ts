/**
 * Renders the members of an offer and of a stock: `price: 19.99 EUR -> 17.99 EUR; sale price: ... ->
 * removed`.
 */

import { canonicalJson } from '../../../base/canonical-json.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { formatPath } from '../../../base/json-difference.ts';
import { showText } from '../../../base/text/escape-text.ts';
import { localMoments } from '../../../base/text/local-time.ts';
import { marketplaceById } from '../../../service/facts/marketplaces.ts';
import { own } from '../../../service/facts/schema-parts.ts';
import { formatPendingNote } from '../format/describe-difference.ts';
import { countUnits, describeValue, formatMoney } from '../format/value.ts';
import { contentMembersOf, namesIn, OFFER, onlySchedule, PRICES, STOCK } from './entries.ts';

export const MEMBERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [OFFER]: { ...PRICES, start_at: 'offered from', end_at: 'offered until' },
  [STOCK]: {
    quantity: 'quantity',
    lead_time_to_ship_max_days: 'handling time',
    restock_date: 'back in stock on',
  },
};

/**
 * Renders the difference between two entries, member by member; undefined for an attribute that has no words
 * of its own. Every member is included: one with an unknown shape is written as it is.
 * @param pending the entry before with pending writes of ours over it
 */
export function memberParts(
  attribute: string,
  before: unknown,
  after: unknown,
  pending: unknown = before,
): string[] | undefined {
  const names = own(MEMBERS, attribute);
  if (names === undefined || !isEntry(before) || !isEntry(after) || !isEntry(pending)) return undefined;
  const changed = changedMembers(before, after, pending);
  const parts = changed.map(({ name, was, is, set }) => {
    // The names belong to this attribute, because another gives the same name another meaning.
    const label = own(names, name) ?? formatPath([attribute, name], showText);
    const from = was === undefined ? 'none' : formatMember(name, was, before);
    const to = is === undefined ? 'removed' : formatMember(name, is, after);
    const mark = isSame(set, was)
      ? ''
      : formatPendingNote(set === undefined ? 'none' : formatMember(name, set, pending));
    return `${label}: ${from} -> ${to}${mark}`;
  });
  const { currency } = after ?? {};
  const isShown =
    currency === undefined ||
    canonicalJson(currency) === canonicalJson(before?.currency) ||
    changed.some(({ is }) => formatPrice(is, after) !== undefined);
  return isShown ? parts : [...parts, currencyPart(before?.currency, currency)];
}

/**
 * Renders each member of an entry as it is sent, and leaves none out; undefined for an attribute that has no
 * words of its own.
 */
export function sentMembers(attribute: string, entry: unknown): string[] | undefined {
  const names = own(MEMBERS, attribute);
  if (names === undefined || !isJsonObject(entry)) return undefined;
  const members = Object.entries(contentMembersOf(entry));
  const words = members.map(([name, value]) => {
    const label = own(names, name) ?? formatPath([attribute, name], showText);
    return `${label}: ${formatMember(name, value, entry)}`;
  });
  const { currency } = entry;
  const isShown =
    currency === undefined || members.some(([, value]) => formatPrice(value, entry) !== undefined);
  return isShown ? words : [...words, `currency: ${describeValue(currency, [], Infinity)}`];
}

/** Renders the currency if no price shows it. */
function currencyPart(before: unknown, after: unknown): string {
  const from = before === undefined ? 'none' : describeValue(before, [], Infinity);
  return `currency: ${from} -> ${describeValue(after, [], Infinity)}`;
}

const isEntry = (value: unknown): value is JsonObject | undefined =>
  value === undefined || isJsonObject(value);

/** Returns each member that differs between two entries, or that a pending write sets to something else. */
export function changedMembers(before: unknown, after: unknown, pending: unknown = before) {
  const [old, next, coming] = [contentMembersOf(before), contentMembersOf(after), contentMembersOf(pending)];
  return namesIn(old, next, coming)
    .map((name) => ({ name, was: own(old, name), is: own(next, name), set: own(coming, name) }))
    .filter(({ was, is, set }) => !isSame(was, is) || !isSame(set, is));
}

const isSame = (one: unknown, other: unknown) => canonicalJson(one) === canonicalJson(other);

function formatMember(name: string, value: unknown, entry: JsonObject | undefined): string {
  if (name === 'lead_time_to_ship_max_days' && typeof value === 'number') return countUnits(value, 'day');
  return (
    formatPrice(value, entry) ?? formatMoment(value, zoneOf(entry)) ?? describeValue(value, [name], Infinity)
  );
}

const MOMENT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** Returns the time zone of the entry's marketplace; undefined for this computer's. */
function zoneOf(entry: JsonObject | undefined): string | undefined {
  const id = entry?.marketplace_id;
  return typeof id === 'string' ? marketplaceById(id)?.timeZone : undefined;
}

/** Renders a moment: `2026-12-01T00:00:00Z, in Europe/Berlin 2026-12-01 01:00`. */
function formatMoment(value: unknown, zone: string | undefined): string | undefined {
  const text = momentText(value);
  if (text === undefined) return undefined;
  return `${text}${localMoments([text], zone)}`;
}

/** Returns the text of `{ value: "2026-12-01T00:00:00Z" }` as it is sent. */
function momentText(value: unknown): string | undefined {
  const text = isJsonObject(value) && Object.keys(value).join() === 'value' ? value.value : value;
  return typeof text === 'string' && MOMENT.test(text) ? text : undefined;
}

/**
 * Renders `[{ schedule: [{ value_with_tax, start_at?, end_at? }] }]` as `15.99 EUR (2026-12-01 to
 * 2026-12-24)`.
 */
function formatPrice(value: unknown, entry: JsonObject | undefined): string | undefined {
  const schedule = onlySchedule(value) ?? [];
  if (schedule.length === 0) return undefined;
  const steps = schedule.map((step) => formatStep(step, entry));
  return steps.every((step) => step !== undefined) ? steps.join(', then ') : undefined;
}

function formatStep(step: unknown, entry: JsonObject | undefined): string | undefined {
  if (!isJsonObject(step)) return undefined;
  const { value_with_tax, start_at, end_at, ...others } = step;
  // A number is read as a price; a text stays a text.
  const isNumber = typeof value_with_tax === 'number';
  const money = isNumber ? formatMoney(value_with_tax, entry?.currency) : undefined;
  const [start, end] = [start_at, end_at].map((at) => (at === undefined ? '' : momentText(at)));
  if (money === undefined || start === undefined || end === undefined) return undefined;
  if (Object.keys(others).length > 0) return undefined;
  const moments = [start, end].filter((moment) => moment !== '');
  if (moments.length === 0) return money;
  const words = moments.length === 2 ? '' : start === '' ? 'until ' : 'from ';
  return `${money} (${words}${moments.join(' to ')}${localMoments(moments, zoneOf(entry))})`;
}
