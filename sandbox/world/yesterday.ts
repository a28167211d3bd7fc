/** A review of the made-up seller a day ago, so that "what is new" has an answer on the first day. */

import { decimalsOf } from '../../src/service/facts/marketplaces.ts';
import type { ListingSeen } from '../sandbox.ts';
import { DAY_MS } from './plain-values.ts';
import type { World } from './world.ts';

/** The suppression that a listing had yesterday and does not have today. */
const MENDED = { suppressed: 'search', causes: ['18320 main_product_image_locator'] } as const;

/**
 * The states of a day ago, by SKU. What was sold since was in stock then, and a listing that was updated since had
 * another price, no suppression yet, or one that is mended today.
 * @param now the states of a whole review of the marketplace
 */
export function yesterdayOf<State extends ListingSeen>(
  { rows, orders, madeAt }: World,
  marketplaceId: string,
  now: ReadonlyMap<string, State>,
): Map<string, State> {
  const from = madeAt - DAY_MS;
  const sold = new Map<string, number>();
  for (const { market, status, purchasedAt, items } of orders()) {
    if (purchasedAt < from || status === 'Canceled' || market.id !== marketplaceId) continue;
    for (const { row, ordered } of items) sold.set(row.sku, (sold.get(row.sku) ?? 0) + ordered);
  }
  const updated = rows(marketplaceId).filter(
    ({ lastUpdatedDate: at }) => at !== undefined && Date.parse(at) > from,
  );
  const places = new Map(updated.map(({ sku }, place) => [sku, place]));
  return new Map(
    [...now].map(([sku, state]) => {
      const stock = state.stock === null ? null : state.stock + (sold.get(sku) ?? 0);
      const place = places.get(sku);
      const before = place === undefined ? state : beforeUpdate(state, place);
      const isOther = before !== state || stock !== state.stock;
      const couldBeBought = isOther && stock !== 0 && before.suppressed !== 'altogether';
      return [sku, { ...before, stock, ...(couldBeBought && { buyable: 1 }) }];
    }),
  );
}

/** @param place among the updated listings: every second one has another price now, the others were mended */
function beforeUpdate<State extends ListingSeen>(state: State, place: number): State {
  if (state.suppressed !== null) return { ...state, suppressed: null, causes: [] };
  const { price, currency } = state;
  if (place % 2 === 1 || price === null) return { ...state, ...MENDED };
  return { ...state, price: Number((price * 1.1).toFixed(decimalsOf(currency ?? ''))) };
}
