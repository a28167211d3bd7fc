/** Causes as a reader thinks of them: one for each code and effect, with its marketplaces and its SKUs. */

import type { ReviewFacts } from './read-review.ts';

export interface Cause {
  code: string;
  effect: string;
  severity: string;
  /** The service's words, once. */
  message: string;
  listings: number;
  places: { marketplace: string; listings: number; amount: number | null; currency: string | null }[];
  /** Each SKU once, with the number of its listings. */
  skus: { sku: string; listings: number; until?: string }[];
  /** Days. */
  firstUntil?: string;
  lastUntil?: string;
}

export function groupCauses(rows: ReviewFacts['causes'], skuRows: ReviewFacts['causeSkus']): Cause[] {
  const causes = new Map<string, Cause>();
  for (const row of rows) {
    const key = keyOf(row);
    const { marketplace, listings, amount, currency } = row;
    const cause = causes.get(key) ?? newCause(row);
    causes.set(key, cause);
    cause.listings += listings;
    cause.places.push({ marketplace, listings, amount, currency });
    const [first, last] = [dayOf(row.first_until), dayOf(row.last_until)];
    if (first !== undefined && first < (cause.firstUntil ?? '~')) cause.firstUntil = first;
    if (last !== undefined && last > (cause.lastUntil ?? '')) cause.lastUntil = last;
  }
  for (const row of skuRows) addSku(causes.get(keyOf(row)), row);
  return [...causes.values()];
}

function newCause({ code, effect, severity, message }: ReviewFacts['causes'][number]): Cause {
  return {
    code: code ?? '',
    effect,
    severity: severity ?? '',
    message: message ?? '',
    listings: 0,
    places: [],
    skus: [],
  };
}

function addSku(cause: Cause | undefined, { sku, until }: ReviewFacts['causeSkus'][number]): void {
  const known = cause?.skus.find((each) => each.sku === sku);
  const end = dayOf(until);
  if (known !== undefined) known.listings += 1;
  else cause?.skus.push({ sku, listings: 1, ...(end === undefined ? {} : { until: end }) });
}

const keyOf = ({ code, effect }: { code: string | null; effect: string }) => `${effect} ${code}`;

const dayOf = (time: string | null) => time?.slice(0, 10);
