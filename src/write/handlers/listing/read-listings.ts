/** Reads many listings: twenty in a call, or each alone where that is not possible. */

import { forEachConcurrently, splitIntoChunks } from '../../../base/concurrent.ts';
import { ApiError, type AppError } from '../../../base/errors.ts';
import { isFailureOfOneCall, isRefusal, mayConcernOneItem } from '../../../base/failure-of-one.ts';
import { isJsonObject, type JsonObject, objectsIn } from '../../../base/json.ts';
import type { Segments } from '../../../base/json-difference.ts';
import type { CallInput, CallOptions, CallResult, Client } from '../../../call/client-types.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import { OFFER } from '../../model/listing/entries.ts';
import { LISTING_PARTS } from '../../model/listing/listing-change.ts';

/** The listings that were read, by SKU. */
export interface ReadListings extends Pick<ReadonlyMap<string, ReadListing>, 'get' | 'has'> {
  keys(): Iterable<string>;
  /** The errors by SKU that leave it unknown whether a listing exists. */
  unread: ReadonlyMap<string, AppError>;
}

/** The maximum number of SKUs that one search takes, and of listings in a page. */
const SKUS_A_CALL = 20;
/** Listings that a search did not find are read alone, up to this number; above it they count as unknown. */
const MAX_ALONE = 40;
/**
 * Consecutive failures after which nothing more is requested, because the service seems to be unavailable.
 */
const MAX_OUTAGES = 10;
/** Refusals without any success after which nothing more is requested. */
const MAX_REFUSED = 40;

/** The parts that a single write reads too, because both are compared with what is offered now. */
const INCLUDED = LISTING_PARTS.includedData;

/** One listing as getListingsItem would return it. */
export interface ReadListing {
  item: JsonObject;
  /** Attributes with a number of more digits than can be sent back; it was read as a text. */
  inexact: ReadonlySet<string>;
}

export interface ListingsReader {
  client: Pick<Client, 'call' | 'refusalOf'>;
  find(operation: string): Operation;
  account: string;
  owner?: CallInput['owner'];
  marketplaceId: string;
  /** Attributes to store; all when left out. Many whole listings would take more memory than there is. */
  attributes?: ReadonlySet<string>;
  call: CallOptions;
  /** Reports the progress after each answer. */
  tell?: (read: number, of: number) => void;
}

/**
 * Returns the listings that exist, by SKU. The failure of one does not affect the others.
 * @throws the client's errors where nothing could be read, because nothing can be compared then
 */
export async function readListings(skus: readonly string[], reader: ListingsReader): Promise<ReadListings> {
  const found = new Map<string, ReadListing>();
  const unread = new Map<string, AppError>();
  let mayNotSearch = isSearchRefused(reader);
  let [asked, answered, refused, outages] = [0, 0, 0, 0];
  let lastError: AppError | undefined;
  const isHopeless = () => outages >= MAX_OUTAGES || (answered === 0 && refused >= MAX_REFUSED);
  const add = (listing: ReadListing | undefined) => {
    if (typeof listing?.item.sku === 'string') found.set(listing.item.sku, trim(listing, reader.attributes));
  };
  /**
   * @param read resolves with false where the service allows no search
   * @returns the failure of this request; other failures end the whole read
   */
  const attempt = async (chunk: readonly string[], read: () => Promise<boolean>) => {
    try {
      if (lastError !== undefined && isHopeless()) throw lastError;
      if (await read()) [answered, outages] = [answered + 1, 0];
      return undefined;
    } catch (error) {
      if (reader.call.signal?.aborted === true || !isFailureOfOneCall(error)) throw error;
      lastError = error;
      if (isRefusal(error)) refused += 1;
      else outages += 1;
      for (const sku of chunk) unread.set(sku, error);
      return error;
    }
  };
  const readAlone = async (sku: string): Promise<void> => {
    await attempt([sku], async () => {
      add(await readOne(sku, reader));
      return true;
    });
  };
  const readEachAlone = async (chunk: readonly string[]) => {
    for (const sku of chunk) {
      unread.delete(sku);
      await readAlone(sku);
    }
  };
  // The service splits a list of SKUs at commas, so a SKU with a comma is read alone.
  const alone = skus.filter((sku) => sku.includes(','));
  const chunks = splitIntoChunks(
    skus.filter((sku) => !sku.includes(',')),
    SKUS_A_CALL,
  );
  /** Searches that may have failed because of one of their SKUs. */
  const failed: { chunk: readonly string[]; isRefused: boolean }[] = [];
  const readChunk = async (chunk: readonly string[]) => {
    let isSearched = false;
    let failure: AppError | undefined;
    if (!mayNotSearch && !chunk.some((sku) => sku.includes(','))) {
      failure = await attempt(chunk, async () => {
        const items = await search(chunk, reader);
        for (const item of items ?? []) add(item);
        isSearched = items !== undefined;
        return isSearched;
      });
      mayNotSearch ||= !isSearched && failure === undefined && chunk.length > 1;
    }
    if (failure !== undefined && mayConcernOneItem(failure))
      failed.push({ chunk, isRefused: isRefusal(failure) });
    else if (failure === undefined && !isSearched) await readEachAlone(chunk);
    asked += chunk.length;
    reader.tell?.(asked, skus.length);
  };
  // The first chunk is read alone, because its answer shows whether the account may search at all.
  const [first, ...rest] = [...chunks, ...alone.map((sku) => [sku])];
  if (first !== undefined) await readChunk(first);
  await forEachConcurrently(rest, readChunk);
  for (const { chunk, isRefused } of failed) {
    // A service that has answered nothing is unavailable, whatever is requested.
    if (isRefused || answered > 0) await readEachAlone(chunk);
  }
  // A search does not find new listings at once.
  const isMissing = (sku: string) => !found.has(sku) && !unread.has(sku) && !sku.includes(',');
  const missing = mayNotSearch ? [] : skus.filter(isMissing);
  if (missing.length <= MAX_ALONE) await forEachConcurrently(missing, readAlone);
  if (lastError !== undefined && answered === 0) throw lastError;
  return {
    get: (sku) => found.get(sku),
    has: (sku) => found.has(sku),
    keys: () => found.keys(),
    unread,
  };
}

/** Returns whether the service has refused (403) such a search in this session and never answered one. */
function isSearchRefused({ client, owner, marketplaceId }: ListingsReader): boolean {
  if (owner === undefined) return false;
  const refusal = client.refusalOf?.('listings-items/searchListingsItems', owner, [marketplaceId]);
  return refusal?.answeredBefore === 0;
}

/** Returns only the parts of a listing that are needed. */
function trim({ item, inexact }: ReadListing, names: ReadonlySet<string> | undefined): ReadListing {
  if (names === undefined || !isJsonObject(item.attributes)) return { item, inexact };
  const needed = Object.entries(item.attributes).filter(([name]) => names.has(name));
  const summaries = objectsIn(item.summaries);
  const short = summaries.map(({ marketplaceId, itemName, productType, conditionType }) => ({
    marketplaceId,
    itemName,
    productType,
    conditionType,
  }));
  const { offers, ...rest } = item;
  const attributes = Object.fromEntries(needed);
  return {
    item: { ...rest, ...(names.has(OFFER) && { offers }), summaries: short, attributes },
    inexact,
  };
}

/** @param at path of the listing within the answer */
function toListing(item: unknown, answer: CallResult, at: Segments): ReadListing | undefined {
  if (!isJsonObject(item)) return undefined;
  const paths = answer.findNumbersAsText?.() ?? [];
  const inside = paths
    .filter((path) => at.every((name, i) => path[i] === name))
    .map((path) => path.slice(at.length))
    .filter(([part]) => part === 'attributes');
  return { item, inexact: new Set(inside.map(([, name]) => String(name))) };
}

/** Returns undefined where the service does not allow a search. */
async function search(skus: readonly string[], reader: ListingsReader) {
  const parameters = { identifiers: [...skus], identifiersType: 'SKU', pageSize: SKUS_A_CALL };
  const answer = await read('searchListingsItems', parameters, [403, 404], reader);
  if (answer === undefined) return undefined;
  const { body } = answer;
  const items = isJsonObject(body) && Array.isArray(body.items) ? body.items : [];
  return items.map((item, at) => toListing(item, answer, ['items', at]));
}

/** Returns undefined where there is no such listing. */
async function readOne(sku: string, reader: ListingsReader) {
  const answer = await read('getListingsItem', { sku }, [404], reader);
  return answer && toListing(answer.body, answer, []);
}

/** Returns undefined where the service answers with one of these statuses. */
async function read(
  name: string,
  more: Readonly<Record<string, unknown>>,
  statuses: readonly number[],
  { client, find, account, owner, marketplaceId, call }: ListingsReader,
): Promise<CallResult | undefined> {
  const parameters = { marketplaceIds: [marketplaceId], includedData: INCLUDED, ...more };
  try {
    return await client.call({ operation: find(`listings-items/${name}`), account, parameters, owner }, call);
  } catch (error) {
    if (error instanceof ApiError && statuses.includes(error.status)) return undefined;
    throw error;
  }
}
