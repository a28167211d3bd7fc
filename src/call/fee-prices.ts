/** Fills in the price, currency and fulfillment of a fee request from the listing, if they are left out. */

import * as z from 'zod';
import { splitIntoChunks } from '../base/concurrent.ts';
import { InputError } from '../base/errors.ts';
import { groupBy } from '../base/group-by.ts';
import { isJsonObject } from '../base/json.ts';
import { showText } from '../base/text/escape-text.ts';
import { quoteName } from '../base/text/quote-name.ts';
import { marketplaceName } from '../service/facts/marketplaces.ts';
import type { Operation } from '../service/facts/operation.ts';
import type { CallInput, CallOptions, Client } from './client-types.ts';

const FEES = 'fees/getMyFeesEstimateForSKU';
const LISTING = 'listings-items/getListingsItem';
const LISTINGS = 'listings-items/searchListingsItems';

/** That one search takes. */
const SKUS_A_CALL = 20;

const NO_CHANNEL = { fulfillmentChannelCode: '' };

// A value of another shape than documented counts as absent, so that one odd listing does not fail the others.
const amountSchema = z.union([z.number(), z.string().min(1)]).pipe(z.coerce.number());
const moneySchema = z.object({ currencyCode: z.string(), amount: amountSchema });
const offerSchema = z.looseObject({
  marketplaceId: z.string().optional(),
  offerType: z.string().optional(),
  price: moneySchema.optional().catch(undefined),
});
const listingSchema = z.looseObject({
  sku: z.string().optional().catch(undefined),
  offers: z.array(offerSchema.catch({})).catch([]),
  fulfillmentAvailability: z
    .array(z.looseObject({ fulfillmentChannelCode: z.string().catch('') }).catch(NO_CHANNEL))
    .catch([]),
});
const NOTHING = { offers: [], fulfillmentAvailability: [] };
const foundSchema = z.looseObject({ items: z.array(listingSchema.catch(NOTHING)).catch([]) });
interface FeeParts {
  client: Pick<Client, 'prepare'>;
  find(name: string): Operation;
  /** Makes the call that reads listings. */
  read(input: CallInput): Promise<{ body?: unknown }>;
}

export interface FilledFee {
  /** Whole, unless there is a problem. */
  input: CallInput;
  /** Names the values taken from the listing; absent if none was missing. */
  remark?: string;
  /** Why there is nothing to ask for. */
  problem?: InputError;
}

/** Tells whether the price was left out that a fee is asked for, or who ships: the service takes the seller for that then. */
export function lacksFeeParts({ operation, parameters, body }: CallInput): boolean {
  const { PriceToEstimateFees: price, IsAmazonFulfilled: channel } = requestIn(body);
  const isAsked = operation.id === FEES && typeof parameters.SellerSKU === 'string';
  return isAsked && (price === undefined || channel === undefined);
}

const requestIn = (body: unknown) =>
  isJsonObject(body) && isJsonObject(body.FeesEstimateRequest) ? body.FeesEstimateRequest : {};

/** @throws InputError where the listing has no price there; whatever reading it throws */
export async function fillFeePrice(
  input: CallInput,
  { call, ...parts }: Omit<FeeParts, 'read' | 'client'> & { client: Client; call: CallOptions },
): Promise<FilledFee> {
  if (!lacksFeeParts(input)) return { input };
  const read = (listing: CallInput) => parts.client.call(listing, call);
  const [filled = { input }] = await fillFeePrices([input], { ...parts, read });
  if (filled.problem !== undefined) throw filled.problem;
  return filled;
}

/**
 * The inputs with their bodies made whole, in their order: of many, the listings are read twenty a call.
 * @throws whatever reading the listings throws
 */
export async function fillFeePrices(
  inputs: readonly CallInput[],
  { client, find, read }: FeeParts,
): Promise<FilledFee[]> {
  const filled: FilledFee[] = inputs.map((input) => ({ input }));
  const lacking = filled.filter(({ input }) => lacksFeeParts(input));
  const byMarketplace = groupBy(lacking, ({ input }) => String(requestIn(input.body).MarketplaceId ?? ''));
  for (const [marketplace, fees] of byMarketplace) {
    const asked = marketplace === '' ? {} : { marketplaceIds: [marketplace] };
    const [first] = fees;
    if (first === undefined) continue;
    const { account, owner } = first.input;
    const call = { operation: find(LISTING), account, owner };
    const parameters = { ...asked, includedData: ['offers', 'fulfillmentAvailability'] };
    const { marketplaces } = await client.prepare({
      ...call,
      parameters: { ...parameters, sku: skuOf(first) },
    });
    const marketplaceId = marketplaces[0]?.id ?? '';
    const one = async (sku: string) =>
      listingSchema.catch(NOTHING).parse((await read({ ...call, parameters: { ...parameters, sku } })).body);
    const several = async (skus: string[]) => {
      const identifiers = { identifiers: skus, identifiersType: 'SKU', pageSize: SKUS_A_CALL };
      const search = { ...call, operation: find(LISTINGS), parameters: { ...parameters, ...identifiers } };
      return foundSchema.catch({ items: [] }).parse((await read(search)).body).items;
    };
    for (const part of partsOf(fees)) {
      const [fee] = part;
      if (fee !== undefined && part.length === 1) {
        fill(fee, await one(skuOf(fee)), marketplaceId);
        continue;
      }
      const found = new Map((await several(part.map(skuOf))).map((listing) => [listing.sku, listing]));
      for (const each of part) fill(each, found.get(skuOf(each)), marketplaceId);
    }
  }
  return filled;
}

const skuOf = ({ input }: FilledFee) => String(input.parameters.SellerSKU);

/** A list of SKUs is parted at its commas: those with one are asked for alone. */
function partsOf(fees: readonly FilledFee[]): FilledFee[][] {
  const hasComma = (fee: FilledFee) => skuOf(fee).includes(',');
  return [
    ...splitIntoChunks(
      fees.filter((fee) => !hasComma(fee)),
      SKUS_A_CALL,
    ),
    ...fees.filter(hasComma).map((fee) => [fee]),
  ];
}

function fill(
  fee: FilledFee,
  listing: z.output<typeof listingSchema> | undefined,
  marketplaceId: string,
): void {
  const { input } = fee;
  const sku = skuOf(fee);
  const marketplace = marketplaceName(marketplaceId) ?? marketplaceId;
  if (listing === undefined) {
    fee.problem = new InputError(
      `There is no listing ${quoteName(sku)} in ${marketplace}; no fee was asked for.`,
    );
    return;
  }
  const { offers, fulfillmentAvailability } = listing;
  const price = offers.find(
    (offer) =>
      offer.price !== undefined &&
      (offer.marketplaceId ?? marketplaceId) === marketplaceId &&
      offer.offerType !== 'B2B',
  )?.price;
  const given = requestIn(input.body);
  if (price === undefined && given.PriceToEstimateFees === undefined) {
    fee.problem = new InputError(
      `The listing has no price in ${marketplace}, which fees are asked for; nothing was asked.`,
      'Give body.FeesEstimateRequest.PriceToEstimateFees.ListingPrice: {"CurrencyCode": "EUR", "Amount": 19.99}.',
    );
    return;
  }
  const isByAmazon = fulfillmentAvailability.some((one) => one.fulfillmentChannelCode.startsWith('AMAZON'));
  const channel = isByAmazon ? 'FBA' : 'shipped by the seller';
  const taken = [
    ...(given.PriceToEstimateFees === undefined && price !== undefined
      ? [`${price.amount} ${showText(price.currencyCode)}`]
      : []),
    ...(given.IsAmazonFulfilled === undefined ? [channel] : []),
  ];
  const request = {
    MarketplaceId: marketplaceId,
    IsAmazonFulfilled: isByAmazon,
    Identifier: sku,
    ...(price && {
      PriceToEstimateFees: { ListingPrice: { CurrencyCode: price.currencyCode, Amount: price.amount } },
    }),
    ...given,
  };
  fee.input = { ...input, body: { FeesEstimateRequest: request } };
  fee.remark = `From the listing in ${marketplace}: ${taken.join(', ')}.`;
}
