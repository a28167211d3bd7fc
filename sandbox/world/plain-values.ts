/** Money and moments of the made-up world as the service writes them. */

/** The facts of a market that amounts depend on; `markets.ts` explains each. */
interface Money {
  level: number;
  step: number;
  shippingCents: number;
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** `1234` cents are `12.34`, exactly. */
function moneyText(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The nearest amount that the currency has. */
export const toStep = (cents: number, { step }: Pick<Money, 'step'>): number =>
  Math.round(cents / step) * step;

/** Formats an amount of the marketplace's currency: `12.34`, and `1234` yen. */
export const amountText = (cents: number, { step }: Pick<Money, 'step'>): string =>
  step === 100 ? String(cents / 100) : moneyText(cents);

/** The price there of what costs so much in the United States: below a round one, as prices are. */
export function localCents(dollarCents: number, { level, step }: Pick<Money, 'level' | 'step'>): number {
  const round = 100 * step;
  return Math.round((dollarCents * level) / round) * round - (step === 1 ? 1 : 20 * step);
}

/** Converts a fee of carriers or the service from US cents to the market, in proportion to its shipping price. */
export const feeCents = (dollarCents: number, market: Pick<Money, 'step' | 'shippingCents'>): number =>
  toStep((dollarCents * market.shippingCents) / 495, market);

/** `12.34` is `1234` cents; undefined for anything else than a plain amount. */
export function centsOf(amount: string): number | undefined {
  const parts = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(amount);
  if (parts === null) return undefined;
  return Number(parts[1]) * 100 + Number((parts[2] ?? '').padEnd(2, '0'));
}

/** `2026-11-21T08:00:00Z` */
export const isoSeconds = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
