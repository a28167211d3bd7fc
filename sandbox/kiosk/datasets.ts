/** This table holds the views of all datasets that the sandbox's Data Kiosk has. */

import type { View } from './dataset.ts';
import { economics } from './economics.ts';
import { salesAndTrafficByAsin, salesAndTrafficByDate } from './sales-and-traffic.ts';
import { sellerAnalyticsView } from './seller-analytics.ts';

/** The keys hold the dataset and the view. */
export const views: ReadonlyMap<string, View> = new Map([
  ['analytics_sellerAnalytics_2025_03_31 sellerAnalyticsView', sellerAnalyticsView],
  ['analytics_economics_2024_03_15 economics', economics],
  ['analytics_salesAndTraffic_2024_04_24 salesAndTrafficByDate', salesAndTrafficByDate],
  ['analytics_salesAndTraffic_2024_04_24 salesAndTrafficByAsin', salesAndTrafficByAsin],
]);
