/** Checks where a signed address and each redirect may lead: HTTPS into the Internet; loopback from loopback only. */

import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { NetworkError } from '../../base/errors.ts';
import { isLoopback } from '../../base/loopback.ts';
import { isPrivateAddress } from './private-address.ts';

/** The end of the error, for the address of a document and of an upload. */
export const NOT_FETCHED = 'it was not fetched';
export const NOTHING_UPLOADED = 'nothing was uploaded';
export type Unused = typeof NOT_FETCHED | typeof NOTHING_UPLOADED;

/**
 * The address as a URL. A name is judged by what it resolves to, when it is connected to (`guardLookup`).
 * @param givenBy base address of the service that gave it; one on loopback (tests, a sandbox) may give its own
 * @throws NetworkError `ADDRESS_NOT_ALLOWED`, without anything of the address but its scheme or host
 */
export function checkAddress(address: string, givenBy: string, unused: Unused = NOT_FETCHED): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined) throw notAllowed('is not an address', unused);
  if (isLoopback(url.hostname) && mayBeLocal(givenBy)) {
    if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  }
  if (url.protocol !== 'https:')
    throw notAllowed(`does not begin with https: but with ${url.protocol}`, unused);
  if (url.username !== '' || url.password !== '')
    throw notAllowed('contains a user name or password', unused);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isLoopback(url.hostname) || (isIP(host) !== 0 && isPrivateAddress(host))) {
    throw notAllowed('leads into a private network', unused);
  }
  return url;
}

/** Returns the target of a redirect. @throws NetworkError as `checkAddress`, for another scheme too */
export function checkRedirect(location: string, from: URL, givenBy: string): URL {
  const target = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined;
  if (target === undefined) throw notAllowed('redirects to what is not an address');
  if (target.protocol !== from.protocol)
    throw notAllowed(`redirects from ${from.protocol} to ${target.protocol}`);
  return checkAddress(target.href, givenBy);
}

function notAllowed(why: string, unused: Unused = NOT_FETCHED): NetworkError {
  return new NetworkError(
    'ADDRESS_NOT_ALLOWED',
    'not-sent',
    `The address of the document ${why}; ${unused}.`,
    'Only HTTPS addresses on the Internet are fetched. Report it to the service if it stays so.',
  );
}

function mayBeLocal(givenBy: string): boolean {
  return URL.canParse(givenBy) && isLoopback(new URL(givenBy).hostname);
}

/**
 * Looks names up as Node does, and refuses those that lead into a private network, at the moment of connecting: looked up
 * here and connected to at once, so a name server cannot give one answer to a check and another to the connection.
 */
export function guardLookup(unused: Unused, lookup: typeof systemLookup = systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) return callback(error ?? new Error('no address'), []);
      if (addresses.some(({ address }) => isPrivateAddress(address))) {
        return callback(notAllowed('leads into a private network', unused), []);
      }
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
