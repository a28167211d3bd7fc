/** Where a signed address, and each redirect from it, may lead: HTTPS into the Internet; loopback from loopback only. */

import { isIP } from 'node:net';
import { NetworkError } from '../../errors.ts';
import { isLoopback } from '../../loopback.ts';
import { isPrivateAddress } from './private-address.ts';

/**
 * The address as a URL. A name is judged by what it resolves to, when it is connected to (`guarded-lookup.ts`).
 * @param givenBy base address of the service that gave it; one on loopback (tests, a sandbox) may give its own
 * @throws NetworkError `ADDRESS_NOT_ALLOWED`, without anything of the address but its scheme or host
 */
export function checkAddress(address: string, givenBy: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined) throw notAllowed('is not an address');
  if (isLoopback(url.hostname) && mayBeLocal(givenBy)) {
    if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  }
  if (url.protocol !== 'https:') throw notAllowed(`does not begin with https: but with ${url.protocol}`);
  if (url.username !== '' || url.password !== '') throw notAllowed('contains a user name or password');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isLoopback(url.hostname) || (isIP(host) !== 0 && isPrivateAddress(host))) {
    throw notAllowed('leads into a private network');
  }
  return url;
}

/** Where a redirect leads. @throws NetworkError as `checkAddress`, for another scheme too */
export function checkRedirect(location: string, from: URL, givenBy: string): URL {
  const target = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined;
  if (target === undefined) throw notAllowed('redirects to what is not an address');
  if (target.protocol !== from.protocol)
    throw notAllowed(`redirects from ${from.protocol} to ${target.protocol}`);
  return checkAddress(target.href, givenBy);
}

export function notAllowed(why: string): NetworkError {
  return new NetworkError(
    'ADDRESS_NOT_ALLOWED',
    'not-sent',
    `The address of the document ${why}; it was not fetched.`,
    'Only HTTPS addresses on the Internet are fetched. Report it to the service if it stays so.',
  );
}

function mayBeLocal(givenBy: string): boolean {
  return URL.canParse(givenBy) && isLoopback(new URL(givenBy).hostname);
}
