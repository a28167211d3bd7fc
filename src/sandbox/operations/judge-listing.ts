/** What the sandbox finds wrong with the attributes of a listing: enough to play answers with the status INVALID. */

import { isJsonObject } from '../../json.ts';
import { type Attributes, firstPrice } from './listing-store.ts';

export interface ListingProblem {
  code: string;
  message: string;
  severity: 'ERROR' | 'WARNING';
  attributeNames: string[];
  categories: string[];
}

const LONGEST_TITLE = 200;
const MOST_BULLET_POINTS = 10;
const HIGHEST_PRICE = 100_000;

/** Only of the attributes that were touched. */
export function judgeListing(attributes: Attributes, touched: readonly string[]): ListingProblem[] {
  return touched.flatMap((name) => {
    const entries = (attributes[name] ?? []).filter(isJsonObject);
    if (name === 'purchasable_offer') return entries.flatMap(judgeOffer);
    if (name === 'fulfillment_availability') return entries.flatMap(judgeStock);
    if (name === 'item_name') return entries.flatMap(judgeTitle);
    return name === 'bullet_point' && entries.length > MOST_BULLET_POINTS
      ? [error('100470', `'bullet_point' has ${entries.length} entries; at most 10 are allowed.`, name)]
      : [];
  });
}

export function error(code: string, message: string, attribute: string): ListingProblem {
  return { code, message, severity: 'ERROR', attributeNames: [attribute], categories: ['INVALID_ATTRIBUTE'] };
}

function judgeOffer(entry: Record<string, unknown>): ListingProblem[] {
  const name = 'purchasable_offer';
  const [price, least] = [firstPrice(entry.our_price), firstPrice(entry.minimum_seller_allowed_price)];
  if (price === undefined) return [error('90220', "'our_price' is required but is missing.", name)];
  if (price <= 0 || price > HIGHEST_PRICE) {
    return [error('18299', `The price ${price} is not between 0.01 and ${HIGHEST_PRICE}.`, name)];
  }
  if (least !== undefined && price < least) {
    return [error('99300', `The price ${price} is lower than the minimum price ${least}.`, name)];
  }
  return [];
}

function judgeStock({ quantity }: Record<string, unknown>): ListingProblem[] {
  if (quantity === undefined || (typeof quantity === 'number' && Number.isInteger(quantity) && quantity >= 0))
    return [];
  return [error('4000001', "'quantity' is not a whole number of 0 or more.", 'fulfillment_availability')];
}

function judgeTitle({ value }: Record<string, unknown>): ListingProblem[] {
  if (typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_TITLE) return [];
  return [error('90057', `'item_name' is empty or longer than ${LONGEST_TITLE} characters.`, 'item_name')];
}
