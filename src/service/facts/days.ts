/** Where a plain day means the seller's own: the reviewed list of places. Whatever is not on it goes as sent. */

import type { ReportType } from './report-types.ts';

/** Whether a day there stands for its first moment or for its last. */
export type DayEnd = 'start' | 'end';

const CREATED = { createdAfter: 'start', createdBefore: 'end' } as const;
const UPDATED = { lastUpdatedAfter: 'start', lastUpdatedBefore: 'end' } as const;

/**
 * Parameters by operation: moments of what happened in a marketplace. Left out are operations without a marketplace, which
 * have no zone (finance of all marketplaces, reports and feeds by when they were created), and those that take days as
 * days (Brand Analytics, data of whole periods).
 */
const PLACES: Readonly<Record<string, Readonly<Record<string, DayEnd>>>> = {
  'orders/searchOrders': { ...CREATED, ...UPDATED },
  'orders/getOrders': {
    CreatedAfter: 'start',
    CreatedBefore: 'end',
    LastUpdatedAfter: 'start',
    LastUpdatedBefore: 'end',
  },
  'finance/listTransactions': { postedAfter: 'start', postedBefore: 'end' },
  'fulfilment-inventory/getInventorySummaries': { startDateTime: 'start' },
};

/** Empty for most. */
export const dayPlaces = (id: string): Readonly<Record<string, DayEnd>> => PLACES[id] ?? {};

/** False for reports of whole periods, whose days are names of days: they go as they are. */
export function hasOwnDays(type: Pick<ReportType, 'options'> | undefined): boolean {
  const options = type?.options ?? {};
  return !('reportPeriod' in options || 'dateGranularity' in options || 'aggregatedByTimePeriod' in options);
}
