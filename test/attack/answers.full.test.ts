/** The worst answers that a service can send, within its limits and beyond: each call ends, and the server goes on. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_READ_BYTES } from '../../src/call/read-bound.ts';
import { MAX_ANSWER_VALUES } from '../../src/call/transport/parse-answer.ts';
import { type HttpService, startHttpService } from '../helpers/http-service.ts';
import { homeEnvironment } from '../helpers/outside-service.ts';
import { connect, type Session } from '../helpers/sessions.ts';
import { filled, WORST_ANSWERS } from './worst-answers.ts';

/** A hang, not a speed: each of these took from 15 s to minutes. */
const HANG_MS = 60_000;

let service: HttpService;
let session: Session;
let status = 200;
let body: Buffer | string = '{}';
beforeAll(async () => {
  service = await startHttpService(({ path }) => {
    if (path === '/auth/o2/token')
      return { body: { access_token: 'token-1', token_type: 'bearer', expires_in: 3600 } };
    return { status, headers: { 'content-type': 'application/json' }, body };
  });
  const env = {
    ...homeEnvironment('/nonexistent'),
    SELLER_BASE_URL: service.url,
    SELLER_AUTH_URL: service.url,
    SELLER_CLIENT_ID: 'client-of-the-attack',
    SELLER_CLIENT_SECRET: 'secret-of-the-attack',
    SELLER_REFRESH_TOKEN: 'refresh-of-the-attack',
  };
  session = await connect({ env, kind: 'sdk-v2-legacy' });
}, 60_000);
afterAll(async () => {
  await session.close();
  await service.close();
});

const read = (args = {}) => session.call('read_operation', { operation: 'getSupplySources', ...args });

describe('beyond the number of values: refused by name', () => {
  it.each<[string, () => string]>([
    ['600,000 empty objects', () => `[${filled(600_000, () => '{}')}]`],
    ['900,000 zeros', () => `[${filled(900_000, () => '0')}]`],
    ['390,000 members', () => `{${filled(390_000, () => '"":0')}}`],
  ])('%s', { timeout: HANG_MS }, async (_kind, make) => {
    body = make();
    const { isError, text } = await read();
    expect(isError).toBe(true);
    expect(text).toContain(`more than ${MAX_ANSWER_VALUES} values and member names`);
    expect(text).toContain('Ask for less');
  });
});

it('beyond the bytes: refused with the call that reads it in parts', { timeout: HANG_MS }, async () => {
  body = `[${filled(3_400_000, () => '{}')}]`;
  const { isError, text } = await read();
  expect(isError).toBe(true);
  expect(text).toContain('larger than 2,000,000 bytes');
  expect(text).toContain('collect_data {"operation":"supply-sources/getSupplySources"');
});

describe('within the number of values: answered within the budget', () => {
  it.each(WORST_ANSWERS)('$kind', { timeout: HANG_MS }, async ({ make, select }) => {
    body = make();
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(MAX_READ_BYTES);
    const { isError, text, structured } = await read(select === undefined ? {} : { select });
    expect(isError).toBe(false);
    expect(Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(structured))).toBeLessThan(160_000);
  });
});

describe('a failure of many words', () => {
  it.each([
    ['token', 403, 'token '],
    ['expired', 403, 'expired '],
    ['code', 400, 'a: b; « » '],
  ])('%s', { timeout: HANG_MS }, async (_kind, failure, words) => {
    status = failure;
    body = JSON.stringify({ errors: [{ code: 'X', message: words.repeat(1_000_000 / words.length) }] });
    const { isError, text } = await read().finally(() => {
      status = 200;
    });
    expect(isError).toBe(true);
    expect(text.length).toBeLessThan(4_000);
  });

  it('100,000 errors', { timeout: HANG_MS }, async () => {
    status = 400;
    body = `{"errors":[${filled(50_000, (i) => `{"code":"E${i}","message":"m"}`)}]}`;
    const { isError, text } = await read().finally(() => {
      status = 200;
    });
    expect(isError).toBe(true);
    expect(text.length).toBeLessThan(4_000);
  });
});
