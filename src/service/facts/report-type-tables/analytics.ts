/** Report types of sales, traffic and brand analytics, and those of vendors; reviewed against the public documentation. */

import { type ReportType, reportFamily } from '../report-type.ts';

const wholePeriods = 'dates must be the first and last day of a period: a week is Sunday to Saturday';
const retail = {
  distributorView: 'MANUFACTURING or SOURCING',
  sellingProgram: 'RETAIL, BUSINESS or FRESH',
};
const vendorPeriod = { reportPeriod: 'DAY, WEEK, MONTH, QUARTER or YEAR' };
const older = (successor: string) => ({ deprecated: { successor } });

export const analytics: readonly ReportType[] = [
  ...reportFamily(
    'Sales and traffic',
    { format: 'json', origin: 'request', period: 'range' },
    {
      GET_SALES_AND_TRAFFIC_REPORT: [
        'sales, units, refunds, page views, sessions, featured offer share and conversion, by date and by ASIN',
        {
          role: 'Brand analytics',
          options: { dateGranularity: 'DAY, WEEK or MONTH', asinGranularity: 'PARENT, CHILD or SKU' },
          limits: 'the last two years',
        },
      ],
    },
  ),
  ...reportFamily(
    'Brand Analytics',
    {
      format: 'json',
      origin: 'request',
      period: 'range',
      audience: 'sellers and vendors',
      role: 'Brand analytics',
      options: { reportPeriod: 'DAY, WEEK, MONTH or QUARTER' },
      requiredOptions: ['reportPeriod'],
      limits: `brand owners; ${wholePeriods}`,
    },
    {
      GET_BRAND_ANALYTICS_SEARCH_TERMS_REPORT: [
        'search terms of a marketplace with their most clicked ASINs',
        { limits: `brand owners; one period in a report; ${wholePeriods}` },
      ],
      GET_BRAND_ANALYTICS_MARKET_BASKET_REPORT: ['what is bought together with your products'],
      GET_BRAND_ANALYTICS_REPEAT_PURCHASE_REPORT: [
        'repeat purchases of your products',
        { options: { reportPeriod: 'WEEK, MONTH or QUARTER' } },
      ],
      GET_BRAND_ANALYTICS_SEARCH_QUERY_PERFORMANCE_REPORT: [
        'how your ASINs do for search queries: impressions, clicks, cart adds, purchases',
        {
          options: { reportPeriod: 'WEEK, MONTH or QUARTER', asin: 'ASINs separated by spaces' },
          requiredOptions: ['reportPeriod', 'asin'],
        },
      ],
      GET_BRAND_ANALYTICS_SEARCH_CATALOG_PERFORMANCE_REPORT: [
        'how your catalog does in search: impressions, clicks, cart adds, purchases',
        { options: { reportPeriod: 'WEEK, MONTH or QUARTER' } },
      ],
      GET_BRAND_ANALYTICS_ALTERNATE_PURCHASE_REPORT: ['what was bought instead', { deprecated: {} }],
      GET_BRAND_ANALYTICS_ITEM_COMPARISON_REPORT: ['what buyers compared with', { deprecated: {} }],
    },
  ),
  ...reportFamily(
    'Vendor analytics',
    { format: 'json', origin: 'request', period: 'range', audience: 'vendors', role: 'Brand analytics' },
    {
      GET_VENDOR_SALES_REPORT: [
        'ordered and shipped revenue and units, returns, per ASIN and in all',
        {
          options: { ...vendorPeriod, ...retail },
          requiredOptions: ['reportPeriod', 'distributorView', 'sellingProgram'],
        },
      ],
      GET_VENDOR_INVENTORY_REPORT: [
        'stock, open purchase orders, sell-through, aged and unhealthy inventory',
        {
          options: { ...vendorPeriod, ...retail },
          requiredOptions: ['reportPeriod', 'distributorView', 'sellingProgram'],
        },
      ],
      GET_VENDOR_TRAFFIC_REPORT: [
        'glance views (page views) per ASIN',
        { options: vendorPeriod, requiredOptions: ['reportPeriod'] },
      ],
      GET_VENDOR_NET_PURE_PRODUCT_MARGIN_REPORT: [
        "Amazon's margin on your products",
        { options: vendorPeriod, requiredOptions: ['reportPeriod'] },
      ],
      GET_VENDOR_FORECASTING_REPORT: [
        'forecast of customer demand for the coming weeks',
        {
          period: 'moment',
          options: { sellingProgram: 'RETAIL or FRESH' },
          requiredOptions: ['sellingProgram'],
        },
      ],
      GET_VENDOR_REAL_TIME_SALES_REPORT: ['sales hour by hour'],
      GET_VENDOR_REAL_TIME_TRAFFIC_REPORT: ['glance views (page views) hour by hour'],
      GET_VENDOR_REAL_TIME_INVENTORY_REPORT: ['stock hour by hour'],
      GET_VENDOR_SALES_DIAGNOSTIC_REPORT: ['sales in their older form', older('GET_VENDOR_SALES_REPORT')],
      GET_VENDOR_INVENTORY_HEALTH_AND_PLANNING_REPORT: [
        'inventory in its older form',
        older('GET_VENDOR_INVENTORY_REPORT'),
      ],
      GET_VENDOR_DEMAND_FORECAST_REPORT: [
        'forecast in its older form',
        older('GET_VENDOR_FORECASTING_REPORT'),
      ],
    },
  ),
];
