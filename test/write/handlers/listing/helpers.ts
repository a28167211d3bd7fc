/** A listing in Germany with everything that a new price must not take away. */

import {
  type PatchTarget,
  readCurrentListing,
} from '../../../../src/write/handlers/listing/build-patches.ts';

export const DE = 'A1PA6795UKMFR9';
export const FR = 'A13V1IB3VIYZZH';
export const NOW = Date.parse('2026-11-22T12:00:00Z');
export const PLACE: PatchTarget = { marketplaceId: DE, name: 'Germany', now: NOW };

export const amount = (value: number) => [{ schedule: [{ value_with_tax: value }] }];
export const SALE = [
  { schedule: [{ value_with_tax: 15, start_at: '2026-12-01', end_at: '2026-12-24T23:00:00Z' }] },
];
export const B2C = {
  currency: 'EUR',
  audience: 'ALL',
  marketplace_id: DE,
  our_price: amount(20),
  discounted_price: SALE,
  minimum_seller_allowed_price: amount(12),
  points: { points_number: 3 },
};
export const B2B = { currency: 'EUR', audience: 'B2B', marketplace_id: DE, our_price: amount(18) };
const FRENCH = { currency: 'EUR', audience: 'ALL', marketplace_id: FR, our_price: amount(22) };
export const text = (value: string, language_tag = 'de_DE') => ({ value, language_tag, marketplace_id: DE });

const attributes = {
  purchasable_offer: [B2B, B2C, FRENCH],
  fulfillment_availability: [
    { fulfillment_channel_code: 'DEFAULT', quantity: 7, lead_time_to_ship_max_days: 1, marketplace_id: DE },
  ],
  item_name: [text('Leselampe')],
  bullet_point: [text('Fuß aus Eiche'), text('Schirm aus Leinen')],
  main_product_image_locator: [{ media_location: 'https://images.example.com/1.jpg', marketplace_id: DE }],
  other_product_image_locator_1: [{ media_location: 'https://images.example.com/2.jpg', marketplace_id: DE }],
  other_product_image_locator_2: [{ media_location: 'https://images.example.com/3.jpg', marketplace_id: DE }],
};

export function listing(more: object = {}, others: object = {}) {
  const item = {
    sku: 'LAMP-1',
    summaries: [{ marketplaceId: DE, productType: 'LAMP', itemName: 'Leselampe' }],
    attributes: { ...attributes, ...more },
    fulfillmentAvailability: [{ fulfillmentChannelCode: 'DEFAULT', quantity: 7 }],
    ...others,
  };
  return readCurrentListing(item, PLACE);
}
