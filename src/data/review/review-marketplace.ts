/** The review of one marketplace: its listings as rows, with the stock of those that the service's warehouses hold. */

import { forEachAtOnce, inChunks } from '../../base/at-once.ts';
import { ApiError, AppError, InputError } from '../../base/errors.ts';
import { isJsonObject } from '../../base/json.ts';
import { showText } from '../../base/text/escape-text.ts';
import type { CallOptions, CallResult } from '../../call/client.ts';
import { requestsPerSecondOf } from '../../call/transport/response-headers.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { collectOnce } from '../collections/collect-once.ts';
import { count, PATIENCE_MS } from '../collections/pages.ts';
import type { Sources } from '../collections/plan.ts';
import { planReport } from '../collections/plan-report.ts';
import { readPage } from '../collections/read-page.ts';
import type { RunProgress } from '../collections/work.ts';
import { quoteIdentifier } from '../tables/names.ts';
import type { CollectionInfo, Tables } from '../tables/types.ts';
import { flattenListing, type IssueRow, type ListingRow, withAmount } from './listing-rows.ts';
import { type Marketplace, type ReviewJob, readPages } from './review-job.ts';
import type { RowWriter } from './row-writer.ts';

/** Listings of one marketplace that a review takes. */
const MOST_LISTINGS = 50_000;

/** SKUs that are told to be missing by name. */
const MOST_MISSING = 10;

/** Where what is found goes, of all marketplaces. */
export interface Found {
  rows: RowWriter<ListingRow>;
  issues: RowWriter<IssueRow>;
  notes: string[];
  /** False when not all there is was read. */
  complete: boolean;
}

export interface OneMarketplace {
  marketplace: Marketplace;
  skus: readonly string[] | undefined;
  found: Found;
  sources: Sources;
  tables: Tables;
  fresh: boolean;
  /** Its first listing has come: what is needed after the last one can be made ready. */
  onFirst(): void;
}

/** @throws the client's errors, and ReportError: nothing of the review is whole then */
export async function reviewMarketplace(job: ReviewJob, one: OneMarketplace): Promise<void> {
  const { marketplace, found, skus, sources, tables, fresh } = one;
  const parts = { marketplaceId: marketplace.id, marketplace: marketplace.name, now: job.clock.wallClock() };
  const skusRead = new Set<string>();
  /** Until their stock is known. */
  const held: ListingRow[] = [];
  const warehouse = openWarehouseStock(job, marketplace);
  const add = (item: unknown) => {
    const flat = flattenListing(item, parts);
    if (flat === undefined || skusRead.has(flat.row.sku)) return;
    if (skusRead.size === 0) one.onFirst();
    skusRead.add(flat.row.sku);
    for (const issue of flat.issues) found.issues.add(issue);
    if (flat.row.channel !== 'FBA') return found.rows.add(withAmount(flat.row));
    held.push(flat.row);
    warehouse.add(flat.row.sku);
  };
  const listAll = async () => {
    const listed = await listSkus(job, { marketplace, sources, tables, fresh, most: MOST_LISTINGS });
    if (listed.all > listed.skus.length) {
      found.complete = false;
      const words = `${marketplace.name}: a review takes ${count(MOST_LISTINGS)} listings, of ${count(listed.all)}; name the others with skus.`;
      return { skus: listed.skus, notes: [words, ...listed.notes] };
    }
    return listed;
  };
  const read = await readListings(job, { marketplace, skus, add, listSkus: listAll });
  job.tell({ message: `${marketplace.name}: ${count(skusRead.size)} listings; waits for their stock` });
  const { stock, notes } = await warehouse.settle();
  for (const row of held) found.rows.add(withAmount({ ...row, ...stock.get(row.sku) }));
  found.complete &&= read.complete;
  found.notes.push(...readWords(one, read, skusRead), ...read.notes, ...notes);
}

function readWords(
  { marketplace, skus }: OneMarketplace,
  { of }: ListingsRead,
  read: ReadonlySet<string>,
): string[] {
  if (read.size >= of && skus === undefined)
    return [`${marketplace.name}: ${count(read.size)} of ${count(read.size)} listings read.`];
  const missing = skus?.filter((sku) => !read.has(sku)) ?? [];
  const rest = missing.length - MOST_MISSING;
  const names = missing.slice(0, MOST_MISSING).map((sku) => showText(sku, 100));
  const words =
    missing.length === 0
      ? ''
      : ` Not found: ${names.join(', ')}${rest > 0 ? ` and ${count(rest)} more` : ''}.`;
  return [`${marketplace.name}: ${count(read.size)} of ${count(of)} listings read.${words}`];
}

// All SKUs of a marketplace, from the report of its listings: one that was collected already, or a new one.

const LISTINGS_REPORT = 'GET_MERCHANT_LISTINGS_ALL_DATA';

/** As the report's heading reads in the languages that it comes in. */
const SKU_COLUMNS = ['seller_sku', 'sku', '出品者sku'];

/** Longest time for reading the SKUs out of the report's table. */
const QUERY_MS = 60_000;

const BYTES_A_SKU = 500;

interface SkuRequest {
  marketplace: Marketplace;
  sources: Sources;
  tables: Tables;
  fresh: boolean;
  /** More are left out. */
  most: number;
}

/** @throws ReportError where the report cannot be had */
async function listSkus(
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

// All listings of one marketplace: by pages where a search gives them all, else by their SKUs, many requests at once.

/** A search gives no more, however many it finds. */
const MOST_BY_PAGES = 1_000;

/** Identifiers that one search takes, and listings that a page holds. */
const SKUS_A_CALL = 20;

const INCLUDED = ['summaries', 'issues', 'offers', 'fulfillmentAvailability'];

interface ListingsRequest {
  marketplace: Marketplace;
  /** Those and no others. */
  skus: readonly string[] | undefined;
  add(item: unknown): void;
  /** All there are, where a search does not give them. */
  listSkus(): Promise<{ skus: readonly string[]; notes: string[] }>;
}

interface ListingsRead {
  /** How many the service counts, or were asked for. */
  of: number;
  complete: boolean;
  notes: string[];
}

/** @throws the client's errors: what was read until then is not whole */
async function readListings(job: ReviewJob, request: ListingsRequest): Promise<ListingsRead> {
  const { skus, marketplace, listSkus } = request;
  if (skus !== undefined) return bySkus(job, { ...request, skus });
  const paged = await byPages(job, request);
  if (!('tooMany' in paged)) return paged;
  const why = `${marketplace.name} has ${count(paged.tooMany)} listings, and a search gives ${count(MOST_BY_PAGES)}: their SKUs were read from the report ${LISTINGS_REPORT}.`;
  const listed = await listSkus();
  const read = await bySkus(job, { ...request, skus: listed.skus });
  return { ...read, of: Math.max(paged.tooMany, read.of), notes: [why, ...listed.notes, ...read.notes] };
}

/** Ends the reading at its first page. */
class TooMany extends Error {
  readonly total: number;
  constructor(total: number) {
    super('too many for pages');
    this.total = total;
  }
}

async function byPages(
  job: ReviewJob,
  { marketplace, add }: ListingsRequest,
): Promise<ListingsRead | { tooMany: number }> {
  const operation = searchOf(job);
  let found = 0;
  let total: number | undefined;
  try {
    const { complete, notes } = await readPages(job, {
      operation,
      parameters: parametersOf(marketplace),
      tell: (progress) => job.tell({ ...progress, message: `${marketplace.name}: ${progress.message}` }),
      look({ body }) {
        total = operation.paging === undefined ? total : (readPage(body, operation.paging).total ?? total);
        if ((total ?? 0) > MOST_BY_PAGES) throw new TooMany(total ?? 0);
      },
      add(item) {
        found += 1;
        add(item);
      },
    });
    return {
      of: Math.max(total ?? 0, found),
      complete,
      notes: notes.map((note) => `${marketplace.name}: ${note}`),
    };
  } catch (error) {
    if (error instanceof TooMany) return { tooMany: error.total };
    throw error;
  }
}

async function bySkus(
  job: ReviewJob,
  request: ListingsRequest & { skus: readonly string[] },
): Promise<ListingsRead> {
  const { skus, marketplace, add } = request;
  const plain = skus.filter((sku) => !sku.includes(','));
  const chunks = inChunks(plain, SKUS_A_CALL);
  // A list of SKUs is parted at its commas.
  const alone = skus.filter((sku) => sku.includes(','));
  const tell = createTeller(job, { marketplace, listings: skus.length, calls: chunks.length + alone.length });
  tell.told(0, 0);
  let asked = 0;
  let made = 0;
  await forEachAtOnce([...chunks, ...alone.map((sku) => [sku])], async (chunk) => {
    if (chunk.some((sku) => sku.includes(','))) await readOne(job, { marketplace, sku: chunk.join(''), add });
    else await readChunk(job, { marketplace, skus: chunk, add, look: tell.look });
    asked += chunk.length;
    made += 1;
    tell.told(asked, made);
  });
  return { of: skus.length, complete: true, notes: [] };
}

interface Part {
  marketplace: Marketplace;
  add(item: unknown): void;
}

async function readChunk(
  job: ReviewJob,
  { marketplace, skus, add, look }: Part & { skus: string[]; look(result: CallResult): void },
): Promise<void> {
  await readPages(job, {
    operation: searchOf(job),
    parameters: { ...parametersOf(marketplace), identifiers: skus, identifiersType: 'SKU' },
    add,
    look,
  });
}

async function readOne(job: ReviewJob, { marketplace, sku, add }: Part & { sku: string }): Promise<void> {
  const { client, account, owner, signal } = job;
  const operation = job.find('listings-items/getListingsItem');
  const { pageSize: _, ...parameters } = parametersOf(marketplace);
  const options: CallOptions = { signal, timeoutMs: PATIENCE_MS };
  try {
    const { body } = await client.call(
      { operation, account, owner, parameters: { ...parameters, sku } },
      options,
    );
    add(body);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
}

const searchOf = (job: ReviewJob): Operation => job.find('listings-items/searchListingsItems');

/** `withIssueSeverity` is left out: it breaks the pages of the service. */
function parametersOf({ id }: Marketplace) {
  return { marketplaceIds: [id], includedData: INCLUDED, pageSize: SKUS_A_CALL };
}

interface Extent {
  marketplace: Marketplace;
  listings: number;
  calls: number;
}

/** How far it is, and how long the rest takes at the limit of the search. */
function createTeller(job: ReviewJob, { marketplace, listings, calls }: Extent) {
  const { requestsPerSecond, burst = 1 } = searchOf(job).rate ?? {};
  let rate = requestsPerSecond ?? 1;
  const look = ({ headers }: CallResult) => {
    rate = requestsPerSecondOf(headers) ?? rate;
  };
  const told = (asked: number, made: number) => {
    const left = calls - made;
    const leftMs = (Math.max(0, left - Math.max(0, burst - made)) / rate) * 1000;
    const words = left === 0 ? '' : `, ${count(left)} more calls`;
    const progress: RunProgress = {
      message: `${marketplace.name}: ${count(asked)} of ${count(listings)} listings${words}`,
      done: asked,
      total: listings,
      leftMs,
    };
    job.tell(progress);
  };
  return { look, told };
}

// What the service's own warehouses hold of the SKUs that are found, asked for while others are still being found.

/** SKUs that one call takes. */
const STOCK_A_CALL = 50;

/** Calls that go on at once. */
const AT_ONCE = 8;

interface Stock {
  /** Can be sold; null where only the sum of everything is told. */
  quantity: number | null;
  inbound: number | null;
}

interface WarehouseStock {
  add(sku: string): void;
  /** When everything was added: what is held, by SKU. @throws the client's errors */
  settle(): Promise<{ stock: ReadonlyMap<string, Stock>; notes: string[] }>;
}

function openWarehouseStock(job: ReviewJob, { id, name }: Marketplace): WarehouseStock {
  const operation = job.find('fulfilment-inventory/getInventorySummaries');
  const stock = new Map<string, Stock>();
  const queue: (readonly string[])[] = [];
  const workers: Promise<void>[] = [];
  let busy = 0;
  let waiting: string[] = [];
  let refused: ApiError | undefined;
  const work = async () => {
    busy += 1;
    try {
      for (let skus = queue.shift(); skus !== undefined; skus = queue.shift()) {
        if (refused === undefined) await readStock(job, { operation, id, skus, stock });
      }
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refused = error;
    } finally {
      busy -= 1;
    }
  };
  const ask = (skus: readonly string[]) => {
    queue.push(skus);
    if (busy >= AT_ONCE) return;
    const worker = work();
    // It is thrown where the stock is settled.
    worker.catch(() => {});
    workers.push(worker);
  };
  return {
    add(sku) {
      // One that parts a list has a call of its own.
      if (sku.includes(',')) return ask([sku]);
      waiting.push(sku);
      if (waiting.length < STOCK_A_CALL) return;
      ask(waiting);
      waiting = [];
    },
    async settle() {
      if (waiting.length > 0) ask(waiting);
      waiting = [];
      await Promise.all(workers);
      const why =
        refused === undefined
          ? []
          : [
              `${name}: getInventorySummaries was refused (${refused.status}), so the stock of FBA listings is not known.`,
            ];
      return { stock, notes: why };
    },
  };
}

interface StockRequest {
  operation: Operation;
  id: string;
  skus: readonly string[];
  stock: Map<string, Stock>;
}

async function readStock(job: ReviewJob, { operation, id, skus, stock }: StockRequest): Promise<void> {
  const [only = ''] = skus;
  await readPages(job, {
    operation,
    parameters: {
      details: true,
      granularityType: 'Marketplace',
      granularityId: id,
      marketplaceIds: [id],
      ...(only.includes(',') ? { sellerSku: only } : { sellerSkus: skus }),
    },
    add(item) {
      if (isJsonObject(item) && typeof item.sellerSku === 'string') stock.set(item.sellerSku, stockOf(item));
    },
  });
}

const INBOUND = ['inboundWorkingQuantity', 'inboundShippedQuantity', 'inboundReceivingQuantity'];

function stockOf({ inventoryDetails: details, totalQuantity }: Readonly<Record<string, unknown>>): Stock {
  if (!isJsonObject(details)) return { quantity: numberOf(totalQuantity), inbound: null };
  const inbound = INBOUND.flatMap((member) => numberOf(details[member]) ?? []);
  return {
    quantity: numberOf(details.fulfillableQuantity) ?? numberOf(totalQuantity),
    inbound: inbound.length === 0 ? null : inbound.reduce((sum, each) => sum + each, 0),
  };
}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : null);

/** The account may not ask, or this marketplace has no such warehouses: no reason to tell nothing at all. */
function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
}
