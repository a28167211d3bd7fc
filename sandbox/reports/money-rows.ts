/** Rows of the settlement reports and of the reports on value added tax in Europe: an amount of an event each, or an item of it. */

import { groupBy } from '../../src/base/group-by.ts';
import { countryName } from '../../src/service/facts/marketplaces.ts';
import { SELLER_ID } from '../fixtures/listings.ts';
import { detailsOf } from '../world/buyer-details.ts';
import { dayIn } from '../world/periods.ts';
import { type FinancialEvent, type Posting, sumOf } from '../world/settlements.ts';
import { invoiceNumberOf, isInvoiced, taxOf } from '../world/taxes.ts';
import type { World } from '../world/world.ts';
import { isInTime, type ReportRequest, type Rows } from './report-type.ts';

/** The first row has the sum and neither event nor posting. */
function settlementLines(world: World, { markets: [market], end }: ReportRequest): object[] {
  const settlement = world.settlements().find((one) => one.market === market && one.end === end);
  if (market === undefined || settlement === undefined) return [];
  const { id } = settlement;
  const lines = world
    .events()
    .filter((event) => event.settlement.id === id)
    .flatMap((event) => event.postings.map((posting) => settlementLine(id, event, posting)));
  const head = { ...settlement, currency: market.currency, cents: sumOf(lines) };
  return [{ id, market, head, shipmentId: '', network: '', quantity: '' }, ...lines];
}

function settlementLine(id: string, event: FinancialEvent, posting: Posting) {
  const { kind, order, market } = event;
  const { type, description, units } = posting;
  const only = (isMeant: boolean) => (isMeant ? posting : undefined);
  const isCounted = kind === 'Reimbursement' || (kind === 'Shipment' && description === 'Principal');
  return {
    ...posting,
    id,
    market,
    event,
    // The older form has a column for each of these.
    charge: only(type === 'ItemPrice'),
    deduction: only(type === 'ItemFees' || type === 'ItemWithheldTax'),
    other: only(type === 'FBA Inventory Reimbursement' || type === 'other-transaction'),
    shipmentId: kind === 'Shipment' ? `S${event.id.replaceAll('-', '').slice(3, 12)}` : '',
    network: order?.fulfilledBy === 'MERCHANT' ? 'MFN' : 'AFN',
    quantity: isCounted ? units : '',
  };
}

const UNION = ['DE', 'FR', 'IT', 'ES', 'NL', 'BE', 'SE', 'PL', 'IE'];
const EUROPE = [...UNION, 'GB'];

/** Builds an amount in hundredths of the currency; net excludes the tax. Amounts of a refund are negative. */
const amountOf = (net: number, tax: number) => ({ net, tax, gross: net + tax });

const add = (one: ReturnType<typeof amountOf>, other: ReturnType<typeof amountOf>) =>
  amountOf(one.net + other.net, one.tax + other.tax);

/** The reports hold all European marketplaces of the account, whichever is asked for. */
const vatLines = (world: World, request: ReportRequest) =>
  world
    .events()
    .filter(({ market, at }) => EUROPE.includes(market.country) && isInTime(request, at))
    .flatMap((event) =>
      [...groupBy(event.postings, ({ item }) => item).values()].flatMap((own) => vatLine(world, event, own)),
    );

function vatLine(world: World, event: FinancialEvent, own: readonly [Posting, ...Posting[]]) {
  const { order, market, kind, at } = event;
  const [{ item }] = own;
  // The goods leave the warehouses and shops of the first marketplace.
  const [home] = world.markets;
  if (order === undefined || item === undefined || home === undefined) return [];
  const sum = (wanted: string) => sumOf(own.filter(({ description }) => description === wanted));
  const isRefund = kind === 'Refund';
  const sign = isRefund ? -1 : 1;
  const tax = sign * taxOf(item.priceCents, market);
  const goods = amountOf(sign * item.priceCents - tax, tax);
  const discount = amountOf(sum('Principal') - goods.net, sum('Tax') - tax);
  const shipping = amountOf(sum('Shipping'), sum('ShippingTax'));
  const paid = add(goods, discount);
  const { buyer } = order;
  const { company } = detailsOf(order);
  const [departure, arrival] = [home.country, buyer.countryCode];
  const isExport = UNION.includes(departure) !== UNION.includes(arrival);
  const eventDay = dayIn(market, at);
  const month = new Date(eventDay).toLocaleString('en', { month: 'short', timeZone: 'UTC' });
  return [
    {
      sellerId: SELLER_ID,
      event,
      order,
      item,
      row: item.row,
      market,
      buyer,
      company,
      businessCountry: company && arrival,
      goods,
      discount,
      shipping,
      paid,
      whole: add(paid, shipping),
      kind: kind.toUpperCase(),
      network: order.fulfilledBy === 'AMAZON' ? 'AFN' : 'MFN',
      store: market.channel.toLowerCase(),
      period: `${eventDay.slice(0, 4)}-${month.toUpperCase()}`,
      day: eventDay.split('-').reverse().join('-'),
      eventDay,
      orderDay: dayIn(order.market, order.purchasedAt),
      rate: market.taxPercent / 100,
      warehouse: home.towns[0] ?? { city: '', postalCode: '' },
      departure,
      jurisdiction: countryName(arrival).toUpperCase(),
      // There is no invoice yet, or there is one; a refund has a credit note.
      invoice: isInvoiced(order) ? `${isRefund ? 'CN-' : ''}${invoiceNumberOf(order)}` : '',
      isExport,
      scheme: departure === arrival || isExport ? 'REGULAR' : 'UNION-OSS',
    },
  ];
}

export const moneyRows = {
  settlementLines,
  vatLines,
  vatInvoiceLines: (world, request) =>
    vatLines(world, request).filter(
      ({ order }) => request.options.pendingInvoices !== 'true' || !isInvoiced(order),
    ),
} satisfies Readonly<Record<string, Rows>>;
