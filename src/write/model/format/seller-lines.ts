/**
 * Renders the seller and the destination of a write in a seller's terms; the caller also gets its operation
 * and address.
 */

import { thisComputer } from '../../../base/invocation.ts';
import { byteLength } from '../../../base/json.ts';
import { isLoopback } from '../../../base/loopback.ts';
import { escapeText } from '../../../base/text/escape-text.ts';
import { nameWithin, quoteWithin } from '../../../base/text/quote-within.ts';
import { shortenToTokens } from '../../../base/text/shorten.ts';
import type { PreparedRequest } from '../../../call/client-types.ts';
import { serviceAddress } from '../../../call/request/address.ts';
import { MAX_HEADER_CHARACTERS } from '../../../render/error-result.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import { addressesFor, regionOf } from '../../../service/facts/regions.ts';

/** The owner of such credentials is unknown, whatever seller id is beside them. */
const NOT_VERIFIED = 'NOT VERIFIED, credentials given in the chat';

type Owner = PreparedRequest['owner'];

const MAX_NAME_BYTES = 300;
const MAX_URL_TOKENS = 200;
/** The max length of a host name; a longer one is cut at its start, because the end shows the owner. */
const MAX_HOST = 260;

export type CallParameters = Readonly<Record<string, unknown>>;

interface CallSummary {
  operation: Operation;
  account: string;
  request: Pick<PreparedRequest, 'method' | 'owner'>;
  /** True for the caller, who gets operation and address. */
  isForCaller?: boolean;
}

/**
 * Renders the seller, and the destination unless that is a regional address of the service.
 * @param url the address of one call, shown if it fits
 */
export function sellerLines(
  called: CallSummary,
  calls: readonly CallParameters[],
  bytes: number,
  url = '',
): string[] {
  const max = Math.min(MAX_NAME_BYTES, bytes / 8);
  const { account, request, isForCaller = false } = called;
  const { owner } = request;
  const { sellerId, login, isGiven = false } = owner;
  const id = sellerId === undefined ? 'id not known' : nameWithin(sellerId, max);
  const client = login === undefined ? 'not known' : quoteWithin(login.clientId, max);
  const words = [
    isGiven ? NOT_VERIFIED : `${formatOthers(owner, calls, max)}${id}`,
    ...(isSellerKnown(owner) ? [] : [`client id ${client}`]),
    `account ${account}`,
  ];
  const address = addressOf(owner, max / 3);
  return [
    `Seller: ${words.join(', ')}`,
    ...(address === undefined ? [] : [`Sent to: ${address}`]),
    ...(isForCaller ? [detailsLine(called, bytes, url)] : []),
  ];
}

/** Returns the same as data; a client id is as long as in the preview. */
export function sellerOf({ owner }: Pick<PreparedRequest, 'owner'>, calls: readonly CallParameters[]) {
  const { sellerId, login, isGiven = false } = owner;
  const text = (value: string) => escapeText(value.slice(0, MAX_HEADER_CHARACTERS));
  const others = text(otherSellers(owner, calls).join(', '));
  const known = sellerId === undefined ? 'not known' : text(sellerId);
  const own = isGiven ? NOT_VERIFIED : known;
  return {
    id: others === '' ? own : `${others}, NOT THE ACCOUNT'S OWN (${own})`,
    client_id: login && text(login.clientId),
    sent_to: addressOf(owner),
  };
}

/**
 * Returns the sellers that the parameters of some calls name and that are not the account's own, each once;
 * none if the account's owner is unknown.
 */
export function otherSellers(owner: Owner, calls: readonly CallParameters[]): string[] {
  if (!isSellerKnown(owner)) return [];
  const named = calls.flatMap(({ sellerId }) => (sellerId === undefined ? [] : [String(sellerId)]));
  return [...new Set(named)].filter((seller) => seller !== owner.sellerId);
}

const MAX_NAMED = 3;

/** Names the sellers of the parameters if they are not the account's own; empty otherwise. */
function formatOthers(owner: Owner, calls: readonly CallParameters[], most: number): string {
  const others = otherSellers(owner, calls);
  if (others.length === 0) return '';
  const named = others.slice(0, MAX_NAMED).map((one) => nameWithin(one, most / MAX_NAMED));
  const more = others.length > named.length ? ` and ${others.length - named.length} more` : '';
  return `${named.join(', ')}${more}, AS THE PARAMETERS NAME IT, NOT THE ACCOUNT'S OWN: `;
}

/** Returns true if the seller is known; otherwise only the client id is. */
export const isSellerKnown = ({ sellerId, isGiven = false }: Owner) => !isGiven && sellerId !== undefined;

/**
 * Describes the address; undefined for the service's own. Only the embedded sandbox is certain to have
 * nothing real behind an address of this computer.
 */
function addressOf({ baseUrl, isSandbox = false }: Owner, maxTokens = 100): string | undefined {
  if (isSandbox) return `the demo account on ${thisComputer()}; nothing reaches Amazon`;
  const { base } = serviceAddress(baseUrl);
  const { host, hostname, pathname } = new URL(base);
  const region = regionOf(base);
  if (region !== undefined && base === addressesFor(region, false).baseUrl) return undefined;
  if (region !== undefined) return `the sandbox of the service (${host}), NOT THE REAL SERVICE`;
  const end = host.length > MAX_HOST ? `...${host.slice(-MAX_HOST)}` : host;
  const path = pathname === '/' ? '' : shortenToTokens(escapeText(pathname), maxTokens);
  const where = isLoopback(hostname) ? ` on ${thisComputer()}` : '';
  return `${escapeText(end)}${path}${where}, NOT AN ADDRESS OF THE REAL SERVICE`;
}

/** Renders operation and address for the caller; they are no part of the question. */
function detailsLine({ operation, request }: CallSummary, bytes: number, url: string): string {
  const max = Math.min(MAX_URL_TOKENS, bytes / 12);
  const name = nameWithin(operation.name, max);
  // Our own address is percent-encoded and needs no delimiters.
  const isWhole = url !== '' && byteLength(url) <= max * 3;
  const path = shortenToTokens(escapeText(operation.path), max / 2);
  // The demo account's local address changes with each start and means nothing to a seller.
  if (request.owner.isSandbox === true) return `For the assistant: ${name}, ${request.method} ${path}`;
  const address = shortenToTokens(escapeText(request.owner.baseUrl), max / 2);
  return `For the assistant: ${name}, ${request.method} ${isWhole ? url : `${path} at ${address}`}`;
}
