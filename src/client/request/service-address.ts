/** The last check of an address before a token goes there, whoever configured it. */

import { ConfigError } from '../../errors.ts';
import { isLoopback } from '../../loopback.ts';

/** Without trailing slashes. @throws ConfigError unless it is https, or http to the machine itself. */
export function serviceAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const safe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url === undefined || !safe || url.username !== '' || url.password !== '') {
    throw new ConfigError(
      'The address of the service or of the identity provider must start with https:// and hold no user name.',
      'Correct base-url and auth-url; http:// is accepted for loopback only.',
    );
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}
