import { expect, test } from 'vitest';
import { isPrivateAddress } from '../../../src/call/download/private-address.ts';

test.each([
  '0.0.0.0',
  '10.255.255.255',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '::127.0.0.1',
  '64:ff9b::a00:1',
  '64:ff9b::192.168.0.1',
  '64:ff9b:1::8.8.8.8',
  '2002:a00:1::',
  '2002:c0a8:1:0:1:2:3:4',
  '2002:7f00:1::1',
  '::ffff:0:10.0.0.1',
  '2001:0:a00:1::',
  'localhost',
  '',
])('%s is private', (address) => {
  expect(isPrivateAddress(address)).toBe(true);
});

test.each([
  '8.8.8.8',
  '172.32.0.1',
  '100.128.0.1',
  '192.169.0.1',
  '198.18.0.1',
  '2606:4700::1111',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
  '64:ff9b::8.8.0.0',
  '2002:808:808::a00:1',
])('%s is not', (address) => {
  expect(isPrivateAddress(address)).toBe(false);
});
