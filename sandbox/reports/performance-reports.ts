/** The reports on how buyers rate the seller, and how the service rates the account. */

import { isLate, isNegative } from '../world/feedback.ts';
import type { Order } from '../world/make-orders.ts';
import type { Market } from '../world/markets.ts';
import { dayOf } from '../world/periods.ts';
import { DAY_MS } from '../world/plain-values.ts';
import type { World } from '../world/world.ts';
import { isInTime, type ReportType, type Rows } from './report-type.ts';

const MAX_STARS = 3;

/** GET_SELLER_FEEDBACK_DATA lists up to three stars, and writes days as the marketplace's country does. */
export const feedbackRows = {
  badFeedback: (world, request) =>
    world
      .feedback()
      .filter(
        ({ order, at, rating }) =>
          rating <= MAX_STARS && request.markets.includes(order.market) && isInTime(request, at),
      )
      .map((one) => {
        const { tag, timeZone } = one.order.market;
        const day = new Date(one.at).toLocaleDateString(tag.replace('_', '-'), {
          dateStyle: 'short',
          timeZone,
        });
        return { ...one, day };
      }),
} satisfies Readonly<Record<string, Rows>>;

/** GET_V2_SELLER_PERFORMANCE_REPORT has the members of the public schema, for each marketplace that is asked for. */
export const accountHealthReport: ReportType = {
  contentType: 'application/json',
  isCompressed: false,
  build(world, { markets }) {
    const rated = markets.map((market) => {
      const metrics = rateAccount(world, market);
      return { metrics, isAtRisk: JSON.stringify(metrics).includes('"BAD"') };
    });
    return JSON.stringify({
      accountStatuses: rated.map(({ metrics: { marketplaceId }, isAtRisk }) => ({
        marketplaceId,
        status: isAtRisk ? 'AT_RISK' : 'NORMAL',
      })),
      performanceMetrics: rated.map(({ metrics, isAtRisk }) => ({
        ...metrics,
        accountHealthRating: { ...metrics.accountHealthRating, ahrStatus: isAtRisk ? 'AT_RISK' : 'GREAT' },
      })),
    });
  },
};

const VIOLATIONS = [
  'listingPolicyViolations',
  'productAuthenticityCustomerComplaints',
  'productConditionCustomerComplaints',
  'productSafetyCustomerComplaints',
  'receivedIntellectualPropertyComplaints',
  'restrictedProductPolicyViolations',
  'suspectedIntellectualPropertyViolations',
  'foodAndProductSafetyIssues',
  'otherPolicyViolations',
  'documentRequests',
];

/** A rate of nothing has no status. */
function rate(
  part: number,
  whole: number,
  targetCondition: 'LESS_THAN' | 'GREATER_THAN',
  targetValue: number,
) {
  const value = whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000;
  const isGood = targetCondition === 'LESS_THAN' ? value < targetValue : value > targetValue;
  const status = whole === 0 ? 'NONE' : isGood ? 'GOOD' : 'BAD';
  return { status, rate: value, targetValue, targetCondition };
}

/** Buyers cancel orders, never the seller; all that was shipped has a tracking number and arrived in time. */
function rateAccount(world: World, market: Market) {
  const today = Math.floor(world.madeAt / DAY_MS) * DAY_MS;
  const range = (days: number) => ({
    reportingDateRange: {
      reportingDateFrom: `${dayOf(today - days * DAY_MS)}T00:00Z`,
      reportingDateTo: `${dayOf(today - DAY_MS)}T23:59Z`,
    },
  });
  const sold = world.orders().filter((order) => order.market === market && order.status !== 'Canceled');
  const own = sold.filter(({ fulfilledBy }) => fulfilledBy === 'MERCHANT');
  const within = (orders: readonly Order[], days: number, momentOf: (order: Order) => number) =>
    orders.filter((order) => momentOf(order) >= today - days * DAY_MS && momentOf(order) < today);
  const rateDefects = (fulfilledBy: Order['fulfilledBy'], fulfillmentType: string) => {
    const orders = within(sold, 60, ({ purchasedAt }) => purchasedAt).filter(
      (order) => order.fulfilledBy === fulfilledBy,
    );
    const count = world.feedback().filter((one) => isNegative(one) && orders.includes(one.order)).length;
    const rated = rate(count, orders.length, 'LESS_THAN', 0.01);
    return {
      ...range(60),
      orderCount: orders.length,
      orderWithDefects: { count, status: rated.status },
      claims: { count: 0, status: 'NONE' },
      chargebacks: { count: 0, status: 'NONE' },
      negativeFeedback: { count, status: 'NONE' },
      fulfillmentType,
      ...rated,
    };
  };
  const due = within(own, 30, ({ shipBy }) => shipBy[1]);
  const late = due.filter((order) => isLate(order, world.madeAt)).length;
  const shipped = within(own, 30, ({ updatedAt }) => updatedAt).filter(({ status }) => status === 'Shipped');
  const units =
    market.country === 'US'
      ? shipped.flatMap(({ items }) => items).reduce((sum, one) => sum + one.shipped, 0)
      : 0;
  const ofWeek = within(own, 7, ({ purchasedAt }) => purchasedAt);
  const invoices = within(sold, 7, ({ purchasedAt }) => purchasedAt).filter(({ isBusiness }) => isBusiness);
  const none = { count: 0, status: 'NONE' };
  const violation = {
    ...range(180),
    defectsCount: 0,
    status: 'GOOD',
    targetValue: 0,
    targetCondition: 'EQUALS',
  };
  return {
    marketplaceId: market.id,
    lateShipmentRate: {
      ...range(30),
      orderCount: due.length,
      lateShipmentCount: late,
      ...rate(late, due.length, 'LESS_THAN', 0.04),
    },
    orderDefectRate: { afn: rateDefects('AMAZON', 'afn'), mfn: rateDefects('MERCHANT', 'mfn') },
    onTimeDeliveryRate: {
      ...range(30),
      shipmentCountWithValidTracking: shipped.length,
      onTimeDeliveryCount: shipped.length,
      ...rate(shipped.length, shipped.length, 'GREATER_THAN', 0.9),
    },
    unitOnTimeDeliveryRate: {
      ...range(30),
      totalUnitCount: units,
      unitOnTimeDeliveryCount: units,
      ...rate(units, units, 'GREATER_THAN', 0.9),
    },
    validTrackingRate: {
      ...range(30),
      shipmentCount: shipped.length,
      validTrackingCount: shipped.length,
      ...rate(shipped.length, shipped.length, 'GREATER_THAN', 0.95),
    },
    preFulfillmentCancellationRate: {
      ...range(7),
      orderCount: ofWeek.length,
      cancellationCount: 0,
      ...rate(0, ofWeek.length, 'LESS_THAN', 0.025),
    },
    invoiceDefectRate: {
      ...range(7),
      orderCount: invoices.length,
      invoiceDefect: none,
      missingInvoice: none,
      lateInvoice: none,
      ...rate(0, invoices.length, 'LESS_THAN', 0.05),
    },
    accountHealthRating: range(180),
    warningStates: [],
    ...Object.fromEntries(VIOLATIONS.map((name) => [name, violation])),
  };
}
