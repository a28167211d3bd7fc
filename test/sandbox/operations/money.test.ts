/** The money of the demo account: fees, transactions, payouts and metrics agree with the orders and the reports. */

import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { validateShape } from '../../../src/call/request/validate-shape.ts';
import { answerShapeOf } from '../../../src/service/facts/answer-shapes.ts';
import { call, NOON, type SignedIn, signIn, US } from '../helpers.ts';
import { findUndocumented } from './documented-answer.ts';

const CA = 'A2EUQ1WTGCTBG2';
const DAY_MS = 86_400_000;
const PAYOUTS = '/finances/transfers/2024-06-01/payouts';
const REPORTS = '/reports/2021-06-30';
const SETTLEMENT = 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2';

let clock = NOON;
let seller: SignedIn;
beforeEach(async () => {
  clock = NOON;
  seller = await signIn({ now: () => clock });
});

const iso = (ms: number): string => new Date(ms).toISOString();
const sum = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0);
const cents = (amount: string | number | undefined): number => Math.round(Number(amount) * 100);

async function readDocument(id: string | undefined): Promise<string> {
  const schema = z.looseObject({ url: z.url(), compressionAlgorithm: z.string().optional() });
  const { url, compressionAlgorithm } = schema.parse((await seller.get(`${REPORTS}/documents/${id}`)).body);
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
  return (compressionAlgorithm === undefined ? bytes : gunzipSync(bytes)).toString();
}

/** Rows of a settlement report by column, the first with its sum. */
async function readSettlement(documentId: string | undefined) {
  const [head = '', ...lines] = (await readDocument(documentId)).split('\r\n').slice(0, -1);
  const names = head.split('\t');
  const rows = lines.map((line) => {
    const values = line.split('\t');
    return Object.fromEntries(names.map((name, i) => [name, values[i] ?? '']));
  });
  return { head: rows[0] ?? {}, rows: rows.slice(1) };
}

const reportsSchema = z.looseObject({
  reports: z.array(
    z.looseObject({
      marketplaceIds: z.array(z.string()),
      dataStartTime: z.string(),
      dataEndTime: z.string(),
      reportDocumentId: z.string().optional(),
    }),
  ),
});
const listSettlements = async () =>
  reportsSchema.parse((await seller.get(`${REPORTS}/reports?pageSize=100&reportTypes=${SETTLEMENT}`)).body)
    .reports;

const money = z.strictObject({ currencyCode: z.string(), currencyAmount: z.number() });
const paidSchema = z.looseObject({
  amount: money,
  period: z.strictObject({ startDate: z.string(), endDate: z.string() }),
  partnerMetadata: z.looseObject({ marketplaceId: z.string() }),
});
const payoutsSchema = z.strictObject({ payouts: z.array(paidSchema.extend({ id: z.string() })) });
const listPayouts = async (query = '') =>
  payoutsSchema.parse((await seller.get(`${PAYOUTS}?${query}`)).body).payouts;

interface Breakdown {
  breakdownType: string;
  breakdownAmount: z.output<typeof money>;
  breakdowns: Breakdown[];
}
const breakdown: z.ZodType<Breakdown> = z.strictObject({
  breakdownType: z.string(),
  breakdownAmount: money,
  breakdowns: z.lazy(() => z.array(breakdown)),
});
const transactionSchema = z.looseObject({
  transactionId: z.string(),
  relatedIdentifiers: z.array(
    z.strictObject({ relatedIdentifierName: z.string(), relatedIdentifierValue: z.string() }),
  ),
  postedDate: z.string(),
  transactionType: z.string(),
  totalAmount: money,
  items: z.array(z.looseObject({ totalAmount: money, breakdowns: z.array(breakdown) })),
  breakdowns: z.array(breakdown),
});
const transactionsSchema = z.strictObject({
  payload: z.strictObject({ transactions: z.array(transactionSchema), nextToken: z.string().optional() }),
});
const listTransactions = async (query: string) =>
  (
    await seller.pages(`/finances/2024-06-19/transactions?${query}`, 'nextToken', (body) => {
      const { transactions, nextToken } = transactionsSchema.parse(body).payload;
      return { items: transactions, next: nextToken };
    })
  ).items;
type Transaction = z.output<typeof transactionSchema>;

const isShipment = ({ transactionType }: Transaction): boolean => transactionType === 'Shipment';

const orderOf = ({ relatedIdentifiers }: Transaction): string | undefined =>
  relatedIdentifiers.find((one) => one.relatedIdentifierName === 'ORDER_ID')?.relatedIdentifierValue;
const totalOf = (all: readonly { totalAmount: z.output<typeof money> }[]): number =>
  sum(all.map(({ totalAmount }) => cents(totalAmount.currencyAmount)));
const sumOfBreakdowns = (all: readonly Breakdown[]): number =>
  sum(all.map(({ breakdownAmount }) => cents(breakdownAmount.currencyAmount)));

/** Each sum of a breakdown is that of its parts. */
function expectSums({ breakdownAmount, breakdowns }: Breakdown): void {
  if (breakdowns.length === 0) return;
  expect(sumOfBreakdowns(breakdowns)).toBe(cents(breakdownAmount.currencyAmount));
  breakdowns.forEach(expectSums);
}

describe('payouts', () => {
  it('are the same in settlement reports, payouts and transactions', async () => {
    const [settlements, payouts] = [await listSettlements(), await listPayouts()];
    expect(settlements).toHaveLength(14);
    for (const { marketplaceIds, dataStartTime, dataEndTime, reportDocumentId } of settlements) {
      const { head, rows } = await readSettlement(reportDocumentId);
      const payout = payouts.find(
        ({ period, partnerMetadata }) =>
          period.startDate === dataStartTime && partnerMetadata.marketplaceId === marketplaceIds.join(),
      );
      const transactions = await listTransactions(
        `relatedIdentifierName=FINANCIAL_EVENT_GROUP_ID&relatedIdentifierValue=${payout?.id}`,
      );
      const paid = cents(head['total-amount']);
      expect(paid).toBeGreaterThan(0);
      expect([
        sum(rows.map(({ amount }) => cents(amount))),
        cents(payout?.amount.currencyAmount),
        totalOf(transactions),
      ]).toEqual([paid, paid, paid]);
      expect(payout).toMatchObject({
        period: { endDate: dataEndTime },
        amount: { currencyCode: head.currency },
      });
      expect(new Set(transactions.map((one) => orderOf(one) ?? ''))).toEqual(
        new Set(rows.map((row) => row['order-id'])),
      );
      const kinds: [type: string, ...transactionTypes: string[]][] = [
        ['Order', 'Shipment'],
        ['Refund', 'Refund'],
        ['other-transaction', 'Adjustment', 'ServiceFee'],
      ];
      for (const [type, ...transactionTypes] of kinds) {
        const own = rows.filter((row) => row['transaction-type'] === type);
        expect(sum(own.map(({ amount }) => cents(amount))), type).toBe(
          totalOf(transactions.filter((one) => transactionTypes.includes(one.transactionType))),
        );
      }
      const posted = await listTransactions(
        `postedAfter=${dataStartTime}&postedBefore=${dataEndTime}&marketplaceId=${marketplaceIds.join()}`,
      );
      expect(posted).toEqual(transactions);
    }
  });

  it('hold each order that was shipped, with its total less the fees', async () => {
    const start = iso(NOON - 30 * DAY_MS);
    const end = iso(NOON - DAY_MS);
    const transactions = await listTransactions(`postedAfter=${start}&postedBefore=${end}`);
    const ordersSchema = z.looseObject({
      payload: z.looseObject({
        Orders: z.array(
          z.looseObject({ AmazonOrderId: z.string(), OrderTotal: z.looseObject({ Amount: z.string() }) }),
        ),
        NextToken: z.string().optional(),
      }),
    });
    const { items: orders } = await seller.pages(
      `/orders/v0/orders?MarketplaceIds=${US},${CA}&OrderStatuses=Shipped&LastUpdatedAfter=${start}&LastUpdatedBefore=${end}`,
      'NextToken',
      (body) => {
        const { Orders, NextToken } = ordersSchema.parse(body).payload;
        return { items: Orders, next: NextToken };
      },
    );
    const paidBy = new Map(
      transactions
        .filter(isShipment)
        .map((one) => [
          orderOf(one),
          cents(
            one.breakdowns.find(({ breakdownType }) => breakdownType === 'Sales')?.breakdownAmount
              .currencyAmount,
          ),
        ]),
    );
    expect(paidBy).toEqual(
      new Map(orders.map(({ AmazonOrderId, OrderTotal }) => [AmazonOrderId, cents(OrderTotal.Amount)])),
    );
    for (const { totalAmount, breakdowns, items } of transactions) {
      breakdowns.forEach(expectSums);
      expect(sumOfBreakdowns(breakdowns)).toBe(cents(totalAmount.currencyAmount));
      expect(totalOf(items)).toBe(cents(totalAmount.currencyAmount));
    }
  });

  it('are expected for the running period in each currency; all together they are all transactions', async () => {
    const expectedSchema = z.strictObject({ expectedPayouts: z.array(paidSchema) });
    const expected = expectedSchema.parse((await seller.get(`${PAYOUTS}/expected`)).body).expectedPayouts;
    expect(expected.map(({ amount }) => amount.currencyCode)).toEqual(['USD', 'CAD']);
    const all = [...(await listPayouts()), ...expected].map(({ amount }) => cents(amount.currencyAmount));
    // Transactions of the last two minutes are not listed yet.
    clock += 180_000;
    expect(sum(all)).toBe(totalOf(await listTransactions('postedAfter=2026-05-26T00:00:00Z')));
  });

  it('are expected as the balances tell, and listed as groups of events', async () => {
    const expectedSchema = z.strictObject({ expectedPayouts: z.array(paidSchema) });
    const expected = expectedSchema.parse((await seller.get(`${PAYOUTS}/expected`)).body).expectedPayouts;
    const balancesSchema = z.strictObject({ balances: z.array(paidSchema.omit({ period: true })) });
    const balancesOf = async (query: string) =>
      balancesSchema.parse((await seller.get(`/finances/2024-06-19/balances?${query}`)).body).balances;
    const amounts = (all: readonly { amount: unknown }[]) => all.map(({ amount }) => amount);
    expect(amounts(await balancesOf(''))).toEqual(amounts(expected));
    expect((await balancesOf('balanceType=DEFERRED')).map(({ amount }) => amount.currencyAmount)).toEqual([
      0, 0,
    ]);
    const paid = await listPayouts();
    // The last day of a period has all that its payout has.
    expect(amounts(await balancesOf('asOfDate=2026-11-17'))).toEqual(amounts(paid.slice(0, 2)));

    const groupsSchema = z.strictObject({
      payload: z.strictObject({
        FinancialEventGroupList: z.array(
          z.looseObject({
            FinancialEventGroupId: z.string(),
            ProcessingStatus: z.string(),
            OriginalTotal: z.strictObject({ CurrencyCode: z.string(), CurrencyAmount: z.number() }),
          }),
        ),
        NextToken: z.string().optional(),
      }),
    });
    const { items: groups, calls } = await seller.pages(
      '/finances/v0/financialEventGroups?MaxResultsPerPage=10',
      'NextToken',
      (body) => {
        const { FinancialEventGroupList: items, NextToken: next } = groupsSchema.parse(body).payload;
        return { items, next };
      },
    );
    expect(calls).toBe(3);
    const isClosed = ({ ProcessingStatus }: (typeof groups)[number]) => ProcessingStatus === 'Closed';
    expect(
      groups.filter(isClosed).map((one) => [one.FinancialEventGroupId, one.OriginalTotal.CurrencyAmount]),
    ).toEqual(paid.map(({ id, amount }) => [id, amount.currencyAmount]));
    expect(
      groups.filter((one) => !isClosed(one)).map(({ OriginalTotal }) => OriginalTotal.CurrencyAmount),
    ).toEqual(expected.map(({ amount }) => amount.currencyAmount));
  });

  it('are found by marketplace, time and id', async () => {
    const [payout, ...others] = await listPayouts(`marketplaceIds=${CA}&createdAfter=2026-11-10T00:00:00Z`);
    expect([others.length, payout?.partnerMetadata.marketplaceId]).toEqual([0, CA]);
    expect(await listPayouts(`payoutId=${payout?.id}`)).toEqual([payout]);
  });

  it.each([
    '/finances/2024-06-19/transactions',
    `/finances/2024-06-19/transactions?postedAfter=${iso(NOON)}`,
    '/finances/2024-06-19/transactions?postedAfter=2026-11-02T00:00:00Z&postedBefore=2026-11-01T00:00:00Z',
    '/finances/2024-06-19/transactions?relatedIdentifierName=SETTLEMENT_ID&relatedIdentifierValue=1',
    '/finances/2024-06-19/transactions?postedAfter=2026-11-02T00:00:00Z&relatedIdentifierName=ORDER_ID',
    `${PAYOUTS}?createdAfter=then`,
    '/finances/2024-06-19/balances?asOfDate=then',
    '/finances/2024-06-19/balances?balanceType=ALL',
  ])('refuses %s', async (wrong) => {
    expect((await seller.get(wrong)).status).toBe(400);
  });

  it('finds nothing in more than 180 days', async () => {
    expect(await listTransactions('postedAfter=2026-05-01T00:00:00Z')).toEqual([]);
  });
});

/** Asks for a report and reads its rows by column, whichever way it is quoted. */
async function readReport(reportType: string) {
  const body = {
    reportType,
    marketplaceIds: [US, CA],
    dataStartTime: iso(NOON - 180 * DAY_MS),
    dataEndTime: iso(NOON),
  };
  const asked = await call(seller.sandbox, `${REPORTS}/reports`, {
    method: 'POST',
    token: seller.token,
    body,
  });
  const { reportId } = z.looseObject({ reportId: z.string() }).parse(asked.body);
  clock += 5_000;
  const done = z.looseObject({ reportDocumentId: z.string() });
  const { reportDocumentId } = done.parse((await seller.get(`${REPORTS}/reports/${reportId}`)).body);
  const [head = '', ...lines] = (await readDocument(reportDocumentId))
    .replace('\ufeff', '')
    .trimEnd()
    .split('\r\n');
  const split = (line: string) => (head.startsWith('"') ? line.slice(1, -1).split('","') : line.split('\t'));
  return lines.map((line) => Object.fromEntries(split(line).map((value, i) => [split(head)[i], value])));
}

describe('refunds and reimbursements', () => {
  const since = `postedAfter=${iso(NOON - 179 * DAY_MS)}&postedBefore=${iso(NOON)}`;
  const partsOf = (all: readonly Transaction[]): Breakdown[] =>
    all.flatMap(({ breakdowns }) => breakdowns).flatMap(({ breakdowns }) => breakdowns);

  it('are those of the reports on returns and reimbursements', async () => {
    const sellers = await readReport('GET_CSV_MFN_PRIME_RETURNS_REPORT');
    const fba = await readReport('GET_FBA_FULFILLMENT_CUSTOMER_RETURNS_DATA');
    const reimbursements = await readReport('GET_FBA_REIMBURSEMENTS_DATA');
    clock += 180_000;
    const transactions = await listTransactions(since);
    const refunds = transactions.filter(({ transactionType }) => transactionType === 'Refund');
    const refundsOf = (id: string | undefined) => refunds.filter((one) => orderOf(one) === id);
    for (const row of fba) expect(refundsOf(row['order-id']).length).toBeGreaterThan(0);
    expect(sellers.length).toBeGreaterThan(10);
    for (const row of sellers) {
      const goods = refundsOf(row['Order ID']).map((one) => {
        const sales = one.breakdowns.find(({ breakdownType }) => breakdownType === 'Sales');
        return -cents(sales?.breakdownAmount.currencyAmount);
      });
      expect(goods).toContain(cents(row['Refunded Amount']));
      expect(cents(row['Refunded Amount'])).toBeLessThanOrEqual(cents(row['Order Amount']));
    }
    const paid = transactions.filter(({ transactionType }) => transactionType === 'Adjustment');
    expect(totalOf(paid)).toBe(sum(reimbursements.map((row) => cents(row['amount-total']))));
    for (const row of reimbursements.filter(({ reason }) => reason === 'CustomerReturn')) {
      expect(refundsOf(row['amazon-order-id']).length).toBeGreaterThan(0);
    }
  });

  it('leave no tax to the seller where the service pays it to the state', async () => {
    clock += 180_000;
    const parts = partsOf(await listTransactions(since));
    const of = (...types: string[]) =>
      sumOfBreakdowns(parts.filter(({ breakdownType }) => types.includes(breakdownType)));
    expect(of('Tax')).toBeGreaterThan(0);
    expect(of('MarketplaceFacilitatorTax-Principal')).toBe(-of('Tax'));
    expect(of('MarketplaceFacilitatorTax-Shipping')).toBe(-of('ShippingTax'));
  });

  it('split a price that includes its tax, which the seller is paid', async () => {
    seller = await signIn({ now: () => clock, home: 'DE' });
    const settlement = (await listSettlements()).at(0);
    const { rows } = await readSettlement(settlement?.reportDocumentId);
    const euros = (row: Record<string, string>) => cents(row.amount?.replace(',', '.'));
    expect(rows.some((row) => row['amount-type'] === 'ItemWithheldTax')).toBe(false);
    const sales = rows.filter(
      (row) => row['transaction-type'] === 'Order' && row['amount-description'] === 'Principal',
    );
    for (const sale of sales) {
      const tax = rows.find(
        (row) =>
          row['transaction-type'] === 'Order' &&
          row['amount-description'] === 'Tax' &&
          row['order-item-code'] === sale['order-item-code'],
      );
      expect(Math.abs(euros(sale) * 0.19 - euros(tax ?? {}))).toBeLessThan(1);
    }
  });
});

describe('fees', () => {
  const oldAmount = z.strictObject({ CurrencyCode: z.string(), Amount: z.number() });
  const resultSchema = z.looseObject({
    Status: z.string(),
    FeesEstimateIdentifier: z.looseObject({ IdValue: z.string(), SellerInputIdentifier: z.string() }),
    FeesEstimate: z
      .looseObject({
        TotalFeesEstimate: oldAmount,
        FeeDetailList: z.array(z.looseObject({ FeeType: z.string(), FinalFee: oldAmount })),
      })
      .optional(),
  });
  const post = (path: string, body: unknown) =>
    call(seller.sandbox, `/products/fees/v0/${path}`, { method: 'POST', token: seller.token, body });
  const request = (amount: number, isByAmazon = true, currency = 'USD') => ({
    FeesEstimateRequest: {
      MarketplaceId: US,
      IsAmazonFulfilled: isByAmazon,
      PriceToEstimateFees: { ListingPrice: { CurrencyCode: currency, Amount: amount } },
      Identifier: 'mine',
    },
  });

  it('are those that the settlement charged for one unit at this price', async () => {
    const settlement = (await listSettlements()).find(({ marketplaceIds }) => marketplaceIds.includes(US));
    const { rows: all } = await readSettlement(settlement?.reportDocumentId);
    const rows = all.filter((row) => row['transaction-type'] === 'Order');
    const single = rows.filter((row) => row['quantity-purchased'] === '1').slice(0, 20);
    expect(single).toHaveLength(20);
    const charged = single.map((sale) => {
      const own = rows.filter((row) => row['order-item-code'] === sale['order-item-code']);
      return own.filter((row) => row['amount-type'] === 'ItemFees').map(({ amount }) => -cents(amount));
    });
    const body = single.map((row) => ({
      ...request(Number(row.amount), row['fulfillment-id'] === 'AFN'),
      IdType: 'SellerSKU',
      IdValue: row.sku,
    }));
    const estimates = z.array(resultSchema).parse((await post('feesEstimate', body)).body);
    const estimated = estimates.map(({ FeesEstimate }) =>
      FeesEstimate?.FeeDetailList.map(({ FinalFee }) => cents(FinalFee.Amount)),
    );
    expect(estimated).toEqual(charged);
    expect(new Set(charged.map(({ length }) => length))).toEqual(new Set([1, 2]));
    for (const { FeesEstimate } of estimates) {
      expect(sum(FeesEstimate?.FeeDetailList.map(({ FinalFee }) => cents(FinalFee.Amount)) ?? [])).toBe(
        cents(FeesEstimate?.TotalFeesEstimate.Amount),
      );
    }
  });

  it('are those of the fee preview', async () => {
    const rows = (await readReport('GET_FBA_ESTIMATED_FBA_FEES_TXT_DATA'))
      .filter((row) => row['amazon-store'] === 'US')
      .slice(0, 20);
    const body = rows.map((row) => ({
      ...request(Number(row['your-price'])),
      IdType: 'SellerSKU',
      IdValue: row.sku,
    }));
    const estimates = z.array(resultSchema).parse((await post('feesEstimate', body)).body);
    expect(estimates.map(({ FeesEstimate }) => cents(FeesEstimate?.TotalFeesEstimate.Amount))).toEqual(
      rows.map((row) => cents(row['estimated-fee-total'])),
    );
    const parts = ['estimated-referral-fee-per-unit', 'expected-fulfillment-fee-per-unit'];
    expect(
      estimates.map(({ FeesEstimate }) =>
        FeesEstimate?.FeeDetailList.map(({ FinalFee }) => cents(FinalFee.Amount)),
      ),
    ).toEqual(rows.map((row) => parts.map((part) => cents(row[part]))));
    expect(rows).toHaveLength(20);
  });

  it('are the same by SKU and by ASIN', async () => {
    const one = z.strictObject({ payload: z.strictObject({ FeesEstimateResult: resultSchema }) });
    const estimate = async (path: string) =>
      one.parse((await post(path, request(20))).body).payload.FeesEstimateResult.FeesEstimate;
    const found = await seller.get(
      `/listings/2021-08-01/items/${seller.sandbox.sellerId}/SHLF-OAK-S?marketplaceIds=${US}`,
    );
    const { summaries } = z
      .looseObject({ summaries: z.tuple([z.looseObject({ asin: z.string() })]) })
      .parse(found.body);
    const bySku = await estimate('listings/SHLF-OAK-S/feesEstimate');
    expect(bySku?.FeeDetailList[0]?.FinalFee).toEqual({ CurrencyCode: 'USD', Amount: 3 });
    expect(await estimate(`items/${summaries[0].asin}/feesEstimate`)).toEqual(bySku);
  });

  it('of an unknown product, or in another currency, fail alone', async () => {
    const body = [
      { ...request(20), IdType: 'SellerSKU', IdValue: 'NO-SUCH' },
      { ...request(20, true, 'EUR'), IdType: 'SellerSKU', IdValue: 'SHLF-OAK-S' },
      { ...request(20), IdType: 'SellerSKU', IdValue: 'SHLF-OAK-S' },
    ];
    const results = z.array(resultSchema).parse((await post('feesEstimate', body)).body);
    expect(results.map(({ Status }) => Status)).toEqual(['ClientError', 'ClientError', 'Success']);
    expect((await post('feesEstimate', [])).status).toBe(400);
    expect((await post('feesEstimate', [...body, ...Array(18).fill(body[0])])).status).toBe(400);
  });
});

describe('order metrics', () => {
  const decimal = z.strictObject({
    currencyCode: z.string(),
    amount: z.string().regex(/^\d+(?:\.\d{1,2})?$/),
  });
  const metricsSchema = z.strictObject({
    payload: z.array(
      z.strictObject({
        interval: z.string(),
        unitCount: z.int(),
        orderItemCount: z.int(),
        orderCount: z.int(),
        averageUnitPrice: decimal,
        totalSales: decimal,
      }),
    ),
  });
  async function measure(given: Record<string, string>) {
    const query = new URLSearchParams({ marketplaceIds: US, granularity: 'Total', ...given });
    const reply = await seller.get(`/sales/v1/orderMetrics?${query}`);
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    return metricsSchema.parse(reply.body).payload;
  }
  type Metrics = Awaited<ReturnType<typeof measure>>;
  const add = (all: Metrics) => ({
    units: sum(all.map(({ unitCount }) => unitCount)),
    items: sum(all.map(({ orderItemCount }) => orderItemCount)),
    orders: sum(all.map(({ orderCount }) => orderCount)),
    sales: sum(all.map(({ totalSales }) => cents(totalSales.amount))),
  });
  /** The period leaves out the last day, because some of its orders have no price yet. */
  const interval = `${iso(NOON - 20 * DAY_MS)}--${iso(NOON - DAY_MS)}`;

  it('count the orders that were not canceled', async () => {
    const orderSchema = z.looseObject({
      fulfillment: z.looseObject({ fulfillmentStatus: z.string() }),
      orderItems: z.array(
        z.looseObject({
          quantityOrdered: z.int(),
          product: z.looseObject({
            price: z.looseObject({ unitPrice: z.looseObject({ amount: z.string() }) }),
          }),
        }),
      ),
    });
    const pageSchema = z.looseObject({
      orders: z.array(orderSchema),
      pagination: z.looseObject({ nextToken: z.string() }).optional(),
    });
    const [start, end] = interval.split('--');
    const { items: orders } = await seller.pages(
      `/orders/2026-01-01/orders?marketplaceIds=${US}&includedData=FULFILLMENT&createdAfter=${start}&createdBefore=${end}`,
      'paginationToken',
      (body) => {
        const { orders: items, pagination } = pageSchema.parse(body);
        return { items, next: pagination?.nextToken };
      },
    );
    const sold = orders.filter(({ fulfillment }) => fulfillment.fulfillmentStatus !== 'CANCELLED');
    expect(sold.length).toBeLessThan(orders.length);
    const items = sold.flatMap(({ orderItems }) => orderItems);
    expect(add(await measure({ interval }))).toEqual({
      units: sum(items.map(({ quantityOrdered }) => quantityOrdered)),
      items: items.length,
      orders: sold.length,
      sales: sum(items.map((one) => one.quantityOrdered * cents(one.product.price.unitPrice.amount))),
    });
  });

  it('are those of the sales and traffic report, day by day', async () => {
    const body = {
      reportType: 'GET_SALES_AND_TRAFFIC_REPORT',
      marketplaceIds: [US],
      dataStartTime: '2026-11-01T00:00:00Z',
      dataEndTime: '2026-11-14T23:59:59Z',
    };
    const asked = await call(seller.sandbox, `${REPORTS}/reports`, {
      method: 'POST',
      token: seller.token,
      body,
    });
    const { reportId } = z.looseObject({ reportId: z.string() }).parse(asked.body);
    clock += 5_000;
    const done = z.looseObject({ reportDocumentId: z.string() });
    const { reportDocumentId } = done.parse((await seller.get(`${REPORTS}/reports/${reportId}`)).body);
    const daySchema = z.looseObject({
      date: z.string(),
      salesByDate: z.looseObject({
        orderedProductSales: z.looseObject({ amount: z.number() }),
        unitsOrdered: z.int(),
        totalOrderItems: z.int(),
      }),
    });
    const { salesAndTrafficByDate } = z
      .looseObject({ salesAndTrafficByDate: z.array(daySchema) })
      .parse(JSON.parse(await readDocument(reportDocumentId)));
    const metrics = await measure({
      interval: '2026-11-01T00:00:00-07:00--2026-11-15T00:00:00-08:00',
      granularity: 'Day',
      granularityTimeZone: 'America/Los_Angeles',
    });
    expect(
      metrics.map((one) => [
        one.interval.slice(0, 10),
        one.unitCount,
        one.orderItemCount,
        cents(one.totalSales.amount),
      ]),
    ).toEqual(
      salesAndTrafficByDate.map(
        ({ date, salesByDate: { unitsOrdered, totalOrderItems, orderedProductSales } }) => [
          date,
          unitsOrdered,
          totalOrderItems,
          cents(orderedProductSales.amount),
        ],
      ),
    );
  });

  it('by any granularity and zone follow one another and add up to the total', async () => {
    const zones = ['UTC', 'US/Pacific', 'Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe'];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('Hour', 'Day', 'Week', 'Month', 'Year'),
        fc.constantFrom(...zones),
        fc.integer({ min: 1, max: 170 * 24 }),
        fc.integer({ min: 1, max: 60 * 24 }),
        fc.constantFrom('Monday', 'Sunday'),
        async (granularity, granularityTimeZone, hoursAgo, hours, firstDayOfWeek) => {
          const start = NOON - (granularity === 'Hour' ? hoursAgo % 600 : hoursAgo) * 3_600_000;
          const given = {
            interval: `${withOffset(start, granularityTimeZone)}--${iso(Math.min(NOON, start + hours * 3_600_000))}`,
            granularityTimeZone,
            firstDayOfWeek,
          };
          const [total, parts] = [await measure(given), await measure({ ...given, granularity })];
          expect(add(parts)).toEqual(add(total));
          const moments = parts.map((one) => one.interval.split('--'));
          moments.slice(1).forEach(([begin], i) => {
            expect(begin).toBe(moments[i]?.[1]);
          });
          if (granularity !== 'Hour')
            expect(moments.flat().every((one) => one.includes('T00:00'))).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('by buyer, by fulfillment network and by product add up to all', async () => {
    const all = add(await measure({ interval }));
    for (const parts of [
      [{ buyerType: 'B2B' }, { buyerType: 'B2C' }],
      [{ fulfillmentNetwork: 'AFN' }, { fulfillmentNetwork: 'MFN' }],
    ]) {
      const metrics = await Promise.all(parts.map((part) => measure({ interval, ...part })));
      expect(metrics.every(([one]) => (one?.unitCount ?? 0) > 0)).toBe(true);
      expect(add(metrics.flat())).toEqual(all);
    }
    const long = `${iso(NOON - 170 * DAY_MS)}--${iso(NOON)}`;
    const bySku = await measure({ interval: long, sku: 'SHLF-OAK-S' });
    const byAsin = await measure({ interval: long, asin: 'B0SBW00003' });
    expect(bySku).toEqual(byAsin);
    expect(add(bySku).units).toBeGreaterThan(0);
  });

  it.each([
    ['granularity=Day', interval],
    ['granularity=Decade', interval],
    ['granularity=Total', '2026-11-01--2026-11-02'],
    ['granularity=Total', '2026-11-02T00:00:00Z--2026-11-01T00:00:00Z'],
    ['granularity=Total', '2020-11-02T00:00:00Z--2026-11-01T00:00:00Z'],
    ['granularity=Hour', '2026-10-02T00:00:00Z--2026-11-01T00:00:00Z'],
    ['granularity=Day&granularityTimeZone=US/Pacific', interval],
    ['granularity=Day&granularityTimeZone=Nowhere/Land', interval],
    [`granularity=Total&marketplaceIds=${CA}`, interval],
    ['granularity=Total&asin=A&sku=B', interval],
  ])('refuse %s in %s', async (query, wrong) => {
    const path = `/sales/v1/orderMetrics?marketplaceIds=${US}&interval=${wrong}&${query}`;
    expect((await seller.get(path)).status).toBe(400);
  });
});

/** `2026-11-21T04:00:00-08:00` */
function withOffset(ms: number, zone: string): string {
  const local = new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone: zone,
  }).format(ms);
  const ahead = Date.parse(`${local.replace(' ', 'T')}Z`) - ms;
  const offset = iso(Math.abs(ahead)).slice(11, 16);
  return `${local.replace(' ', 'T')}${ahead < 0 ? '-' : '+'}${offset}`;
}

describe('the shapes', () => {
  const body = {
    FeesEstimateRequest: {
      MarketplaceId: US,
      PriceToEstimateFees: { ListingPrice: { CurrencyCode: 'USD', Amount: 20 } },
      Identifier: 'mine',
    },
  };
  const since = '2026-11-10T00:00:00Z';
  it.each([
    ['finance/listTransactions', `/finances/2024-06-19/transactions?postedAfter=${since}`],
    ['finance/listBalances', '/finances/2024-06-19/balances'],
    ['finance/listFinancialEventGroups', '/finances/v0/financialEventGroups'],
    ['transfers/listPayouts', PAYOUTS],
    ['transfers/listExpectedPayouts', `${PAYOUTS}/expected`],
    [
      'sales/getOrderMetrics',
      `/sales/v1/orderMetrics?marketplaceIds=${US}&granularity=Total&interval=${since}--${iso(NOON)}`,
    ],
    ['fees/getMyFeesEstimateForSKU', '/products/fees/v0/listings/SHLF-OAK-S/feesEstimate'],
    ['fees/getMyFeesEstimateForSKU', '/products/fees/v0/listings/NO-SUCH/feesEstimate'],
  ])('of %s are those of the definition', async (id, path) => {
    const shape = await answerShapeOf({ id });
    const reply = await call(seller.sandbox, path, {
      token: seller.token,
      ...(id.startsWith('fees/') && { method: 'POST', body }),
    });
    expect(reply.status).toBe(200);
    expect(await validateShape(shape?.schema ?? {}, reply.body, shape?.defs)).toEqual([]);
    expect(await findUndocumented(id, reply.body)).toEqual([]);
  });
});
