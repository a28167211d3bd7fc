/**
 * The reviewed list of parameters in which a plain day means the seller's own day. All others are sent
 * unchanged.
 */

import type { ReportType } from './report-types.ts';

/** The moment that a day represents: its first or its last one. */
export type DayEnd = 'start' | 'end';

const CREATED = { createdAfter: 'start', createdBefore: 'end' } as const;
const UPDATED = { lastUpdatedAfter: 'start', lastUpdatedBefore: 'end' } as const;

/**
 * The parameters by operation: moments of events in a marketplace. Operations without a marketplace are left
 * out, because they have no zone (finance of all marketplaces, reports and feeds by creation). So are those
 * that take days as days (Brand Analytics, data of whole periods).
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

/** Returns the parameters of an operation; empty for most. */
export const dayParameters = (id: string): Readonly<Record<string, DayEnd>> => PLACES[id] ?? {};

/** Returns false for reports of whole periods, whose days are names of days and are sent unchanged. */
export function hasOwnDays(type: Pick<ReportType, 'options'> | undefined): boolean {
  const options = type?.options ?? {};
  return !('reportPeriod' in options || 'dateGranularity' in options || 'aggregatedByTimePeriod' in options);
}
