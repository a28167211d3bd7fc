/**
 * Compares every amount that a change of a listing sets with the old one. It also lists the changes that are
 * no amounts, and the amounts that no range can cover.
 */

import { canonicalJson } from '../../../base/canonical-json.ts';
import { isJsonObject, type JsonObject, toObject } from '../../../base/json.ts';
import { quoteName } from '../../../base/text/quote-name.ts';
import { shortenToCharacters } from '../../../base/text/shorten.ts';
import { own } from '../../../service/facts/schema-parts.ts';
import {
  type Attributes,
  entriesOf,
  isPlainStep,
  isSelected,
  namesIn,
  OFFER,
  PRICES,
  STOCK,
  scheduleOf,
  selectorOf,
} from './entries.ts';
import { readMoment } from './sale-dates.ts';

/**
 * Returns the amounts of a price, one for each step of its schedule; undefined for anything but plain numbers
 * in the known form.
 */
export function stepsOf(price: unknown): number[] | undefined {
  if (!Array.isArray(price) || price.length === 0) return undefined;
  const steps = price.flatMap((one) => scheduleOf(one) ?? [undefined]);
  const amounts = steps.flatMap((step) => (isStep(step) ? [step.value_with_tax] : []));
  return amounts.length === steps.length ? amounts : undefined;
}

const isStep = (step: unknown): step is JsonObject & { value_with_tax: number } =>
  isPlainStep(step) && typeof step.value_with_tax === 'number';

/** Pairs the entries of an attribute before and after. */
export function pairsOf(before: readonly unknown[], after: readonly unknown[]) {
  const same = (entry: unknown, all: readonly unknown[]) =>
    isJsonObject(entry) ? all.find((one) => isSelected(entry, one)) : undefined;
  const gone = before.filter((entry) => same(entry, after) === undefined);
  return [
    ...after.map((entry) => ({ before: same(entry, before), after: entry })),
    ...gone.map((entry) => ({ before: entry, after: undefined })),
  ];
}

/** The amounts that a row sets, and its other changes. */
export interface RowAmounts {
  /**
   * The changes relative to the old amounts: -0.05 is 5 % less. The largest rows come first, and a range
   * covers the rest.
   */
  shares?: { least: number; most: number };
  /** The amounts without an old one: `price in EUR`. */
  fresh: readonly { what: string; value: number }[];
  /** The names of changes that are no amounts. */
  others: readonly string[];
  /** The names of amounts that no range covers: such a row is never summarized. */
  opaque: readonly string[];
  /** The beginning and the end of the prices that it sets; absent where no price has them. */
  dates?: { from?: string; to?: string; hasNoEnd?: true };
}

interface RowChanges {
  shares: number[];
  fresh: { what: string; value: number }[];
  others: Set<string>;
  opaque: Set<string>;
  dates: NonNullable<RowAmounts['dates']>;
}

export function changedAmounts(before: Attributes, after: Attributes): RowAmounts {
  const found: RowChanges = { shares: [], fresh: [], others: new Set(), opaque: new Set(), dates: {} };
  for (const name of namesIn(before, after)) {
    const [old, next] = [entriesOf(before, name), entriesOf(after, name)];
    if (canonicalJson(old) === canonicalJson(next)) continue;
    for (const pair of pairsOf(old, next)) {
      if (canonicalJson(pair.before) === canonicalJson(pair.after)) continue;
      if (name === OFFER) compareOffers(pair, found);
      else compare({ name: nameOf(name), whole: pair.after }, pair.before, pair.after, found);
    }
  }
  const { shares, others, opaque, fresh, dates } = found;
  const known = {
    ...(shares.length === 0 ? {} : { shares: rangeOf(shares) }),
    ...(Object.keys(dates).length === 0 ? {} : { dates }),
  };
  return { ...known, fresh, others: [...others], opaque: [...opaque] };
}

const rangeOf = (values: readonly number[]) => ({
  least: values.reduce((one, other) => Math.min(one, other)),
  most: values.reduce((one, other) => Math.max(one, other)),
});

/** The max length of the caller's names of attributes and members. */
const MAX_NAME = 30;
const nameOf = (name: string) => shortenToCharacters(quoteName(name), MAX_NAME);

function compareOffers({ before, after }: { before: unknown; after: unknown }, found: RowChanges): void {
  if (!isJsonObject(after)) {
    found[after === undefined ? 'others' : 'opaque'].add('offer');
    return;
  }
  const old = toObject(before);
  const audience = selectorOf(after, 'audience');
  const whose = audience === undefined || audience === 'ALL' ? '' : `${nameOf(audience)} `;
  for (const name of namesIn(old, after)) {
    const [was, is] = [own(old, name), own(after, name)];
    if (canonicalJson(was) === canonicalJson(is)) continue;
    const what = whose + (own(PRICES, name) ?? nameOf(name));
    if (own(PRICES, name) === undefined) {
      // The meaning of its numbers is unknown: a discount plan has percentages beside amounts.
      found[is !== undefined && hasNumber(is) ? 'opaque' : 'others'].add(what);
      continue;
    }
    const [amounts, earlier] = [is === undefined ? [] : stepsOf(is), stepsOf(was) ?? []];
    if (amounts === undefined) found.opaque.add(what);
    else if (amounts.length === 0 || canonicalJson(amounts) === canonicalJson(earlier))
      found.others.add(what);
    // An amount without an old value is compared with the price.
    const bases = [
      earlier,
      stepsOf(old.our_price) ?? [],
      name === 'our_price' ? [] : (stepsOf(after.our_price) ?? []),
    ];
    const base = bases.map((all) => all.filter((one) => one > 0)).find((all) => all.length > 0) ?? [];
    if (!addDates(is, found.dates)) found.opaque.add(`dates of the ${what}`);
    for (const amount of amounts ?? []) {
      if (base.length === 0) found.fresh.push({ what: inCurrency(what, after.currency), value: amount });
      else found.shares.push(...base.map((one) => amount / one - 1));
    }
  }
}

/** Adds the dates of a price; returns false where a date cannot be read, so that no span covers it. */
function addDates(price: unknown, dates: NonNullable<RowAmounts['dates']>): boolean {
  const steps = Array.isArray(price) ? price.flatMap((one) => scheduleOf(one) ?? []) : [];
  return steps.every((step) => {
    const { start_at: from, end_at: to } = toObject(step);
    if (from === undefined && to === undefined) return true;
    const isKnown = [from, to].every((at) => at === undefined || momentOf(at) !== undefined);
    if (!isKnown) return false;
    if (to === undefined) dates.hasNoEnd = true;
    Object.assign(dates, spanOf(dates, { from: textOf(from), to: textOf(to) }));
    return true;
  });
}

/** Returns a text that is given as it is, or as the `value` of an object. */
const textOf = (at: unknown) => {
  const text = isJsonObject(at) ? at.value : at;
  return typeof text === 'string' ? text : undefined;
};
const momentOf = (at: unknown) => readMoment(textOf(at) ?? '');

interface DateSpan {
  from?: string | undefined;
  to?: string | undefined;
}

/** Returns the first beginning and the last end of both spans. */
export function spanOf(one: DateSpan, other: DateSpan): { from?: string; to?: string } {
  const first = pick(one.from, other.from, (a, b) => a <= b);
  const last = pick(one.to, other.to, (a, b) => a >= b);
  return { ...(first === undefined ? {} : { from: first }), ...(last === undefined ? {} : { to: last }) };
}

function pick(
  one: string | undefined,
  other: string | undefined,
  isFirst: (a: number, b: number) => boolean,
) {
  if (one === undefined || other === undefined) return one ?? other;
  return isFirst(readMoment(one) ?? 0, readMoment(other) ?? 0) ? one : other;
}

const inCurrency = (what: string, currency: unknown) =>
  typeof currency === 'string' ? `${what} in ${nameOf(currency)}` : what;

/** `017`, `1e3` and `€ 0.01` are no plain numbers, but some readers parse them as numbers. */
const NUMERIC =
  /^[-+]?(?:[A-Za-z]{3}|[A-Za-z]{0,2}\p{Sc})? ?[-+]?[.,]?\p{Nd}[\p{Nd}.,' ]*(?:e[-+]?\d+ ?)?(?:[A-Za-z]{3}|\p{Sc})?$/u;
const isNumeric = (text: string) => NUMERIC.test(text.slice(0, 100).trim().replaceAll(/\s/g, ' '));

function hasNumber(value: unknown): boolean {
  if (typeof value === 'number') return true;
  if (typeof value === 'string') return isNumeric(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(hasNumber);
}

interface AmountSlot {
  /** The attribute. */
  name: string;
  /** Its entry. */
  whole: unknown;
  member?: string;
}

/** Compares any other value: each number in it by itself. */
function compare(at: AmountSlot, was: unknown, is: unknown, found: RowChanges): void {
  if (canonicalJson(was) === canonicalJson(is)) return;
  if (typeof is === 'number') {
    if (typeof was === 'number' && was !== 0) found.shares.push(is / was - 1);
    else found.fresh.push({ what: freshName(at), value: is });
  } else if (typeof is === 'object' && is !== null) {
    const old: Readonly<Record<string, unknown>> = typeof was === 'object' && was !== null ? { ...was } : {};
    for (const [name, inner] of Object.entries(is)) {
      compare(Array.isArray(is) ? at : { ...at, member: name }, own(old, name), inner, found);
    }
    if (Object.keys(old).some((name) => !Object.hasOwn(is, name))) found.others.add(at.name);
  } else if (typeof is === 'string' && isNumeric(is) && (typeof was === 'number' || isAmount(at))) {
    found.opaque.add(at.name);
  } else found.others.add(at.name);
}

const isAmount = ({ name, whole, member = '' }: AmountSlot) =>
  name === STOCK ||
  /price|amount|quantity/i.test(`${name} ${member}`) ||
  (isJsonObject(whole) && whole.currency !== undefined);

/** Names a new amount: `quantity`; `item_weight in kilograms`. */
function freshName({ name, whole, member }: AmountSlot): string {
  if (name === STOCK) return nameOf(member ?? name);
  const unit = isJsonObject(whole) ? (whole.unit ?? whole.currency) : undefined;
  return inCurrency(name, unit);
}
