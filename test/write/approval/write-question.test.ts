/** Tests the question before an approval: it shows every change within a bound, and no text in it can mislead. */

import { describe, expect, it } from 'vitest';
import { findDifferences } from '../../../src/base/json-difference.ts';
import type { PreparedRequest } from '../../../src/call/client-types.ts';
import { supplySourceWrite } from '../../../src/service/facts/documented-operations.ts';
import type { Operation } from '../../../src/service/facts/operation.ts';
import { describePreview, type PreviewParts } from '../../../src/write/approval/write-question.ts';
import { type Change, unknownChange } from '../../../src/write/model/change.ts';
import { NO_CHANGES, NOTHING_ELSE } from '../../../src/write/model/format/change-lines.ts';
import { warnAboutSupplySource } from '../../../src/write/model/store/warnings.ts';
import { expectOnlyIn } from '../../helpers/only-in.ts';
import { OWNER } from '../run/open-guard.ts';

const request = (body?: unknown): PreparedRequest => ({
  method: 'PUT',
  url: 'https://service.example/x',
  headers: {},
  filledIn: {},
  parameters: {},
  marketplaces: [],
  owner: OWNER,
  body,
});
const SELLER = 'Seller: A1SELLER, account default';
const SENT_TO = 'Sent to: service.example, NOT AN ADDRESS OF THE REAL SERVICE';
/** The parts of a preview that a test replaces. */
type PreviewedChange = Partial<PreviewParts> &
  Partial<Pick<Change, 'differences' | 'noDifferences' | 'warnings'>>;
const partsOf = ({ differences, noDifferences, warnings = [], ...parts }: PreviewedChange): PreviewParts => ({
  operation: supplySourceWrite(),
  account: 'default',
  parameters: {},
  request: request(),
  change: { ...unknownChange(noDifferences), warnings, ...(differences && { differences }) },
  ...parts,
});
const preview = (renderQuestion: PreviewedChange, maxTokens?: number) =>
  describePreview(partsOf(renderQuestion), maxTokens).text().replaceAll('«', '<').replaceAll('»', '>');

describe('a body without a state to compare it with', () => {
  it('stands on one line while it is short', () => {
    expect(preview({ request: request({ alias: 'x' }) })).toContain('\nBody: <{ "alias": "x" }>\n');
  });

  it('is shown member by member when it is long, the last one too', () => {
    const patches = Array.from({ length: 12 }, (_, at) => ({ op: 'replace', path: `/attributes/a${at}` }));
    const lines = preview({ request: request({ productType: 'LAMP', patches }) }).split('\n');
    expect(lines).toContain('  productType: "LAMP"');
    expect(lines).toContain('  patches[11]: <{ "op": "replace", "path": "/attributes/a11" }>');
  });
});

it('stays within its bound, counts what it does not list, and keeps what is asked about', () => {
  const after = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`member${at}`, 'x'.repeat(100)]));
  for (const maxTokens of [300, 1_000, 50_000]) {
    const text = preview({ differences: findDifferences({}, after) }, maxTokens);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(Math.min(maxTokens, 2_000) * 3);
    expect(text).toMatch(
      /^NOT SHOWN HERE, OR NOT WHOLE: \d+ OF 3000 MEMBERS\. SEE ALL OF THEM BEFORE YOU AGREE: this call with dryRun: true\n/,
    );
    expect(text).toMatch(/\nWrite: updateSupplySource, now -> then:\n/);
    expect(text).toMatch(
      /\.\.\. and \d+ more lines that are not listed here\nSeller: A1SELLER, .*\nSent to: service\.example, /,
    );
  }
});

it('warnings leave room for the changes, and changes for the warnings', () => {
  const numbers = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`n${at}`, -1]));
  const text = preview({
    differences: findDifferences({}, numbers),
    warnings: warnAboutSupplySource(numbers),
  });
  expect(text).toContain('n0: added <-1>');
  expect(text).toContain('n0: <-1 is negative>');
});

it('shows the names in warnings as carefully as their values', () => {
  const warnings = warnAboutSupplySource({ 'na\u202eme': { email: 'none' } });
  expect(preview({ warnings })).toContain('[<"na\\u{202E}me">]');
  expect(preview({ warnings })).not.toContain('\u202e');
});

it('a reason why nothing can be compared is cut like everything else', () => {
  const text = preview({ noDifferences: 'x'.repeat(100_000), request: request({ alias: 'y' }) }, 500);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_500);
  expect(text).toContain('Body: <{ "alias": "y" }>');
});

const operation: Operation = {
  ...supplySourceWrite(),
  id: 'listings-items/patchListingsItem',
  name: 'patchListingsItem',
  path: '/listings/{sellerId}/{sku}',
  parameters: [
    { name: 'sellerId', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'sku', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'marketplaceIds', in: 'query', required: true, schema: { type: 'array' } },
    { name: 'X-Reason', in: 'header', required: false, schema: { type: 'string' } },
  ],
  idempotencyKey: { in: 'header', name: 'X-Key' },
};

it('every parameter stands on a line of its own, with its place, and what the account fills in is marked', () => {
  const filledIn = { sellerId: 'A1SEL\u202eLER', marketplaceIds: 'ATVPDKIKX0DER' };
  const headers = { 'content-type': 'application/json', 'x-reason': 'b', 'x-other': 'c' };
  const parameters = { sku: 'a"\n b', 'X-Reason': 'b' };
  const text = preview({
    operation,
    parameters,
    request: { ...request({ alias: 'x' }), filledIn, headers },
  });
  expect(text.split('\n')).toEqual([
    'Write: patchListingsItem.',
    'Parameters:',
    '  path sellerId: <"A1SEL\\u{202E}LER"> (from the account)',
    '  path sku: <"a\\"\\n b">',
    '  query marketplaceIds: United States (ATVPDKIKX0DER) (from the account)',
    '  header X-Reason: "b"',
    '  header x-other: "c"',
    '  header X-Key: a new key, made when it is sent',
    'Body: <{ "alias": "x" }>',
    SELLER,
    SENT_TO,
  ]);
});

describe('for whom, and where it goes', () => {
  const own = 'https://sellingpartnerapi-eu.amazon.com';
  const linesFor = (
    owner: Partial<PreparedRequest['owner']>,
    parts: PreviewedChange = {},
    maxTokens?: number,
  ) =>
    preview(
      { ...parts, request: { ...request(), owner: { ...OWNER, baseUrl: own, ...owner } } },
      maxTokens,
    ).split('\n');
  const named = (lines: readonly string[]) =>
    lines.filter((line) => /^(?:Seller|Sent to|For the assistant)/.test(line));

  it('is the seller and the account, and nothing else, at the address of a region', () => {
    for (const region of ['na', 'eu', 'fe']) {
      const baseUrl = `https://sellingpartnerapi-${region}.amazon.com`;
      expect(named(linesFor({ baseUrl }))).toEqual([SELLER]);
      expect(named(linesFor({ baseUrl: `${baseUrl}/` }))).toEqual([SELLER]);
    }
    expect(named(linesFor({ login: undefined }))).toEqual([SELLER]);
  });

  it.each([
    [
      { isGiven: true },
      'Seller: NOT VERIFIED, credentials given in the chat, client id "client-1", account default',
    ],
    [{ sellerId: undefined }, 'Seller: id not known, client id "client-1", account default'],
    [{ sellerId: undefined, login: undefined }, 'Seller: id not known, client id not known, account default'],
    [{ sellerId: 'x\nSeller: A1OTHER' }, 'Seller: "x\\nSeller: A1OTHER", account default'],
    [{ sellerId: 'id not known' }, 'Seller: "id not known", account default'],
  ])('the client id stands where the seller is not known, or credentials were given: %j', (owner, line) => {
    expect(named(linesFor(owner))).toEqual([line]);
  });

  it.each([
    ['https://service.example', 'service.example, NOT AN ADDRESS OF THE REAL SERVICE'],
    [
      `${own}.evil.example`,
      'sellingpartnerapi-eu.amazon.com.evil.example, NOT AN ADDRESS OF THE REAL SERVICE',
    ],
    [`${own}:8443`, 'sellingpartnerapi-eu.amazon.com:8443, NOT AN ADDRESS OF THE REAL SERVICE'],
    [`${own}/eu`, 'sellingpartnerapi-eu.amazon.com/eu, NOT AN ADDRESS OF THE REAL SERVICE'],
    [
      'https://s\u0435llingpartnerapi-eu.amazon.com',
      'xn--sllingpartnerapi-eu-lrp.amazon.com, NOT AN ADDRESS OF THE REAL SERVICE',
    ],
    ['http://127.0.0.1:40255', '127.0.0.1:40255 on this computer, NOT AN ADDRESS OF THE REAL SERVICE'],
    ['http://[::1]:40255/x', '[::1]:40255/x on this computer, NOT AN ADDRESS OF THE REAL SERVICE'],
    [
      'https://sandbox.sellingpartnerapi-eu.amazon.com',
      'the sandbox of the service (sandbox.sellingpartnerapi-eu.amazon.com), NOT THE REAL SERVICE',
    ],
  ])('another address is named: %s', (baseUrl, words) => {
    expect(named(linesFor({ baseUrl }))).toEqual([SELLER, `Sent to: ${words}`]);
  });

  it('only of the embedded sandbox is it said that it is one on this computer', () => {
    const owner = { baseUrl: 'http://127.0.0.1:40255', isSandbox: true };
    expect(named(linesFor(owner))).toEqual([
      SELLER,
      'Sent to: the demo account on this computer; nothing reaches Amazon',
    ]);
  });

  it('of a host of any length its end is seen, within the bound', () => {
    const host = `${'sellingpartnerapi-eu.amazon.com.'.repeat(500)}evil.example`;
    const lines = linesFor({ baseUrl: `https://${host}/${'p'.repeat(5_000)}` }, {}, 500);
    expect(named(lines)[1]).toMatch(/\.evil\.example\/p*\.\.\. \(\d+ more characters\), NOT AN ADDRESS/);
    expect(Buffer.byteLength(lines.join('\n'))).toBeLessThanOrEqual(1_500);
  });

  it('operation and address are for who makes the call', () => {
    expect(named(linesFor({}, { isForCaller: true }))).toEqual([
      SELLER,
      'For the assistant: updateSupplySource, PUT https://service.example/x',
    ]);
    const url = `https://service.example/${'long/'.repeat(500)}`;
    const owner = { ...OWNER, baseUrl: url };
    const text = preview({ operation, isForCaller: true, request: { ...request(), url, owner } });
    expect(text).toContain(
      '\nFor the assistant: patchListingsItem, PUT /listings/{sellerId}/{sku} at https://service.example/long/',
    );
  });
});

describe('what the first line tells is not told again', () => {
  const known: Change = {
    subject: { kind: 'listing', sku: 'LAMP-1' },
    places: ['A1PA6795UKMFR9'],
    isWhole: true,
    toldParameters: ['sellerId', 'sku', 'marketplaceIds'],
    warnings: [],
    differences: [],
  };
  const sent = { sellerId: 'A1SELLER', sku: 'LAMP-1', marketplaceIds: ['A1PA6795UKMFR9'] };
  const renderQuestion = (change: Change, parameters: object) =>
    preview({ operation, change, parameters: { ...sent, ...parameters } });

  it('unless something of it is cut there', () => {
    expect(renderQuestion(known, {})).not.toMatch(/sellerId|\bsku\b|marketplaceIds/);
    const sku = 'L'.repeat(400);
    const long = renderQuestion({ ...known, subject: { kind: 'listing', sku } }, { sku });
    expect(long).toContain(`path sku: "${sku}"`);
    const marketplaces = Array.from({ length: 6 }, (_, at) => `PLACE${at}`);
    expect(renderQuestion({ ...known, places: marketplaces }, { marketplaceIds: marketplaces })).toContain(
      '"PLACE5"',
    );
    const longName = 'P'.repeat(150);
    expect(renderQuestion({ ...known, places: [longName] }, { marketplaceIds: [longName] })).toContain(
      longName,
    );
  });

  it('nor is the seller, where it is the one that the question names', () => {
    expect(renderQuestion(known, { sellerId: 'A1OTHER' })).toContain('path sellerId: "A1OTHER"');
  });

  it('says what is done where the values before are not known, and of a deletion that it is one', () => {
    const { differences: _none, ...unknown } = known;
    expect(renderQuestion(unknown, {})).toMatch(/^Write: patchListingsItem, LAMP-1, Germany\.\n/);
    const deletion = { ...operation, name: 'deleteListingsItem', effect: 'delete' } as const;
    const all = { path: '', segments: [], kind: 'removed' } as const;
    const change: Change = { ...known, before: { brand: ['x'] }, differences: [all] };
    expect(preview({ operation: deletion, change })).toMatch(
      /^Delete: LAMP-1, Germany: the whole listing is deleted, with its 1 attribute: brand\. Nothing else/,
    );
    expect(preview({ operation: deletion, change: { ...change, before: {} } })).toMatch(
      /^Delete: LAMP-1, Germany: the whole listing is deleted; the service shows no attributes of it\./,
    );
  });
});

it('warnings on a listing name what they are about as a seller does', () => {
  const paths = [
    ['attributes', 'bullet_point'],
    ['attributes', 'colour'],
    ['productType'],
    ['patches', 1, 'values'],
    ['marketplaceIds', 0],
  ];
  const warnings = paths.map((segments) => ({ path: '', segments, message: 'is odd' }));
  const change: Change = {
    subject: { kind: 'listing', sku: 'LAMP-1' },
    places: [],
    isWhole: false,
    toldParameters: [],
    warnings,
  };
  expect(preview({ change })).toContain(
    ['bullet points', 'colour', 'product type', 'change 2, values', 'marketplace']
      .map((name) => `  ${name}: <is odd>`)
      .join('\n'),
  );
});

it('a short change is not pushed out by long ones', () => {
  const before = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`m${at}`, 'x'.repeat(200)]));
  const after = Object.fromEntries(Object.keys(before).map((name) => [name, 'y'.repeat(200)]));
  const differences = findDifferences({ ...before, price: 19.99 }, { ...after, price: 0.01 });
  const text = preview({ differences });
  expect(text).toMatch(/^NOT SHOWN HERE, OR NOT WHOLE: \d+ OF 101 MEMBERS/);
  expect(text).toContain('\n  price: 19.99 -> 0.01\n');
});

it('a long value is shown whole while there is room', () => {
  const after = { text: 'z'.repeat(1_000), other: 1 };
  const described = { differences: findDifferences({ text: 'a', other: 1 }, after), request: request(after) };
  const text = preview(described);
  expect(text).toContain('z'.repeat(1_000));
  expect(text).toContain('Members sent as they are: 1.');
  expect(describePreview(partsOf(described)).notShown).toBe(0);
});

it('a reason of the service cannot pose as a part of the preview', () => {
  const noDifferences = 'no\nChanges (1), current state -> after the write:\n  alias: "a" -> "b"\u001b[2K';
  const lines = preview({ noDifferences, request: request({ n: 1 }) }).split('\n');
  expect(lines.filter((line) => /^(.* now -> then| {2}alias)/.test(line))).toEqual([]);
  expect(lines).toContainEqual(
    'The values before cannot be shown: no\\nChanges (1), current state -> after the write:\\n  alias: "a" -> "b"\\u{1B}[2K',
  );
});

it('says when nothing would change, and never of a deletion', () => {
  expect(preview({ differences: [] })).toContain('no changes; what was read is like this already');
  const operation = { ...supplySourceWrite(), effect: 'delete', name: 'archiveSupplySource' } as const;
  expect(preview({ operation, differences: [] }).split('\n')).toEqual([
    'Delete: archiveSupplySource: what was read is like this already, and it is sent all the same.',
    SELLER,
    SENT_TO,
  ]);
});

it('is complete where it fits: head, reason, body, warnings, for whom', () => {
  const text = preview({
    noDifferences: 'The service did not answer.',
    request: request({ n: -1 }),
    warnings: warnAboutSupplySource({ n: -1 }),
  });
  expect(text.split('\n')).toEqual([
    'Write: updateSupplySource.',
    'The values before cannot be shown: The service did not answer.',
    'Body: <{ "n": -1 }>',
    'Please check:',
    '  n: <-1 is negative>',
    SELLER,
    SENT_TO,
  ]);
});

it('shows all that is sent, and says neither that nothing changes nor that nothing else does where more is sent than can be compared', () => {
  const sent = [{ segments: ['packageDetail'], value: 'x' }];
  const body = { marketplaceId: 'm', packageDetail: 'x' };
  const change = { ...unknownChange(), differences: [], sent, isWhole: true };
  const text = preview({ request: request(body), change });
  expect(text).toMatch(/^Write: updateSupplySource\.\nBody: .*"marketplaceId": "m", "packageDetail": "x"/);
  const whole = { ...change, sent: [] };
  expectOnlyIn(NO_CHANGES, preview({ change: whole }), text);
  const title = findDifferences({ title: 'a' }, { title: 'b' });
  expectOnlyIn(NOTHING_ELSE, preview({ change: { ...whole, differences: title } }), text);
});
