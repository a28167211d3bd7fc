/**
 * Groups the issues that keep listings from being sold or found into causes, one for each thing to mend, with
 * its marketplaces and SKUs.
 */

import { showText } from '../../base/text/escape-text.ts';
import type { ReviewFacts } from './read-review.ts';

export interface Cause {
  /** The key that all its issues share: `keyOf`. */
  key: string;
  code: string;
  attributes: string;
  categories: string[];
  effect: string;
  severity: string;
  /** The service's message, once. */
  message: string;
  listings: number;
  places: CauseMarketplace[];
  /** The amounts by currency; stock that marketplaces share counts once. */
  amounts: Map<string, number>;
  /** The first and last end of exemptions, as days. */
  firstUntil?: string;
  lastUntil?: string;
}

export interface CauseMarketplace {
  marketplace: string;
  listings: number;
  /** The amounts, one for each currency. */
  money: string[];
  skus: { sku: string; until?: string }[];
}

export function groupCauses(rows: ReviewFacts['causes'], skuRows: ReviewFacts['causeSkus']): Cause[] {
  const causes = new Map<string, Cause>();
  for (const row of rows) {
    const cause = causes.get(keyOf(row)) ?? newCause(row);
    causes.set(keyOf(row), cause);
    const { listings, amount, once, currency } = row;
    cause.listings += listings;
    const causeMarketplace = causeMarketplaceOf(cause, row.marketplace);
    causeMarketplace.listings += listings;
    causeMarketplace.money.push(formatMoney(amount, currency));
    if (amount !== null && currency !== null) {
      cause.amounts.set(currency, (cause.amounts.get(currency) ?? 0) + (once ?? 0));
    }
    cause.firstUntil = inOrder(cause.firstUntil, dayOf(row.first_until))[0];
    cause.lastUntil = inOrder(cause.lastUntil, dayOf(row.last_until)).at(-1);
  }
  for (const row of skuRows) {
    const cause = causes.get(keyOf(row));
    if (cause !== undefined) {
      causeMarketplaceOf(cause, row.marketplace).skus.push({ sku: row.sku, until: dayOf(row.until) });
    }
  }
  return [...causes.values()];
}

function newCause(row: ReviewFacts['causes'][number]): Cause {
  const { code, attributes, categories, effect, severity, message } = row;
  return {
    key: keyOf(row),
    code: code ?? '',
    attributes: attributes ?? '',
    categories: categories?.split(', ') ?? [],
    effect,
    severity: severity ?? '',
    message: message ?? '',
    listings: 0,
    places: [],
    amounts: new Map(),
  };
}

function causeMarketplaceOf({ places: ranks }: Cause, marketplace: string): CauseMarketplace {
  const known = ranks.find((each) => each.marketplace === marketplace);
  if (known !== undefined) return known;
  const causeMarketplace = { marketplace, listings: 0, money: [], skus: [] };
  ranks.push(causeMarketplace);
  return causeMarketplace;
}

/**
 * Sorts unsellable before hidden; within each, currencies take turns by the highest amount, because two are
 * not comparable.
 */
export function worstFirst(causes: readonly Cause[]): Cause[] {
  const isHidden = ({ effect }: Cause) => effect === 'search';
  return [causes.filter((cause) => !isHidden(cause)), causes.filter(isHidden)].flatMap(mostMoneyFirst);
}

function mostMoneyFirst(causes: readonly Cause[]): Cause[] {
  const ranks = new Map<Cause, number>();
  for (const currency of new Set(causes.flatMap(({ amounts }) => [...amounts.keys()]))) {
    const amountOf = ({ amounts }: Cause) => amounts.get(currency) ?? 0;
    const ranked = causes.filter(({ amounts }) => amounts.has(currency));
    ranked.sort((one, other) => amountOf(other) - amountOf(one));
    for (const [causeMarketplace, cause] of ranked.entries()) {
      ranks.set(cause, Math.min(causeMarketplace, ranks.get(cause) ?? causeMarketplace));
    }
  }
  const rankOf = (cause: Cause) => ranks.get(cause) ?? causes.length;
  return [...causes].sort((one, other) => rankOf(one) - rankOf(other) || other.listings - one.listings);
}

/** Sorts by end; causes without one come last. */
export const soonestFirst = (one: Cause, other: Cause) =>
  compareTexts(one.firstUntil ?? '~', other.firstUntil ?? '~') || other.listings - one.listings;

/** Compares by code points. */
const compareTexts = (one: string, other: string) => (one < other ? -1 : Number(one > other));

export const keyOf = ({
  cause,
  effect,
  severity,
}: {
  cause: string;
  effect: string;
  severity: string | null;
}) => JSON.stringify([cause, effect, severity]);

const dayOf = (time: string | null) => time?.slice(0, 10);

const inOrder = (...days: (string | undefined)[]) => days.filter((day) => day !== undefined).sort();

/** Rounds to cents, which makes sums of numbers with two decimals exact again. */
export const roundToCents = (amount: number | null) =>
  amount === null ? null : Math.round(amount * 100) / 100;

export function formatMoney(amount: number | null, currency: string | null): string {
  const value = roundToCents(amount);
  if (value === null || currency === null) return 'amount not known';
  return `${Number.isInteger(value) ? value : value.toFixed(2)} ${showText(currency)}`;
}

/**
 * Names the value that only the seller knows or decides, by the category of the issue; with it, the listing
 * can be mended.
 */
const NEEDED: ReadonlyMap<string, (attributes: string) => string> = new Map([
  ['MISSING_ATTRIBUTE', (attributes: string) => (attributes === '' ? 'the missing attribute' : attributes)],
  ['INVALID_PRICE', () => 'a price that is accepted'],
]);

/** Matches attribute names as in definitions: no other text of the service is repeated in our sentences. */
const ATTRIBUTES = /^[a-z][a-z0-9_.]{0,60}(?:, [a-z][a-z0-9_.]{0,60}){0,9}$/;

/** @returns names such as `country_of_origin`; undefined if no value from the seller mends it */
export function formatNeededValue({
  categories,
  attributes,
}: Pick<Cause, 'categories' | 'attributes'>): string | undefined {
  const needed = categories.map((category) => NEEDED.get(category)).find((each) => each !== undefined);
  return needed?.(ATTRIBUTES.test(attributes) ? attributes : '');
}
