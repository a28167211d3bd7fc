/** Which IP addresses lie inside a network that the Internet does not reach: no signed address leads there. */

import { BlockList, isIP } from 'node:net';

/**
 * Private, shared, link-local, loopback, multicast and reserved. 198.18.0.0/15 is left out: it is for tests, and local
 * proxies that are common in China answer every name with it.
 */
const NETWORKS: readonly (readonly [network: string, prefix: number, family: 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 127, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['fec0::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
];

const PRIVATE = new BlockList();
for (const network of NETWORKS) PRIVATE.addSubnet(...network);

/** IPv4 inside IPv6: mapped, compatible, and translated (NAT64), which leads to the IPv4 address. */
const INSIDE = new BlockList();
INSIDE.addSubnet('::ffff:0:0', 96, 'ipv6');
INSIDE.addSubnet('::', 96, 'ipv6');
INSIDE.addSubnet('64:ff9b::', 96, 'ipv6');

/** @param address as a name server or a URL gives it, without brackets; what is no IP address counts as private */
export function isPrivateAddress(address: string): boolean {
  const [plain = ''] = address.split('%');
  const family = isIP(plain);
  if (family === 0) return true;
  if (family === 4) return PRIVATE.check(plain, 'ipv4');
  return (
    PRIVATE.check(plain, 'ipv6') || (INSIDE.check(plain, 'ipv6') && isPrivateAddress(lastFourBytes(plain)))
  );
}

/** `64:ff9b::a00:1` and `::ffff:10.0.0.1` -> `10.0.0.1`. */
function lastFourBytes(address: string): string {
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [high = 0, low = 0] = written
    .split(':')
    .slice(-2)
    .map((part) => Number.parseInt(part === '' ? '0' : part, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
