/** What a fee is asked for is in the listing: its price, currency and who ships it are taken from there where they are left out. */

import * as z from 'zod';
import { InputError } from '../../base/errors.ts';
import { isJsonObject } from '../../base/json.ts';
import { showText } from '../../base/text/escape-text.ts';
import type { CallInput, CallOptions, Client } from '../../call/client.ts';
import { marketplaceName } from '../../service/facts/marketplaces.ts';
import type { Operation } from '../../service/facts/operation.ts';

const FEES = 'fees/getMyFeesEstimateForSKU';
const LISTING = 'listings-items/getListingsItem';

const moneySchema = z.object({ currencyCode: z.string(), amount: z.coerce.number() });
const listingSchema = z.looseObject({
  offers: z
    .array(
      z.looseObject({
        marketplaceId: z.string().optional(),
        offerType: z.string().optional(),
        price: moneySchema.optional(),
      }),
    )
    .default([]),
  fulfillmentAvailability: z.array(z.looseObject({ fulfillmentChannelCode: z.string() })).default([]),
});

interface Parts {
  client: Client;
  find(name: string): Operation;
  call: CallOptions;
}

/**
 * The input with its body made whole, and a sentence that says what was taken from the listing; the same input where
 * nothing is missing.
 * @throws InputError where the listing has no price there; whatever reading it throws
 */
export async function fillFeePrice(input: CallInput, { client, find, call }: Parts) {
  const { operation, account, parameters, body } = input;
  const given = isJsonObject(body) && isJsonObject(body.FeesEstimateRequest) ? body.FeesEstimateRequest : {};
  const sku = parameters.SellerSKU;
  if (operation.id !== FEES || typeof sku !== 'string' || given.PriceToEstimateFees !== undefined) {
    return { input, remark: undefined };
  }
  const marketplaceIds = typeof given.MarketplaceId === 'string' ? [given.MarketplaceId] : undefined;
  const listing = {
    operation: find(LISTING),
    account,
    parameters: { sku, includedData: ['offers', 'fulfillmentAvailability'], marketplaceIds },
  };
  const { marketplaces } = await client.prepare(listing);
  const marketplaceId = marketplaces[0]?.id ?? '';
  const { body: found } = await client.call(listing, call);
  const { offers, fulfillmentAvailability } = listingSchema.parse(found);
  const price = offers.find(
    (offer) =>
      offer.price !== undefined &&
      (offer.marketplaceId ?? marketplaceId) === marketplaceId &&
      offer.offerType !== 'B2B',
  )?.price;
  const place = marketplaceName(marketplaceId) ?? marketplaceId;
  if (price === undefined) {
    throw new InputError(
      `The listing has no price in ${place}, which fees are asked for; nothing was asked.`,
      'Give body.FeesEstimateRequest.PriceToEstimateFees.ListingPrice: {"CurrencyCode": "EUR", "Amount": 19.99}.',
    );
  }
  const isByAmazon = fulfillmentAvailability.some((one) => one.fulfillmentChannelCode.startsWith('AMAZON'));
  const { currencyCode, amount } = price;
  const request = {
    MarketplaceId: marketplaceId,
    IsAmazonFulfilled: isByAmazon,
    Identifier: sku,
    ...given,
    PriceToEstimateFees: { ListingPrice: { CurrencyCode: currencyCode, Amount: amount } },
  };
  const who =
    given.IsAmazonFulfilled === undefined ? `, and ${isByAmazon ? 'FBA' : 'shipped by the seller'}` : '';
  return {
    input: { ...input, body: { FeesEstimateRequest: request } },
    remark: `At the price of the listing in ${place}: ${amount} ${showText(currencyCode)}${who}.`,
  };
}
