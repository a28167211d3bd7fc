/** Reports, datasets and settlements of one world are sums of the same events, to the cent, in America and in Europe. */

import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { buildHomeListings, buildListings } from '../../../sandbox/fixtures/listings.ts';
import { views } from '../../../sandbox/kiosk/datasets.ts';
import { readQuery } from '../../../sandbox/kiosk/read-query.ts';
import { findReportType } from '../../../sandbox/reports/report-types.ts';
import { type Market, marketOf } from '../../../sandbox/world/markets.ts';
import { createWorld, type World } from '../../../sandbox/world/world.ts';
import { groupBy } from '../../../src/base/group-by.ts';
import { NOON } from '../helpers.ts';

const AMERICA = ['US', 'CA', 'MX'];
const EUROPE = ['DE', 'FR', 'GB'];
const worlds = [
  ['America', createWorld(buildListings(NOON), AMERICA, NOON)],
  ['Europe', createWorld(buildHomeListings(NOON, EUROPE.map(marketOf)), EUROPE, NOON)],
] as const;

const [FIRST, LAST] = ['2026-05-20', '2026-11-21'];
const WHOLE = { start: Date.parse(FIRST), end: NOON };
/** These days reach from a Sunday to a Saturday. */
const WEEKS = { start: Date.parse('2026-06-28'), end: Date.parse('2026-10-31T23:59:59Z') };

const sum = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0);
const cents = (amount: unknown): number => Math.round(Number(amount) * 100);

function build(world: World, type: string, time: { start: number; end: number }, options = {}) {
  const markets = world.markets.slice(0, 1);
  const request = { type, markets, ...time, options };
  return findReportType(type)?.build(world, request);
}

/** Reads the rows of a table by column. */
function rowsOf(text = ''): Record<string, string>[] {
  const [head = '', ...lines] = text.replace('\ufeff', '').split('\r\n').slice(0, -1);
  const split = (line: string) => (head.startsWith('"') ? line.slice(1, -1).split('","') : line.split('\t'));
  const names = split(head);
  return lines.map((line) => Object.fromEntries(split(line).map((value, i) => [names[i] ?? '', value])));
}

const amountSchema = z.object({ amount: z.number() });
const salesSchema = z.object({
  orderedProductSales: amountSchema,
  unitsOrdered: z.int(),
  totalOrderItems: z.int(),
});
const trafficSchema = z.object({
  pageViews: z.int(),
  browserPageViews: z.int(),
  sessions: z.int(),
  mobileAppSessions: z.int(),
  negativeFeedbackReceived: z.int().optional(),
});
type Figures = [z.output<typeof salesSchema>, z.output<typeof trafficSchema>];

const add = (all: readonly Figures[]) => ({
  sales: sum(all.map(([{ orderedProductSales }]) => cents(orderedProductSales.amount))),
  units: sum(all.map(([{ unitsOrdered }]) => unitsOrdered)),
  items: sum(all.map(([{ totalOrderItems }]) => totalOrderItems)),
  pageViews: sum(all.map(([, { pageViews }]) => pageViews)),
  browserPageViews: sum(all.map(([, { browserPageViews }]) => browserPageViews)),
  sessions: sum(all.map(([, { sessions }]) => sessions)),
  mobileAppSessions: sum(all.map(([, { mobileAppSessions }]) => mobileAppSessions)),
});

const reportSchema = z.object({
  salesAndTrafficByDate: z.array(
    z.object({ date: z.string(), salesByDate: salesSchema, trafficByDate: trafficSchema }),
  ),
  salesAndTrafficByAsin: z.array(z.object({ salesByAsin: salesSchema, trafficByAsin: trafficSchema })),
});

function buildSalesReport(world: World, time: typeof WHOLE, dateGranularity: string) {
  const text = build(world, 'GET_SALES_AND_TRAFFIC_REPORT', time, { dateGranularity });
  const { salesAndTrafficByDate, salesAndTrafficByAsin } = reportSchema.parse(JSON.parse(text ?? ''));
  return {
    dates: salesAndTrafficByDate.map(({ date }) => date),
    byDate: salesAndTrafficByDate.map((one): Figures => [one.salesByDate, one.trafficByDate]),
    byAsin: salesAndTrafficByAsin.map((one): Figures => [one.salesByAsin, one.trafficByAsin]),
  };
}

const salesReports = new Map<string, ReturnType<typeof buildSalesReport>>();

/** Builds each report once, because half a year of sales takes half a second. */
function salesReport(world: World, time: typeof WHOLE, dateGranularity: string) {
  const key = JSON.stringify([world.markets[0]?.id, time, dateGranularity]);
  const report = salesReports.get(key) ?? buildSalesReport(world, time, dateGranularity);
  salesReports.set(key, report);
  return report;
}

/** Asks Data Kiosk for the whole items of a view. */
function ask<T>(world: World, dataset: string, view: string, args: string, schema: z.ZodType<T>): T[] {
  const text = `{${dataset}{${view}(startDate:"${FIRST}",endDate:"${LAST}",${args}){startDate}}}`;
  const [query] = readQuery(text)[0]?.selects ?? [];
  const answer = query && views.get(`${dataset} ${view}`)?.(query);
  return z.array(schema).parse(answer?.(world, NOON));
}

const SALES = 'analytics_salesAndTraffic_2024_04_24';
const ECONOMICS = 'analytics_economics_2024_03_15';
const datasetSchema = z.object({
  startDate: z.string(),
  endDate: z.string(),
  sales: salesSchema,
  traffic: trafficSchema,
});
const economicsSchema = z.object({
  sales: z.object({
    netProductSales: amountSchema,
    orderedProductSales: amountSchema,
    refundedProductSales: amountSchema,
    unitsOrdered: z.int(),
    netUnitsSold: z.int(),
  }),
  cost: z.object({ costOfGoodsSold: amountSchema }).optional(),
  fees: z.array(
    z.object({
      feeTypeName: z.string(),
      charges: z.tuple([z.object({ aggregatedDetail: z.object({ totalAmount: amountSchema }) })]),
    }),
  ),
  netProceeds: z.object({ total: amountSchema }),
});

const rateSchema = z.object({
  reportingDateRange: z.object({ reportingDateFrom: z.string(), reportingDateTo: z.string() }),
  orderCount: z.int(),
  rate: z.number(),
  status: z.enum(['GOOD', 'BAD', 'NONE']),
  lateShipmentCount: z.int().optional(),
  orderWithDefects: z.object({ count: z.int() }).optional(),
});
type Rate = z.output<typeof rateSchema>;
const healthSchema = z.object({
  accountStatuses: z.array(z.object({ marketplaceId: z.string(), status: z.string() })),
  performanceMetrics: z.tuple([
    z.object({
      lateShipmentRate: rateSchema,
      orderDefectRate: z.object({ afn: rateSchema, mfn: rateSchema }),
    }),
  ]),
});

const idOf = (market: Market | undefined): string => `"${market?.id}"`;

describe.each(worlds)('in %s', (place, world) => {
  const [home] = world.markets;
  const postings = world.events().flatMap(({ market, postings: all }) => (market === home ? all : []));

  it.each(['DAY', 'WEEK', 'MONTH'])('sales and visits by %s are those by product', (granularity) => {
    const { dates, byDate, byAsin } = salesReport(world, WHOLE, granularity);
    expect(add(byDate)).toEqual(add(byAsin));
    expect(add(byDate)).toEqual(add(salesReport(world, WHOLE, 'DAY').byDate));
    expect(dates).toEqual([...dates].sort());
    const isBegin = (date: string) =>
      granularity === 'DAY' ||
      (granularity === 'MONTH' ? date.endsWith('-01') : new Date(date).getUTCDay() === 0);
    expect(dates.every(isBegin)).toBe(true);
    expect(salesReport(world, WEEKS, 'DAY').dates).toHaveLength(126);
  });

  it('the dataset of sales and traffic is the report', () => {
    const ids = `marketplaceIds:[${idOf(home)}]`;
    const byDate = ask(world, SALES, 'salesAndTrafficByDate', `aggregateBy:DAY,${ids}`, datasetSchema);
    const byAsin = ask(world, SALES, 'salesAndTrafficByAsin', `aggregateBy:SKU,${ids}`, datasetSchema);
    const figures = (all: typeof byDate) => all.map((one): Figures => [one.sales, one.traffic]);
    const report = salesReport(world, WHOLE, 'DAY');
    expect(figures(byDate)).toEqual(report.byDate);
    expect(figures(byAsin)).toEqual(report.byAsin);
    for (const [by, first, last] of [
      ['WEEK', '2026-05-24', '2026-11-21'],
      ['MONTH', '2026-06-01', '2026-10-31'],
    ]) {
      const view = `aggregateBy:${by},${ids}`;
      const periods = ask(world, SALES, 'salesAndTrafficByDate', view, datasetSchema);
      const within = byDate.filter(({ startDate: day }) => day >= `${first}` && day <= `${last}`);
      expect([periods[0]?.startDate, periods.at(-1)?.endDate]).toEqual([first, last]);
      periods.slice(1).forEach(({ startDate }, i) => {
        expect(Date.parse(startDate) - Date.parse(periods[i]?.endDate ?? '')).toBe(86_400_000);
      });
      expect(add(figures(periods))).toEqual(add(figures(within)));
    }
  });

  it.each(['RANGE', 'DAY', 'MONTH'])(
    'economics by %s are the sales and the fees of the settlements',
    (date) => {
      for (const productId of ['MSKU', 'PARENT_ASIN']) {
        const args = `aggregateBy:{date:${date},productId:${productId}},marketplaceIds:[${idOf(home)}]`;
        const items = ask(world, ECONOMICS, 'economics', args, economicsSchema);
        const fees = items.flatMap((one) => one.fees);
        const feeOf = (name: string) =>
          sum(
            fees
              .filter(({ feeTypeName }) => feeTypeName === name)
              .map(({ charges }) => cents(charges[0].aggregatedDetail.totalAmount.amount)),
          );
        const wrong = items.filter(({ sales, fees: own, netProceeds, cost }) => {
          const goods = cents(cost?.costOfGoodsSold.amount ?? 0) * sales.netUnitsSold;
          const taken = sum(own.map(({ charges }) => cents(charges[0].aggregatedDetail.totalAmount.amount)));
          return cents(netProceeds.total.amount) !== cents(sales.netProductSales.amount) - taken - goods;
        });
        expect(wrong).toEqual([]);
        expect(items.filter(({ cost }) => cost === undefined).length / items.length).toBeCloseTo(1 / 13, 1);
        // The months at both ends are not whole.
        if (date === 'MONTH') continue;
        const report = add(salesReport(world, WHOLE, 'DAY').byDate);
        expect(sum(items.map(({ sales }) => cents(sales.orderedProductSales.amount)))).toBe(report.sales);
        expect(sum(items.map(({ sales }) => sales.unitsOrdered))).toBe(report.units);
        const refunded = world
          .events()
          .filter(({ kind, market }) => kind === 'Refund' && market === home)
          .flatMap((event) => event.postings)
          .filter(({ description }) =>
            ['Principal', ...(place === 'Europe' ? ['Tax'] : [])].includes(description),
          );
        expect(sum(items.map(({ sales }) => cents(sales.refundedProductSales.amount)))).toBe(
          -sum(refunded.map((one) => one.cents)),
        );
        for (const [description, name] of [
          ['Commission', 'Referral fees'],
          ['RefundCommission', 'Refund administration fees'],
          ['FBAPerUnitFulfillmentFee', 'FBA fulfillment fees'],
          ['Storage Fee', 'Monthly inventory storage fees'],
          ['StorageRenewalBilling', 'Aged inventory surcharge'],
        ] as const) {
          const charged = postings.filter((one) => one.description === description);
          expect(feeOf(name), name).toBe(-sum(charged.map((one) => one.cents)));
          expect(feeOf(name), name).toBeGreaterThan(0);
        }
      }
    },
  );

  it('storage is charged a week after each month, as the report of that month tells', () => {
    const months = world.events().filter(({ postings: [one] }) => one?.description === 'Storage Fee');
    expect(months).toHaveLength(6);
    for (const { at, postings: own, market } of months) {
      expect(market).toBe(home);
      const charged = new Date(at);
      const begin = Date.UTC(charged.getUTCFullYear(), charged.getUTCMonth() - 1, 1);
      const rows = rowsOf(
        build(world, 'GET_FBA_STORAGE_FEE_CHARGES_DATA', { start: begin, end: begin + 86_400_000 }),
      );
      expect(new Set(rows.map((row) => row.month_of_charge))).toEqual(
        new Set([new Date(begin).toISOString().slice(0, 7)]),
      );
      expect(rows.map((row) => [row.asin, cents(row.estimated_monthly_storage_fee)])).toEqual(
        own.map((one) => [one.row.asin, -one.cents]),
      );
    }
    for (const row of rowsOf(build(world, 'GET_FBA_STORAGE_FEE_CHARGES_DATA', WHOLE))) {
      const fee = Number(row.estimated_total_item_volume) * cents(row.storage_rate);
      expect(Math.abs(fee - cents(row.estimated_monthly_storage_fee))).toBeLessThan(1);
    }
    for (const zone of ['-07:00', '+02:00', '+09:00']) {
      const time = {
        start: Date.parse(`2026-09-01T00:00:00${zone}`),
        end: Date.parse(`2026-09-30T23:59:59${zone}`),
      };
      const rows = rowsOf(build(world, 'GET_FBA_STORAGE_FEE_CHARGES_DATA', time));
      expect(new Set(rows.map((row) => row.month_of_charge)), zone).toEqual(new Set(['2026-09']));
    }
    const last = rowsOf(build(world, 'GET_FBA_STORAGE_FEE_CHARGES_DATA', { start: NOON - 1, end: NOON }));
    expect(new Set(last.map((row) => row.month_of_charge))).toEqual(new Set(['2026-10']));
  });

  it('the ledger leads from the units of one month to those of the next, and to the stock of today', () => {
    const number = (row: Record<string, string>, column: string) => Number(row[column]);
    const time = { start: Date.parse('2026-04-01'), end: NOON + 1 };
    const summary = rowsOf(build(world, 'GET_LEDGER_SUMMARY_VIEW_DATA', time));
    const days = rowsOf(
      build(world, 'GET_LEDGER_SUMMARY_VIEW_DATA', time, { aggregatedByTimePeriod: 'DAILY' }),
    );
    const details = rowsOf(build(world, 'GET_LEDGER_DETAIL_VIEW_DATA', time));
    const moves = ['Receipts', 'Customer Shipments', 'Customer Returns', 'Lost', 'Disposed', 'Other Events'];
    const stock = world.stock(world.markets[0]?.id ?? '');
    expect(stock.length).toBeGreaterThan(100);
    const start = (line: Record<string, string>) => number(line, 'Starting Warehouse Balance');
    const end = (line: Record<string, string>) => number(line, 'Ending Warehouse Balance');
    for (const lines of [summary, days]) {
      const bySku = groupBy(lines, ({ MSKU }) => MSKU);
      for (const { row, fulfillable, waiting, transferred, unfulfillable } of stock) {
        const [own, others] = [true, false].map((isSellable) =>
          (bySku.get(row.sku) ?? []).filter((line) => (line.Disposition === 'SELLABLE') === isSellable),
        );
        expect(others?.filter((line) => end(line) !== unfulfillable)).toEqual([]);
        const wrong = own?.filter((line, at) => {
          const before = own[at - 1];
          const moved = sum(moves.map((column) => number(line, column)));
          const isLedFrom = before === undefined || start(line) === end(before);
          return !isLedFrom || start(line) < 0 || end(line) !== start(line) + moved;
        });
        expect(wrong).toEqual([]);
        expect(own?.map(end).at(-1)).toBe(fulfillable + waiting + transferred);
      }
    }
    const total = (column: string) => sum(summary.map((line) => number(line, column)));
    const moved = (type: string) =>
      sum(details.filter((line) => line['Event Type'] === type).map((line) => number(line, 'Quantity')));
    const ordered = world
      .orders()
      .filter(({ status, fulfilledBy }) => status === 'Shipped' && fulfilledBy === 'AMAZON')
      .flatMap(({ items }) => items.filter(({ row }) => stock.some((one) => one.row.sku === row.sku)))
      .map(({ shipped }) => shipped);
    expect(total('Customer Shipments')).toBe(-sum(ordered));
    expect(moved('Shipments')).toBe(-sum(ordered));
    expect(moved('CustomerReturns')).toBe(total('Customer Returns'));
    const lost = (column: string) => sum(details.map((line) => number(line, column)));
    const paid = world.reimbursements().filter(({ reason }) => reason === 'Lost_Warehouse');
    expect(lost('Reconciled Quantity')).toBe(sum(paid.map(({ units }) => units)));
    expect(total('Lost')).toBe(-lost('Reconciled Quantity') - lost('Unreconciled Quantity'));
  });

  it('value added tax is that of the settlements, where there is any', () => {
    const time = { start: Date.parse('2026-06-01'), end: Date.parse('2026-11-01') };
    const [transactions, calculations, invoices] = [
      'GET_VAT_TRANSACTION_DATA',
      'SC_VAT_TAX_REPORT',
      'GET_FLAT_FILE_VAT_INVOICE_DATA_REPORT',
    ].map((type) => rowsOf(build(world, type, time)));
    const inTime = world.events().filter(({ at }) => at >= time.start && at < time.end);
    const of = (kind: string, ...descriptions: string[]) =>
      sum(
        inTime
          .filter((event) => event.kind === kind)
          .flatMap((event) => event.postings)
          .filter(({ description }) => descriptions.includes(description))
          .map((one) => one.cents),
      );
    if (place === 'America') {
      expect([transactions, calculations, invoices]).toEqual([[], [], []]);
      return;
    }
    for (const [type, kind] of [
      ['SALE', 'Shipment'],
      ['REFUND', 'Refund'],
    ] as const) {
      const rows = (transactions ?? []).filter((row) => row.TRANSACTION_TYPE === type);
      const total = (...columns: string[]) =>
        sum(rows.flatMap((row) => columns.map((one) => cents(row[one]))));
      const net = of(kind, 'Principal', 'Shipping');
      const tax = of(kind, 'Tax', 'ShippingTax');
      expect(total('TOTAL_ACTIVITY_VALUE_AMT_VAT_EXCL')).toBe(net);
      expect(total('TOTAL_ACTIVITY_VALUE_VAT_AMT')).toBe(tax);
      expect(total('TOTAL_ACTIVITY_VALUE_AMT_VAT_INCL')).toBe(net + tax);
      for (const part of ['AMT_VAT_EXCL', 'VAT_AMT', 'AMT_VAT_INCL']) {
        const parts = ['PRICE_OF_ITEMS', 'PROMO_PRICE_OF_ITEMS', 'SHIP_CHARGE'].map(
          (one) => `${one}_${part}`,
        );
        expect(total(...parts)).toBe(total(`TOTAL_ACTIVITY_VALUE_${part}`));
      }
      const invoiced = (invoices ?? []).filter((row) => row['transaction-type'] === kind.toUpperCase());
      const columns = ['item', 'item-promo', 'shipping'].map((one) => `${one}-vat-incl-amount`);
      expect(sum(invoiced.flatMap((row) => columns.map((one) => cents(row[one]))))).toBe(net + tax);
      const own = (calculations ?? []).filter((row) => row['Transaction Type'] === kind.toUpperCase());
      expect(own).toHaveLength(rows.length);
      expect(
        sum(
          own.flatMap((row) =>
            ['OUR_PRICE Tax Amount', 'OUR_PRICE Tax Amount Promo', 'SHIPPING Tax Amount'].map((one) =>
              cents(row[one]),
            ),
          ),
        ),
      ).toBe(tax);
    }
    const wrong = transactions?.filter((row) => {
      const goods = cents(row.PRICE_OF_ITEMS_AMT_VAT_EXCL) * Number(row.PRICE_OF_ITEMS_VAT_RATE_PERCENT);
      const [, month, year] = row.TRANSACTION_COMPLETE_DATE?.split('-') ?? [];
      const period = Date.parse(`1 ${row.ACTIVITY_PERIOD?.split('-').reverse().join(' ')} UTC`);
      return (
        Math.abs(goods - cents(row.PRICE_OF_ITEMS_VAT_AMT)) >= 1 ||
        period !== Date.UTC(Number(year), Number(month) - 1) ||
        row.SALE_ARRIVAL_COUNTRY !== (row.MARKETPLACE?.endsWith('.de') ? 'DE' : 'FR')
      );
    });
    expect(wrong).toEqual([]);
  });

  it('planning agrees with the pace that it shows, and with the stock', () => {
    const stock = new Map(world.stock(home?.id ?? '').map((one) => [one.row.sku, one]));
    for (const row of rowsOf(build(world, 'GET_FBA_INVENTORY_PLANNING_DATA', WHOLE))) {
      const held = stock.get(row.sku ?? '');
      expect([row['inbound-working'], row['inbound-shipped'], row['inbound-received']]).toEqual(
        [held?.inboundWorking, held?.inboundShipped, held?.inboundReceiving].map(String),
      );
      const available = Number(row.available);
      const pace = Number(row['units-shipped-t30']) / 30;
      expect(row['days-of-supply']).toBe(pace === 0 ? '' : String(Math.round(available / pace)));
      const rate = Number(row['units-shipped-t90']) / available;
      expect(row['sell-through']).toBe(available === 0 ? '' : rate.toFixed(2));
      const total = (pattern: string) =>
        sum(
          Object.entries(row).flatMap(([name, value]) => (name.startsWith(pattern) ? [Number(value)] : [])),
        );
      const old = ['181-to-270', '271-to-365', '365-plus'].map((age) => Number(row[`inv-age-${age}-days`]));
      expect(total('inv-age-')).toBe(available + Number(row['total-reserved-quantity']));
      expect(total('quantity-to-be-charged-ais-')).toBe(sum(old));
      expect(total('estimated-ais-') > 0).toBe(sum(old) > 0);
    }
  });

  it('old units are charged on the 15th of each month, as their report tells', () => {
    const rows = rowsOf(build(world, 'GET_FBA_FULFILLMENT_LONGTERM_STORAGE_FEE_CHARGES_DATA', WHOLE));
    expect(new Set(rows.map((row) => row['snapshot-date']?.slice(8, 10)))).toEqual(new Set(['15']));
    const monthly = [...new Set(rows.map((row) => row['snapshot-date']))].map((day) =>
      sum(rows.flatMap((row) => (row['snapshot-date'] === day ? [Number(row['qty-charged'])] : []))),
    );
    // The same units are older in each later month.
    expect(monthly).toEqual(monthly.toSorted((one, other) => one - other));
    expect(monthly[0]).toBeLessThan(monthly.at(-1) ?? 0);
    const charged = postings.filter((one) => one.description === 'StorageRenewalBilling');
    expect(charged.length).toBeGreaterThan(0);
    expect(rows.map((row) => [row.sku, cents(row['amount-charged'])])).toEqual(
      charged.map((one) => [one.row.sku, -one.cents]),
    );
    for (const row of rows) {
      const fee = Number(row['qty-charged']) * Number(row['per-unit-volume']) * cents(row['rate-surcharge']);
      // The rate is rounded to the currency.
      expect(fee / cents(row['amount-charged'])).toBeCloseTo(1, 1);
    }
  });

  it('the health of the account follows from orders that are late, and from bad feedback', () => {
    const { performanceMetrics, accountStatuses } = healthSchema.parse(
      JSON.parse(build(world, 'GET_V2_SELLER_PERFORMANCE_REPORT', WHOLE) ?? ''),
    );
    const [{ lateShipmentRate, orderDefectRate }] = performanceMetrics;
    const orders = rowsOf(build(world, 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL', WHOLE));
    const waiting = rowsOf(build(world, 'GET_FLAT_FILE_ACTIONABLE_ORDER_DATA_SHIPPING', WHOLE));
    const isIn = ({ reportingDateRange: { reportingDateFrom, reportingDateTo } }: Rate, moment = '') =>
      moment.slice(0, 10) >= reportingDateFrom.slice(0, 10) &&
      moment.slice(0, 10) <= reportingDateTo.slice(0, 10);
    const byId = new Map(orders.map((row) => [row['amazon-order-id'], row]));
    // That report holds the orders of all marketplaces.
    const late = waiting.filter(
      (row) => byId.has(row['order-id']) && isIn(lateShipmentRate, row['promise-date']),
    );
    expect(lateShipmentRate.lateShipmentCount).toBe(new Set(late.map((row) => row['order-id'])).size);
    expect(lateShipmentRate.lateShipmentCount).toBeGreaterThan(0);
    const feedback = rowsOf(build(world, 'GET_SELLER_FEEDBACK_DATA', WHOLE));
    expect(new Set(feedback.map((row) => row['Order ID'])).size).toBe(feedback.length);
    for (const { 'Order ID': id, Rating, Comments } of feedback) {
      expect(['1', '2', '3']).toContain(Rating);
      expect(Comments === home?.words.late).toBe(waiting.some((row) => row['order-id'] === id));
    }
    for (const [channel, defects] of [
      ['Amazon', orderDefectRate.afn],
      ['Merchant', orderDefectRate.mfn],
    ] as const) {
      const isMeant = (row: Record<string, string> | undefined) =>
        row?.['fulfillment-channel'] === channel &&
        row['order-status'] !== 'Cancelled' &&
        isIn(defects, row['purchase-date']);
      const bad = feedback.filter((row) => row.Rating !== '3' && isMeant(byId.get(row['Order ID'] ?? '')));
      expect(defects.orderWithDefects?.count).toBe(bad.length);
      expect(defects.orderCount).toBe([...byId.values()].filter(isMeant).length);
      expect(defects.rate).toBeCloseTo(bad.length / defects.orderCount, 4);
      expect(defects.status).toBe(defects.rate < 0.01 ? 'GOOD' : 'BAD');
    }
    expect(accountStatuses).toEqual([{ marketplaceId: home?.id, status: 'AT_RISK' }]);
    const { salesAndTrafficByDate } = reportSchema.parse(
      JSON.parse(build(world, 'GET_SALES_AND_TRAFFIC_REPORT', WHOLE) ?? ''),
    );
    expect(sum(salesAndTrafficByDate.map((one) => one.trafficByDate.negativeFeedbackReceived ?? 0))).toBe(
      feedback.filter((row) => row.Rating !== '3').length,
    );
  });
});

it('a report on tax waits until a month is available', () => {
  const [, [, world]] = worlds;
  const { failure } = findReportType('GET_VAT_TRANSACTION_DATA') ?? {};
  const until = (end: string) =>
    failure?.({ type: '', markets: [], options: {}, start: 0, end: Date.parse(end) }, world);
  expect(until('2026-10-31T23:59:59Z')).toBeUndefined();
  expect(until('2026-11-02')).toContain('not available yet');
});
