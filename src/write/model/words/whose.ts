/** For whom a write is and where it goes, in a seller's words; its operation and address, for who makes the call. */

import { thisComputer } from '../../../base/invocation.ts';
import { byteLength } from '../../../base/json.ts';
import { isLoopback } from '../../../base/loopback.ts';
import { escapeText } from '../../../base/text/escape-text.ts';
import { nameWithin, quoteWithin } from '../../../base/text/quote-within.ts';
import { shortenToTokens } from '../../../base/text/shorten.ts';
import type { PreparedRequest } from '../../../call/client-types.ts';
import { serviceAddress } from '../../../call/request/address.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import { addressesFor, regionOf } from '../../../service/facts/regions.ts';
import { MOST_HEADER } from '../../../tell/error-result.ts';

/** Nobody knows whose these are, whatever seller id stands beside them. */
const NOT_VERIFIED = 'NOT VERIFIED, credentials given in the chat';

type Owner = PreparedRequest['owner'];

const MOST_NAME_BYTES = 300;
const MOST_URL_TOKENS = 200;
/** No name of a host is longer; of one that claims to be, the end says whose it is. */
const LONGEST_HOST = 260;

export type Parameters = Readonly<Record<string, unknown>>;

interface Called {
  operation: Operation;
  account: string;
  request: Pick<PreparedRequest, 'method' | 'owner'>;
  /** For who makes the call: with operation and address. */
  isForCaller?: boolean;
}

/** For whom, and where it goes unless that is the address of a region of the service. @param url of one call, where it fits */
export function sellerLines(called: Called, calls: readonly Parameters[], bytes: number, url = ''): string[] {
  const most = Math.min(MOST_NAME_BYTES, bytes / 8);
  const { account, request, isForCaller = false } = called;
  const { owner } = request;
  const { sellerId, login, isGiven = false } = owner;
  const id = sellerId === undefined ? 'id not known' : nameWithin(sellerId, most);
  const client = login === undefined ? 'not known' : quoteWithin(login.clientId, most);
  const words = [
    isGiven ? NOT_VERIFIED : `${namedWords(owner, calls, most)}${id}`,
    ...(tellsSeller(owner) ? [] : [`client id ${client}`]),
    `account ${account}`,
  ];
  const place = placeOf(owner, most / 3);
  return [
    `Seller: ${words.join(', ')}`,
    ...(place === undefined ? [] : [`Sent to: ${place}`]),
    ...(isForCaller ? [detailsLine(called, bytes, url)] : []),
  ];
}

/** The same as data: a client id as long as the preview shows it. */
export function sellerOf({ owner }: Pick<PreparedRequest, 'owner'>, calls: readonly Parameters[]) {
  const { sellerId, login, isGiven = false } = owner;
  const text = (value: string) => escapeText(value.slice(0, MOST_HEADER));
  const others = text(otherSellers(owner, calls).join(', '));
  const known = sellerId === undefined ? 'not known' : text(sellerId);
  const own = isGiven ? NOT_VERIFIED : known;
  return {
    id: others === '' ? own : `${others}, NOT THE ACCOUNT'S OWN (${own})`,
    client_id: login && text(login.clientId),
    sent_to: placeOf(owner),
  };
}

/**
 * Sellers that the parameters of some of these calls name, and that are not the account's own, each once; none where
 * nobody knows whose account it is.
 */
export function otherSellers(owner: Owner, calls: readonly Parameters[]): string[] {
  if (!tellsSeller(owner)) return [];
  const named = calls.flatMap(({ sellerId }) => (sellerId === undefined ? [] : [String(sellerId)]));
  return [...new Set(named)].filter((seller) => seller !== owner.sellerId);
}

const MOST_NAMED = 3;

/** Where the account is known to be another's; empty where all of it is the account's own. */
function namedWords(owner: Owner, calls: readonly Parameters[], most: number): string {
  const others = otherSellers(owner, calls);
  if (others.length === 0) return '';
  const named = others.slice(0, MOST_NAMED).map((one) => nameWithin(one, most / MOST_NAMED));
  const more = others.length > named.length ? ` and ${others.length - named.length} more` : '';
  return `${named.join(', ')}${more}, AS THE PARAMETERS NAME IT, NOT THE ACCOUNT'S OWN: `;
}

/** Otherwise the client id is all that is known. */
export const tellsSeller = ({ sellerId, isGiven = false }: Owner) => !isGiven && sellerId !== undefined;

/**
 * Undefined for the service's own address. Only of the embedded sandbox is it known that nothing real is behind an
 * address of this computer.
 */
function placeOf({ baseUrl, isSandbox = false }: Owner, maxTokens = 100): string | undefined {
  if (isSandbox) return `the demo account on ${thisComputer()}; nothing reaches Amazon`;
  const { base } = serviceAddress(baseUrl);
  const { host, hostname, pathname } = new URL(base);
  const region = regionOf(base);
  if (region !== undefined && base === addressesFor(region, false).baseUrl) return undefined;
  if (region !== undefined) return `the sandbox of the service (${host}), NOT THE REAL SERVICE`;
  const end = host.length > LONGEST_HOST ? `...${host.slice(-LONGEST_HOST)}` : host;
  const path = pathname === '/' ? '' : shortenToTokens(escapeText(pathname), maxTokens);
  const where = isLoopback(hostname) ? ` on ${thisComputer()}` : '';
  return `${escapeText(end)}${path}${where}, NOT AN ADDRESS OF THE REAL SERVICE`;
}

/** For who makes the call, and for whoever looks closer: no part of the question. */
function detailsLine({ operation, request }: Called, bytes: number, url: string): string {
  const most = Math.min(MOST_URL_TOKENS, bytes / 12);
  const name = nameWithin(operation.name, most);
  // Our own address, percent-encoded: nothing in it needs delimiting.
  const isWhole = url !== '' && byteLength(url) <= most * 3;
  const path = shortenToTokens(escapeText(operation.path), most / 2);
  // The demo account has an address of this computer that changes with each start and tells a seller nothing.
  if (request.owner.isSandbox === true) return `For the assistant: ${name}, ${request.method} ${path}`;
  const address = shortenToTokens(escapeText(request.owner.baseUrl), most / 2);
  return `For the assistant: ${name}, ${request.method} ${isWhole ? url : `${path} at ${address}`}`;
}
