/** A listing as it is now in one marketplace, as far as `set` changes it. */

import { isJsonObject } from '../../../base/json.ts';
import { type Attributes, inPlaces, toAttributes } from './entries.ts';

export interface ListingState {
  /** Lists of entries by attribute, those of this marketplace. */
  attributes: Attributes;
  /** Codes of the channels that it is delivered through. */
  channels: readonly string[];
  productType: string | undefined;
}

/** Where the change counts. */
export interface ListingPlace {
  marketplaceId: string;
  /** As it stands within a sentence: `Germany`, `the United States`. */
  name: string;
  /** Milliseconds since the epoch. */
  now: number;
}

/** What sellers call what a listing lacks or has, in one part of `set`. */
export interface SetProblem {
  /** The word of `set` that it is about. */
  word: string;
  /** Going on from the word. */
  message: string;
}

/** One whole attribute as it is to be; no entries: it is taken away. */
export interface SetAttribute {
  name: string;
  entries: readonly unknown[];
}

/** @param item as searchListingsItems and getListingsItem show it, with its attributes */
export function readListingState(item: unknown, marketplaceId: string): ListingState {
  const shown = isJsonObject(item) ? item : {};
  const attributes = inPlaces(toAttributes(shown.attributes), [marketplaceId]);
  const codes = [
    ...(attributes.fulfillment_availability ?? [])
      .filter(isJsonObject)
      .map(({ fulfillment_channel_code: code }) => code),
    ...listOf(shown.fulfillmentAvailability).map(({ fulfillmentChannelCode: code }) => code),
  ];
  return {
    attributes,
    channels: [...new Set(codes.filter((code) => typeof code === 'string'))],
    productType: productTypeOf(shown, marketplaceId),
  };
}

const listOf = (value: unknown) => (Array.isArray(value) ? value.filter(isJsonObject) : []);

function productTypeOf(shown: Record<string, unknown>, marketplaceId: string): string | undefined {
  const all = [...listOf(shown.productTypes), ...listOf(shown.summaries)];
  const here = all.find((one) => one.marketplaceId === marketplaceId) ?? all[0];
  return typeof here?.productType === 'string' ? here.productType : undefined;
}
