/** Issues are sorted by what hurts sales, told in one line, and never dropped, whatever their shape. */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokensOf } from '../../../src/base/text/shorten.ts';
import { explainIssues } from '../../../src/render/listing/issues.ts';

const now = new Date('2026-11-20T00:00:00Z');
const names: Readonly<Record<string, string>> = { ATVPDKIKX0DER: 'US', A1PA6795UKMFR9: 'DE' };
const options = { now, marketplaceName: (id: string) => names[id] };

const issue = (code: string, severity: string, action?: string, exemption?: object, more: object = {}) => ({
  code,
  message: `message ${code}`,
  severity,
  attributeNames: ['brand'],
  categories: ['INVALID_ATTRIBUTE'],
  ...(action === undefined ? {} : { enforcements: { actions: [{ action }], exemption } }),
  ...more,
});
const us = [{ marketplaceId: 'ATVPDKIKX0DER', status: ['BUYABLE', 'DISCOVERABLE'] }];
const until = (expiryDate: string) => ({ status: 'EXEMPT_UNTIL_EXPIRY_DATE', expiryDate });

describe('summary', () => {
  test('one line: what is enforced where, until when, then the others by severity', () => {
    const issues = [
      issue('w', 'WARNING'),
      issue('s', 'ERROR', 'LISTING_SUPPRESSED', until('2026-12-01T00:00:00Z')),
      issue('e', 'ERROR'),
    ];
    expect(explainIssues({ summaries: us, issues }, options).summary).toBe(
      '3 issues: 1 would suppress the listing in US, exempt until 2026-12-01 (11 days left); 1 error; 1 warning',
    );
  });

  test('per marketplace where the issues tell it, whatever the summaries say', () => {
    const issues = ['ATVPDKIKX0DER', 'A1PA6795UKMFR9', 'A1PA6795UKMFR9', 'UNKNOWN1'].map((id) =>
      issue('x', 'ERROR', 'LISTING_SUPPRESSED', undefined, { marketplaceIds: [id] }),
    );
    expect(explainIssues({ summaries: us, issues }, options).summary).toBe(
      '4 issues: 1 suppresses the listing in US; 2 suppress the listing in DE; 1 suppresses the listing in UNKNOWN1',
    );
  });

  test('two marketplaces in the summaries and none in the issue: no marketplace is claimed', () => {
    const summaries = [...us, { marketplaceId: 'A1PA6795UKMFR9', status: ['BUYABLE'] }];
    expect(
      explainIssues({ summaries, issues: [issue('x', 'ERROR', 'SEARCH_SUPPRESSED')] }, options).summary,
    ).toBe('1 issue: 1 hides the item from search');
  });

  test.each<[object, string]>([
    [{ status: 'EXEMPT' }, 'exempt'],
    [{ status: 'EXEMPT', expiryDate: '2026-11-21T00:00:00Z' }, 'exempt until 2026-11-21 (1 day left)'],
    [until('2026-11-20T10:00:00Z'), 'exempt until 2026-11-20 (less than a day left)'],
    [until('2026-11-19T10:00:00Z'), 'exemption ended 2026-11-19 (less than a day ago)'],
    [until('2026-11-10T00:00:00Z'), 'exemption ended 2026-11-10 (9 days ago)'],
    [until('2026-11-30T23:00:00-08:00'), 'exempt until 2026-11-30 (11 days left)'],
    [until('next «week»'), 'exempt until «next \\u{AB}week\\u{BB}»'],
    [until('1'), 'exempt until 1'],
    [{ status: 'NOT_EXEMPT' }, 'not exempt'],
    [
      { status: 'PARTLY', expiryDate: '2026-12-01' },
      'exemption status PARTLY, date 2026-12-01 (11 days left)',
    ],
    [{}, 'exemption status not sent'],
  ])('exemption %j', (exemption, words) => {
    const { summary } = explainIssues(
      { issues: [issue('s', 'ERROR', 'LISTING_SUPPRESSED', exemption)] },
      options,
    );
    const does = /^exempt(?: until|$)/.test(words) ? 'would suppress' : 'suppresses';
    expect(summary).toBe(`1 issue: 1 ${does} the listing, ${words}`);
  });

  test.each<[unknown, string]>([
    [{ issues: [] }, 'No issues'],
    [{ issues: [], summaries: us }, 'No issues\nStatus in US: BUYABLE, DISCOVERABLE'],
    [
      { issues: [], summaries: [{ marketplaceId: 'A1PA6795UKMFR9', status: ['DISCOVERABLE'] }] },
      'No issues, but the listing is not BUYABLE in DE\nStatus in DE: DISCOVERABLE (not BUYABLE)',
    ],
    [
      { issues: [], summaries: [{ status: [] }] },
      'No issues, but the listing is not BUYABLE\nStatus: neither BUYABLE nor DISCOVERABLE',
    ],
    [{ sku: 'x' }, 'Whether there are issues is not known (the answer has no `issues`)'],
    [null, 'Whether there are issues is not known (the answer has no `issues`)'],
  ])('without issues: %j', (item, text) => {
    expect(explainIssues(item, options).text).toBe(text);
  });
});

describe('summary of many', () => {
  test('six kinds, then how many more there are', () => {
    const kinds = (count: number) =>
      explainIssues({ issues: Array.from({ length: count }, (_, i) => ({ severity: `KIND_${i}` })) }, options)
        .summary;
    expect(kinds(6)).toMatch(/^6 issues: 1 of severity KIND_0; .*; 1 of severity KIND_5$/);
    expect(kinds(8)).toMatch(/; 1 of severity KIND_5; and 2 more kinds$/);
  });

  test('the same action with another exemption, or in another place, is another kind', () => {
    const issues = [
      issue('a', 'ERROR', 'SEARCH_SUPPRESSED', { status: 'EXEMPT' }),
      issue('b', 'ERROR', 'SEARCH_SUPPRESSED'),
      issue('c', 'ERROR', 'SEARCH_SUPPRESSED', undefined, { marketplaceIds: ['ATVPDKIKX0DER'] }),
      issue('d', 'WARNING', 'SEARCH_SUPPRESSED'),
    ];
    expect(explainIssues({ issues }, options).summary).toBe(
      '4 issues: 2 hide the item from search; 1 hides the item from search in US; 1 would hide the item from search, exempt',
    );
  });
});

describe('status', () => {
  const summaries = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ marketplaceId: `M${i}`, status: ['BUYABLE'] }));
  const lines = (sent: unknown) =>
    explainIssues({ issues: [], summaries: sent }, options).text.split('\n').slice(1);

  test('one line for each summary that tells one, thirty at most', () => {
    expect(lines(summaries(30))).toHaveLength(30);
    expect(lines(summaries(32)).slice(29)).toEqual([
      'Status in M29: BUYABLE',
      'and the status of 2 more summaries',
    ]);
    expect(lines([{ marketplaceId: 'M' }, 5, { status: 7 }])).toEqual([]);
    expect(lines('x')).toEqual([]);
  });

  test('in whatever shape it comes', () => {
    expect(lines([{ marketplaceId: 5, status: ['BUYABLE', { a: 1 }, 'x y'] }])).toEqual([
      'Status: BUYABLE, «{"a":1}», «x y»',
    ]);
    expect(explainIssues({ summaries: [{ marketplaceId: 'A' }, { status: 'X' }] }, options).statuses).toEqual(
      [{ marketplaceId: 'A' }, { status: ['X'] }],
    );
  });

  test('only a listing whose status is known can be told not to be BUYABLE', () => {
    const summary = (...sent: object[]) => explainIssues({ issues: [], summaries: sent }, options).summary;
    expect(summary({ marketplaceId: 'A' })).toBe('No issues');
    expect(summary({ marketplaceId: 'A', status: ['BUYABLE'] }, { marketplaceId: 'B', status: ['X'] })).toBe(
      'No issues, but the listing is not BUYABLE in B',
    );
  });
});

test('issues that are null are none, and one that is no list is one', () => {
  expect(explainIssues({ issues: null }, options).summary).toBe(
    'Whether there are issues is not known (the answer has no `issues`)',
  );
  expect(explainIssues({ issues: { code: 'x', severity: 'ERROR' } }, options)).toMatchObject({
    summary: '1 issue: 1 error',
    issues: [{ code: 'x', index: 0 }],
  });
  expect(explainIssues(['issues'], options).issues).toEqual([]);
});

describe('order', () => {
  test('what stops sales first, in force before exempt, then errors, unknown severities, warnings, info', () => {
    const issues = [
      issue('info', 'INFO'),
      issue('warning', 'WARNING'),
      issue('odd', 'CRITICAL'),
      issue('error', 'ERROR'),
      issue('exempt-later', 'ERROR', 'LISTING_SUPPRESSED', until('2027-12-01')),
      issue('exempt-soon', 'WARNING', 'LISTING_SUPPRESSED', until('2026-12-01')),
      issue('unknown-action', 'INFO', 'SOMETHING_NEW'),
      issue('attribute', 'ERROR', 'ATTRIBUTE_SUPPRESSED'),
      issue('search', 'WARNING', 'SEARCH_SUPPRESSED'),
      issue('ended', 'WARNING', 'LISTING_SUPPRESSED', until('2026-11-01')),
      issue('suppressed', 'ERROR', 'LISTING_SUPPRESSED', { status: 'NOT_EXEMPT' }),
      issue('removed', 'INFO', 'CATALOG_ITEM_REMOVED'),
    ];
    expect(explainIssues({ issues }, options).issues.map(({ code }) => code)).toEqual([
      'removed',
      'suppressed',
      'ended',
      'search',
      'attribute',
      'unknown-action',
      'exempt-soon',
      'exempt-later',
      'error',
      'odd',
      'warning',
      'info',
    ]);
  });

  test('equal issues stay as sent', () => {
    const issues = ['a', 'b', 'c'].map((code) => issue(code, 'ERROR'));
    expect(explainIssues({ issues }, options).issues.map(({ index }) => index)).toEqual([0, 1, 2]);
  });
});

describe('blocks', () => {
  test('code, message, attributes, categories, enforcement and exemption as sent', () => {
    const sent = issue('90220', 'ERROR', 'LISTING_SUPPRESSED', until('2026-12-01T08:00:00Z'), {
      marketplaceIds: ['ATVPDKIKX0DER'],
      message: 'Brand is "missing".\nAdd it.',
      novel: { level: 3 },
    });
    expect(
      explainIssues({ issues: [sent] }, options)
        .text.split('\n')
        .slice(1),
    ).toEqual([
      '1. ERROR 90220 in US',
      '   «Brand is "missing".\\nAdd it.»',
      '   attributes: brand; categories: INVALID_ATTRIBUTE; enforcement: LISTING_SUPPRESSED; exempt until 2026-12-01T08:00:00Z (11 days left); other: novel «{"level":3}»',
    ]);
  });

  test.each<[string, unknown, string]>([
    ['null', null, 'the issue is null'],
    ['a text', 'broken', '«broken»'],
    ['a number as code', { code: 90220 }, 'code is number'],
    [
      'attributes as a text',
      { attributeNames: 'brand' },
      'attributes: brand; malformed: attributeNames is text',
    ],
    ['an attribute that is an object', { attributeNames: [{ a: 1 }] }, '{"a":1}'],
    ['actions as texts', { enforcements: { actions: ['LISTING_SUPPRESSED'] } }, '1 suppresses the listing'],
    [
      'one action without its list',
      { enforcements: { actions: { action: 'SEARCH_SUPPRESSED' } } },
      '1 hides the item',
    ],
    ['enforcements as a text', { enforcements: 'REMOVED' }, 'REMOVED'],
    ['exemption as a text', { enforcements: { actions: [], exemption: 'EXEMPT' } }, 'exempt'],
    ['severity null', { severity: null }, 'no severity'],
    ['an unknown severity', { severity: 'FATAL_ERROR' }, '1 of severity FATAL_ERROR'],
    [
      'an unknown action',
      { enforcements: { actions: [{ action: 'OFFER_PAUSED' }] } },
      '1 enforces OFFER_PAUSED',
    ],
    ['a severity named like a method', { severity: 'toString' }, '1 of severity toString'],
  ])('shows %s', (_, sent, part) => {
    expect(explainIssues({ issues: [sent] }, options).text).toContain(part);
  });

  test('issues that are no array are shown', () => {
    expect(explainIssues({ issues: 'many' }, options).text).toContain('«many»');
  });

  test('within the budget: the worst come first, and what was left out is named by its place', () => {
    const issues = Array.from({ length: 500 }, (_, i) => issue(`${i}`, i === 499 ? 'ERROR' : 'WARNING'));
    const { text } = explainIssues({ issues }, { ...options, path: 'payload.issues', maxTokens: 1_000 });
    expect(tokensOf(text)).toBeLessThanOrEqual(1_000);
    expect(text).toContain('500 issues: 1 error; 499 warnings\n1. ERROR 499\n');
    expect(text).toMatch(
      /\d+ more issues left out to stay within the budget; select payload\.issues\.\d+-498$/,
    );
  });

  test('any JSON as issues: no exception, one entry for each', () => {
    const member = fc.oneof(fc.jsonValue(), fc.constantFrom('ERROR', 'LISTING_SUPPRESSED', 'EXEMPT', null));
    const odd = fc.record(
      {
        code: member,
        message: member,
        severity: member,
        attributeNames: member,
        enforcements: fc.oneof(member, fc.record({ actions: member, exemption: member })),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(odd, fc.jsonValue())), fc.jsonValue(), (issues, summaries) => {
        const explained = explainIssues({ issues, summaries }, options);
        expect(explained.issues).toHaveLength(issues.length);
        expect(explained.text.split('\n').filter((line) => /^\d+\. /.test(line))).toHaveLength(issues.length);
      }),
    );
  });
});

describe('the ranking, for those who are shown the JSON', () => {
  const enforced = { enforcements: { actions: [{ action: 'LISTING_SUPPRESSED' }] } };
  const issue = (code: string, severity: string, more: object = {}) => ({
    code,
    severity,
    message: 'm',
    ...more,
  });

  test('gives each kind with its places in `issues`, and says where the listing cannot be bought', () => {
    const issues = [
      issue('1', 'WARNING'),
      issue('2', 'ERROR', enforced),
      issue('3', 'WARNING'),
      issue('4', 'WARNING'),
      issue('5', 'WARNING'),
      issue('6', 'ERROR'),
    ];
    const one = { issues, summaries: [{ marketplaceId: 'ATVPDKIKX0DER', status: ['DISCOVERABLE'] }] };
    expect(explainIssues(one, options).ranking).toBe(
      '6 issues: 1 suppresses the listing [1]; 1 error [5]; 4 warnings [0,2-4]; not BUYABLE',
    );
    const two = {
      issues: [issue('1', 'INFO')],
      summaries: [...one.summaries, { marketplaceId: 'A1PA6795UKMFR9', status: ['BUYABLE'] }],
    };
    expect(explainIssues(two, options).ranking).toBe('1 issue: 1 info [0]; not BUYABLE in US');
  });

  test('is bounded however many kinds and places there are', () => {
    const issues = Array.from({ length: 3_000 }, (_, i) =>
      issue(`${i}`, i % 2 === 0 ? 'ERROR' : `S${i % 40}`),
    );
    const { ranking } = explainIssues({ issues }, options);
    expect(ranking).toMatch(/^3000 issues: 1500 errors \[0,2,4,.*and 1488 more\]; .*and \d+ more kinds \[/);
    expect(ranking.length).toBeLessThan(1_000);
  });
});

test('members that no definition names are counted beyond the tenth', () => {
  const other = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`extra${i}`, 'v']));
  const explain = (count: number) =>
    explainIssues({ issues: [{ code: '1', message: 'm', severity: 'ERROR', ...other(count) }] }, { now: 0 })
      .text;
  expect(explain(12)).toContain('extra9 v, 2 more');
  expect(explain(10)).toMatch(/extra9 v$/m);
});
