/** The operations of productPricing 2022-05-01: who has the featured offer, and at what price the seller would have it. */

import * as z from 'zod';
import { type Answer, type Call, ok, readBody, refuse } from '../answer.ts';
import { SELLER_ID } from '../fixtures/listings.ts';
import type { Played } from '../router.ts';
import { landedPrice, type Offer, type ProductMarket, readProductMarket } from '../world/competitors.ts';
import type { Market } from '../world/markets.ts';
import { amountText } from '../world/plain-values.ts';
import type { World } from '../world/world.ts';
import { findMarket, settle } from './pricing-v0.ts';

const lowestSchema = z.object({ itemCondition: z.string(), offerType: z.literal('Consumer') });
const summarySchema = z.object({
  requests: z
    .array(
      z.object({
        asin: z.string(),
        marketplaceId: z.string(),
        includedData: z.array(
          z.enum(['featuredBuyingOptions', 'referencePrices', 'lowestPricedOffers', 'similarItems']),
        ),
        lowestPricedOffersInputs: z.array(lowestSchema).max(5).optional(),
        method: z.literal('GET'),
        uri: z.literal('/products/pricing/2022-05-01/items/competitiveSummary'),
      }),
    )
    .min(1)
    .max(20),
});
const expectedSchema = z.object({
  requests: z
    .array(
      z.object({
        marketplaceId: z.string(),
        sku: z.string(),
        method: z.literal('GET'),
        uri: z.literal('/products/pricing/2022-05-01/offer/featuredOfferExpectedPrice'),
      }),
    )
    .min(1)
    .max(40),
});

/** @param world as the listing store shows it. @param markets in which the seller takes part. */
export const playPricing2022 = (world: World, markets: readonly Market[]): Played => ({
  'product-pricing/getCompetitiveSummary': (call) => summarize(world, markets, call),
  'product-pricing/getFeaturedOfferExpectedPriceBatch': (call) => expectPrices(world, markets, call),
});

function summarize(world: World, markets: readonly Market[], { body }: Call): Answer {
  const { requests } = readBody(summarySchema, body, 'the body');
  const responses = requests.map((request) => {
    const { asin, marketplaceId } = request;
    const { status, body: found } = settle(() => {
      const product =
        readProductMarket(world, asin, findMarket(markets, marketplaceId)) ??
        refuse(400, { code: 'INVALID_ASIN', message: 'The requested ASIN is not in this marketplace.' });
      return summaryOf(product, request);
    });
    return { status, body: { asin, marketplaceId, ...found } };
  });
  return ok({ responses });
}

type SummaryRequest = z.infer<typeof summarySchema>['requests'][number];

function summaryOf(product: ProductMarket, { includedData, lowestPricedOffersInputs }: SummaryRequest) {
  const { featured, market, offers, threshold } = product;
  const inputs = lowestPricedOffersInputs ?? [{ itemCondition: 'New', offerType: 'Consumer' }];
  const prices = [
    ['CompetitivePriceThreshold', threshold],
    ['CompetitivePrice', featured && landedPrice(featured)],
  ] as const;
  const segments = [{ customerMembership: 'DEFAULT', segmentDetails: {} }];
  const parts = {
    featuredBuyingOptions: featured
      ? [
          {
            buyingOptionType: 'New',
            segmentedFeaturedOffers: [{ ...showOffer(featured, market), featuredOfferSegments: segments }],
          },
        ]
      : [],
    referencePrices: prices.flatMap(([name, price]) =>
      price === undefined ? [] : [{ name, price: money(price, market) }],
    ),
    // Everything is sold as new: an input with another condition finds nothing.
    lowestPricedOffers: inputs
      .filter(({ itemCondition }) => itemCondition === 'New' && offers.length > 0)
      .map((lowestPricedOffersInput) => ({
        lowestPricedOffersInput,
        offers: offers.map((offer) => showOffer(offer, market)),
      })),
    similarItems: [],
  };
  return Object.fromEntries(includedData.map((name) => [name, parts[name]]));
}

const money = (amount: number, market: Market) => ({
  currencyCode: market.currency,
  amount: Number(amountText(amount, market)),
});

const fulfillmentOf = ({ fulfilledBy }: Offer) => (fulfilledBy === 'AMAZON' ? 'AFN' : 'MFN');

const showOffer = (offer: Offer, market: Market) => ({
  sellerId: offer.sellerId,
  condition: 'New',
  subCondition: 'New',
  fulfillmentType: fulfillmentOf(offer),
  listingPrice: money(offer.price, market),
  shippingOptions: [{ shippingOptionType: 'DEFAULT', price: money(offer.shipping, market) }],
  primeDetails: { eligibility: offer.fulfilledBy === 'AMAZON' ? 'NATIONAL' : 'NONE' },
});

function expectPrices(world: World, markets: readonly Market[], { body }: Call): Answer {
  const { requests } = readBody(expectedSchema, body, 'the body');
  const responses = requests.map(({ marketplaceId, sku }) => ({
    headers: {},
    ...settle(() => {
      const asin = world.findSku(sku)?.asin ?? '';
      const product = readProductMarket(world, asin, findMarket(markets, marketplaceId));
      if (product?.own !== undefined) return expectPrice(product, sku);
      const message = 'The requested SKU does not exist for the seller in the requested Amazon store.';
      return refuse(400, { code: 'INVALID_SKU', message });
    }),
    request: { marketplaceId, sku },
  }));
  return ok({ responses });
}

/** Computes the price at which the seller's offer costs a buyer as much as the competing one and is featured. */
function expectPrice(
  { asin, market, own, offers, featured, competing, threshold }: ProductMarket,
  sku: string,
) {
  const offer = offers.find((one) => one.sku === sku);
  const price =
    offer && competing && Math.min(landedPrice(competing) - offer.shipping, threshold ?? Infinity);
  const resultStatus =
    offer === undefined ? 'OFFER_NOT_ELIGIBLE' : price === undefined ? 'NO_COMPETING_OFFER' : 'VALID_FOEP';
  return {
    offerIdentifier: {
      marketplaceId: market.id,
      sellerId: SELLER_ID,
      sku,
      asin,
      fulfillmentType: own?.fulfilledBy === 'AMAZON' ? 'AFN' : 'MFN',
    },
    featuredOfferExpectedPriceResults: [
      {
        ...(price !== undefined && { featuredOfferExpectedPrice: { listingPrice: money(price, market) } }),
        resultStatus,
        ...(competing && { competingFeaturedOffer: showFeatured(asin, competing, market) }),
        ...(featured && { currentFeaturedOffer: showFeatured(asin, featured, market) }),
      },
    ],
  };
}

const showFeatured = (asin: string, offer: Offer, market: Market) => ({
  offerIdentifier: {
    marketplaceId: market.id,
    sellerId: offer.sellerId,
    ...(offer.sku !== undefined && { sku: offer.sku }),
    asin,
    fulfillmentType: fulfillmentOf(offer),
  },
  condition: 'New',
  price: { listingPrice: money(offer.price, market), shippingPrice: money(offer.shipping, market) },
});
