/** Report types about money, taxes, performance, categories and compliance; reviewed against the public documentation. */

import { type ReportType, reportFamily } from '../report-type.ts';

const v2 = 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2';
const vatInvoices = { pendingInvoices: 'true or false', all: 'true or false' };
const opportunities = {
  categories: 'a list separated by semicolons',
  depersonalized: 'true or false',
  filterMode: 'include (default) or exclude',
};

export const moneyAndPerformance: readonly ReportType[] = [
  ...reportFamily(
    'Settlements and payments',
    { format: 'tab', origin: 'service' },
    {
      GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2: [
        'settlement (payout): every amount with type and description, one amount per row',
      ],
      GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE: [
        'settlement (payout) in its older form',
        { deprecated: { removed: '2026-11-11', successor: v2 } },
      ],
      GET_V2_SETTLEMENT_REPORT_DATA_XML: [
        'settlement (payout) in its older form',
        { format: 'xml', deprecated: { removed: '2026-11-11', successor: v2 } },
      ],
      GET_DATE_RANGE_FINANCIAL_HOLDS_DATA: [
        'deferred transactions: money that is held back for now',
        { format: 'csv', role: 'Finance and accounting', limits: 'ask for it in Seller Central first' },
      ],
    },
  ),
  ...reportFamily(
    'Tax',
    { format: 'tab', origin: 'request', period: 'range' },
    {
      GET_FLAT_FILE_SALES_TAX_DATA: [
        'sales tax per transaction',
        {
          origin: 'service',
          where: 'US',
          role: 'Tax remittance',
          limits: 'made in the Tax Document Library of Seller Central',
        },
      ],
      SC_VAT_TAX_REPORT: [
        'VAT calculation of shipments, returns and refunds',
        { format: 'csv', where: 'Europe', restricted: true, role: 'Tax remittance' },
      ],
      GET_VAT_TRANSACTION_DATA: [
        'VAT transactions: sales, returns, refunds, movements across borders',
        {
          where: 'Europe',
          restricted: true,
          role: 'Tax remittance',
          limits: 'a month is there from the third day of the next; earlier ends in FATAL',
        },
      ],
      GET_FLAT_FILE_VAT_INVOICE_DATA_REPORT: [
        'what a VAT invoice of each shipment, return or refund needs',
        { origin: 'both', where: 'Europe', role: 'Tax invoicing', options: vatInvoices },
      ],
      GET_XML_VAT_INVOICE_DATA_REPORT: [
        'what a VAT invoice of each shipment, return or refund needs',
        { format: 'xml', origin: 'both', where: 'Europe', role: 'Tax invoicing', options: vatInvoices },
      ],
      GET_GST_MTR_B2B_CUSTOM: [
        'GST: sales, refunds and cancellations of business invoices',
        { where: 'IN', restricted: true, role: 'Tax remittance' },
      ],
      GET_GST_MTR_B2C_CUSTOM: [
        'GST: sales, refunds and cancellations of consumer invoices',
        { where: 'IN', role: 'Tax remittance' },
      ],
      GST_MTR_B2B: [
        'GST: business invoices, month by month',
        { format: 'csv', origin: 'schedule', where: 'IN', role: 'Tax remittance' },
      ],
      GST_MTR_B2C: [
        'GST: consumer invoices, month by month',
        { format: 'csv', origin: 'schedule', where: 'IN', role: 'Tax remittance' },
      ],
      GST_MTR_STOCK_TRANSFER_REPORT: [
        'GST: stock moved between or out of fulfillment centers',
        { format: 'csv', where: 'IN', role: 'Tax remittance' },
      ],
    },
  ),
  ...reportFamily(
    'Performance and feedback',
    { format: 'json', origin: 'request' },
    {
      GET_SELLER_FEEDBACK_DATA: [
        'neutral and negative seller feedback: rating, comment, response, order',
        { format: 'tab', period: 'range' },
      ],
      GET_V2_SELLER_PERFORMANCE_REPORT: [
        'account health: defect, late shipment and cancellation rates, policy violations, status per marketplace',
        { period: 'moment' },
      ],
      GET_V1_SELLER_PERFORMANCE_REPORT: [
        'customer metrics in their older form',
        { format: 'xml', period: 'moment' },
      ],
      GET_PROMOTION_PERFORMANCE_REPORT: [
        'sales and units of deals and other promotions',
        {
          audience: 'sellers and vendors',
          role: 'Selling partner insights',
          options: { promotionStartDateFrom: 'ISO date and time', promotionStartDateTo: 'ISO date and time' },
          requiredOptions: ['promotionStartDateFrom', 'promotionStartDateTo'],
          limits: 'brand owners; promotions that began in the last two years',
        },
      ],
      GET_COUPON_PERFORMANCE_REPORT: [
        'budget, clips, redemptions and sales of coupons',
        {
          audience: 'sellers and vendors',
          role: 'Selling partner insights',
          options: { couponStartDateFrom: 'ISO date and time', couponStartDateTo: 'ISO date and time' },
          requiredOptions: ['couponStartDateFrom', 'couponStartDateTo'],
          limits: 'brand owners',
        },
      ],
    },
  ),
  ...reportFamily(
    'Amazon Business',
    { format: 'xlsx', origin: 'both' },
    {
      FEE_DISCOUNTS_REPORT: ['referral fee discounts', { minutesApart: 1440, limits: 'up to 24 hours old' }],
      RFQD_BULK_DOWNLOAD: ['requests for quantity discounts (quotes)', { deprecated: {} }],
    },
  ),
  ...reportFamily(
    'Product opportunities',
    { format: 'csv', origin: 'request', period: 'moment' },
    {
      GET_B2B_PRODUCT_OPPORTUNITIES_RECOMMENDED_FOR_YOU: [
        'products that a business seller could add',
        {
          options: { ...opportunities, subCategories: 'a list separated by semicolons' },
          limits: 'made weekly, at most 10,000 products',
        },
      ],
      GET_B2B_PRODUCT_OPPORTUNITIES_NOT_YET_ON_AMAZON: [
        'products in demand that nobody sells on Amazon yet',
        { options: opportunities, limits: 'made weekly, at most 10,000 products' },
      ],
    },
  ),
  ...reportFamily(
    'Categories',
    { format: 'xml', origin: 'both', period: 'moment' },
    {
      GET_XML_BROWSE_TREE_DATA: [
        'the browse tree: categories of the store and what refines them',
        {
          options: {
            MarketplaceId: 'marketplace id; takes precedence over marketplaceIds',
            RootNodesOnly: 'true or false',
            BrowseNodeId: 'top node of the part wanted',
          },
        },
      ],
    },
  ),
  ...reportFamily(
    'Regulatory compliance',
    { origin: 'request' },
    {
      GET_EPR_MONTHLY_REPORTS: ['extended producer responsibility (EPR), by month', { where: 'Europe' }],
      GET_EPR_QUARTERLY_REPORTS: ['extended producer responsibility (EPR), by quarter', { where: 'Europe' }],
      GET_EPR_ANNUAL_REPORTS: ['extended producer responsibility (EPR), by year', { where: 'Europe' }],
      END_USER_DATA_REPORT: [
        'contact, page view and order data of customers who share it with the seller',
        {
          origin: 'both',
          period: 'range',
          where: 'Europe',
          role: 'Buyer communication',
          options: { reportPeriod: 'DAY, WEEK or MONTH' },
          limits: 'can take an hour to make',
        },
      ],
      FBA_BULK_INVOICE: ['invoices of a period', { period: 'range', role: 'Tax invoicing' }],
    },
  ),
];
