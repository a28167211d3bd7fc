/** Listings as they are now, many at once: twenty of them a call, each alone where that is not possible. */

import { forEachAtOnce, inChunks } from '../../../base/at-once.ts';
import { ApiError } from '../../../base/errors.ts';
import { isJsonObject, type JsonObject, objectsIn } from '../../../base/json.ts';
import type { Segments } from '../../../base/json-difference.ts';
import { PackedMap } from '../../../base/packed.ts';
import type { CallInput, CallOptions, CallResult, Client } from '../../../call/client.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import { OFFER } from '../../model/listing/entries.ts';
import { LISTING_PARTS } from '../../model/listing/listing-change.ts';

/** By SKU; a long list of them is packed. */
export type ReadListings = Pick<ReadonlyMap<string, ReadListing>, 'get' | 'has' | 'keys'>;

/** Identifiers that one search takes, and listings that a page holds. */
const SKUS_A_CALL = 20;
/** What a search did not give is looked up by itself, unless it is this many: then they are unknown. */
const MOST_ALONE = 40;

/** The same parts that one write reads, since both are compared with what is offered now. */
const INCLUDED = LISTING_PARTS.includedData;

/** One listing, as getListingsItem would show it. */
export interface ReadListing {
  item: JsonObject;
  /** Attributes with a number of more digits than can be sent back: it was read as a text. */
  inexact: ReadonlySet<string>;
}

export interface ListingsReader {
  client: Pick<Client, 'call' | 'refusalOf'>;
  find(operation: string): Operation;
  account: string;
  owner?: CallInput['owner'];
  marketplaceId: string;
  /** Attributes that are kept; all where left out. Many listings whole take more memory than there is. */
  attributes?: ReadonlySet<string>;
  call: CallOptions;
  /** After each answer. */
  tell?: (read: number, of: number) => void;
}

/**
 * By SKU, those that there are.
 * @throws the client's errors: what cannot be read cannot be compared
 */
export async function readListings(skus: readonly string[], reader: ListingsReader): Promise<ReadListings> {
  const found = new PackedMap<ReadListing>();
  let mayNotSearch = isSearchRefused(reader);
  let asked = 0;
  const add = (listing: ReadListing | undefined) => {
    if (typeof listing?.item.sku === 'string') found.set(listing.item.sku, trim(listing, reader.attributes));
  };
  const readAlone = async (sku: string) => add(await readOne(sku, reader));
  // A list of SKUs is parted at its commas.
  const alone = skus.filter((sku) => sku.includes(','));
  const chunks = inChunks(
    skus.filter((sku) => !sku.includes(',')),
    SKUS_A_CALL,
  );
  const readChunk = async (chunk: readonly string[]) => {
    const items =
      mayNotSearch || chunk.some((sku) => sku.includes(',')) ? undefined : await search(chunk, reader);
    if (items === undefined) {
      mayNotSearch ||= chunk.length > 1;
      for (const sku of chunk) await readAlone(sku);
    } else for (const item of items) add(item);
    asked += chunk.length;
    reader.tell?.(asked, skus.length);
  };
  // The first one by itself, since its answer says whether the account may search at all.
  const [first, ...rest] = [...chunks, ...alone.map((sku) => [sku])];
  if (first !== undefined) await readChunk(first);
  await forEachAtOnce(rest, readChunk);
  // What is new is not found by a search at once.
  const missing = mayNotSearch ? [] : skus.filter((sku) => !found.has(sku) && !sku.includes(','));
  if (missing.length <= MOST_ALONE) await forEachAtOnce(missing, readAlone);
  return found;
}

/** True where the service has refused (403) such a search in this session, and answered none. */
function isSearchRefused({ client, owner, marketplaceId }: ListingsReader): boolean {
  if (owner === undefined) return false;
  const refusal = client.refusalOf?.('listings-items/searchListingsItems', owner, [marketplaceId]);
  return refusal?.answeredBefore === 0;
}

/** Only what is needed of it. */
function trim({ item, inexact }: ReadListing, names: ReadonlySet<string> | undefined): ReadListing {
  if (names === undefined || !isJsonObject(item.attributes)) return { item, inexact };
  const kept = Object.entries(item.attributes).filter(([name]) => names.has(name));
  const summaries = objectsIn(item.summaries);
  const short = summaries.map(({ marketplaceId, itemName, productType, conditionType }) => ({
    marketplaceId,
    itemName,
    productType,
    conditionType,
  }));
  const { offers, ...rest } = item;
  const attributes = Object.fromEntries(kept);
  return {
    item: { ...rest, ...(names.has(OFFER) && { offers }), summaries: short, attributes },
    inexact,
  };
}

/** @param at place of the listing within the answer */
function toListing(item: unknown, answer: CallResult, at: Segments): ReadListing | undefined {
  if (!isJsonObject(item)) return undefined;
  const places = answer.findNumbersAsText?.() ?? [];
  const inside = places
    .filter((place) => at.every((name, i) => place[i] === name))
    .map((place) => place.slice(at.length))
    .filter(([part]) => part === 'attributes');
  return { item, inexact: new Set(inside.map(([, name]) => String(name))) };
}

/** Undefined where the service does not allow a search. */
async function search(skus: readonly string[], reader: ListingsReader) {
  const parameters = { identifiers: [...skus], identifiersType: 'SKU', pageSize: SKUS_A_CALL };
  const answer = await read('searchListingsItems', parameters, [403, 404], reader);
  if (answer === undefined) return undefined;
  const { body } = answer;
  const items = isJsonObject(body) && Array.isArray(body.items) ? body.items : [];
  return items.map((item, at) => toListing(item, answer, ['items', at]));
}

/** Undefined where there is no such listing. */
async function readOne(sku: string, reader: ListingsReader) {
  const answer = await read('getListingsItem', { sku }, [404], reader);
  return answer && toListing(answer.body, answer, []);
}

/** Undefined where the service answers with one of these statuses. */
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
