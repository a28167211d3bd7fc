/** All listings of one marketplace: by pages where a search gives them all, else by their SKUs, many requests at once. */

import { forEachAtOnce, inChunks } from '../at-once.ts';
import type { CallOptions, CallResult } from '../client/client.ts';
import { requestsPerSecondOf } from '../client/transport/response-headers.ts';
import { count, PATIENCE_MS } from '../collections/pages.ts';
import { readPage } from '../collections/read-page.ts';
import type { RunProgress } from '../collections/work.ts';
import { ApiError } from '../errors.ts';
import type { Operation } from '../service/facts/operation.ts';
import { type Marketplace, type ReviewJob, readPages } from './review-job.ts';

/** A search gives no more, however many it finds. */
export const MOST_BY_PAGES = 1_000;

/** Identifiers that one search takes, and listings that a page holds. */
const SKUS_A_CALL = 20;

const INCLUDED = ['summaries', 'issues', 'offers', 'fulfillmentAvailability'];

export interface ListingsRequest {
  marketplace: Marketplace;
  /** Those and no others. */
  skus: readonly string[] | undefined;
  add(item: unknown): void;
  /** All there are, where a search does not give them. */
  listSkus(): Promise<{ skus: readonly string[]; notes: string[] }>;
}

export interface ListingsRead {
  /** How many the service counts, or were asked for. */
  of: number;
  complete: boolean;
  notes: string[];
}

/** @throws the client's errors: what was read until then is not whole */
export async function readListings(job: ReviewJob, request: ListingsRequest): Promise<ListingsRead> {
  const { skus, marketplace, listSkus } = request;
  if (skus !== undefined) return bySkus(job, { ...request, skus });
  const paged = await byPages(job, request);
  if (!('tooMany' in paged)) return paged;
  const why = `${marketplace.name} has ${count(paged.tooMany)} listings, and a search gives ${count(MOST_BY_PAGES)}: their SKUs were read from the report GET_MERCHANT_LISTINGS_ALL_DATA.`;
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
