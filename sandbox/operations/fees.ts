/** The product fees operations: what the service would charge for a product at a price, as its settlements do. */

import * as z from 'zod';
import { type Answer, type Call, ok, okPayload, readBody } from '../answer.ts';
import { SELLER_ID } from '../fixtures/listings.ts';
import type { Played } from '../router.ts';
import { referralFeeCents, unitFulfillmentFeeCents } from '../world/fees.ts';
import type { Market } from '../world/markets.ts';
import { isoSeconds } from '../world/plain-values.ts';
import type { World } from '../world/world.ts';
import type { ListingStore } from './listing-store.ts';

const MAX_BATCH = 20;

const requestSchema = z.looseObject({
  MarketplaceId: z.string(),
  IsAmazonFulfilled: z.boolean().default(false),
  PriceToEstimateFees: z.looseObject({
    ListingPrice: z.looseObject({ CurrencyCode: z.string(), Amount: z.number().min(0) }),
  }),
  Identifier: z.string(),
});
const bodySchema = z.looseObject({ FeesEstimateRequest: requestSchema });
const idTypeSchema = z.enum(['ASIN', 'SellerSKU']);
const batchSchema = z
  .array(bodySchema.extend({ IdType: idTypeSchema, IdValue: z.string() }))
  .min(1)
  .max(MAX_BATCH);

interface Product {
  IdType: z.output<typeof idTypeSchema>;
  IdValue: string;
}

interface Parts {
  world: World;
  listings: ListingStore;
}

export function playFees(parts: Parts): Played {
  const one =
    (IdType: Product['IdType'], parameter: string) =>
    (call: Call): Answer => {
      const { FeesEstimateRequest } = readBody(bodySchema, call.body);
      const product = { IdType, IdValue: call.params[parameter] ?? '' };
      return okPayload({ FeesEstimateResult: estimate(parts, product, FeesEstimateRequest, call.now) });
    };
  return {
    'fees/getMyFeesEstimateForSKU': one('SellerSKU', 'SellerSKU'),
    'fees/getMyFeesEstimateForASIN': one('ASIN', 'Asin'),
    'fees/getMyFeesEstimates': ({ body, now }) =>
      ok(
        readBody(batchSchema, body, 'body').map(({ FeesEstimateRequest, IdType, IdValue }) =>
          estimate(parts, { IdType, IdValue }, FeesEstimateRequest, now),
        ),
      ),
  };
}

/** A product that is not sold there fails alone, with status 200, as at the service. */
function estimate(
  { world, listings }: Parts,
  { IdType, IdValue }: Product,
  { Identifier, ...request }: z.output<typeof requestSchema>,
  now: number,
): object {
  const FeesEstimateIdentifier = {
    ...request,
    SellerId: SELLER_ID,
    IdType,
    IdValue,
    SellerInputIdentifier: Identifier,
  };
  const { MarketplaceId, PriceToEstimateFees, IsAmazonFulfilled } = request;
  const { CurrencyCode, Amount } = PriceToEstimateFees.ListingPrice;
  const market = world.markets.find(({ id }) => id === MarketplaceId);
  const listing = IdType === 'ASIN' ? world.findAsin(IdValue) : listings.latest(IdValue);
  if (market?.currency !== CurrencyCode || !listing?.marketplaceIds.includes(MarketplaceId)) {
    const Message = `There is no ${IdType} ${IdValue} with a price in ${CurrencyCode} in this marketplace.`;
    const failure = { Type: 'Sender', Code: 'InvalidParameterValue', Message, Detail: [] };
    return { Status: 'ClientError', FeesEstimateIdentifier, Error: failure };
  }
  return {
    Status: 'Success',
    FeesEstimateIdentifier,
    FeesEstimate: {
      TimeOfFeesEstimation: isoSeconds(now),
      ...feesOf(listing.asin, Math.round(Amount * 100), IsAmazonFulfilled, market),
    },
  };
}

function feesOf(asin: string, priceCents: number, isByAmazon: boolean, market: Market): object {
  const money = (cents: number) => ({ CurrencyCode: market.currency, Amount: cents / 100 });
  const fee = (FeeType: string, cents: number) => ({
    FeeType,
    FeeAmount: money(cents),
    FeePromotion: money(0),
    FinalFee: money(cents),
  });
  const referral = referralFeeCents(priceCents, market);
  const fulfillment = unitFulfillmentFeeCents(asin, market);
  const byAmazon = {
    ...fee('FBAFees', fulfillment),
    IncludedFeeDetailList: [fee('FBAPickAndPack', fulfillment)],
  };
  return {
    TotalFeesEstimate: money(referral + (isByAmazon ? fulfillment : 0)),
    FeeDetailList: [fee('ReferralFee', referral), ...(isByAmazon ? [byAmazon] : [])],
  };
}
