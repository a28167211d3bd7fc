/** Data Kiosk's economics tell what each product sold, what the service took for it, and what is left. */

import * as z from 'zod';
import { groupBy } from '../../src/base/group-by.ts';
import { type ListingDay, readListingDays, sumDays } from '../world/listing-days.ts';
import type { Market } from '../world/markets.ts';
import { beginOf, endOf, GRANULARITIES } from '../world/periods.ts';
import { costCentsOf } from '../world/products.ts';
import { type Posting, sumOf } from '../world/settlements.ts';
import { daysSchema, defineView, marketplaceIds, marketsOf, wholePeriods } from './dataset.ts';

/** The keys are the descriptions of the settlements' amounts. */
const FEES: Readonly<Record<string, string>> = {
  Commission: 'Referral fees',
  RefundCommission: 'Refund administration fees',
  FBAPerUnitFulfillmentFee: 'FBA fulfillment fees',
  'Storage Fee': 'Monthly inventory storage fees',
  StorageRenewalBilling: 'Aged inventory surcharge',
};

const schema = daysSchema.extend({
  marketplaceIds,
  aggregateBy: z
    .strictObject({
      date: z.enum([...GRANULARITIES, 'RANGE']).default('DAY'),
      productId: z.enum(['PARENT_ASIN', 'CHILD_ASIN', 'MSKU']).default('MSKU'),
    })
    .prefault({}),
  includeComponentsForFeeTypes: z.array(z.enum(['FBA_FULFILLMENT_FEE', 'FBA_STORAGE_FEE'])).optional(),
});

export const economics = defineView(schema, (world, args) => {
  const { startDate, endDate, aggregateBy } = args;
  const { date, productId } = aggregateBy;
  const asked = { first: startDate, last: endDate };
  const days = date === 'RANGE' ? asked : wholePeriods(asked, date);
  const beginAt = (day: string) => (date === 'RANGE' ? startDate : beginOf(day, date));
  return marketsOf(world, args.marketplaceIds).flatMap((market) => {
    const moved = readListingDays(world, market, days).filter(
      ({ sold, refunds, postings }) => sold.length + refunds.length + postings.length > 0,
    );
    return [...groupBy(moved, ({ day, row }) => `${beginAt(day)} ${row.sku}`).values()].map((own) => {
      const [{ day, row }] = own;
      const begin = beginAt(day);
      return {
        startDate: begin,
        endDate: date === 'RANGE' ? endDate : endOf(begin, date),
        marketplaceId: market.id,
        parentAsin: row.asin,
        childAsin: productId === 'PARENT_ASIN' ? null : row.asin,
        ...(productId === 'MSKU' && { msku: row.sku, fnsku: row.fnSku }),
        ...accountFor(own, market),
        ads: [],
      };
    });
  });
});

const amountOf = (cents: number, currencyCode: string) => ({ amount: Math.round(cents) / 100, currencyCode });

/**
 * Accounts for the days of one listing. Sales count on the day of the order; refunds and fees count on the day when the
 * settlement has them.
 */
function accountFor(days: readonly [ListingDay, ...ListingDay[]], market: Market) {
  const { currency } = market;
  const amount = (cents: number) => amountOf(cents, currency);
  const { units, cents, refundedUnits, refundedCents, postings } = sumDays(days);
  const charged = postings.filter(({ description }) => description in FEES);
  const fees = groupBy(charged, ({ description }) => FEES[description] ?? description);
  const [net, netUnits] = [cents - refundedCents, units - refundedUnits];
  const cost = costCentsOf(days[0].row.asin, market);
  const left = net + sumOf(charged) - (cost ?? 0) * netUnits;
  return {
    sales: {
      orderedProductSales: amount(cents),
      refundedProductSales: amount(refundedCents),
      netProductSales: amount(net),
      averageSellingPrice: units === 0 ? null : amount(cents / units),
      unitsOrdered: units,
      unitsRefunded: refundedUnits,
      netUnitsSold: netUnits,
    },
    fees: [...fees].map(([feeTypeName, own]) => {
      const charge = describeCharge(feeTypeName, own, currency);
      return { feeTypeName, charge, charges: [charge] };
    }),
    cost: cost && { costOfGoodsSold: amount(cost) },
    netProceeds: { total: amount(left), perUnit: netUnits <= 0 ? null : amount(left / netUnits) },
  };
}

function describeCharge(feeTypeName: string, own: readonly Posting[], currencyCode: string) {
  const amount = (cents: number) => amountOf(cents, currencyCode);
  const total = -sumOf(own);
  // A fee that a refund gives back takes its units back too.
  const quantity = own.reduce((sum, { cents, units }) => sum - Math.sign(cents) * units, 0);
  return {
    identifier: `${own[0]?.row.sku} ${feeTypeName}`,
    aggregatedDetail: {
      amount: amount(total),
      amountPerUnit: quantity === 0 ? null : amount(total / quantity),
      promotionAmount: amount(0),
      quantity: quantity === 0 ? null : quantity,
      taxAmount: amount(0),
      totalAmount: amount(total),
    },
  };
}
