/** The sale price of an offer and the days between which it holds: what is not given stays as it is. */

import type { JsonObject } from '../json.ts';
import { checkAmount } from './amount.ts';
import type { SetProblem } from './listing-state.ts';
import { checkSale } from './sale-dates.ts';
import { isProblem, onlyStep, problem, without } from './set-offer.ts';
import type { SetValues } from './set-values.ts';

const SALE = 'discounted_price';

export function setSale(
  entry: JsonObject,
  { sale_price: amount, sale_from: from, sale_to: to }: SetValues,
  currency: string,
  now: number,
): JsonObject | SetProblem {
  if (amount === undefined && from === undefined && to === undefined) return entry;
  if (amount === null) {
    if (from === undefined && to === undefined) return without(entry, SALE);
    return problem('sale_price', 'null ends the sale: leave sale_from and sale_to out');
  }
  const old = onlyStep(entry[SALE]);
  if (old === undefined) return problem('sale_price', 'has several sales, one after the other; give patches');
  const value = amount === undefined ? old.value_with_tax : checkAmount(amount.value, currency);
  if (amount === undefined && value === undefined)
    return problem('sale_price', 'is missing: there is no sale yet');
  if (typeof value === 'string' && amount !== undefined) return problem('sale_price', value);
  const dates = datesOf({ from: from ?? old.start_at, to: to ?? old.end_at }, now, to !== undefined);
  if (isProblem(dates)) return dates;
  const step = { ...old, value_with_tax: value, start_at: dates.from, end_at: dates.to };
  return { ...entry, [SALE]: [{ schedule: [step] }] };
}

/** @param isNew whether its end was given now */
function datesOf(
  { from, to }: { from: unknown; to: unknown },
  now: number,
  isNew: boolean,
): { from: unknown; to: unknown } | SetProblem {
  if (from === undefined) return problem('sale_from', 'is missing: a sale needs the day on which it begins');
  if (to === undefined) return problem('sale_to', 'is missing: a sale needs the day on which it ends');
  if (typeof from !== 'string' || typeof to !== 'string') return { from, to };
  const wrong = checkSale(from, to, now);
  if (wrong === undefined) return { from, to };
  return problem('sale_to', isNew ? wrong : `is missing: the one that is there ${wrong}`);
}
