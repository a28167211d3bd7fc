/** The reports on value added tax in Europe tell of each item that was shipped or refunded its net, its tax, and both together. */

import { groupBy } from '../../src/base/group-by.ts';
import { countryName } from '../../src/service/facts/marketplaces.ts';
import { SELLER_ID } from '../fixtures/listings.ts';
import columns from '../recorded/report-columns.json' with { type: 'json' };
import { detailsOf } from '../world/buyer-details.ts';
import type { Order, OrderItem } from '../world/make-orders.ts';
import type { Market } from '../world/markets.ts';
import { dayIn } from '../world/periods.ts';
import { amountText, isoSeconds } from '../world/plain-values.ts';
import { type FinancialEvent, sumOf } from '../world/settlements.ts';
import { invoiceNumberOf, isInvoiced, taxOf } from '../world/taxes.ts';
import type { World } from '../world/world.ts';
import { csvReport, isInTime, type ReportRequest, tableReport, type Values } from './report-type.ts';

const UNION = ['DE', 'FR', 'IT', 'ES', 'NL', 'BE', 'SE', 'PL', 'IE'];
const EUROPE = [...UNION, 'GB'];

/** Amounts of a refund are negative. */
interface VatLine {
  event: FinancialEvent;
  order: Order;
  item: OrderItem;
  /** The goods leave the warehouses and shops of the first marketplace. */
  home: Market;
  goods: Amount;
  discount: Amount;
  shipping: Amount;
}

/** Is in hundredths of the currency; the tax is not in the net. */
interface Amount {
  net: number;
  tax: number;
}

/** The reports hold all European marketplaces of the account, whichever is asked for. */
function linesOf(world: World, request: ReportRequest): VatLine[] {
  const [home] = world.markets;
  if (home === undefined) return [];
  return world
    .events()
    .filter(({ market, at }) => EUROPE.includes(market.country) && isInTime(request, at))
    .flatMap((event) => {
      const { order, postings } = event;
      const ofItems = [...groupBy(postings, ({ item }) => item).values()];
      return ofItems.flatMap((own) => {
        const [{ item }] = own;
        if (order === undefined || item === undefined) return [];
        const of = (wanted: string) => sumOf(own.filter(({ description }) => description === wanted));
        const sign = event.kind === 'Refund' ? -1 : 1;
        const tax = sign * taxOf(item.priceCents, event.market);
        const goods = { net: sign * item.priceCents - tax, tax };
        const discount = { net: of('Principal') - goods.net, tax: of('Tax') - tax };
        const shipping = { net: of('Shipping'), tax: of('ShippingTax') };
        return [{ event, order, item, home, goods, discount, shipping }];
      });
    });
}

const grossOf = ({ net, tax }: Amount): number => net + tax;

const add = (...all: readonly Amount[]): Amount => ({
  net: all.reduce((sum, { net }) => sum + net, 0),
  tax: all.reduce((sum, { tax }) => sum + tax, 0),
});

const paidFor = ({ goods, discount }: VatLine): Amount => add(goods, discount);
const paidInAll = (line: VatLine): Amount => add(paidFor(line), line.shipping);

const amount =
  (of: (line: VatLine) => number) =>
  (line: VatLine): string =>
    amountText(of(line), line.event.market);

/** `21-11-2026` */
const day = ({ event: { market, at } }: VatLine): string => dayIn(market, at).split('-').reverse().join('-');

/** `2026-NOV` */
function period({ event: { market, at } }: VatLine): string {
  const date = new Date(dayIn(market, at));
  const month = date.toLocaleString('en', { month: 'short', timeZone: 'UTC' });
  return `${date.getUTCFullYear()}-${month.toUpperCase()}`;
}

const rate = ({ event: { market } }: VatLine): string => String(market.taxPercent / 100);
const channel = ({ order }: VatLine): string => (order.fulfilledBy === 'AMAZON' ? 'AFN' : 'MFN');
const arrival = ({ order }: VatLine): string => order.buyer.countryCode;
const departure = ({ home }: VatLine): string => home.country;
/** Is empty where there is no invoice yet; a refund has a credit note. */
function invoice({ event, order }: VatLine): string {
  if (!isInvoiced(order)) return '';
  return `${event.kind === 'Refund' ? 'CN-' : ''}${invoiceNumberOf(order)}`;
}
const company = ({ order }: VatLine) => detailsOf(order).company;

const isExport = (line: VatLine): boolean =>
  UNION.includes(departure(line)) !== UNION.includes(arrival(line));

const scheme = (line: VatLine): string =>
  departure(line) === arrival(line) || isExport(line) ? 'REGULAR' : 'UNION-OSS';

const VALUES: Values<VatLine> = {
  UNIQUE_ACCOUNT_IDENTIFIER: SELLER_ID,
  ACTIVITY_PERIOD: period,
  SALES_CHANNEL: channel,
  MARKETPLACE: ({ event }) => event.market.channel.toLowerCase(),
  PROGRAM_TYPE: 'REGULAR',
  TRANSACTION_TYPE: ({ event }) => (event.kind === 'Refund' ? 'REFUND' : 'SALE'),
  TRANSACTION_EVENT_ID: ({ order }) => order.id,
  ACTIVITY_TRANSACTION_ID: ({ event }) => event.id,
  TAX_CALCULATION_DATE: day,
  TRANSACTION_DEPART_DATE: (line) => (line.event.kind === 'Refund' ? '' : day(line)),
  TRANSACTION_COMPLETE_DATE: day,
  SELLER_SKU: ({ item }) => item.row.sku,
  ASIN: ({ item }) => item.row.asin,
  ITEM_DESCRIPTION: ({ item }) => item.row.title,
  QTY: ({ item }) => item.ordered,
  PRICE_OF_ITEMS_AMT_VAT_EXCL: amount(({ goods }) => goods.net),
  PROMO_PRICE_OF_ITEMS_AMT_VAT_EXCL: amount(({ discount }) => discount.net),
  TOTAL_PRICE_OF_ITEMS_AMT_VAT_EXCL: amount((line) => paidFor(line).net),
  SHIP_CHARGE_AMT_VAT_EXCL: amount(({ shipping }) => shipping.net),
  TOTAL_SHIP_CHARGE_AMT_VAT_EXCL: amount(({ shipping }) => shipping.net),
  TOTAL_ACTIVITY_VALUE_AMT_VAT_EXCL: amount((line) => paidInAll(line).net),
  PRICE_OF_ITEMS_VAT_RATE_PERCENT: rate,
  PRICE_OF_ITEMS_VAT_AMT: amount(({ goods }) => goods.tax),
  PROMO_PRICE_OF_ITEMS_VAT_AMT: amount(({ discount }) => discount.tax),
  TOTAL_PRICE_OF_ITEMS_VAT_AMT: amount((line) => paidFor(line).tax),
  SHIP_CHARGE_VAT_RATE_PERCENT: rate,
  SHIP_CHARGE_VAT_AMT: amount(({ shipping }) => shipping.tax),
  TOTAL_SHIP_CHARGE_VAT_AMT: amount(({ shipping }) => shipping.tax),
  TOTAL_ACTIVITY_VALUE_VAT_AMT: amount((line) => paidInAll(line).tax),
  PRICE_OF_ITEMS_AMT_VAT_INCL: amount(({ goods }) => grossOf(goods)),
  PROMO_PRICE_OF_ITEMS_AMT_VAT_INCL: amount(({ discount }) => grossOf(discount)),
  TOTAL_PRICE_OF_ITEMS_AMT_VAT_INCL: amount((line) => grossOf(paidFor(line))),
  SHIP_CHARGE_AMT_VAT_INCL: amount(({ shipping }) => grossOf(shipping)),
  TOTAL_SHIP_CHARGE_AMT_VAT_INCL: amount(({ shipping }) => grossOf(shipping)),
  TOTAL_ACTIVITY_VALUE_AMT_VAT_INCL: amount((line) => grossOf(paidInAll(line))),
  TRANSACTION_CURRENCY_CODE: ({ event }) => event.market.currency,
  PRODUCT_TAX_CODE: 'A_GEN_STANDARD',
  DEPARTURE_CITY: ({ home }) => home.towns[0]?.city ?? '',
  DEPARTURE_COUNTRY: departure,
  DEPARTURE_POST_CODE: ({ home }) => home.towns[0]?.postalCode ?? '',
  ARRIVAL_CITY: ({ order }) => order.buyer.town.city,
  ARRIVAL_COUNTRY: arrival,
  ARRIVAL_POST_CODE: ({ order }) => order.buyer.town.postalCode,
  SALE_DEPART_COUNTRY: departure,
  SALE_ARRIVAL_COUNTRY: arrival,
  TRANSPORTATION_MODE: 'CONSIGNMENT_BY_POST',
  DELIVERY_CONDITIONS: 'DAP',
  BUYER_VAT_NUMBER_COUNTRY: (line) => (company(line) === undefined ? '' : arrival(line)),
  BUYER_VAT_NUMBER: (line) => company(line)?.taxId ?? '',
  TAXABLE_JURISDICTION: (line) => countryName(arrival(line)).toUpperCase(),
  TAXABLE_JURISDICTION_LEVEL: 'Country',
  VAT_INV_NUMBER: invoice,
  EXPORT_OUTSIDE_EU: (line) => (isExport(line) ? 'YES' : 'NO'),
  BUYER_NAME: ({ order }) => order.buyer.name,
  ARRIVAL_ADDRESS: ({ order }) => order.buyer.street,
  TAX_REPORTING_SCHEME: scheme,
  TAX_COLLECTION_RESPONSIBILITY: 'SELLER',
};

/** The service has a month from the third day of the next one on. */
function failure({ end }: ReportRequest, { madeAt }: World): string | undefined {
  const today = new Date(madeAt);
  const monthsAgo = today.getUTCDate() < 3 ? 1 : 0;
  return end > Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - monthsAgo, 1)
    ? 'The requested time reaches into a month that is not available yet.'
    : undefined;
}

/** GET_VAT_TRANSACTION_DATA has all columns that the service writes; most of them stay empty. */
export const vatTransactionsReport = tableReport<VatLine>({
  isRestricted: true,
  failure,
  head: columns.vatTransactions,
  values: VALUES,
  rows: linesOf,
});

/** SC_VAT_TAX_REPORT has the same lines under other names. */
export const vatCalculationReport = csvReport<VatLine>({
  isRestricted: true,
  values: {
    'Marketplace ID': ({ event }) => event.market.id,
    'Merchant ID': SELLER_ID,
    'Order Date': ({ order }) => dayIn(order.market, order.purchasedAt),
    'Transaction Type': ({ event }) => event.kind.toUpperCase(),
    'Order ID': ({ order }) => order.id,
    'Shipment Date': ({ event }) => dayIn(event.market, event.at),
    'Transaction ID': ({ event }) => event.id,
    ASIN: ({ item }) => item.row.asin,
    SKU: ({ item }) => item.row.sku,
    Quantity: ({ item }) => item.ordered,
    'Tax Rate': rate,
    'Product Tax Code': 'A_GEN_STANDARD',
    Currency: ({ event }) => event.market.currency,
    'Tax Type': 'VAT',
    'Tax Reporting Scheme': scheme,
    'Tax Collection Responsibility': 'Seller',
    'Jurisdiction Level': 'Country',
    'Jurisdiction Name': (line) => countryName(arrival(line)).toUpperCase(),
    'OUR_PRICE Tax Inclusive Selling Price': amount(({ goods }) => grossOf(goods)),
    'OUR_PRICE Tax Amount': amount(({ goods }) => goods.tax),
    'OUR_PRICE Tax Exclusive Selling Price': amount(({ goods }) => goods.net),
    'OUR_PRICE Tax Inclusive Promo Amount': amount(({ discount }) => grossOf(discount)),
    'OUR_PRICE Tax Amount Promo': amount(({ discount }) => discount.tax),
    'OUR_PRICE Tax Exclusive Promo Amount': amount(({ discount }) => discount.net),
    'SHIPPING Tax Inclusive Selling Price': amount(({ shipping }) => grossOf(shipping)),
    'SHIPPING Tax Amount': amount(({ shipping }) => shipping.tax),
    'SHIPPING Tax Exclusive Selling Price': amount(({ shipping }) => shipping.net),
    'Buyer Tax Registration': (line) => company(line)?.taxId ?? '',
    'VAT Invoice Number': invoice,
    'Export Outside EU': (line) => `${isExport(line)}`,
    'Ship From Country': departure,
    'Ship To City': ({ order }) => order.buyer.town.city,
    'Ship To Country': arrival,
    'Ship To Postal Code': ({ order }) => order.buyer.town.postalCode,
  },
  rows: linesOf,
});

const invoiceAmounts = (name: string, of: (line: VatLine) => Amount): Values<VatLine> => ({
  [`${name}-vat-incl-amount`]: amount((line) => grossOf(of(line))),
  [`${name}-vat-amount`]: amount((line) => of(line).tax),
  [`${name}-vat-excl-amount`]: amount((line) => of(line).net),
  [`${name}-vat-rate`]: rate,
});

/** GET_FLAT_FILE_VAT_INVOICE_DATA_REPORT has the same lines for invoices. It lacks most columns that would be empty. */
export const vatInvoiceReport = tableReport<VatLine>({
  values: {
    'marketplace-id': ({ event }) => event.market.id,
    'order-id': ({ order }) => order.id,
    'order-item-id': ({ item }) => item.id,
    'transaction-id': ({ event }) => event.id,
    'transaction-type': ({ event }) => event.kind.toUpperCase(),
    'invoice-number': invoice,
    'is-amazon-invoiced': 'false',
    'order-date': ({ order }) => isoSeconds(order.purchasedAt),
    'shipment-date': ({ event }) => isoSeconds(event.at),
    'buyer-vat-number': (line) => company(line)?.taxId ?? '',
    'seller-vat-number': '',
    asin: ({ item }) => item.row.asin,
    sku: ({ item }) => item.row.sku,
    'product-name': ({ item }) => item.row.title,
    'quantity-purchased': ({ item }) => item.ordered,
    currency: ({ event }) => event.market.currency,
    ...invoiceAmounts('item', ({ goods }) => goods),
    ...invoiceAmounts('item-promo', ({ discount }) => discount),
    ...invoiceAmounts('shipping', ({ shipping }) => shipping),
    'is-business-order': ({ order }) => `${order.isBusiness}`,
    'fulfilled-by': channel,
    'ship-city': ({ order }) => order.buyer.town.city,
    'ship-postal-code': ({ order }) => order.buyer.town.postalCode,
    'ship-country': arrival,
    'ship-from-country': departure,
    'buyer-name': ({ order }) => order.buyer.name,
    'buyer-company-name': (line) => company(line)?.name ?? '',
    'export-outside-eu': (line) => `${isExport(line)}`,
  },
  rows: (world, request) => {
    const lines = linesOf(world, request);
    return request.options.pendingInvoices === 'true'
      ? lines.filter(({ order }) => !isInvoiced(order))
      : lines;
  },
});
