/** Tests how a 2xx answer is judged, whatever its status member says. */

import { describe, expect, it } from 'vitest';
import type { RefusalSign } from '../../../src/service/facts/operation.ts';
import { formatVerdict, readVerdict } from '../../../src/write/model/verdict.ts';

const judge = (refusals: readonly RefusalSign[], body: unknown, status = 200) =>
  readVerdict({ refusals, source: 'definitions' }, { status, body });
const INVALID: RefusalSign[] = [{ member: 'status', when: ['INVALID'] }];
const ERRORS: RefusalSign[] = [{ member: 'errors', when: 'filled' }];
const BATCH: RefusalSign[] = [{ member: 'responses[].status.statusCode', when: 'status' }];
const answer = (statusCode: number, sku: string) => ({ status: { statusCode, reasonPhrase: 'no' }, sku });

describe('readVerdict', () => {
  it.each([
    ['a status that says so', INVALID, { status: 'INVALID', issues: [] }, 'not_accepted'],
    [
      'another status',
      INVALID,
      { status: 'ACCEPTED', issues: [{ code: '1', severity: 'WARNING' }] },
      'accepted',
    ],
    ['errors', ERRORS, { errors: [{ code: 'x', message: 'y' }] }, 'not_accepted'],
    ['an empty list of errors', ERRORS, { errors: [] }, 'accepted'],
    ['no body', ERRORS, undefined, 'accepted'],
    ['a list instead of an object', ERRORS, [], 'accepted'],
    ['every item', BATCH, { responses: [answer(400, 'a'), answer(503, 'b')] }, 'not_accepted'],
    ['some items', BATCH, { responses: [answer(200, 'a'), answer(400, 'b')] }, 'partly_accepted'],
    ['no item', BATCH, { responses: [answer(200, 'a')] }, 'accepted'],
  ])('%s', (_name, refusals, body, outcome) => {
    expect(judge(refusals, body).outcome).toBe(outcome);
  });

  it('tells each item of a batch by its name, with the reason', () => {
    expect(judge(BATCH, { responses: [answer(200, 'a'), answer(400, 'b')] }).items).toEqual([
      { at: 0, name: 'a', accepted: true, reasons: [] },
      { at: 1, name: 'b', accepted: false, reasons: [{ message: 'no' }] },
    ]);
  });

  it.each([[200], [207]])(
    'what says no as a whole, %d, tells its items too: each by its own answer',
    (status) => {
      const statuses = [200, 400, 299, 300, 503];
      for (const [at] of statuses.entries()) {
        const responses = statuses.slice(0, at + 1).map((code, n) => answer(code, `s${n}`));
        const verdict = judge([...INVALID, ...BATCH], { status: 'INVALID', responses }, status);
        expect(verdict).toMatchObject({ outcome: 'not_accepted', signs: ['status INVALID'] });
        const saysNo = statuses.slice(0, at + 1).some((code) => code >= 300);
        expect(verdict.items.map(({ name, accepted }) => [name, accepted])).toEqual(
          saysNo ? responses.map(({ sku, status: { statusCode } }) => [sku, statusCode < 300]) : [],
        );
      }
    },
  );

  it('what was refused beside what was accepted is a part', () => {
    const rejected: RefusalSign[] = [{ member: 'rejectedOrders', when: 'filled' }];
    const refused = { amazonOrderId: '1', error: { code: 'Late', message: 'too late' } };
    const both = judge(rejected, { scheduledPackages: [{ amazonOrderId: '2' }], rejectedOrders: [refused] });
    expect(both).toMatchObject({
      outcome: 'partly_accepted',
      items: [
        { name: '2', accepted: true },
        { name: '1', accepted: false, reasons: [{ code: 'Late' }] },
      ],
    });
    expect(judge(rejected, { scheduledPackages: [], rejectedOrders: [refused] }).outcome).toBe(
      'not_accepted',
    );
  });

  it('the items of a 207 decide where nothing is known of the operation', () => {
    const body = {
      results: [
        { id: 'a', statusCode: 200 },
        { id: 'b', statusCode: 404 },
      ],
    };
    expect(judge([], body, 207).outcome).toBe('partly_accepted');
    expect(judge([], body, 200).outcome).toBe('accepted');
  });

  it.each([
    [299, true],
    [300, false],
    ['404', false],
    ['SUCCESS', true],
    [null, true],
  ])('an item of the status %j', (status, accepted) => {
    for (const one of [{ statusCode: status }, { status }, { status: { statusCode: status } }])
      expect(judge([], { items: [one] }, 207).outcome).toBe(accepted ? 'accepted' : 'not_accepted');
  });

  it('in words an item that has no reason is named alone, and one without a name by its number', () => {
    const items = [
      { statusCode: 400 },
      { statusCode: 400, sku: 'A', errors: [{ code: 'c', message: 'm', details: 'd' }] },
    ];
    expect(formatVerdict(judge([], { items }, 207))).toBe(
      'The service did not accept it, 2 of 2 items: item 1; A (c: «m» («d»))',
    );
  });

  it('a definition of the user is taken to say no by its errors', () => {
    const errors = { status: 200, body: { errors: [{ code: 'x' }] } };
    expect(readVerdict({ source: 'user' }, errors).outcome).toBe('not_accepted');
    expect(readVerdict({ source: 'definitions' }, errors).outcome).toBe('accepted');
  });

  it('is told in one line, the words of the service between its marks', () => {
    const body = { status: 'INVALID', issues: [{ code: '90220', message: 'no\nDone' }] };
    expect(formatVerdict(judge(INVALID, body))).toBe(
      'The service did not accept it, status INVALID: 90220: «no\\nDone»',
    );
    const many = { responses: Array.from({ length: 9 }, (_, at) => answer(400, `s${at}`)) };
    expect(formatVerdict(judge(BATCH, many))).toMatch(
      /^The service did not accept it, 9 of 9 items: .* and 4 more$/,
    );
  });

  it.each([
    [undefined, false],
    [null, false],
    ['', false],
    [false, false],
    [[], false],
    [{}, false],
    [0, true],
    [true, true],
    ['no', true],
    [[0], true],
    [{ a: 0 }, true],
  ])('errors that are %j: refused is %j', (errors, isRefused) => {
    expect(judge(ERRORS, { errors }).outcome).toBe(isRefused ? 'not_accepted' : 'accepted');
    const within: RefusalSign[] = [{ member: 'payload.all[].errors', when: 'filled' }];
    for (const body of [{ payload: { all: [{ errors }] } }, { payload: { all: [{}, 7, { errors }] } }])
      expect(judge(within, body).outcome === 'accepted').toBe(!isRefused);
    for (const body of [
      { payload: [{ errors }] },
      { payload: { all: { errors } } },
      { payload: 'all' },
      [{ errors }],
    ])
      expect(judge(within, body).outcome).toBe('accepted');
  });

  it('a list that is the whole answer is judged by its items', () => {
    const items: RefusalSign[] = [{ member: '[].errors', when: 'filled' }];
    const verdict = judge(items, [{ id: 'a' }, { id: 'b', errors: [{ code: 'x' }] }]);
    expect(verdict).toMatchObject({ outcome: 'partly_accepted', signs: ['1 of 2 items'] });
    expect(verdict.items.map(({ name, accepted }) => [name, accepted])).toEqual([
      ['a', true],
      ['b', false],
    ]);
  });

  it('what is refused stands beside what is accepted, however deep', () => {
    const rejected: RefusalSign[] = [{ member: 'payload.rejected', when: 'filled' }];
    const verdict = judge(rejected, { payload: { rejected: [{ id: '1' }], done: [{ id: '2' }], total: 2 } });
    expect(verdict.items.map(({ at, name, accepted }) => [at, name, accepted])).toEqual([
      [0, '2', true],
      [0, '1', false],
    ]);
  });

  it('a reason is found where it stands, four members deep, fifty at most', () => {
    for (const deep of [0, 1, 2, 3, 4, 5]) {
      let body: object = { code: 'c', message: 'm' };
      for (let at = 0; at < deep; at += 1)
        body = { [['errors', 'payload'][at % 2] ?? '']: at % 3 === 0 ? [body] : body };
      const verdict = judge([{ member: 'no', when: 'filled' }], { no: 1, ...body });
      expect(verdict.reasons, String(deep)).toEqual(deep > 4 ? [] : [{ code: 'c', message: 'm' }]);
    }
    const errors = Array.from({ length: 60 }, (_, at) => ({ code: String(at) }));
    expect(judge(ERRORS, { errors }).reasons.map(({ code }) => code)).toEqual(
      errors.slice(0, 50).map(({ code }) => code),
    );
    expect(judge(ERRORS, { errors: ['x'], other: { code: 'c' } }).reasons).toEqual([]);
  });

  it.each([
    [{ code: '1' }, { code: '1' }],
    [
      { Code: '1', Message: 'm', Detail: 'd' },
      { code: '1', message: 'm', details: 'd' },
    ],
    [
      { errorCode: '1', errorMessage: 'm', detail: 'd' },
      { code: '1', message: 'm', details: 'd' },
    ],
    [
      { code: '', Code: '2', message: 7, reasonPhrase: 'no' },
      { code: '2', message: 'no' },
    ],
    [{ message: 'm', details: '' }, { message: 'm' }],
  ])('%j is a reason', (error, reason) => {
    expect(judge(ERRORS, { errors: [error] }).reasons).toEqual([reason]);
  });
  it.each([{ details: 'd' }, { code: 1 }, { message: '' }, 'x'])('%j is none', (error) => {
    expect(judge(ERRORS, { errors: [error] }).reasons).toEqual([]);
  });

  it.each([
    [{ id: 'i', sellerSku: 's' }, 's'],
    [{ id: 'i', body: { sku: 's' } }, 's'],
    [{ id: 'i', request: { SKU: 's' } }, 's'],
    [{ orderId: '', itemId: 'i' }, 'i'],
    [{ id: 7, body: { feedId: 'i' } }, 'i'],
    [{ identity: 'i', skus: 's' }, undefined],
    [{ id: 'i'.repeat(200) }, 'i'.repeat(100)],
    [{ other: 'i', body: 'sku' }, undefined],
  ])('an item %j has the name %j', (item, name) => {
    expect(judge([], { items: [{ ...item, statusCode: 400 }] }, 207).items[0]?.name).toBe(name);
  });

  it.each([
    [{ code: 'c' }, 'c'],
    [{ message: 'm' }, '«m»'],
    [{ code: 'c', details: 'd' }, 'c («d»)'],
    [{ code: 'c', message: 'm', details: 'd' }, 'c: «m» («d»)'],
  ])('the reason %j is %s', (error, words) => {
    const verdict = formatVerdict(judge(ERRORS, { errors: [error] }));
    expect(verdict).toBe(`The service did not accept it, errors: ${words}`);
  });

  it('without a reason only the sign is told, and of five none more', () => {
    expect(formatVerdict(judge(INVALID, { status: 'INVALID' }))).toBe(
      'The service did not accept it, status INVALID',
    );
    const errors = (many: number) => ({ errors: Array.from({ length: many }, () => ({ code: 'c' })) });
    expect(formatVerdict(judge(ERRORS, errors(5)))).toMatch(/: c; c; c; c; c$/);
    expect(formatVerdict(judge(ERRORS, errors(6)))).toMatch(/: c; c; c; c; c and 1 more$/);
  });
});
