/** The attributes of a made-up listing: texts, an image, and offers that some have a sale, bounds or a price for businesses in. */

import type { Market } from './markets.ts';
import { DAY_MS, isoSeconds, moneyText } from './plain-values.ts';
import type { Product } from './products.ts';

export interface ListingDraft {
  product: Product;
  markets: readonly Market[];
  /** Undefined: the seller ships it, out of `quantity`. */
  fnSku: string | undefined;
  quantity: number;
  /** Which of all it is: what it has beside its price follows from it. */
  index: number;
}

/** @param now from which the days of a sale are counted, in milliseconds */
export function makeAttributes(draft: ListingDraft, now: number): object {
  const { product, markets } = draft;
  const written = ({ id, language }: Market, value: string) => ({
    value,
    language_tag: language,
    marketplace_id: id,
  });
  return {
    item_name: markets.map((market) => written(market, product.titles[market.language])),
    brand: markets.map(({ id }) => ({ value: 'Grünhalm', marketplace_id: id })),
    bullet_point: markets.flatMap((market) =>
      BULLETS[market.language].map((value) => written(market, value)),
    ),
    main_product_image_locator: markets.map(({ id }) => ({
      media_location: `https://images.example.com/${product.asin}/main.jpg`,
      marketplace_id: id,
    })),
    purchasable_offer: markets.flatMap((market) => makeOffers(draft, market, now)),
    fulfillment_availability: markets.map((market) => makeStock(draft, market)),
  };
}

const BULLETS: Readonly<Record<Market['language'], readonly string[]>> = {
  en: ['Made in small series', 'Packed without plastic'],
  de: ['In kleiner Serie gefertigt', 'Ohne Plastik verpackt'],
  es: ['Hecho en series pequeñas', 'Embalado sin plástico'],
};

/** As an amount of the marketplace's currency: `34.99`. */
export const priceOf = (product: Product, { level }: Market): string => moneyText(centsOf(product, level));

const centsOf = ({ baseCents }: Product, level: number): number =>
  Math.round((baseCents * level) / 100) * 100 - 1;

/** Every third has a sale, every fourth bounds, every fifth a price for businesses. */
function makeOffers(
  { product, index }: ListingDraft,
  { id, currency, level }: Market,
  now: number,
): object[] {
  const cents = centsOf(product, level);
  const times = (factor: number) => Number(moneyText(Math.round(cents * factor)));
  const amount = (factor: number) => [{ schedule: [{ value_with_tax: times(factor) }] }];
  const day = (days: number) => isoSeconds((Math.floor(now / DAY_MS) + days) * DAY_MS);
  const sale = { value_with_tax: times(0.8), start_at: day(-3), end_at: day(21) };
  const consumers = {
    currency,
    audience: 'ALL',
    our_price: amount(1),
    ...(index % 3 === 0 && { discounted_price: [{ schedule: [sale] }] }),
    ...(index % 4 === 0 && {
      minimum_seller_allowed_price: amount(0.75),
      maximum_seller_allowed_price: amount(1.5),
    }),
    marketplace_id: id,
  };
  const businesses = { currency, audience: 'B2B', our_price: amount(0.95), marketplace_id: id };
  return index % 5 === 0 ? [consumers, businesses] : [consumers];
}

/** The service's own warehouses: how many there are is for the inventory operations to say. */
function makeStock({ fnSku, quantity }: ListingDraft, { id, warehouses }: Market): object {
  return fnSku === undefined
    ? {
        fulfillment_channel_code: 'DEFAULT',
        quantity,
        lead_time_to_ship_max_days: 1,
        marketplace_id: id,
      }
    : { fulfillment_channel_code: warehouses, marketplace_id: id };
}
