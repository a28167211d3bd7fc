/** Looks names up as Node does, and refuses those that lead into a private network, at the moment of connecting. */

import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { notAllowed, type Unused } from './allowed-address.ts';
import { isPrivateAddress } from './private-address.ts';

/**
 * For a socket. Looked up here and connected to at once, so a name server cannot give one answer to a check and another
 * to the connection.
 */
export function guardLookup(lookup: typeof systemLookup = systemLookup, unused?: Unused): LookupFunction {
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
