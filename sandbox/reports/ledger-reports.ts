/** The reports of the inventory ledger: the balances of each day or month, and every movement. */

import { listDays } from '../world/listing-days.ts';
import { dayOf } from '../world/periods.ts';
import {
  balanceStock,
  listMovements,
  type MovementKind,
  type StockBalance,
  type StockMovement,
} from '../world/stock-movements.ts';
import type { World } from '../world/world.ts';
import { isInTime, longerThan, type ReportRequest, tableReport } from './report-type.ts';

const WAREHOUSE = 'SBX1';
const MAX_DAYS = 549;

/** `11/21/2026` */
const dayText = (day: string): string => `${day.slice(5, 7)}/${day.slice(8, 10)}/${day.slice(0, 4)}`;

interface SummaryLine extends StockBalance {
  disposition: 'SELLABLE' | 'DEFECTIVE';
  date: string;
  place: string;
}

const unitsOf = (kind: MovementKind) => (line: StockBalance) =>
  line.movements.filter((one) => one.kind === kind).reduce((sum, { units }) => sum + units, 0);

/** GET_LEDGER_SUMMARY_VIEW_DATA has a line for each product and month, or day. Weeks are not played. */
export const ledgerSummaryReport = tableReport<SummaryLine>({
  failure: (request) =>
    request.options.aggregatedByTimePeriod === 'WEEKLY'
      ? 'aggregatedByTimePeriod: the demo account has DAILY and MONTHLY.'
      : longerThan(MAX_DAYS)(request),
  values: {
    Date: ({ date }) => date,
    FNSKU: ({ stock }) => stock.row.fnSku ?? '',
    ASIN: ({ stock }) => stock.row.asin,
    MSKU: ({ stock }) => stock.row.sku,
    Title: ({ stock }) => stock.row.title,
    Disposition: ({ disposition }) => disposition,
    'Starting Warehouse Balance': ({ start }) => start,
    'In Transit Between Warehouses': 0,
    Receipts: unitsOf('Receipts'),
    'Customer Shipments': unitsOf('Shipments'),
    'Customer Returns': unitsOf('CustomerReturns'),
    'Vendor Returns': 0,
    'Warehouse Transfer In/Out': 0,
    Found: 0,
    Lost: unitsOf('Adjustments'),
    Damaged: 0,
    Disposed: unitsOf('Disposed'),
    'Other Events': ({ others }) => others,
    'Ending Warehouse Balance': ({ end }) => end,
    'Unknown Events': 0,
    Location: ({ place }) => place,
  },
  rows(world, request) {
    const [home] = world.markets;
    if (home === undefined) return [];
    const isDaily = request.options.aggregatedByTimePeriod === 'DAILY';
    const cut = (day: string) => (isDaily ? day : day.slice(0, 7));
    const place = request.options.aggregateByLocation === 'FC' ? WAREHOUSE : home.country;
    const [first, last] = [cut(dayOf(request.start)), cut(dayOf(Math.min(request.end, world.madeAt)))];
    const keys = [...new Set(listDays(dayOf(request.start), dayOf(world.madeAt)).map(cut))];
    const movements = listMovements(world);
    return world.stock(home.id).flatMap((stock) =>
      balanceStock(stock, movements, keys, ({ at }) => cut(dayOf(at)))
        .filter(({ key }) => key >= first && key <= last)
        .flatMap((balance): SummaryLine[] => {
          const date = isDaily ? dayText(balance.key) : monthText(balance.key);
          const units = stock.unfulfillable;
          const defective = { stock, place, date, start: units, movements: [], others: 0, end: units };
          return [
            { ...balance, place, date, disposition: 'SELLABLE' },
            ...(units > 0 ? [{ ...defective, disposition: 'DEFECTIVE' as const }] : []),
          ];
        }),
    );
  },
});

const monthText = (month: string): string => `${month.slice(5)}/${month.slice(0, 4)}`;

const isLoss = ({ kind }: StockMovement): boolean => kind === 'Adjustments';

/** GET_LEDGER_DETAIL_VIEW_DATA has a line for each movement. */
export const ledgerDetailReport = tableReport<StockMovement & { country: string }>({
  failure: longerThan(MAX_DAYS),
  values: {
    Date: ({ at }) => dayText(dayOf(at)),
    FNSKU: ({ row }) => row.fnSku ?? '',
    ASIN: ({ row }) => row.asin,
    MSKU: ({ row }) => row.sku,
    Title: ({ row }) => row.title,
    'Event Type': ({ kind }) => (kind === 'Disposed' ? 'Adjustments' : kind),
    'Reference ID': ({ reference }) => reference,
    Quantity: ({ units }) => units,
    'Fulfillment Center': WAREHOUSE,
    Disposition: 'SELLABLE',
    // M: misplaced; D: disposed of.
    Reason: ({ kind }) => (kind === 'Disposed' ? 'D' : kind === 'Adjustments' ? 'M' : ''),
    Country: ({ country }) => country,
    'Reconciled Quantity': (one) => (isLoss(one) && one.isReconciled ? -one.units : 0),
    'Unreconciled Quantity': (one) => (isLoss(one) && !one.isReconciled ? -one.units : 0),
    'Date and Time': ({ at }) => new Date(at).toISOString().replace(/\.\d+Z$/, '+0000'),
  },
  rows: (world: World, request: ReportRequest) => {
    const country = world.markets[0]?.country ?? '';
    return listMovements(world)
      .filter(({ at }) => isInTime(request, at))
      .map((one) => ({ ...one, country }));
  },
});
