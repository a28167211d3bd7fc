/** A service that is down, slow, broken or hostile: isError naming which, and the server goes on. */

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TOOL_LIST } from '../../src/protocol/generated/tool-list.ts';
import { type Outside, startOutside } from '../helpers/outside-service.ts';
import { connect, type Session } from '../helpers/sessions.ts';

let outside: Outside;
let session: Session;
beforeAll(async () => {
  outside = await startOutside({ rotate: false });
  session = await connect({ args: outside.args, env: outside.env });
});
afterAll(async () => {
  await session.close();
  await outside.close();
});
const item = () => session.call('get_catalog_item', { asin: 'B0SBX00001' });

describe('the service', () => {
  afterEach(async () => {
    outside.sandbox.faults.clear();
    const { isError, structured } = await session.call('read_operation', { operation: 'getSupplySources' });
    expect({ isError, status: structured.status }).toEqual({ isError: false, status: 200 });
  });

  const html = '<!doctype html><title>502 Bad Gateway</title><script>alert(1)</script>';
  const big = `{"payload":{"sku":"${'x'.repeat(11 * 1024 * 1024)}"}}`;
  const page = `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: ${html.length}\r\n\r\n${html}`;
  it.each([
    ['HTML with 200', { raw: page }, /not JSON/i],
    ['HTML with 400', { status: 400, body: html }, /400 Bad Request/],
    [
      'a body cut short',
      { raw: 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"payload":' },
      /before the whole answer/,
    ],
    ['JSON cut short', { raw: 'HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{"payload":' }, /JSON/],
    [
      'a body over 10 MB',
      { raw: `HTTP/1.1 200 OK\r\ncontent-length: ${big.length}\r\n\r\n${big}` },
      /larger than|over/,
    ],
    ['no HTTP at all', { raw: 'SSH-2.0-OpenSSH_9.6\r\n' }, /not HTTP/],
    ['a reset', { reset: true }, /reset the connection/],
    [
      'a redirect',
      { status: 302, headers: { location: 'https://evil.example/x' }, body: '' },
      /redirects.*never followed/,
    ],
    ['503 again and again', { status: 503 }, /503 Service Unavailable/],
  ] as const)('answers with %s', { timeout: 30_000 }, async (_case, fault, words) => {
    outside.sandbox.faults.next({ operation: 'getCatalogItem', times: 9, ...fault });
    const { isError, text } = await item();
    expect(text).toMatch(words);
    expect(isError).toBe(true);
    expect(text).not.toMatch(/<script|at \S+ \(|node_modules/);
    expect(text.length).toBeLessThan(1_000);
  });

  // 429 comes last: the pace that it teaches stays.
  it.each([400, 401, 403, 404, 500, 503, 429])(
    'answers with the documented status %i',
    { timeout: 30_000 },
    async (status) => {
      const { isError, text } = await session.call('get_catalog_item', { asin: `B0ERROR${status}` });
      expect(isError).toBe(true);
      expect(text).toMatch(status === 429 ? /429|rate limit/ : `getCatalogItem: ${status}`);
      if ([403, 404].includes(status)) expect(text).toContain('getListingsItem');
      if (status === 403) expect(text.indexOf('role')).toBeLessThan(text.indexOf('2022-09-30'));
    },
  );
});

it('answers with nothing: the call ends at its limit', { timeout: 30_000 }, async () => {
  outside.sandbox.faults.next({ operation: 'getCatalogItem', times: 9, delayMs: 60_000 });
  const other = await connect({ args: [...outside.args, '--call-timeout-ms=1500'], env: outside.env });
  const { isError, text } = await other.call('get_catalog_item', { asin: 'B0SBX00001' });
  await other.close();
  outside.sandbox.faults.clear();
  expect(text).toMatch(/within 1\.5 s/);
  expect(isError).toBe(true);
});

it('is down: says so, and the server goes on', { timeout: 20_000 }, async () => {
  // A port that the system gives to nobody.
  const env = { ...outside.env, SELLER_BASE_URL: 'http://127.0.0.1:9' };
  const other = await connect({ args: outside.args, env });
  try {
    const { isError, text } = await other.call('get_catalog_item', { asin: 'B0SBX00001' });
    expect(isError).toBe(true);
    expect(text).toMatch(/refused the connection; nothing was sent/);
    expect((await other.client.listTools()).tools).toHaveLength(TOOL_LIST.length);
    expect((await other.call('exchange_token')).isError).toBe(false);
  } finally {
    await other.close();
  }
});
