/** An issue is read whatever its shape; what has not the documented shape is kept as text and named. */

import { describe, expect, test } from 'vitest';
import { isExempt, readIssue } from '../../../src/service/shapes/listing-issue.ts';

const NOW = Date.parse('2026-11-20T00:00:00Z');
const read = (value: unknown) => readIssue(value, 3, NOW);
const empty = {
  index: 3,
  code: '',
  message: '',
  severity: '',
  attributeNames: [],
  categories: [],
  marketplaceIds: [],
  actions: [],
  malformed: [],
  other: {},
};

describe('readIssue', () => {
  test('the documented shape, with a member that nobody documented', () => {
    expect(
      read({
        code: '90220',
        message: 'Brand is missing',
        severity: 'ERROR',
        attributeNames: ['brand'],
        categories: ['INVALID_ATTRIBUTE'],
        marketplaceIds: ['A', 'B'],
        enforcements: {
          actions: [{ action: 'LISTING_SUPPRESSED' }, { action: 'SEARCH_SUPPRESSED' }],
          exemption: { status: 'EXEMPT', expiryDate: '2026-12-01T00:00:00Z' },
        },
        novel: 1,
      }),
    ).toEqual({
      index: 3,
      code: '90220',
      message: 'Brand is missing',
      severity: 'ERROR',
      attributeNames: ['brand'],
      categories: ['INVALID_ATTRIBUTE'],
      marketplaceIds: ['A', 'B'],
      actions: ['LISTING_SUPPRESSED', 'SEARCH_SUPPRESSED'],
      exemption: { status: 'EXEMPT', expiryDate: '2026-12-01T00:00:00Z', daysLeft: 11 },
      malformed: [],
      other: { novel: 1 },
    });
  });

  test.each([{}, { code: null, attributeNames: null, enforcements: null }])(
    'what is not sent, or null, is empty and not malformed: %j',
    (sent) => {
      expect(read(sent)).toEqual(empty);
    },
  );

  test.each<[unknown, object]>([
    [null, { message: 'null', malformed: ['the issue is null'] }],
    ['broken', { message: 'broken', malformed: ['the issue is text, 6 characters'] }],
    [[1, 2], { message: '[1,2]', malformed: ['the issue is array, 2 elements'] }],
    [
      { code: 5, message: { a: 1 } },
      { code: '5', message: '{"a":1}' },
    ],
    [{ severity: false }, { severity: 'false', malformed: ['severity is boolean'] }],
    [
      { attributeNames: 'brand' },
      { attributeNames: ['brand'], malformed: ['attributeNames is text, 5 characters'] },
    ],
    [{ categories: 7 }, { categories: ['7'], malformed: ['categories is number'] }],
    [
      { marketplaceIds: ['A', '', null, { b: 1 }] },
      { marketplaceIds: ['A', '{"b":1}'], malformed: ['marketplaceIds is object, 1 members'] },
    ],
    [
      { enforcements: 'REMOVED' },
      { actions: ['"REMOVED"'], malformed: ['enforcements is text, 7 characters'] },
    ],
    [{ enforcements: {} }, { actions: [], malformed: [] }],
    [{ enforcements: { actions: null, exemption: null } }, { actions: [], malformed: [] }],
    [
      { enforcements: { actions: { action: 'X' } } },
      { actions: ['X'], malformed: ['enforcements.actions is object, 1 members'] },
    ],
    [
      { enforcements: { actions: ['X', 5, { action: 6 }] } },
      {
        actions: ['X', '5', '{"action":6}'],
        malformed: [
          'an enforcement action is text, 1 characters',
          'an enforcement action is number',
          'an enforcement action is object, 1 members',
        ],
      },
    ],
    [
      { enforcements: { exemption: 'EXEMPT' } },
      { exemption: { status: 'EXEMPT' }, malformed: ['enforcements.exemption is text, 6 characters'] },
    ],
    [
      { enforcements: { exemption: [1] } },
      { exemption: { status: '[1]' }, malformed: ['enforcements.exemption is array, 1 elements'] },
    ],
    [
      { enforcements: { exemption: { status: 1, expiryDate: 2 } } },
      {
        exemption: { status: '1', expiryDate: '2' },
        malformed: ['exemption.status is number', 'exemption.expiryDate is number'],
      },
    ],
  ])('%j', (sent, expected) => {
    expect(read(sent)).toMatchObject(expected);
  });

  test.each<[string, number | undefined]>([
    ['2026-11-20T00:00:00Z', 0],
    ['2026-11-20T23:59:59Z', 0],
    ['2026-11-21', 1],
    ['2026-11-19T23:59:59Z', -1],
    ['2026-11-21 10:00', 1],
    ['20 November 2026', undefined],
    ['on 2026-11-21', undefined],
    ['2026-11-21x', undefined],
    ['2026-13-45', undefined],
  ])('of %s the days left are %s', (expiryDate, daysLeft) => {
    const { exemption } = read({ enforcements: { exemption: { status: 'EXEMPT', expiryDate } } });
    expect(exemption).toEqual({
      status: 'EXEMPT',
      expiryDate,
      ...(daysLeft === undefined ? {} : { daysLeft }),
    });
  });
});

test.each<[object | undefined, boolean]>([
  [undefined, false],
  [{ status: 'EXEMPT' }, true],
  [{ status: 'EXEMPT_UNTIL_EXPIRY_DATE', daysLeft: 0 }, true],
  [{ status: 'EXEMPT_UNTIL_EXPIRY_DATE', daysLeft: -1 }, false],
  [{ status: 'NOT_EXEMPT', daysLeft: 5 }, false],
  [{ status: 'SOMETHING' }, false],
])('an exemption %j keeps the enforcement off: %s', (exemption, expected) => {
  const sent = exemption === undefined ? {} : { exemption: { status: '', ...exemption } };
  expect(isExempt({ ...empty, ...sent })).toBe(expected);
});
