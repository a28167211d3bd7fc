/** Handles the days and moments between which a sale price applies. */

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const MOMENT = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:?\d{2})$/;

/**
 * Returns the milliseconds since the epoch of an ISO 8601 day (its beginning, UTC) or moment; undefined for
 * anything else.
 */
export function readMoment(text: string): number | undefined {
  const [, year, month, day] = DAY.exec(text) ?? MOMENT.exec(text) ?? [];
  if (year === undefined) return undefined;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // 2026-02-30 is no day.
  if (date.getUTCMonth() + 1 !== Number(month) || date.getUTCDate() !== Number(day)) return undefined;
  const at = Date.parse(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  return Number.isNaN(at) ? undefined : at;
}

const DAY_MS = 86_400_000;

/** Returns the end of a day, which is the beginning of the next; time zones can extend it by another half. */
const endOf = (text: string): number | undefined => {
  const at = readMoment(text);
  return at === undefined || !DAY.test(text) ? at : at + 1.5 * DAY_MS;
};

/** Checks the dates of a sale; the message continues a sentence about `sale_to`. */
export function checkSale(from: string, to: string, now: number): string | undefined {
  const [begin, end, lastMoment] = [readMoment(from), readMoment(to), endOf(to)];
  // Dates of the service in another form are not checked.
  if (begin === undefined || end === undefined || lastMoment === undefined) return undefined;
  if (end < begin) return `is before the sale begins: it would run from ${from} to ${to}`;
  return lastMoment < now ? `has passed: the sale would have ended on ${to}` : undefined;
}

/**
 * Returns true if a sale may be running, so that its price is the offered one. A day begins twelve hours
 * before it does in UTC, because marketplaces have time zones of their own. A date that cannot be read does
 * not limit it.
 */
export function mayApplyAt(from: unknown, to: unknown, now: number): boolean {
  const begin = typeof from === 'string' ? readMoment(from) : undefined;
  const end = typeof to === 'string' ? endOf(to) : undefined;
  const early = typeof from === 'string' && DAY.test(from) ? DAY_MS / 2 : 0;
  return (begin === undefined || begin - early <= now) && (end === undefined || now <= end);
}
