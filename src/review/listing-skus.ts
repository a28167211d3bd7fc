/** All SKUs of a marketplace, from the report of its listings: one that was collected already, or a new one. */

import { collectOnce } from '../collections/collect-once.ts';
import type { Sources } from '../collections/plan.ts';
import { planReport } from '../collections/plan-report.ts';
import { AppError, InputError } from '../errors.ts';
import { quoteIdentifier } from '../tables/names.ts';
import type { CollectionInfo, Tables } from '../tables/types.ts';
import type { Marketplace, ReviewJob } from './review-job.ts';

export const LISTINGS_REPORT = 'GET_MERCHANT_LISTINGS_ALL_DATA';

/** As the report's heading reads in the languages that it comes in. */
const SKU_COLUMNS = ['seller_sku', 'sku', '出品者sku'];

/** Longest time for reading the SKUs out of the report's table. */
const QUERY_MS = 60_000;

const BYTES_A_SKU = 500;

export interface SkuRequest {
  marketplace: Marketplace;
  sources: Sources;
  tables: Tables;
  fresh: boolean;
  /** More are left out. */
  most: number;
}

/** @throws ReportError where the report cannot be had */
export async function listSkus(
  job: ReviewJob,
  { marketplace, sources, tables, fresh, most }: SkuRequest,
): Promise<{ skus: string[]; all: number; notes: string[] }> {
  const info = await collectReport(job, { marketplace, sources, tables, fresh, most });
  const [table] = info.tables;
  const column = table?.columns.find(({ name }) => SKU_COLUMNS.includes(name))?.name;
  if (table === undefined || column === undefined) {
    throw new InputError(
      `The report ${LISTINGS_REPORT} of ${marketplace.name} has no column of SKUs.`,
      'Give the SKUs: skus: ["LAMP-1", "LAMP-2"].',
    );
  }
  const name = quoteIdentifier(column);
  const sql = `SELECT DISTINCT ${name} FROM ${quoteIdentifier(table.name)} WHERE ${name} IS NOT NULL ORDER BY 1`;
  const { rows, total } = await tables.query(sql, {
    maxRows: most,
    maxBytes: most * BYTES_A_SKU,
    timeoutMs: QUERY_MS,
    signal: job.signal,
  });
  return { skus: rows.map(([sku]) => String(sku)), all: total, notes: info.notes };
}

/** Once for all processes of this computer, as other collections are. */
async function collectReport(
  job: ReviewJob,
  { marketplace, sources, tables, fresh }: SkuRequest,
): Promise<CollectionInfo> {
  const { clock, signal, idle } = job;
  const order = { type: LISTINGS_REPORT, marketplaces: [marketplace.id], fresh };
  const { source, recentMs, work } = await planReport(order, sources);
  const kept = fresh ? undefined : await tables.find(source);
  if (kept !== undefined && clock.wallClock() - Date.parse(kept.collectedAt) <= recentMs) return kept;
  const tell: ReviewJob['tell'] = (progress) =>
    job.tell({ message: `${marketplace.name}, SKUs: ${progress.message}` });
  return collectOnce({
    tables,
    source,
    signal,
    clock,
    tell,
    idle,
    progress: () => ({ message: `${marketplace.name}: the report of all listings` }),
    work: (parts) => work(parts).catch(explainWithoutReport),
  });
}

function explainWithoutReport(error: unknown): never {
  throw error instanceof AppError ? error.withHint('With skus, review_listings needs no report.') : error;
}
