/** The words for issues: what they do, how many, where, and until when not. */

import { describe, expect, test } from 'vitest';
import { plural } from '../../../src/base/text/format-value.ts';
import {
  formatEnforcement,
  formatExemption,
  formatInMarketplaces,
  formatList,
  formatMarketplace,
  formatSeverity,
  sortIssues,
  worstAction,
} from '../../../src/render/listing/format-issue.ts';
import type { ListingIssue } from '../../../src/service/shapes/listing-issue.ts';

const issue = (more: Partial<ListingIssue>): ListingIssue => ({
  index: 0,
  code: '',
  message: '',
  severity: '',
  attributeNames: [],
  categories: [],
  marketplaceIds: [],
  actions: [],
  malformed: [],
  other: {},
  ...more,
});

test('the worst action is the one that stops most, an unknown one only where there is no other', () => {
  expect(worstAction(issue({ actions: ['NEW', 'ATTRIBUTE_SUPPRESSED', 'LISTING_SUPPRESSED'] }))).toBe(
    'LISTING_SUPPRESSED',
  );
  expect(worstAction(issue({ actions: ['LISTING_SUPPRESSED', 'CATALOG_ITEM_REMOVED'] }))).toBe(
    'CATALOG_ITEM_REMOVED',
  );
  expect(worstAction(issue({ actions: ['NEW', 'OTHER'] }))).toBe('NEW');
  expect(worstAction(issue({}))).toBeUndefined();
});

describe('sortIssues', () => {
  const suppressed = { actions: ['LISTING_SUPPRESSED'] };
  const exempt = (daysLeft?: number) => ({
    ...suppressed,
    exemption: { status: 'EXEMPT', ...(daysLeft === undefined ? {} : { daysLeft }) },
  });

  test.each<[string, Partial<ListingIssue>, Partial<ListingIssue>]>([
    ['in force before exempt', suppressed, exempt(1)],
    ['exempt before not enforced', exempt(), { severity: 'ERROR' }],
    ['removed before suppressed', { actions: ['CATALOG_ITEM_REMOVED'] }, suppressed],
    ['a known action before an unknown one', { actions: ['ATTRIBUTE_SUPPRESSED'] }, { actions: ['NEW'] }],
    ['the exemption that ends first', exempt(2), exempt(3)],
    ['one that ends before one that does not', exempt(1_000), exempt()],
    [
      'by severity where they do the same',
      { ...suppressed, severity: 'ERROR' },
      { ...suppressed, severity: 'INFO' },
    ],
    ['error before unknown', { severity: 'ERROR' }, { severity: 'FATAL' }],
    ['unknown before warning', { severity: 'FATAL' }, { severity: 'WARNING' }],
    ['none is unknown', { severity: '' }, { severity: 'WARNING' }],
    ['warning before info', { severity: 'WARNING' }, { severity: 'INFO' }],
    ['as sent', { index: 1 }, { index: 2 }],
    ['unknown and none are alike: as sent', { severity: 'FATAL', index: 1 }, { severity: '', index: 2 }],
    [
      'days left count only where enforced',
      { exemption: { status: 'EXEMPT', daysLeft: 9 }, index: 1 },
      { exemption: { status: 'EXEMPT', daysLeft: 1 }, index: 2 },
    ],
    [
      'an exemption that keeps nothing off has no days',
      { ...suppressed, exemption: { status: 'NOT_EXEMPT', daysLeft: 9 }, index: 1 },
      { ...suppressed, exemption: { status: 'NOT_EXEMPT', daysLeft: 1 }, index: 2 },
    ],
  ])('%s', (_, first, second) => {
    const [one, other] = [issue(first), issue(second)];
    expect(sortIssues([one, other])).toEqual([one, other]);
    expect(sortIssues([other, one])).toEqual([one, other]);
  });
});

test.each<[string, string, string]>([
  ['CATALOG_ITEM_REMOVED', 'removes the catalog item', 'remove the catalog item'],
  ['LISTING_SUPPRESSED', 'suppresses the listing', 'suppress the listing'],
  ['SEARCH_SUPPRESSED', 'hides the item from search', 'hide the item from search'],
  ['ATTRIBUTE_SUPPRESSED', 'suppresses attribute values', 'suppress attribute values'],
  ['NEW', 'enforces NEW', 'enforce NEW'],
  ['a b', 'enforces «a b»', 'enforce «a b»'],
])('%s', (action, one, many) => {
  expect([formatEnforcement(action, 1), formatEnforcement(action, 2)]).toEqual([one, many]);
});

test.each<[Parameters<typeof formatExemption>[0], string]>([
  [{ status: 'EXEMPT' }, 'exempt'],
  [{ status: 'EXEMPT', expiryDate: 'soon' }, 'exempt until soon'],
  [
    { status: 'EXEMPT_UNTIL_EXPIRY_DATE', expiryDate: '2026-12-01T08:00:00Z', daysLeft: 11 },
    'exempt until 2026-12-01 (11 days left)',
  ],
  [{ status: 'EXEMPT', expiryDate: '2026-12-01', daysLeft: 1 }, 'exempt until 2026-12-01 (1 day left)'],
  [
    { status: 'EXEMPT', expiryDate: '2026-12-01', daysLeft: 0 },
    'exempt until 2026-12-01 (less than a day left)',
  ],
  [
    { status: 'EXEMPT', expiryDate: '2026-12-01', daysLeft: -1 },
    'exemption ended 2026-12-01 (less than a day ago)',
  ],
  [{ status: 'EXEMPT', expiryDate: '2026-12-01', daysLeft: -2 }, 'exemption ended 2026-12-01 (1 day ago)'],
  [{ status: 'NOT_EXEMPT' }, 'not exempt'],
  [
    { status: 'NOT_EXEMPT', expiryDate: '2026-12-01', daysLeft: -3 },
    'not exempt, date 2026-12-01 (2 days ago)',
  ],
  [{ status: '' }, 'exemption status not sent'],
  [{ status: 'PARTLY', expiryDate: 'soon' }, 'exemption status PARTLY, date soon'],
  [
    { status: 'so so', expiryDate: '2026-12-01', daysLeft: 2 },
    'exemption status «so so», date 2026-12-01 (2 days left)',
  ],
])('%j', (exemption, words) => {
  expect(formatExemption(exemption)).toBe(words);
});

test('as sent, the time of day stays, and a long text is cut', () => {
  const at = { status: 'EXEMPT', expiryDate: '2026-12-01T08:00:00Z', daysLeft: 11 };
  expect(formatExemption(at, true)).toBe('exempt until 2026-12-01T08:00:00Z (11 days left)');
  expect(formatExemption({ status: 'EXEMPT', expiryDate: 'x '.repeat(80) })).toContain(
    '(60 more characters)',
  );
});

test('numbers and nouns', () => {
  expect([plural(1, 'issue'), plural(0, 'issue'), plural(2, 'issue')]).toEqual([
    '1 issue',
    '0 issues',
    '2 issues',
  ]);
  expect(
    ['ERROR', 'WARNING', 'INFO', '', 'FATAL', 'a b', 'toString'].map((severity) => [
      formatSeverity(severity, 1),
      formatSeverity(severity, 2),
    ]),
  ).toEqual([
    ['1 error', '2 errors'],
    ['1 warning', '2 warnings'],
    ['1 info', '2 info'],
    ['1 without severity', '2 without severity'],
    ['1 of severity FATAL', '2 of severity FATAL'],
    ['1 of severity «a b»', '2 of severity «a b»'],
    ['1 of severity toString', '2 of severity toString'],
  ]);
});

test('marketplaces by name where it is known, by id where it is not', () => {
  const name = (id: string) => (id === 'A' ? 'US' : undefined);
  expect(formatMarketplace('A', name)).toBe('US');
  expect(formatMarketplace('B C', name)).toBe('«B C»');
  expect(formatMarketplace('A', undefined)).toBe('A');
  expect(formatInMarketplaces(['A', 'B'], name)).toBe('in US, B');
  expect(formatInMarketplaces([], name)).toBe('');
});

test('of a list the first 30, the rest counted', () => {
  const texts = Array.from({ length: 31 }, (_, i) => `${i}`);
  expect(formatList(texts.slice(1), (text) => `<${text}>`)).toMatch(/^<1>, <2>, .*, <30>$/);
  expect(formatList(texts, (text) => text)).toMatch(/, 28, 29, and 1 more$/);
});
