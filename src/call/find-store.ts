/** Which store is meant by an alias or by the seller's own code: exactly one, or an error that lists those there are. */

import { ApiError, InputError } from '../base/errors.ts';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { showText } from '../base/text/escape-text.ts';
import { shortenToCharacters } from '../base/text/shorten.ts';
import type { Registry } from '../service/registry/registry.ts';
import type { CallInput, CallOptions, CallResult, Client } from './client-types.ts';
import { readPages } from './read-pages.ts';

export interface ListedStore {
  id: string;
  alias: string;
  code: string;
}

const MAX_LISTED = 10;
const MAX_NAME = 80;
const PAGE_SIZE = 100;

/**
 * The id of the one store of this id, alias or code; a name in another case counts where none is the same, then words of
 * an alias.
 * Undefined where the stores cannot be listed.
 * @throws InputError when none or more than one is meant, with the candidates
 */
export async function findStore(
  given: string,
  of: Parameters<typeof listStores>[0],
  call: CallOptions,
): Promise<string | undefined> {
  const stores = await listStores(of, call);
  return stores === undefined ? undefined : storeOf(given, stores).id;
}

/**
 * A reading call of a store, which may be given by another name: where nothing of this id is there, the store is found
 * as for a write, so that a call by the id costs no further request.
 * @throws AppError as the call does; InputError when none or more than one is meant, with the candidates
 */
export async function callFindingStore(
  input: CallInput,
  { client, registry }: { client: Client; registry: Registry },
  call: CallOptions,
): Promise<{ result: CallResult; id?: string }> {
  try {
    return { result: await client.call(input, call) };
  } catch (error) {
    const { account, parameters } = input;
    const { supplySourceId: given } = parameters;
    const isAbsent = error instanceof ApiError && error.status === 404;
    if (!isAbsent || typeof given !== 'string') throw error;
    const id = await findStore(given, { client, registry, account }, call);
    if (id === undefined || id === given) throw error;
    const result = await client.call({ ...input, parameters: { ...parameters, supplySourceId: id } }, call);
    return { result, id };
  }
}

/**
 * The one of this id, alias or code, or else with these words in its alias: a part of a word names nothing.
 * @throws InputError when none or more than one is meant, with the candidates
 */
export function storeOf(given: string, stores: readonly ListedStore[]): ListedStore {
  const same = (wanted: string) => (one: string) => normal(one) === normal(wanted);
  const exact = stores.filter(({ id, alias, code }) => [id, alias, code].includes(given));
  const named =
    exact.length > 0 ? exact : stores.filter(({ id, alias, code }) => [id, alias, code].some(same(given)));
  const words = wordsOf(given);
  const meant =
    named.length > 0 || words.length === 0
      ? named
      : stores.filter(({ alias }) => words.every((word) => wordsOf(alias).includes(word)));
  const [only, other] = meant;
  if (only !== undefined && other === undefined) return only;
  const name = showText(shortenToCharacters(given, MAX_NAME));
  const problem =
    meant.length === 0
      ? `No store has the ID, alias or code ${name}`
      : `${meant.length} stores are called ${named.length === 0 ? 'something with ' : ''}${name}`;
  throw new InputError(
    `${problem}; nothing was changed.`,
    stores.length === 0
      ? 'The account has no stores; createSupplySource makes one.'
      : `Give the ID of one of these: ${formatStores(meant.length === 0 ? stores : meant)}.`,
  );
}

const normal = (name: string) => name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();

const wordsOf = (name: string): readonly string[] => normal(name).match(/[\p{L}\p{N}]+/gu) ?? [];

function formatStores(stores: readonly ListedStore[]): string {
  const shown = stores.slice(0, MAX_LISTED).map(({ id, alias }) => {
    const words = showText(shortenToCharacters(id, MAX_NAME));
    return alias === '' ? words : `${words} (${showText(shortenToCharacters(alias, MAX_NAME))})`;
  });
  const more = stores.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more (getSupplySources lists them)`] : [])].join(', ');
}

/** All of the account; undefined where they cannot be listed. */
export async function listStores(
  { client, registry, account }: { client: Client; registry: Registry; account: string },
  call: CallOptions,
): Promise<ListedStore[] | undefined> {
  const operation = registry.find('supply-sources/getSupplySources');
  const input = { operation, account, parameters: { pageSize: PAGE_SIZE } };
  // A page that comes again makes no second store of it.
  const stores = new Map<string, ListedStore>();
  for await (const body of readPages(client, input, PAGES, call)) {
    if (!Array.isArray(body?.supplySources)) return undefined;
    for (const store of body.supplySources.filter(isJsonObject).map(toStore))
      stores.set(JSON.stringify(store), store);
  }
  return [...stores.values()];
}

/** A seller has a few dozen stores at most. */
const PAGES = { most: 20, token: 'nextPageToken', tokenIn: (body: JsonObject) => body.nextPageToken };

function toStore({ supplySourceId, alias, supplySourceCode }: Record<string, unknown>): ListedStore {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return { id: text(supplySourceId), alias: text(alias), code: text(supplySourceCode) };
}
