/** The operations of productPricing v0: the seller's own prices, and who sells a product at what price. */

import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { matchPath } from '../../src/service/facts/path-template.ts';
import { type Answer, type Call, invalid, ok, okPayload, Refusal, readBody } from '../answer.ts';
import { SELLER_ID } from '../fixtures/listings.ts';
import type { Played } from '../router.ts';
import { landedPrice, type Offer, type ProductMarket, readProductMarket } from '../world/competitors.ts';
import type { Market } from '../world/markets.ts';
import { amountText } from '../world/plain-values.ts';
import type { World } from '../world/world.ts';
import { readFilledList, refuseChoices, refuseUnplayed } from './query.ts';

const MAX_IDS = 20;
/** The seller has no offers that are for businesses alone. */
const CHOICES = { CustomerType: ['Consumer'], OfferType: ['B2C'] };

/** Names a product in a path or a batch, and in its answer. */
type Key = 'Asin' | 'SellerSKU';

/** @param world as the listing store shows it. @param markets in which the seller takes part. */
export function playPricingV0(world: World, markets: readonly Market[]): Played {
  const find = (key: Key, id: string, marketplaceId: string): ProductMarket => {
    const market = findMarket(markets, marketplaceId);
    const asin = key === 'Asin' ? id : world.findSku(id)?.asin;
    const product = asin === undefined ? undefined : readProductMarket(world, asin, market);
    return product ?? invalid(`${key} ${id} is invalid for marketplace ${marketplaceId}.`);
  };
  const list = (call: Call, show: (product: ProductMarket) => object): Answer => {
    refuseCall(call);
    const marketplaceId = readOne(call, 'MarketplaceId');
    findMarket(markets, marketplaceId);
    const key = readOne(call, 'ItemType') === 'Sku' ? 'SellerSKU' : 'Asin';
    const ids = readFilledList(call.query, key === 'Asin' ? 'Asins' : 'Skus');
    if (ids.length > MAX_IDS) invalid(`At most ${MAX_IDS} identifiers are allowed.`);
    const rows = ids.map((id) => {
      const { status, body } = settle(() => {
        const product = find(key, id, marketplaceId);
        return { ASIN: product.asin, Product: { Identifiers: identify(product, key), ...show(product) } };
      });
      const asked = key === 'Asin' ? { ASIN: id } : { SellerSKU: id };
      return status.statusCode === 200
        ? { status: 'Success', ...asked, ...body }
        : { status: 'ClientError', ...asked };
    });
    return okPayload(rows);
  };
  const showOne = (key: Key, id: string, marketplaceId: string, condition: string) =>
    showOffers(find(key, id, marketplaceId), key === 'SellerSKU' ? id : undefined, condition);
  const one = (call: Call, key: Key): Answer => {
    refuseCall(call);
    const condition = conditionSchema.safeParse(readOne(call, 'ItemCondition')).data;
    if (condition === undefined) invalid(`ItemCondition: is none of ${CONDITIONS.join(', ')}.`);
    return okPayload(showOne(key, call.params[key] ?? '', readOne(call, 'MarketplaceId'), condition));
  };
  const batch = ({ body, now }: Call, key: Key, template: string): Answer => {
    const { requests } = readBody(batchSchema, body, 'the body');
    const responses = requests.map(({ uri, MarketplaceId, ItemCondition }) => {
      const id = matchPath(template, uri)?.[key] ?? invalid(`uri: ${uri} is not ${template}.`);
      return {
        headers: { Date: new Date(now).toUTCString(), 'x-amzn-RequestId': randomUUID() },
        ...settle(() => ({ payload: showOne(key, id, MarketplaceId, ItemCondition) })),
        request: { MarketplaceId, ItemCondition, [key]: id },
      };
    });
    return ok({ responses });
  };
  return {
    'product-pricing/getPricing': (call) => list(call, showOwnOffers),
    'product-pricing/getCompetitivePricing': (call) => list(call, showCompetition),
    'product-pricing/getItemOffers': (call) => one(call, 'Asin'),
    'product-pricing/getListingOffers': (call) => one(call, 'SellerSKU'),
    'product-pricing/getItemOffersBatch': (call) => batch(call, 'Asin', ITEM_PATH),
    'product-pricing/getListingOffersBatch': (call) => batch(call, 'SellerSKU', LISTING_PATH),
  };
}

const ITEM_PATH = '/products/pricing/v0/items/{Asin}/offers';
const LISTING_PATH = '/products/pricing/v0/listings/{SellerSKU}/offers';
const CONDITIONS = ['New', 'Used', 'Collectible', 'Refurbished', 'Club'] as const;
const conditionSchema = z.enum(CONDITIONS);
const batchSchema = z.object({
  requests: z
    .array(
      z.looseObject({
        uri: z.string(),
        method: z.literal('GET'),
        MarketplaceId: z.string(),
        ItemCondition: conditionSchema,
        CustomerType: z.literal('Consumer').optional(),
      }),
    )
    .min(1)
    .max(20),
});

export const findMarket = (markets: readonly Market[], id: string): Market =>
  markets.find((market) => market.id === id) ?? invalid(`${id} is not a marketplace of this seller.`);

/** Builds the status line and body of one answer of a batch; a refusal is the answer of that one request. */
export function settle(answer: () => object) {
  try {
    return { status: { statusCode: 200, reasonPhrase: 'Success' }, body: answer() };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status: statusCode, errors } = error;
    return { status: { statusCode, reasonPhrase: 'Client Error' }, body: { errors } };
  }
}

function refuseCall(call: Call): void {
  refuseUnplayed(call);
  refuseChoices(call, CHOICES);
}

const readOne = ({ query }: Call, name: string): string => query.get(name) || invalid(`${name}: is missing.`);

// The answers have these shapes.

const money = (amount: number, market: Market) => ({
  CurrencyCode: market.currency,
  Amount: Number(amountText(amount, market)),
});

const showPrice = (offer: Offer, market: Market) => ({
  LandedPrice: money(landedPrice(offer), market),
  ListingPrice: money(offer.price, market),
  Shipping: money(offer.shipping, market),
});

const showRanks = ({ salesRank }: ProductMarket) => [
  { ProductCategoryId: 'home_garden_display_on_website', Rank: salesRank },
];

const identify = ({ asin: ASIN, market: { id: MarketplaceId }, own }: ProductMarket, key: Key) => ({
  MarketplaceASIN: { MarketplaceId, ASIN },
  ...(key === 'SellerSKU' && { SKUIdentifier: { MarketplaceId, SellerId: SELLER_ID, SellerSKU: own?.sku } }),
});

const showOwnOffers = ({ offers, market }: ProductMarket) => ({
  Offers: offers
    .filter(({ sku }) => sku !== undefined)
    .map((offer) => ({
      offerType: 'B2C',
      BuyingPrice: showPrice(offer, market),
      RegularPrice: money(offer.price, market),
      FulfillmentChannel: offer.fulfilledBy,
      ItemCondition: 'New',
      ItemSubCondition: 'New',
      SellerSKU: offer.sku,
    })),
});

function showCompetition(product: ProductMarket): object {
  const { featured, market, offers } = product;
  const prices = featured === undefined ? [] : [featured];
  return {
    CompetitivePricing: {
      CompetitivePrices: prices.map((offer) => ({
        CompetitivePriceId: '1',
        Price: showPrice(offer, market),
        condition: 'New',
        subcondition: 'New',
        offerType: 'B2C',
        sellerId: offer.sellerId,
        belongsToRequester: offer.sku !== undefined,
      })),
      NumberOfOfferListings: ['New', 'Any'].map((condition) => ({ Count: offers.length, condition })),
    },
    SalesRankings: showRanks(product),
  };
}

const CHANNELS = [
  ['AMAZON', 'Amazon'],
  ['MERCHANT', 'Merchant'],
] as const;

/** Everything is sold as new: there are no offers in another condition. */
function showOffers(product: ProductMarket, sku: string | undefined, condition: string): object {
  const { asin, market, featured, threshold } = product;
  const offers = condition === 'New' ? product.offers : [];
  const id = sku === undefined ? { ASIN: asin } : { SellerSKU: sku };
  const countBy = (counted: readonly Offer[]) =>
    CHANNELS.flatMap(([fulfilledBy, fulfillmentChannel]) => {
      const OfferCount = counted.filter((offer) => offer.fulfilledBy === fulfilledBy).length;
      return OfferCount === 0 ? [] : [{ condition: 'new', fulfillmentChannel, OfferCount }];
    });
  const lowest = CHANNELS.flatMap(([fulfilledBy, fulfillmentChannel]) => {
    const offer = offers.find((one) => one.fulfilledBy === fulfilledBy);
    return offer ? [{ condition: 'new', fulfillmentChannel, ...showPrice(offer, market) }] : [];
  });
  return {
    marketplaceId: market.id,
    ...(sku === undefined ? { ASIN: asin } : { SKU: sku }),
    ItemCondition: condition,
    status: offers.length > 0 ? 'Success' : 'NoBuyableOffers',
    Identifier: { MarketplaceId: market.id, ...id, ItemCondition: condition },
    Summary: {
      TotalOfferCount: offers.length,
      NumberOfOffers: countBy(offers),
      LowestPrices: lowest,
      BuyBoxPrices: offers
        .filter((offer) => offer === featured)
        .map((offer) => ({
          condition: 'New',
          offerType: 'B2C',
          ...showPrice(offer, market),
          sellerId: offer.sellerId,
        })),
      ...(threshold !== undefined && { CompetitivePriceThreshold: money(threshold, market) }),
      SalesRankings: showRanks(product),
      BuyBoxEligibleOffers: countBy(offers.filter(({ isEligible }) => isEligible)),
    },
    Offers: offers.map((offer) => showOffer(offer, product)),
  };
}

function showOffer(offer: Offer, { market, featured }: ProductMarket): object {
  const isFromWarehouse = offer.fulfilledBy === 'AMAZON';
  return {
    MyOffer: offer.sku !== undefined,
    offerType: 'B2C',
    SubCondition: 'new',
    SellerId: offer.sellerId,
    SellerFeedbackRating: {
      SellerPositiveFeedbackRating: offer.rating,
      FeedbackCount: offer.feedbackCount,
    },
    ShippingTime: { minimumHours: 0, maximumHours: isFromWarehouse ? 0 : 24, availabilityType: 'NOW' },
    ListingPrice: money(offer.price, market),
    Shipping: money(offer.shipping, market),
    ShipsFrom: { Country: market.country },
    IsFulfilledByAmazon: isFromWarehouse,
    PrimeInformation: { IsPrime: isFromWarehouse, IsNationalPrime: isFromWarehouse },
    IsBuyBoxWinner: offer === featured,
    IsFeaturedMerchant: offer.isEligible,
  };
}
