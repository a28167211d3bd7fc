/** Report types about listings, orders and returns; reviewed by hand against the service's public documentation. */

import { type ReportType, reportFamily } from '../report-type.ts';

const custom = { custom: 'true or false' };
const shipping = {
  restricted: true,
  role: 'Direct-to-consumer shipping',
  options: { ShowSalesChannel: 'true or false' },
} as const;
const oneSchedule = 'only one such report can be scheduled at a time: a new schedule cancels the earlier one';

export const listingsAndOrders: readonly ReportType[] = [
  ...reportFamily(
    'Listings',
    { format: 'tab', origin: 'request', period: 'moment' },
    {
      GET_MERCHANT_LISTINGS_ALL_DATA: [
        'all listings, active or not, with SKU, ASIN, title, price, quantity and status',
        { options: custom },
      ],
      GET_MERCHANT_LISTINGS_DATA: ['active listings in detail'],
      GET_MERCHANT_LISTINGS_INACTIVE_DATA: ['inactive listings in detail'],
      GET_FLAT_FILE_OPEN_LISTINGS_DATA: [
        'open listings in brief: SKU, ASIN, price and quantity',
        { options: custom },
      ],
      GET_MERCHANT_LISTINGS_DATA_BACK_COMPAT: ['open listings', { options: custom }],
      GET_MERCHANT_LISTINGS_DATA_LITE: ['SKU, ASIN, price and quantity of active listings with stock'],
      GET_MERCHANT_LISTINGS_DATA_LITER: ['SKU and quantity of active listings with stock'],
      GET_MERCHANT_CANCELLED_LISTINGS_DATA: ['canceled listings', { options: custom }],
      GET_MERCHANTS_LISTINGS_FYP_REPORT: [
        'suppressed listings (not shown to buyers), why, and what removes the suppression',
        { origin: 'both' },
      ],
      GET_MERCHANT_LISTINGS_DEFECT_DATA: [
        'listing quality and suppressed listings',
        { deprecated: { removed: '2022-06-15', successor: 'GET_MERCHANTS_LISTINGS_FYP_REPORT' } },
      ],
      GET_PAN_EU_OFFER_STATUS: [
        'eligibility and enrollment of FBA listings for Pan-European FBA',
        { where: 'Europe' },
      ],
      GET_MFN_PANEU_OFFER_STATUS: [
        'eligibility of seller-fulfilled listings for Pan-European FBA',
        { where: 'Europe' },
      ],
      GET_REFERRAL_FEE_PREVIEW_REPORT: [
        'open listings with price and estimated referral fee per SKU',
        { minutesApart: 1440, limits: 'up to 24 hours old' },
      ],
    },
  ),
  ...reportFamily(
    'Orders to ship, invoice or tax',
    { format: 'tab', origin: 'both', period: 'range', ...shipping },
    {
      GET_FLAT_FILE_ACTIONABLE_ORDER_DATA_SHIPPING: [
        'unshipped orders: those that are not confirmed as shipped, also late ones',
      ],
      GET_FLAT_FILE_ORDER_REPORT_DATA_SHIPPING: [
        'orders with buyer and address, for shipping them',
        { limits: `orders of the last 60 days; ${oneSchedule}` },
      ],
      GET_FLAT_FILE_ORDER_REPORT_DATA_INVOICING: [
        'orders with what an invoice needs (Europe)',
        { role: 'Tax invoicing', limits: `orders of the last 60 days; ${oneSchedule}` },
      ],
      GET_FLAT_FILE_ORDER_REPORT_DATA_TAX: [
        'orders with what sales tax needs',
        {
          role: 'Tax remittance',
          where: 'North America',
          limits: `orders of the last 60 days; ${oneSchedule}`,
        },
      ],
      GET_ORDER_REPORT_DATA_SHIPPING: [
        'orders with buyer and address, for shipping them',
        { format: 'xml', origin: 'schedule', options: {}, limits: oneSchedule },
      ],
      GET_ORDER_REPORT_DATA_INVOICING: [
        'orders with what an invoice needs (Europe)',
        { format: 'xml', origin: 'schedule', options: {}, role: 'Tax invoicing', limits: oneSchedule },
      ],
      GET_ORDER_REPORT_DATA_TAX: [
        'orders with what sales tax needs',
        {
          format: 'xml',
          origin: 'schedule',
          options: {},
          role: 'Tax remittance',
          where: 'North America',
          limits: oneSchedule,
        },
      ],
    },
  ),
  ...reportFamily(
    'All orders',
    { format: 'tab', origin: 'request', period: 'range' },
    {
      GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL: [
        'all orders placed in a period, FBA and seller-fulfilled, any status, one row per item, without buyers',
      ],
      GET_FLAT_FILE_ALL_ORDERS_DATA_BY_LAST_UPDATE_GENERAL: [
        'all orders changed in a period, FBA and seller-fulfilled, any status, one row per item, without buyers',
      ],
      GET_XML_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL: [
        'all orders placed in a period, without buyers',
        { format: 'xml' },
      ],
      GET_XML_ALL_ORDERS_DATA_BY_LAST_UPDATE_GENERAL: [
        'all orders changed in a period, without buyers',
        { format: 'xml' },
      ],
      GET_FLAT_FILE_ARCHIVED_ORDERS_DATA_BY_ORDER_DATE: ['archived orders placed in a period'],
      GET_FLAT_FILE_PENDING_ORDERS_DATA: ['pending orders', { origin: 'both', where: 'JP' }],
      GET_PENDING_ORDERS_DATA: ['pending orders', { format: 'xml', origin: 'both', where: 'JP' }],
      GET_CONVERGED_FLAT_FILE_PENDING_ORDERS_DATA: ['pending orders', { origin: 'both', where: 'JP' }],
    },
  ),
  ...reportFamily(
    'Returns',
    { format: 'tab', origin: 'both', period: 'range', mostDays: 60 },
    {
      GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE: [
        'returns of seller-fulfilled orders: request date, RMA, label, ASIN, reason',
      ],
      GET_XML_RETURNS_DATA_BY_RETURN_DATE: [
        'returns of seller-fulfilled orders: request date, RMA, label, ASIN, reason',
        { format: 'xml' },
      ],
      GET_CSV_MFN_PRIME_RETURNS_REPORT: ['returns of Seller Fulfilled Prime orders', { format: 'csv' }],
      GET_XML_MFN_PRIME_RETURNS_REPORT: ['returns of Seller Fulfilled Prime orders', { format: 'xml' }],
      GET_FLAT_FILE_MFN_SKU_RETURN_ATTRIBUTES_REPORT: [
        'per SKU, whether prepaid return labels and refunds without return apply',
      ],
      GET_XML_MFN_SKU_RETURN_ATTRIBUTES_REPORT: [
        'per SKU, whether prepaid return labels and refunds without return apply',
        { format: 'xml' },
      ],
    },
  ),
  ...reportFamily(
    'Easy Ship',
    { format: 'tab', origin: 'request', where: 'IN' },
    {
      GET_EASYSHIP_DOCUMENTS: [
        'invoice, shipping label and warranty of an Easy Ship order',
        { format: 'pdf', restricted: true, role: 'Direct-to-consumer shipping' },
      ],
      GET_EASYSHIP_PICKEDUP: ['Easy Ship orders that were picked up in a period', { period: 'range' }],
      GET_EASYSHIP_WAITING_FOR_PICKUP: ['Easy Ship orders that wait for pickup', { period: 'moment' }],
    },
  ),
];
