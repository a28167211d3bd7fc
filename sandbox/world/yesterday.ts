/** A review of the made-up seller a day ago, so that "what is new" has an answer on the first day. */

import type { ListingSeen } from '../sandbox.ts';
import type { ListingRow } from './listing-row.ts';
import type { Market } from './markets.ts';
import { amountText, DAY_MS } from './plain-values.ts';
import { priceCentsAt } from './prices.ts';
import type { World } from './world.ts';

/** The suppression that a listing had yesterday and does not have today. */
const MENDED = { suppressed: 'search', causes: ['18320 main_product_image_locator'] } as const;

/**
 * The states of a day ago, by SKU. What was sold since was in stock then, and a listing that was updated since had
 * another price, no suppression yet, or one that is mended today.
 * @param now the states of a whole review of the marketplace
 */
export function yesterdayOf<State extends ListingSeen>(
  { rows, orders, madeAt, markets }: World,
  marketplaceId: string,
  now: ReadonlyMap<string, State>,
): Map<string, State> {
  const from = madeAt - DAY_MS;
  const sold = new Map<string, number>();
  for (const { market, status, purchasedAt, items } of orders()) {
    if (purchasedAt < from || status === 'Canceled' || market.id !== marketplaceId) continue;
    for (const { row, ordered } of items) sold.set(row.sku, (sold.get(row.sku) ?? 0) + ordered);
  }
  const market = markets.find(({ id }) => id === marketplaceId);
  const updated = new Map(
    rows(marketplaceId)
      .filter(({ lastUpdatedDate: at }) => at !== undefined && Date.parse(at) > from)
      .map((row) => [row.sku, row]),
  );
  return new Map(
    [...now].map(([sku, state]) => {
      const stock = state.stock === null ? null : state.stock + (sold.get(sku) ?? 0);
      const row = updated.get(sku);
      const before =
        row === undefined || market === undefined ? state : beforeUpdate(state, row, market, from);
      const isOther = before !== state || stock !== state.stock;
      const couldBeBought = isOther && stock !== 0 && before.suppressed !== 'altogether';
      return [sku, { ...before, stock, ...(couldBeBought && { buyable: 1 }) }];
    }),
  );
}

/** A listing whose price is the same was mended, unless it has been suppressed since. */
function beforeUpdate<State extends ListingSeen>(
  state: State,
  row: ListingRow,
  market: Market,
  at: number,
): State {
  const cents = priceCentsAt(row, market, at);
  const isSame = amountText(cents, market) === row.price;
  const before =
    isSame || state.price === null ? state : { ...state, price: Number(amountText(cents, market)) };
  if (state.suppressed !== null) return { ...before, suppressed: null, causes: [] };
  return before === state ? { ...state, ...MENDED } : before;
}
