import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { call, firstError, type SignedIn, signIn, US } from '../helpers.ts';
import { findUndocumented } from './documented-answer.ts';

const V0 = '/products/pricing/v0';
const V2022 = '/batches/products/pricing/2022-05-01';
const CONDITION = `MarketplaceId=${US}&ItemCondition=New`;
const money = z.strictObject({ CurrencyCode: z.string(), Amount: z.number() });
const offersSchema = z.object({
  payload: z.object({
    Summary: z.object({
      TotalOfferCount: z.int(),
      BuyBoxPrices: z.array(z.object({ LandedPrice: money, sellerId: z.string() })),
    }),
    Offers: z.array(
      z.object({
        MyOffer: z.boolean(),
        SellerId: z.string(),
        ListingPrice: money,
        Shipping: money,
        IsBuyBoxWinner: z.boolean(),
        IsFeaturedMerchant: z.boolean(),
      }),
    ),
  }),
});
const expectedSchema = z.object({
  responses: z.array(
    z.object({
      request: z.object({ sku: z.string() }),
      status: z.object({ statusCode: z.int() }),
      body: z.object({
        featuredOfferExpectedPriceResults: z.array(
          z.object({
            resultStatus: z.string(),
            featuredOfferExpectedPrice: z
              .object({ listingPrice: z.object({ amount: z.number() }) })
              .optional(),
          }),
        ),
      }),
    }),
  ),
});
const listingsSchema = z.object({
  pagination: z.object({ nextToken: z.string().optional() }).optional(),
  items: z.array(
    z.object({
      sku: z.string(),
      summaries: z.array(
        z.object({ asin: z.string(), productType: z.string(), status: z.array(z.string()) }),
      ),
      offers: z.array(z.object({ price: z.object({ amount: z.string() }) })).default([]),
    }),
  ),
});

const post = ({ sandbox, token }: SignedIn, path: string, body: unknown) =>
  call(sandbox, path, { method: 'POST', token, body });

async function readOffers({ get }: SignedIn, asin: string) {
  const { payload } = offersSchema.parse((await get(`${V0}/items/${asin}/offers?${CONDITION}`)).body);
  const landed = ({ ListingPrice, Shipping }: (typeof payload.Offers)[number]) =>
    Math.round((ListingPrice.Amount + Shipping.Amount) * 100) / 100;
  return {
    ...payload.Summary,
    offers: payload.Offers.map((offer) => ({ ...offer, landed: landed(offer) })),
  };
}

/** Listings of the United States that can be bought, at most 60 of them. */
async function readListings({ sandbox, pages }: SignedIn) {
  const query = `marketplaceIds=${US}&includedData=summaries,offers&withStatus=BUYABLE&pageSize=20&sortBy=sku`;
  const { items } = await pages(
    `/listings/2021-08-01/items/${sandbox.sellerId}?${query}`,
    'pageToken',
    (body) => {
      const page = listingsSchema.parse(body);
      return { items: page.items, next: page.pagination?.nextToken };
    },
  );
  return items
    .flatMap(({ sku, summaries: [summary], offers: [offer] }) =>
      summary === undefined || offer === undefined
        ? []
        : [{ sku, ...summary, price: Number(offer.price.amount) }],
    )
    .slice(0, 60);
}

async function setPrice(signedIn: SignedIn, sku: string, productType: string, price: number) {
  const { sandbox, token } = signedIn;
  const value = [
    { currency: 'USD', our_price: [{ schedule: [{ value_with_tax: price }] }], marketplace_id: US },
  ];
  const { body } = await call(
    sandbox,
    `/listings/2021-08-01/items/${sandbox.sellerId}/${sku}?marketplaceIds=${US}`,
    {
      method: 'PATCH',
      token,
      body: { productType, patches: [{ op: 'replace', path: '/attributes/purchasable_offer', value }] },
    },
  );
  expect(body).toMatchObject({ status: 'ACCEPTED' });
}

const expectPrices = async (signedIn: SignedIn, skus: readonly string[]) =>
  expectedSchema.parse(
    (
      await post(signedIn, `${V2022}/offer/featuredOfferExpectedPrice`, {
        requests: skus.map((sku) => ({
          sku,
          marketplaceId: US,
          method: 'GET',
          uri: '/products/pricing/2022-05-01/offer/featuredOfferExpectedPrice',
        })),
      })
    ).body,
  ).responses;

describe('the market of a product', () => {
  it('features the cheapest eligible offer, and has the own offer at the price of the listing', async () => {
    const signedIn = await signIn();
    const wins = { own: 0, others: 0, alone: 0 };
    for (const { asin, price } of await readListings(signedIn)) {
      const { offers, BuyBoxPrices, TotalOfferCount } = await readOffers(signedIn, asin);
      expect(TotalOfferCount).toBe(offers.length);
      const own = offers.find(({ MyOffer }) => MyOffer);
      if (own !== undefined) expect(own.ListingPrice.Amount).toBe(price);
      const eligible = offers.filter(({ IsFeaturedMerchant }) => IsFeaturedMerchant);
      const [winner] = offers.filter(({ IsBuyBoxWinner }) => IsBuyBoxWinner);
      expect(winner?.landed).toBe(
        eligible.length === 0 ? undefined : Math.min(...eligible.map(({ landed }) => landed)),
      );
      expect(BuyBoxPrices.map(({ LandedPrice, sellerId }) => [LandedPrice.Amount, sellerId])).toEqual(
        winner ? [[winner.landed, winner.SellerId]] : [],
      );
      if (offers.length === 1) wins.alone += 1;
      else if (winner?.MyOffer === true) wins.own += 1;
      else wins.others += 1;
    }
    expect(Math.min(...Object.values(wins)), JSON.stringify(wins)).toBeGreaterThan(5);
  });

  it('gives the featured offer to the seller at the expected price, and takes it away above', async () => {
    const signedIn = await signIn();
    const listings = await readListings(signedIn);
    const bySku = new Map(listings.map((listing) => [listing.sku, listing]));
    const expected = await expectPrices(signedIn, [...bySku.keys()].slice(0, 40));
    let moved = 0;
    for (const { request, body } of expected) {
      const listing = bySku.get(request.sku);
      const [result] = body.featuredOfferExpectedPriceResults;
      const price = result?.featuredOfferExpectedPrice?.listingPrice.amount;
      expect(price !== undefined).toBe(result?.resultStatus === 'VALID_FOEP');
      if (listing === undefined || price === undefined) continue;
      const isFeaturedAt = async (amount: number) => {
        await setPrice(signedIn, listing.sku, listing.productType, amount);
        const { offers } = await readOffers(signedIn, listing.asin);
        expect(offers.find(({ MyOffer }) => MyOffer)?.ListingPrice.Amount).toBe(amount);
        return offers.some(({ MyOffer, IsBuyBoxWinner }) => MyOffer && IsBuyBoxWinner);
      };
      expect([await isFeaturedAt(price), await isFeaturedAt(Math.round(price * 100 + 1) / 100)]).toEqual([
        true,
        false,
      ]);
      moved += 1;
    }
    expect(moved).toBeGreaterThan(10);
  });

  it('has no own offer where the listing is suppressed', async () => {
    const signedIn = await signIn();
    const { offers } = await readOffers(signedIn, 'B0SBX00002');
    expect(offers.filter(({ MyOffer }) => MyOffer)).toEqual([]);
    const [answer] = await expectPrices(signedIn, ['LAMP-OAK-E27']);
    expect(answer?.body.featuredOfferExpectedPriceResults[0]?.resultStatus).toBe('OFFER_NOT_ELIGIBLE');
  });
});

describe('the operations', () => {
  it('answer in the documented shapes, each with the same figures', async () => {
    const signedIn = await signIn();
    const { get } = signedIn;
    // KETL-OAK-S
    const asin = 'B0SBW00001';
    const query = `MarketplaceId=${US}&ItemType=Asin&Asins=${asin}`;
    const requests = (path: string) => ({
      requests: [{ uri: `${V0}/${path}/offers`, method: 'GET', MarketplaceId: US, ItemCondition: 'New' }],
    });
    const summaryRequest = {
      asin,
      marketplaceId: US,
      includedData: ['featuredBuyingOptions', 'referencePrices', 'lowestPricedOffers', 'similarItems'],
      method: 'GET',
      uri: '/products/pricing/2022-05-01/items/competitiveSummary',
    };
    const answers = {
      getPricing: await get(`${V0}/price?${query}`),
      getCompetitivePricing: await get(`${V0}/competitivePrice?${query}`),
      getItemOffers: await get(`${V0}/items/${asin}/offers?${CONDITION}`),
      getListingOffers: await get(`${V0}/listings/KETL-OAK-S/offers?${CONDITION}`),
      getItemOffersBatch: await post(
        signedIn,
        '/batches/products/pricing/v0/itemOffers',
        requests(`items/${asin}`),
      ),
      getListingOffersBatch: await post(
        signedIn,
        '/batches/products/pricing/v0/listingOffers',
        requests('listings/KETL-OAK-S'),
      ),
      getCompetitiveSummary: await post(signedIn, `${V2022}/items/competitiveSummary`, {
        requests: [summaryRequest],
      }),
      getFeaturedOfferExpectedPriceBatch: await post(signedIn, `${V2022}/offer/featuredOfferExpectedPrice`, {
        requests: [
          {
            sku: 'KETL-OAK-S',
            marketplaceId: US,
            method: 'GET',
            uri: '/products/pricing/2022-05-01/offer/featuredOfferExpectedPrice',
          },
        ],
      }),
    };
    const { BuyBoxPrices } = await readOffers(signedIn, asin);
    for (const [name, { status, body }] of Object.entries(answers)) {
      expect([name, status, await findUndocumented(`product-pricing/${name}`, body)]).toEqual([
        name,
        200,
        [],
      ]);
      if (name !== 'getPricing') expect(JSON.stringify(body)).toContain(`${BuyBoxPrices[0]?.sellerId}`);
    }
    expect(answers.getPricing.body).toMatchObject({
      payload: [{ Product: { Offers: [{ BuyingPrice: { ListingPrice: { Amount: 34.99 } } }] } }],
    });
  });

  it('answer one identifier that is unknown beside those that are known', async () => {
    const { get } = await signIn();
    const { body } = await get(
      `${V0}/competitivePrice?MarketplaceId=${US}&ItemType=Sku&Skus=MUG-SAND-350,NONE`,
    );
    expect(body).toMatchObject({
      payload: [
        { status: 'Success', SellerSKU: 'MUG-SAND-350', ASIN: 'B0SBX00001' },
        { status: 'ClientError', SellerSKU: 'NONE' },
      ],
    });
  });

  it.each([
    `items/B0NOSUCH01/offers?${CONDITION}`,
    `items/B0SBX00001/offers?MarketplaceId=${US}`,
    `items/B0SBX00001/offers?MarketplaceId=X&ItemCondition=New`,
    `price?MarketplaceId=${US}&ItemType=Asin`,
  ])('refuse %s', async (path) => {
    const { get } = await signIn();
    const reply = await get(`${V0}/${path}`);
    expect([reply.status, firstError(reply).code]).toEqual([400, 'InvalidInput']);
  });

  it('do not play prices for businesses', async () => {
    const { get } = await signIn();
    const reply = await get(`${V0}/items/B0SBX00001/offers?${CONDITION}&CustomerType=Business`);
    expect([reply.status, firstError(reply).code]).toEqual([501, 'NotPlayed']);
  });
});
