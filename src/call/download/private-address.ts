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
  // Private forms of NAT64 (RFC 8215), and Teredo, whose addresses contain server and client.
  ['64:ff9b:1::', 48, 'ipv6'],
  ['2001::', 32, 'ipv6'],
];

const PRIVATE = new BlockList();
for (const network of NETWORKS) PRIVATE.addSubnet(...network);

/** IPv4 inside IPv6, which leads to the IPv4 address: mapped, compatible, translated (SIIT, NAT64), by 6to4. */
const INSIDE: readonly (readonly [network: string, prefix: number, firstGroup: number])[] = [
  ['::ffff:0:0', 96, 6],
  ['::ffff:0:0:0', 96, 6],
  ['::', 96, 6],
  ['64:ff9b::', 96, 6],
  ['2002::', 16, 1],
];

const withIPv4 = INSIDE.map(([network, prefix, firstGroup]) => {
  const addresses = new BlockList();
  addresses.addSubnet(network, prefix, 'ipv6');
  return { addresses, firstGroup };
});

/** @param address as a name server or a URL gives it, without brackets; what is no IP address counts as private */
export function isPrivateAddress(address: string): boolean {
  const [plain = ''] = address.split('%');
  const family = isIP(plain);
  if (family === 0) return true;
  if (family === 4) return PRIVATE.check(plain, 'ipv4');
  if (PRIVATE.check(plain, 'ipv6')) return true;
  return withIPv4.some(
    ({ addresses, firstGroup }) =>
      addresses.check(plain, 'ipv6') && PRIVATE.check(ipv4At(plain, firstGroup), 'ipv4'),
  );
}

/** `64:ff9b::a00:1` at 6, `::ffff:10.0.0.1` at 6 and `2002:a00:1::` at 1 -> `10.0.0.1`. */
function ipv4At(address: string, firstGroup: number): string {
  const [before = '', after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groupsOf = (text: string) => text.split(':').filter((group) => group !== '');
  const [left, right] = [groupsOf(before), groupsOf(after ?? '')];
  const gap = Array.from({ length: 8 - left.length - right.length }, () => '0');
  const groups = [...left, ...gap, ...right].slice(firstGroup, firstGroup + 2);
  const bytes = groups.map((group) => Number.parseInt(group, 16)).flatMap((two) => [two >> 8, two & 255]);
  return bytes.join('.');
}
