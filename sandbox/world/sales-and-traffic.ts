/** Sales and traffic have the service's names, and are alike in the report and in the dataset. */

import { type ListingDay, percentOf, sumDays } from './listing-days.ts';

type Traffic = ReturnType<typeof sumDays>['traffic'];

/** @param days of one marketplace. @param all the traffic that shares refer to */
export function describeDays(days: readonly ListingDay[], all?: Traffic) {
  const sums = sumDays(days);
  const { units, items, cents, traffic, refundedUnits } = sums;
  const currencyCode = days[0]?.market.currency ?? '';
  const amount = (value: number) => ({ amount: Math.round(value) / 100, currencyCode });
  const ratio = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);
  const offerCount = Math.round(ratio(days.length, new Set(days.map(({ day }) => day)).size));
  return {
    ordered: {
      orderedProductSales: amount(cents),
      unitsOrdered: units,
      totalOrderItems: items,
    },
    sales: {
      averageSalesPerOrderItem: amount(ratio(cents, items)),
      averageUnitsPerOrderItem: Math.round(100 * ratio(units, items)) / 100,
      averageSellingPrice: amount(ratio(cents, units)),
      unitsRefunded: refundedUnits,
      refundRate: percentOf(refundedUnits, units),
      claimsGranted: 0,
      claimsAmount: amount(0),
      shippedProductSales: amount(sums.shippedCents),
      unitsShipped: sums.shipped,
      ordersShipped: sums.shippedOrders,
    },
    traffic: {
      ...traffic,
      buyBoxPercentage: percentOf(sums.featuredViews, traffic.pageViews),
      unitSessionPercentage: percentOf(units, traffic.sessions),
    },
    /** The service tells them by date alone. */
    offers: {
      orderItemSessionPercentage: percentOf(items, traffic.sessions),
      averageOfferCount: offerCount,
      averageParentItems: offerCount,
      feedbackReceived: sums.feedback,
      negativeFeedbackReceived: sums.negativeFeedback,
      receivedNegativeFeedbackRate: percentOf(sums.negativeFeedback, sums.feedback),
    },
    /** The service tells them by product alone. */
    shares: sharesOf(traffic, all ?? traffic),
  };
}

const sharesOf = (own: Traffic, all: Traffic) => ({
  browserPageViewsPercentage: percentOf(own.browserPageViews, all.browserPageViews),
  mobileAppPageViewsPercentage: percentOf(own.mobileAppPageViews, all.mobileAppPageViews),
  pageViewsPercentage: percentOf(own.pageViews, all.pageViews),
  browserSessionPercentage: percentOf(own.browserSessions, all.browserSessions),
  mobileAppSessionPercentage: percentOf(own.mobileAppSessions, all.mobileAppSessions),
  sessionPercentage: percentOf(own.sessions, all.sessions),
});
