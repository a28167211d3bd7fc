/** Report types about Fulfillment by Amazon (FBA); reviewed by hand against the service's public documentation. */

import { type ReportType, reportFamily } from '../report-type.ts';

/** Made at most every 30 minutes. */
const live = { minutesApart: 30 };
/** Made at most every four hours. */
const daily = { minutesApart: 240 };
const ledger = 'GET_LEDGER_SUMMARY_VIEW_DATA';
const movements = 'GET_LEDGER_DETAIL_VIEW_DATA';
const health = { deprecated: { successor: 'GET_FBA_INVENTORY_PLANNING_DATA' } };
const since2023 = (successor: string) => ({ deprecated: { removed: '2023-01-31', successor } });
const subscriptions = {
  deprecated: { removed: '2025-12-11', successor: 'replenishment/getSellingPartnerMetrics' },
};

export const fba: readonly ReportType[] = [
  ...reportFamily(
    'FBA sales',
    { format: 'tab', origin: 'request', period: 'range', ...live },
    {
      GET_AMAZON_FULFILLED_SHIPMENTS_DATA_GENERAL: [
        'FBA shipments item by item: order, price, carrier, tracking number',
        { mostDays: 30, limits: 'an item appears one to three hours after it shipped, rarely after a day' },
      ],
      GET_AMAZON_FULFILLED_SHIPMENTS_DATA_INVOICING: [
        'FBA shipments with what an invoice needs (Europe)',
        { mostDays: 30, restricted: true, role: 'Tax invoicing' },
      ],
      GET_AMAZON_FULFILLED_SHIPMENTS_DATA_TAX: [
        'FBA shipments with what sales tax needs (North America)',
        { mostDays: 30, restricted: true, role: 'Tax remittance' },
      ],
      GET_FBA_FULFILLMENT_CUSTOMER_SHIPMENT_SALES_DATA: [
        'FBA sales in brief: item, price, quantity, where it went',
      ],
      GET_FBA_FULFILLMENT_CUSTOMER_SHIPMENT_PROMOTION_DATA: [
        'promotions that applied to FBA orders',
        { ...daily, where: 'North America' },
      ],
      GET_FBA_FULFILLMENT_CUSTOMER_TAXES_DATA: [
        'taxes of FBA orders until February 2013',
        { where: 'US', deprecated: { successor: 'GET_FLAT_FILE_SALES_TAX_DATA' } },
      ],
      GET_REMOTE_FULFILLMENT_ELIGIBILITY: [
        'which US FBA offers qualify for Remote Fulfillment',
        { period: 'moment', where: 'US', limits: 'can take 24 hours to make' },
      ],
      GET_FBA_SNS_FORECAST_DATA: [
        'forecast of Subscribe and Save deliveries',
        { ...daily, ...subscriptions },
      ],
      GET_FBA_SNS_PERFORMANCE_DATA: ['Subscribe and Save performance', { ...daily, ...subscriptions }],
    },
  ),
  ...reportFamily(
    'FBA inventory',
    { format: 'tab', origin: 'request', period: 'moment', ...live },
    {
      GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA: [
        'FBA stock now, without archived SKUs: available, reserved, inbound, unsellable',
      ],
      GET_FBA_MYI_ALL_INVENTORY_DATA: ['FBA stock now, with archived SKUs'],
      GET_AFN_INVENTORY_DATA: ['quantity per SKU in the fulfillment centers, by condition'],
      GET_AFN_INVENTORY_DATA_BY_COUNTRY: [
        'FBA stock for local fulfillment per country (Multi-Country Inventory)',
        { where: 'Europe' },
      ],
      GET_RESERVED_INVENTORY_DATA: ['reserved FBA units and why: customer orders, transfers, processing'],
      GET_FBA_INVENTORY_PLANNING_DATA: [
        'inventory health: age, excess stock, sell-through, days of supply, storage fees to come',
      ],
      GET_RESTOCK_INVENTORY_RECOMMENDATIONS_REPORT: ['what to restock, how much and when'],
      GET_STRANDED_INVENTORY_UI_DATA: ['stranded inventory: stock without an active offer, and what to do'],
      GET_STRANDED_INVENTORY_LOADER_DATA: ['stranded inventory, as a file to correct in bulk'],
      GET_FBA_FULFILLMENT_INBOUND_NONCOMPLIANCE_DATA: [
        'problems of inbound shipments by product and shipment',
        { ...daily, period: 'range' },
      ],
      GET_LEDGER_SUMMARY_VIEW_DATA: [
        'inventory ledger: opening and closing stock, received, sold, returned, lost, found, damaged, disposed',
        {
          ...daily,
          period: 'range',
          options: {
            aggregateByLocation: 'COUNTRY (default) or FC',
            aggregatedByTimePeriod: 'DAILY, WEEKLY or MONTHLY (default)',
          },
        },
      ],
      GET_LEDGER_DETAIL_VIEW_DATA: [
        'every inventory movement: receipt, shipment, return, transfer, adjustment, with reason',
        { ...daily, period: 'range', limits: 'the last 18 months' },
      ],
      GET_PRODUCT_EXCHANGE_DATA: ['product exchanges in a period', { period: 'range' }],
      GET_FBA_FULFILLMENT_CURRENT_INVENTORY_DATA: ['daily inventory history', since2023(ledger)],
      GET_FBA_FULFILLMENT_MONTHLY_INVENTORY_DATA: ['monthly inventory history', since2023(ledger)],
      GET_FBA_FULFILLMENT_INVENTORY_RECEIPTS_DATA: ['received inventory', since2023(movements)],
      GET_FBA_FULFILLMENT_INVENTORY_SUMMARY_DATA: ['inventory events', since2023(movements)],
      GET_FBA_FULFILLMENT_INVENTORY_ADJUSTMENTS_DATA: ['inventory adjustments', since2023(movements)],
      GET_FBA_RECONCILIATION_REPORT_DATA: ['inventory reconciliation', since2023(ledger)],
      GET_FBA_FULFILLMENT_INVENTORY_HEALTH_DATA: ['inventory health', health],
      GET_FBA_INVENTORY_AGED_DATA: ['inventory age', health],
      GET_EXCESS_INVENTORY_DATA: ['excess inventory', health],
      GET_FBA_UNO_INVENTORY_DATA: [
        'inventory of Small and Light, a program that has ended',
        { deprecated: {} },
      ],
    },
  ),
  ...reportFamily(
    'FBA fees and reimbursements',
    { format: 'tab', origin: 'request', period: 'range' },
    {
      GET_FBA_ESTIMATED_FBA_FEES_TXT_DATA: [
        'fee preview: estimated selling and fulfillment fees per FBA SKU',
        {
          limits: 'made anew at least every 72 hours: let the range begin at least 72 hours ago and end now',
        },
      ],
      GET_FBA_REIMBURSEMENTS_DATA: [
        'reimbursements of lost or damaged FBA inventory, item by item with reason',
        daily,
      ],
      GET_FBA_STORAGE_FEE_CHARGES_DATA: ['estimated monthly storage fees per ASIN', { origin: 'both' }],
      GET_FBA_FULFILLMENT_LONGTERM_STORAGE_FEE_CHARGES_DATA: ['long-term (aged inventory) storage fees'],
      GET_FBA_OVERAGE_FEE_CHARGES_DATA: ['fees for storage beyond the limit'],
    },
  ),
  ...reportFamily(
    'FBA returns and replacements',
    { format: 'tab', origin: 'request', period: 'range', ...daily },
    {
      GET_FBA_FULFILLMENT_CUSTOMER_RETURNS_DATA: [
        'FBA customer returns received: item, reason, condition, comment of the buyer',
      ],
      GET_FBA_FULFILLMENT_CUSTOMER_SHIPMENT_REPLACEMENT_DATA: ['replacements sent for FBA orders'],
    },
  ),
  ...reportFamily(
    'FBA removals',
    { format: 'tab', origin: 'request', period: 'range', ...live },
    {
      GET_FBA_RECOMMENDED_REMOVAL_DATA: [
        'what to remove before long-term storage fees',
        { ...daily, period: 'moment' },
      ],
      GET_FBA_FULFILLMENT_REMOVAL_ORDER_DETAIL_DATA: ['removal orders with the status of each item'],
      GET_FBA_FULFILLMENT_REMOVAL_SHIPMENT_DETAIL_DATA: ['shipments of removal orders with tracking numbers'],
    },
  ),
];
