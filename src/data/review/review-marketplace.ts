/** Reviews one marketplace: its listings become rows, with the stock in the service's warehouses. */

import { forEachConcurrently, splitIntoChunks } from '../../base/concurrent.ts';
import { ApiError, AppError, InputError } from '../../base/errors.ts';
import { isFailureOfOneCall, isRefusal, mayConcernOneItem } from '../../base/failure-of-one.ts';
import { isJsonObject } from '../../base/json.ts';
import { createSemaphore } from '../../base/semaphore.ts';
import { quoteText, showText } from '../../base/text/escape-text.ts';
import { count } from '../../base/text/format-value.ts';
import { type CallInput, type CallResult, type Client, PATIENCE_MS } from '../../call/client-types.ts';
import { askParticipations } from '../../call/participations.ts';
import { requestsPerSecondOf } from '../../call/transport/response-headers.ts';
import { batchForm } from '../../service/facts/batches.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { hidesDotSegment } from '../../service/facts/path-template.ts';
import { buildBatch, readBatch } from '../collections/batch-calls.ts';
import { collectUnderLease } from '../collections/collect-once.ts';
import { callPatiently, collectPages, createItemSink } from '../collections/collect-pages.ts';
import type { CollectionSources, CollectionWorkParts, RunProgress } from '../collections/collection-plan.ts';
import { memberAt, readPage } from '../collections/parse-page.ts';
import { quoteIdentifier } from '../tables/sql-names.ts';
import type { CollectionInfo, Tables } from '../tables/table-types.ts';
import { type ListingStates, type ReviewedListingState, stateOfListing } from './compare-states.ts';
import {
  flattenListing,
  type IssueRow,
  type ListingRow,
  type ReviewedMarketplace,
  withAmount,
} from './listing-rows.ts';
import { NOT_SOLD_THERE } from './review-changes.ts';
import { chooseSkuColumn, skuCountQuery } from './sku-column.ts';

/** Max listings of one marketplace in a review. */
const MAX_LISTINGS = 50_000;

/** Max missing SKUs that are named. */
const MAX_NAMED_MISSING = 10;

/** The results of all marketplaces. */
interface ReviewFindings {
  rows: ListingRow[];
  issues: IssueRow[];
  notes: string[];
  /** False if not everything was read. */
  complete: boolean;
}

export interface ReviewJob extends CollectionSources, Omit<CollectionWorkParts, 'openLoader'> {
  owner: CallInput['owner'];
  tables: Tables;
  marketplace: ReviewedMarketplace;
  /** The only SKUs to review, if given. */
  skus: readonly string[] | undefined;
  fresh: boolean;
  /** Whether the featured offers are read too. */
  offers: boolean;
  found: ReviewFindings;
}

type AddListing = (item: unknown) => void;

/**
 * @returns the states of all its listings for comparison; undefined if not all were read
 * @throws the client's errors, and ReportError: this marketplace is then incomplete
 */
export async function reviewMarketplace(job: ReviewJob): Promise<{ states: ListingStates | undefined }> {
  const { marketplace, found } = job;
  const now = job.clock.wallClock();
  const skusRead = new Set<string>();
  /** The rows that wait for their stock. */
  const held = new Map<string, ListingRow>();
  const states = new Map<string, ReviewedListingState>();
  const warehouse = openWarehouseStock(job, (sku, stock) => {
    const row = held.get(sku);
    const state = states.get(sku);
    if (row === undefined || state === undefined) return;
    const known = { ...row, ...stock };
    found.rows.push(withAmount(known));
    states.set(sku, { ...state, stock: known.quantity });
  });
  let elsewhere: string | undefined;
  const readItem = (item: unknown) => {
    const flat = flattenListing(item, marketplace, now);
    if (flat === undefined || skusRead.has(flat.row.sku)) return;
    skusRead.add(flat.row.sku);
    found.issues.push(...flat.issues);
    states.set(flat.row.sku, stateOfListing(flat.row, flat.issues));
    if (flat.row.channel !== 'FBA') {
      found.rows.push(withAmount(flat.row));
      return;
    }
    held.set(flat.row.sku, flat.row);
    warehouse.add(flat.row.sku);
  };
  const read = await readListings(job, readItem).catch(async (error: unknown) => {
    // The service may also refuse if an account does not sell there.
    elsewhere = isRefusal(error) ? await findNotSoldNote(job) : undefined;
    if (elsewhere === undefined) throw error;
    return { of: 0, complete: true, notes: [] };
  });
  if (skusRead.size === 0) elsewhere ??= await findNotSoldNote(job);
  job.tell({ message: `${marketplace.name}: ${count(skusRead.size)} listings; waits for their stock` });
  const stock = await warehouse.settle();
  const offers = job.offers ? await readFeatured(job, states) : [];
  const isRead = read.complete && stock.complete;
  found.complete &&= isRead;
  found.notes.push(elsewhere ?? formatRead(job, read, skusRead), ...read.notes, ...stock.notes, ...offers);
  const isWhole = isRead && elsewhere === undefined && job.skus === undefined;
  return { states: isWhole ? states : undefined };
}

function nameSome(skus: readonly string[]): string {
  const rest = skus.length - MAX_NAMED_MISSING;
  const names = skus.slice(0, MAX_NAMED_MISSING).map((sku) => showText(sku, 100));
  return `${names.join(', ')}${rest > 0 ? ` and ${count(rest)} more` : ''}`;
}

function formatRead(
  { marketplace, skus }: ReviewJob,
  { of, unread }: ListingsRead,
  read: ReadonlySet<string>,
): string {
  const all = skus === undefined ? Math.max(of, read.size) : of;
  const missing = skus?.filter((sku) => !read.has(sku) && unread?.has(sku) !== true) ?? [];
  const words = missing.length === 0 ? '' : ` Not found: ${nameSome(missing)}.`;
  return `${marketplace.name}: ${count(read.size)} of ${count(all)} listings read.${words}`;
}

/** Max time for the request of the account's marketplaces. */
const MARKETPLACES_MS = 10_000;

/** Returns a note if the account does not sell there; undefined if it does or the service does not tell. */
async function findNotSoldNote(job: ReviewJob): Promise<string | undefined> {
  const { client, find, account, owner, signal, marketplace } = job;
  const options = { signal, timeoutMs: MARKETPLACES_MS };
  const asked = askParticipations(client, find, { account, owner }, options).catch((error: unknown) => {
    if (error instanceof AppError && !signal.aborted) return undefined;
    throw error;
  });
  const own = (await asked) ?? [];
  if (own.length === 0 || own.some(({ id }) => id === marketplace.id)) return undefined;
  const names = own.map(({ country }) => country).join(', ');
  return `${marketplace.name}: ${NOT_SOLD_THERE}, so there are no listings. It sells in ${names}.`;
}

// All SKUs of a marketplace come from the report of its listings, collected before or now.

const LISTINGS_REPORT = 'GET_MERCHANT_LISTINGS_ALL_DATA';

/** Max time for reading the SKUs from the report's table. */
const QUERY_MS = 60_000;

const BYTES_PER_SKU = 500;

/**
 * Lists at most as many SKUs as a review takes.
 * @param known SKUs that the search has returned
 * @throws ReportError if the report cannot be had
 */
async function listSkus(
  job: ReviewJob,
  known: readonly string[],
): Promise<{ skus: string[]; complete: boolean; notes: string[] }> {
  const { marketplace, tables, signal } = job;
  const info = await collectReport(job);
  const limits = {
    maxRows: MAX_LISTINGS,
    maxBytes: MAX_LISTINGS * BYTES_PER_SKU,
    timeoutMs: QUERY_MS,
    signal,
  };
  const table = info.tables[0];
  if (table === undefined) {
    throw new InputError(
      `The report ${LISTINGS_REPORT} of ${marketplace.name} has no column of SKUs.`,
      'Give the SKUs: skus: ["LAMP-1", "LAMP-2"].',
    );
  }
  const counted = known.length === 0 ? undefined : await tables.query(skuCountQuery(table, known), limits);
  const report = `report ${LISTINGS_REPORT} of ${marketplace.name}`;
  const column = chooseSkuColumn(table, known.length, (counted?.rows[0] ?? []).map(Number), report);
  const name = quoteIdentifier(column);
  const sql = `SELECT DISTINCT ${name} FROM ${quoteIdentifier(table.name)} WHERE ${name} IS NOT NULL ORDER BY 1`;
  const { rows, total } = await tables.query(sql, limits);
  const skus = rows.map(([sku]) => String(sku));
  if (total <= skus.length) return { skus, complete: true, notes: info.notes };
  const words = `${marketplace.name}: a review takes ${count(MAX_LISTINGS)} listings, of ${count(total)}; name the others with skus.`;
  return { skus, complete: false, notes: [words, ...info.notes] };
}

/** Collects the report once for all processes of this computer, like other collections. */
async function collectReport(job: ReviewJob): Promise<CollectionInfo> {
  const { marketplace, tables, fresh, clock, signal, idle } = job;
  const order = { type: LISTINGS_REPORT, marketplaces: [marketplace.id], fresh };
  const { planReport } = await import('../collections/collect-report.ts');
  const { source, recentMs, work } = await planReport(order, job);
  const kept = fresh ? undefined : await tables.find(source);
  if (kept !== undefined && clock.wallClock() - Date.parse(kept.collectedAt) <= recentMs) return kept;
  return collectUnderLease({
    tables,
    source,
    signal,
    clock,
    tell: ({ message }) => job.tell({ message: `${marketplace.name}, SKUs: ${message}` }),
    idle,
    progress: () => ({ message: `${marketplace.name}: the report of all listings` }),
    work: (parts) => work(parts).catch(explainWithoutReport),
  });
}

function explainWithoutReport(error: unknown): never {
  throw error instanceof AppError ? error.withHint('With skus, review_listings needs no report.') : error;
}

// All listings of one marketplace are read by pages if a search returns them all, else by SKU with many
// requests at once.

/** Max listings that a search returns, regardless of how many it finds. */
const MAX_BY_PAGES = 1_000;

/** Max identifiers of one search, and listings of a page. */
const SKUS_PER_CALL = 20;

const INCLUDED = ['summaries', 'issues', 'offers', 'fulfillmentAvailability'];

interface ListingsRead {
  /** The number that the service counts, or that were requested. */
  of: number;
  complete: boolean;
  notes: string[];
  /** SKUs for which it is unknown whether there is a listing. */
  unread?: ReadonlySet<string>;
}

/** @throws the client's errors; the listings read so far are then incomplete */
async function readListings(job: ReviewJob, add: AddListing): Promise<ListingsRead> {
  const { skus, marketplace } = job;
  if (skus !== undefined) return readBySkus(job, skus, add);
  try {
    return await readByPages(job, add);
  } catch (error) {
    if (!(error instanceof TooManyListings)) throw error;
    const why = `${marketplace.name} has ${count(error.total)} listings, and a search gives ${count(MAX_BY_PAGES)}: their SKUs were read from the report ${LISTINGS_REPORT}.`;
    const listed = await listSkus(job, error.known);
    const { of, complete, notes } = await readBySkus(job, listed.skus, add);
    return {
      of: Math.max(error.total, of),
      complete: listed.complete && complete,
      notes: [why, ...listed.notes, ...notes],
    };
  }
}

/** Ends the reading at its first page. */
class TooManyListings extends Error {
  readonly total: number;
  /** The SKUs of the first page. */
  readonly known: readonly string[];
  constructor(total: number, known: readonly string[]) {
    super('too many for pages');
    this.total = total;
    this.known = known;
  }
}

function skusOf(body: unknown): string[] {
  const items = memberAt(body, 'items');
  if (!Array.isArray(items)) return [];
  return items.flatMap((item) => {
    const sku = memberAt(item, 'sku');
    return typeof sku === 'string' ? [sku] : [];
  });
}

/** @throws TooMany */
async function readByPages(job: ReviewJob, add: AddListing): Promise<ListingsRead> {
  const { name } = job.marketplace;
  const operation = searchOf(job);
  let found = 0;
  let total: number | undefined;
  const { complete, notes } = await readPages(job, {
    operation,
    parameters: parametersOf(job),
    tell: (progress) => job.tell({ ...progress, message: `${name}: ${progress.message}` }),
    look({ body }) {
      total = operation.paging === undefined ? total : (readPage(body, operation.paging).total ?? total);
      if ((total ?? 0) > MAX_BY_PAGES) throw new TooManyListings(total ?? 0, skusOf(body));
    },
    add(item) {
      found += 1;
      add(item);
    },
  });
  return { of: Math.max(total ?? 0, found), complete, notes: notes.map((note) => `${name}: ${note}`) };
}

/** Max SKUs whose reading may fail before the reading stops. */
const MAX_FAILED = 10;

/**
 * Reads SKUs so that a failed one affects no other: the notes name unread ones.
 * @throws the last error if nothing could be read
 */
async function readBySkus(job: ReviewJob, skus: readonly string[], add: AddListing): Promise<ListingsRead> {
  // A list of SKUs is split at its commas, so SKUs with a comma are requested alone.
  const plain = skus.filter((sku) => !sku.includes(','));
  const alone = skus.filter((sku) => sku.includes(','));
  const chunks = [...splitIntoChunks(plain, SKUS_PER_CALL), ...alone.map((sku) => [sku])];
  const teller = createProgressReporter(job, searchOf(job), { listings: skus.length, calls: chunks.length });
  const unread = new Set(skus);
  const notes = new Set<string>();
  let failed = 0;
  let lastError: AppError | undefined;
  let made = 0;
  const ask = async (chunk: readonly string[], isAlone: boolean): Promise<void> => {
    try {
      const read = await readChunk(job, chunk, { isAlone, add, look: teller.look });
      for (const sku of chunk) unread.delete(sku);
      for (const note of read.notes) if (!read.complete) notes.add(note);
    } catch (error) {
      if (job.signal.aborted || !isFailureOfOneCall(error)) throw error;
      if (!isAlone && mayConcernOneItem(error)) {
        for (const sku of chunk) await ask([sku], true);
        return;
      }
      lastError = error;
      failed += chunk.length;
      const isOfAll = unread.size === skus.length && !mayConcernOneItem(error);
      if (isOfAll || failed >= MAX_FAILED) throw error;
    }
  };
  teller.tell(0, made);
  try {
    await forEachConcurrently(chunks, async (chunk) => {
      await ask(
        chunk,
        chunk.some((sku) => sku.includes(',')),
      );
      made += 1;
      teller.tell(skus.length - unread.size, made);
    });
  } catch (error) {
    if (lastError === undefined || unread.size === skus.length) throw error;
  }
  if (lastError !== undefined && unread.size === skus.length) throw lastError;
  if (lastError !== undefined) {
    notes.add(
      `${count(unread.size)} listings could not be read (${lastError.message}): ${nameSome([...unread])}.`,
    );
  }
  return {
    of: skus.length,
    complete: notes.size === 0,
    notes: [...notes].map((note) => `${job.marketplace.name}: ${note}`),
    unread,
  };
}

interface ChunkRequest extends Pick<PagesRequest, 'add' | 'look'> {
  /** Whether to read it by itself instead of by a search, which takes many. */
  isAlone: boolean;
}

async function readChunk(job: ReviewJob, skus: readonly string[], { isAlone, add, look }: ChunkRequest) {
  const [sku = ''] = skus;
  if (!isAlone) {
    const parameters = { ...parametersOf(job), identifiers: skus, identifiersType: 'SKU' };
    return readPages(job, { operation: searchOf(job), parameters, add, look });
  }
  if (hidesDotSegment(sku)) {
    throw new InputError(
      `${quoteText(sku)} cannot be asked for by itself: as part of an address it means another resource`,
      'Look at that listing in Seller Central.',
    );
  }
  const { client, account, owner, signal } = job;
  const operation = job.find('listings-items/getListingsItem');
  const { pageSize: _, ...parameters } = parametersOf(job);
  try {
    const { body } = await client.call(
      { operation, account, owner, parameters: { ...parameters, sku } },
      { signal, timeoutMs: PATIENCE_MS },
    );
    add(body);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
  return { complete: true, notes: [] };
}

const searchOf = (job: ReviewJob): Operation => job.find('listings-items/searchListingsItems');

/** Returns the parameters without `withIssueSeverity`, which breaks the pages of the service. */
function parametersOf({ marketplace }: ReviewJob) {
  return { marketplaceIds: [marketplace.id], includedData: INCLUDED, pageSize: SKUS_PER_CALL };
}

/**
 * Reports the progress and the time left at the operation's limit.
 * @param what the part of the listings that is read
 */
function createProgressReporter(
  job: ReviewJob,
  operation: Operation,
  of: { listings: number; calls: number },
  what = '',
) {
  const { requestsPerSecond, burst = 1 } = operation.rate ?? {};
  let rate = requestsPerSecond ?? 1;
  return {
    look({ headers }: Pick<CallResult, 'headers'>) {
      rate = requestsPerSecondOf(headers) ?? rate;
    },
    tell(asked: number, made: number) {
      const left = of.calls - made;
      const words = left === 0 ? '' : `, ${count(left)} more calls`;
      job.tell({
        message: `${job.marketplace.name}: ${what}${count(asked)} of ${count(of.listings)} listings${words}`,
        done: asked,
        total: of.listings,
        leftMs: (Math.max(0, left - Math.max(0, burst - made)) / rate) * 1000,
      });
    },
  };
}

interface PagesRequest {
  operation: Operation;
  parameters: Readonly<Record<string, unknown>>;
  add: AddListing;
  tell?: (progress: RunProgress) => void;
  /** Inspects each answer; an error that it throws ends the reading. */
  look?: (result: CallResult) => void;
}

/** Reads all pages of one request, each item once, with the same retries as other collections. */
async function readPages(
  { client, clock, signal, account, owner }: ReviewJob,
  { operation, parameters, add, tell = () => {}, look = () => {} }: PagesRequest,
): Promise<{ complete: boolean; notes: string[] }> {
  const { paging } = operation;
  if (paging === undefined) throw new Error(`${operation.id} has no pages`);
  const looking: Pick<Client, 'call'> = {
    async call(input, options) {
      const result = await client.call(input, options);
      look(result);
      return result;
    },
  };
  const sink = createItemSink(add);
  return collectPages({
    operation,
    paging,
    clock,
    signal,
    tell,
    client: looking,
    table: 'items',
    input: { parameters, account, owner },
    open: async () => sink,
  });
}

// Stock in the service's warehouses is requested while further SKUs are still being found.

/** Max SKUs of one call. */
const STOCK_SKUS_PER_CALL = 50;

/** Max calls in flight. */
const MAX_IN_FLIGHT = 8;

interface SkuStock {
  /** The sellable quantity; null if only the total is stated. */
  quantity: number | null;
  inbound: number | null;
}

/** @param known is called for each SKU after its request; with undefined if its stock is unknown */
function openWarehouseStock(job: ReviewJob, known: (sku: string, stock: SkuStock | undefined) => void) {
  const turns = createSemaphore(MAX_IN_FLIGHT);
  const asked: Promise<void>[] = [];
  let waiting: string[] = [];
  let refused: ApiError | undefined;
  let isAnyKnown = false;
  /** The reason why some stock is unknown, and the number of SKUs. */
  const lost = { skus: 0, why: '' };
  const read = async (skus: readonly string[], stock: Map<string, SkuStock>): Promise<void> => {
    if (refused !== undefined) return;
    try {
      const { complete, notes } = await readStock(job, skus, stock);
      isAnyKnown = true;
      if (!complete) Object.assign(lost, { skus: lost.skus + skus.length, why: notes.join(' ') });
    } catch (error) {
      if (job.signal.aborted || !isFailureOfOneCall(error)) throw error;
      if (isAnyKnown && mayConcernOneItem(error) && skus.length > 1) {
        // Halving the request finds the SKU that causes the error.
        for (const half of splitIntoChunks(skus, Math.ceil(skus.length / 2))) await read(half, stock);
      } else if (isRefusal(error) && !(isAnyKnown && mayConcernOneItem(error))) refused = error;
      else Object.assign(lost, { skus: lost.skus + skus.length, why: error.message });
    }
  };
  const ask = (skus: readonly string[]) => {
    const answer = turns.take(job.signal, async () => {
      const stock = new Map<string, SkuStock>();
      await read(skus, stock);
      for (const sku of skus) known(sku, stock.get(sku));
    });
    // The error is thrown when the stock is settled.
    answer.catch(() => {});
    asked.push(answer);
  };
  return {
    add(sku: string) {
      // A SKU with a comma would split the list, so it has its own call.
      if (sku.includes(',')) return ask([sku]);
      waiting.push(sku);
      if (waiting.length < STOCK_SKUS_PER_CALL) return;
      ask(waiting);
      waiting = [];
    },
    /**
     * Resolves to the notes once everything was added and requested.
     * @throws any error that ends all calls
     */
    async settle() {
      if (waiting.length > 0) ask(waiting);
      waiting = [];
      await Promise.all(asked);
      const { name } = job.marketplace;
      const notes: string[] = [];
      if (refused !== undefined) {
        notes.push(
          `${name}: getInventorySummaries was refused (${refused.status}), so the stock of FBA listings is not known.`,
        );
      }
      if (lost.skus > 0)
        notes.push(`${name}: the stock of ${count(lost.skus)} FBA listings is not known (${lost.why}).`);
      return { complete: lost.skus === 0, notes };
    },
  };
}

async function readStock(job: ReviewJob, skus: readonly string[], stock: Map<string, SkuStock>) {
  const { id } = job.marketplace;
  const [only = ''] = skus;
  return readPages(job, {
    operation: job.find('fulfilment-inventory/getInventorySummaries'),
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

function stockOf({ inventoryDetails: details, totalQuantity }: Readonly<Record<string, unknown>>): SkuStock {
  if (!isJsonObject(details)) return { quantity: numberOf(totalQuantity), inbound: null };
  const inbound = INBOUND.flatMap((member) => numberOf(details[member]) ?? []);
  return {
    quantity: numberOf(details.fulfillableQuantity) ?? numberOf(totalQuantity),
    inbound: inbound.length === 0 ? null : inbound.reduce((sum, each) => sum + each, 0),
  };
}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : null);

// Featured offers are requested twenty a call, to learn which of them are the seller's.

const OFFERS = 'product-pricing/getListingOffers';

/** @returns the reasons why some are unknown. @throws any error that ends all calls */
async function readFeatured(job: ReviewJob, states: Map<string, ReviewedListingState>): Promise<string[]> {
  const { client, clock, signal, account, owner, find, marketplace } = job;
  const form = batchForm(OFFERS);
  if (form === undefined) return [];
  const operation = find(form.operation);
  const priced = [...states].filter(([, { price }]) => price !== null).map(([sku]) => sku);
  const chunks = splitIntoChunks(priced, form.most);
  const of = { listings: priced.length, calls: chunks.length };
  const teller = createProgressReporter(job, operation, of, 'offers of ');
  teller.tell(0, 0);
  try {
    for (const [made, skus] of chunks.entries()) {
      const all = skus.map((sku) => ({
        parameters: { [form.key]: sku, ItemCondition: 'New' },
        body: undefined,
        marketplaceId: marketplace.id,
      }));
      const input = { operation, account, owner, ...buildBatch(form, all) };
      const result = await callPatiently(input, { client, clock, signal });
      teller.look(result);
      for (const [at, outcome] of readBatch(form, result.body, all).entries()) {
        const sku = skus[at] ?? '';
        const state = states.get(sku);
        const featured = 'problem' in outcome ? null : featuredIn(outcome.items[0]);
        if (state !== undefined) states.set(sku, { ...state, featured });
      }
      teller.tell(Math.min(priced.length, (made + 1) * form.most), made + 1);
    }
    return [];
  } catch (error) {
    if (signal.aborted || !isFailureOfOneCall(error)) throw error;
    const why = isRefusal(error) ? `was refused (${error.status})` : `failed (${error.message})`;
    return [`${marketplace.name}: ${operation.name} ${why}, so who has the featured offer is not known.`];
  }
}

/** Returns null if the answer has an undocumented shape. */
function featuredIn(answer: unknown): number | null {
  const offers = memberAt(answer, 'Offers');
  if (!Array.isArray(offers)) return null;
  return Number(
    offers.some((offer) => memberAt(offer, 'MyOffer') === true && memberAt(offer, 'IsBuyBoxWinner') === true),
  );
}
