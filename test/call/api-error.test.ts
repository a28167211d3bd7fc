import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ServiceText } from '../../src/base/text/service-text.ts';
import { buildApiError, parseErrors, saysTokenExpired } from '../../src/call/api-error.ts';
import { apiRequest, apiResponse } from '../helpers/api-request.ts';
import { expectOnlyIn } from '../helpers/only-in.ts';
import { operation, writeOperation } from '../helpers/test-client.ts';
import { words } from '../helpers/words.ts';

const ending = { removed: '2022-09-30', successor: 'listings-items/getListingsItem' };
const NOW = Date.parse('2026-11-29');
const errorOf = (status: number, body: unknown = {}, headers = {}, fields = {}) =>
  buildApiError(apiResponse(status, headers, body), apiRequest({ operation: operation(fields) }), {
    now: NOW,
  });

describe('the message', () => {
  it.each([
    [400, { code: 'A', message: 'b' }, 'getThing: 400 Bad Request: «A: b»'],
    [429, [{ code: 'Q', message: 'slow' }], 'getThing: 429 rate limit exceeded: «Q: slow»'],
    [
      503,
      {
        errors: [
          { code: 'X', message: 'y' },
          { code: 'Z', message: '' },
        ],
      },
      'getThing: 503 Service Unavailable: «X: y; Z»',
    ],
    [501, { code: 'N', message: 'no' }, 'getThing: 501 Not Implemented: «N: no»'],
    [500, undefined, 'getThing: 500 Server Error (the answer had no readable body)'],
    [418, {}, 'getThing: 418 (the body held no error object)'],
    [418, null, 'getThing: 418 (the body held no error object)'],
    [418, { errors: [] }, 'getThing: 418 (the body held no error object: «{"errors":[]}»)'],
    [
      400,
      { fault: { why: 'a\u202eb »' } },
      'getThing: 400 Bad Request (the body held no error object: «{"fault":{"why":"a\\u{202E}b \\u{BB}"}}»)',
    ],
    [400, { errors: ['sku is wrong', 'price too'] }, 'getThing: 400 Bad Request: «sku is wrong; price too»'],
    [400, { errorCode: 'E1', errorMessage: 'why' }, 'getThing: 400 Bad Request: «E1: why»'],
  ])('of %i names operation, status, label and codes', (status, body, message) => {
    const error = buildApiError({ ...apiResponse(status), body }, apiRequest());
    expect(error.message).toBe(message);
  });
});

it('shows the beginning of a body that nothing is known of, and how much is missing', () => {
  const { message } = errorOf(400, { words: 'word '.repeat(1_000) });
  expect(message).toMatch(
    /\(the body held no error object: «\{"words":"word .{200,290}» \(47\d\d more characters\)\)$/,
  );
  const large = buildApiError({ ...apiResponse(400, {}, { a: 'b' }), bytes: 2_000_000 }, apiRequest());
  expect(large.message).toMatch(/\(the body held no error object\)$/);
});

describe('the hint', () => {
  it('of 400 speaks of what the service names only where it names something', () => {
    const named = errorOf(400, { errors: ['sku is wrong'] });
    for (const body of [undefined, {}, { fault: 'x' }, { errors: [] }]) {
      expect(errorOf(400, body).hint).toContain('compare the arguments with describe_operation');
      expectOnlyIn('Correct what the service names', named.hint, errorOf(400, body).hint);
    }
  });

  it.each([404, 410])('of %i says what replaced an operation that is gone', (status) => {
    const { hint } = errorOf(status, {}, {}, { ending });
    expect(hint).toContain(ending.removed);
    expectOnlyIn(ending.successor, hint, errorOf(status).hint);
    // Before its day it answers as ever: the identifier is wrong then.
    const later = errorOf(status, {}, {}, { ending: { ...ending, removed: '2027-03-27' } });
    expect(later.hint).toBe(errorOf(status).hint);
  });

  it('of 403 names what answers the same and may be allowed, of a reading', () => {
    const orders = errorOf(403, {}, {}, { id: 'orders/searchOrders' });
    expect(orders.hint).toMatch(
      /may be allowed: read_operation with orders\/getOrders; collect_data with report: \{"type": "GET_FLAT_FILE_ALL_ORDERS/,
    );
    const input = { in: 'query', name: 'paginationToken' };
    const paging = { by: 'token', input, output: 'pagination.nextToken', list: 'orders' };
    expect(errorOf(403, {}, {}, { id: 'orders/searchOrders', paging }).hint).toContain(
      'read_operation or collect_data with orders/getOrders;',
    );
    for (const other of [
      errorOf(404, {}, {}, { id: 'orders/searchOrders' }),
      errorOf(403, {}, {}, { id: 'orders/searchOrders', effect: 'write' }),
    ])
      expectOnlyIn('orders/getOrders', orders.hint, other.hint);
  });

  it('of 403 names parts that take a role of their own, where they were asked for', () => {
    const of = (query: string) =>
      buildApiError(apiResponse(403), { ...apiRequest(), url: `https://x.test/orders${query}` }).hint;
    expect(of('?includedData=PROCEEDS,BUYER')).toContain('leave BUYER out of includedData');
    for (const query of ['', '?includedData=PROCEEDS']) expect(of(query)).not.toContain('includedData');
  });

  /** Returns the message for a 403 with these errors after so many answered calls. */
  const forbidden = (errors: readonly object[], answered = 0) =>
    buildApiError(
      apiResponse(403, {}, { errors }),
      apiRequest({ operation: operation({ id: 'catalog-items/getCatalogItem' }) }),
      { known: { answered, isRefused: () => false, given: {} } },
    ).hint;
  const plain = { code: 'Unauthorized', message: 'Access to requested resource is denied.', details: '' };

  it.each([
    ['says nothing of its own', [plain], 0, { role: true, throttling: false }],
    ['comes after a few answers', [plain], 9, { role: true, throttling: false }],
    ['comes after many answers', [plain], 10, { role: false, throttling: true }],
    [
      'has details of its own',
      [{ ...plain, details: 'Brand not enrolled.' }],
      0,
      { role: false, throttling: false },
    ],
    [
      'has details after many answers',
      [{ ...plain, details: 'Not yours.' }],
      50,
      { role: false, throttling: false },
    ],
    ['has blank details', [{ ...plain, details: ' ' }], 0, { role: true, throttling: false }],
    ['names a quota', [{ ...plain, code: 'QuotaExceeded' }], 0, { role: false, throttling: true }],
  ])('of 403 names the causes that fit one that %s', (_what, errors, answered, causes) => {
    const hint = forbidden(errors, answered);
    expect({ role: /lacks the role/.test(hint), throttling: /call .*less often/.test(hint) }).toEqual(causes);
  });

  it.each([
    ['data-kiosk/createQuery', 'Brand Analytics'],
    ['finance/listTransactions', 'Finance and Accounting'],
    ['product-pricing/getPricing', 'Pricing'],
  ])('of 403 names the role that opens %s', (id, role) => {
    const denied = apiResponse(403, {}, { errors: [plain] });
    const known = { answered: 0, isRefused: () => false, given: {} };
    const { hint } = buildApiError(denied, apiRequest({ operation: operation({ id }) }), { known });
    expect(hint).toContain(role);
  });

  it('of 403 names the likelier causes before the removal', () => {
    const { hint } = errorOf(403, {}, {}, { ending });
    expect(hint.indexOf('role')).toBeGreaterThan(-1);
    expect(hint.indexOf('role')).toBeLessThan(hint.indexOf(ending.removed));
    expectOnlyIn(ending.removed, hint, errorOf(400, {}, {}, { ending }).hint);
  });

  it('of 501 says that it is not offered here, not that an identifier is wrong or that a write may have happened', () => {
    const error = buildApiError(apiResponse(501), apiRequest({ operation: writeOperation(), method: 'PUT' }));
    expect(error.hint).toBe('The service does not offer this operation here; use another one.');
    expect(error.mayHaveBeenApplied).toBe(false);
    expect(errorOf(501, { code: 'NotPlayed', message: 'Not here.' }).hint).toBe('');
  });

  it('of a redirect names the host that it leads to', () => {
    expect(errorOf(301, undefined, { location: 'https://other.example/login?x=1' }).hint).toContain(
      'to other.example;',
    );
    expect(errorOf(302, undefined, { location: '/login' }).hint).toContain('never followed');
  });

  it.each([
    ['PUT', 'read /things/v1/things back'],
    ['POST', 'list or read what is under /things/v1/things'],
  ] as const)('of a failed %s says that it may have been applied, and how to check', (method, check) => {
    const request = apiRequest({ operation: writeOperation({ method }), method });
    expect(buildApiError(apiResponse(500), request)).toMatchObject({
      mayHaveBeenApplied: true,
      hint: expect.stringContaining(check),
    });
    expect(buildApiError(apiResponse(400), request).mayHaveBeenApplied).toBe(false);
  });

  it.each([500, 502, 503, 504, 599])('of a write that met %i never says that nothing happened', (status) => {
    const request = apiRequest({ operation: writeOperation(), method: 'PUT' });
    expect(buildApiError(apiResponse(status), request).mayHaveBeenApplied).toBe(true);
  });
});

const sent = { code: 'INVALID', message: 'no', details: 'because' };
const inText = { code: words('INVALID'), message: words('no'), details: words('because') };

describe('the error object of section 7', () => {
  it.each([
    ['alone', sent],
    ['in an array', [sent]],
    ['under errors', { errors: [sent] }],
    ['one under errors', { errors: sent }],
    ['beside unknown members', { errors: [{ ...sent, more: 1 }], trace: 'x' }],
    ['under error', { error: sent }],
  ])('is found %s', (_where, body) => expect(parseErrors(body)).toEqual([inText]));

  it('reads the two members of OAuth', () => {
    expect(parseErrors({ error: 'invalid_grant', error_description: 'gone' })).toEqual([
      { code: words('invalid_grant'), message: words('gone') },
    ]);
  });

  it.each([
    undefined,
    null,
    '',
    'text',
    7,
    true,
    [],
    {},
    { errors: [] },
    { errors: [{ code: '' }] },
    { payload: {} },
    [[sent]],
  ])('finds none in %j', (body) => expect(parseErrors(body)).toEqual([]));

  it.each([
    ['beside an empty list', { errors: [], ...sent }],
    ['beside errors that say nothing', { errors: [{}, null, ''], ...sent }],
    ['under Errors', { Errors: [sent] }],
    [
      'as errorCode and errorMessage',
      { errorCode: sent.code, errorMessage: sent.message, details: sent.details },
    ],
    ['in a list of those', [{ errorCode: sent.code, errorMessage: sent.message, details: sent.details }]],
  ])('is found %s', (_where, body) => expect(parseErrors(body)).toEqual([inText]));

  it.each([[['plain text', '', 7]], ['plain text']])('may be a text of its own: %j', (errors) => {
    expect(parseErrors({ errors })).toEqual([{ code: words(''), message: words('plain text') }]);
  });

  it('gives text for every member whatever the body is, and never throws', () => {
    const names = fc.constantFrom('code', 'message', 'details', 'errors', 'error', 'error_description', 'x');
    const body = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue(),
        fc.dictionary(names, tie('value')),
        fc.array(tie('value')),
      ),
    })).value;
    fc.assert(
      fc.property(body, (value) => {
        for (const found of parseErrors(value)) {
          for (const text of Object.values(found)) expect(text).toBeInstanceOf(ServiceText);
          expect(Object.values(found).some((text) => !text.isEmpty)).toBe(true);
        }
      }),
    );
  });

  it('knows the sentence of an expired token from others', () => {
    const say = (code: string, message: string, details?: string) =>
      saysTokenExpired(parseErrors({ code, message, details }));
    expect(say('Unauthorized', 'Denied', 'The access token you provided has expired.')).toBe(true);
    expect(say('expired_token', 'x')).toBe(true);
    expect(say('TOKEN_EXPIRED', 'x')).toBe(true);
    expect(say('Unauthorized', 'Access to requested resource is denied.', '')).toBe(false);
    expect(say('OfferExpired', 'The offer has expired.')).toBe(false);
    expect(say('a', 'expired, your Token is')).toBe(true);
    expect(say('a', 'a token.\nThe offer has expired')).toBe(false);
    expect(say('a', 'tokens are expired')).toBe(false);
    expect(say('a', 'the token is unexpired')).toBe(false);
  });

  it('is looked for in the beginning of a long text only', () => {
    for (const word of ['token ', 'expired ', 'tokens expires ', 'token\n']) {
      expect(saysTokenExpired(parseErrors({ message: word.repeat(200_000) }))).toBe(false);
    }
  });

  it('is read of the first 100 errors of an answer', () => {
    const many = Array.from({ length: 50_000 }, (_, i) => ({ code: `E${i}`, message: 'x' }));
    expect(parseErrors(many)).toHaveLength(100);
    expect(parseErrors({ errors: many }).at(-1)?.code.is('E99')).toBe(true);
  });
});
