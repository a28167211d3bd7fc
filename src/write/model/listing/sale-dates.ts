/** Days and moments between which a sale price holds. */

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const MOMENT = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:?\d{2})$/;

/** Milliseconds since the epoch of an ISO 8601 day (its beginning, UTC) or moment; undefined for what is none. */
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

/** A day ends when the next one begins; somewhere it is still that day for another half. */
const endOf = (text: string): number | undefined => {
  const at = readMoment(text);
  return at === undefined || !DAY.test(text) ? at : at + 1.5 * DAY_MS;
};

/** What is wrong with a sale between the two, going on from `sale_to`. */
export function checkSale(from: string, to: string, now: number): string | undefined {
  const [begin, end, lastMoment] = [readMoment(from), readMoment(to), endOf(to)];
  // What the service shows in another form is not judged.
  if (begin === undefined || end === undefined || lastMoment === undefined) return undefined;
  if (end < begin) return `is before the sale begins: it would run from ${from} to ${to}`;
  return lastMoment < now ? `has passed: the sale would have ended on ${to}` : undefined;
}

/**
 * Whether a sale may be running, so that its price is the one that is offered. A day begins twelve hours before it does in
 * UTC, because marketplaces have clocks of their own; a date that cannot be read decides nothing.
 */
export function mayHoldAt(from: unknown, to: unknown, now: number): boolean {
  const begin = typeof from === 'string' ? readMoment(from) : undefined;
  const end = typeof to === 'string' ? endOf(to) : undefined;
  const early = typeof from === 'string' && DAY.test(from) ? DAY_MS / 2 : 0;
  return (begin === undefined || begin - early <= now) && (end === undefined || now <= end);
}
