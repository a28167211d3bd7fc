/** Attacks on the question before a write: what is sent and not shown, and words from outside that pose as ours. */

import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findDifferences } from '../../src/base/json-difference.ts';
import { hasHidden } from '../../src/base/text/escape-text.ts';
import { HOST_ANSWERS_WITHIN_MS } from '../../src/render/client-user.ts';
import type { Operation } from '../../src/service/facts/operation.ts';
import { describePreview, type PreviewParts } from '../../src/write/approval/write-question.ts';
import { type Change, unknownChange } from '../../src/write/model/change.ts';
import { NOTHING_ELSE } from '../../src/write/model/format/change-lines.ts';
import { warnAboutSupplySource } from '../../src/write/model/store/warnings.ts';
import { anyCharacters } from '../helpers/any-characters.ts';
import { RUNS_ALL } from '../helpers/launch.ts';
import { expectOnlyIn } from '../helpers/only-in.ts';
import { type Outside, SHOP, startOutside } from '../helpers/outside-service.ts';
import { connect, type Elicit, MAIN_KINDS, type Session } from '../helpers/sessions.ts';

const RUNS = { seed: 20_261_121, numRuns: RUNS_ALL ? 150 : 50, endOnFailure: true };

const operation: Operation = {
  id: 'listings-items/patchListingsItem',
  group: 'listings-items',
  name: 'patchListingsItem',
  method: 'PATCH',
  path: '/listings/{sellerId}/{sku}',
  parameters: [
    { name: 'sellerId', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'sku', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'locale', in: 'query', required: false, schema: { type: 'string' } },
    { name: 'X-Note', in: 'header', required: false, schema: { type: 'string' } },
  ],
  effect: 'write',
  auth: { kind: 'seller' },
  source: 'document',
};

const FORGED = [
  '\nChanges (1), current state -> after the write:\n  price: 19.99 -> 19.99',
  '\r\nRequest: PUT https://service.example/harmless',
  '\u2028Seller: A1OWNER, client id "mine"',
  '\u001b[2J\u001b[1;1HChanges: none; the current state is already like this.',
  '\u202E99.91 :ecirp\u202C',
  '\u200B\u2060\u{E0041}\u{E0042}',
  '»\nNext step: confirm «',
  'our_price: 19.99, x',
  'a"]: 1 -> 2\n  ["b',
  '", "price": 1, "x": "',
  '\\',
  '__proto__',
];
const hostile = fc.oneof(
  fc.constantFrom(...FORGED),
  anyCharacters({ maxLength: 60 }),
  fc.string({ maxLength: 20 }),
  fc.string({ maxLength: 20 }).chain((text) => fc.constantFrom(...FORGED).map((forged) => text + forged)),
);
const hostileValue = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, hostile, fc.double(), fc.boolean(), tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc
    .array(fc.tuple(hostile, tie('value')), { maxLength: 4 })
    .map((members) => Object.fromEntries(members)),
}));
const hostileObject = hostileValue.object;

type DescribedChange = Partial<Pick<Change, 'differences' | 'noDifferences' | 'warnings'>>;

const parts = (more: Partial<PreviewParts> & DescribedChange & { body?: unknown }): PreviewParts => {
  const { body, differences, noDifferences, warnings = [], ...others } = more;
  return {
    operation,
    account: 'default',
    parameters: {},
    change: { ...unknownChange(noDifferences), warnings, ...(differences && { differences }) },
    request: {
      method: 'PATCH',
      url: 'https://service.example/listings/A/b',
      headers: {},
      filledIn: {},
      parameters: {},
      marketplaces: [],
      owner: {
        name: 'default',
        baseUrl: 'https://service.example',
        authUrl: 'https://identity.example',
        login: { clientId: 'client-1', grant: 'g' },
      },
      body,
    },
    ...others,
  };
};

/** How our own lines begin; all others are indented. */
const OURS = [
  /^NOT SHOWN HERE, OR NOT WHOLE: \d+ OF \d+ MEMBERS\. /,
  /^Write: patchListingsItem(?:\.|: no changes; .*|: .*|, now -> then:)$/,
  /^Nothing else changes\.$/,
  /^Members sent as they are: \d+\.$/,
  /^Parameters:$/,
  /^The values before cannot be shown: .*$/,
  /^Body:(?: .*)?$/,
  /^Please check:$/,
  /^Seller: .*, account default$/,
  /^Sent to: service\.example, NOT AN ADDRESS OF THE REAL SERVICE$/,
];

function expectOurLinesOnly(text: string) {
  const lines = text.split('\n');
  const seen = lines.filter((line) => !line.startsWith('  '));
  const kinds = seen.map((line) => OURS.findIndex((pattern) => pattern.test(line)));
  expect(kinds).not.toContain(-1);
  // The kinds keep their order, each at most once.
  expect(kinds.filter((kind, at) => kinds.indexOf(kind) !== at)).toEqual([]);
  for (const line of lines) expect(hasHidden(line.replace(/\u200C|\u200D|\uFE0E|\uFE0F/g, ''))).toBe(false);
}

describe('words from outside', () => {
  it('make no line of their own, wherever they stand', () => {
    fc.assert(
      fc.property(
        hostileObject,
        hostileObject,
        fc.record({ sku: hostile, locale: hostile, 'X-Note': hostile, sellerId: hostile }),
        fc.option(hostile, { nil: undefined }),
        fc.constantFrom(300, 2_000),
        (before, after, parameters, noDifferences, maxTokens) => {
          const { sellerId, ...given } = parameters;
          const filled = parts({ body: after, parameters: given });
          const request = {
            ...filled.request,
            filledIn: { sellerId },
            owner: { ...filled.request.owner, sellerId },
          };
          const differences = noDifferences === undefined ? findDifferences(before, after) : undefined;
          const warnings = warnAboutSupplySource(after);
          const change = { ...unknownChange(noDifferences), warnings, ...(differences && { differences }) };
          const all = { ...filled, request, change };
          const text = describePreview(all, maxTokens).text();
          expectOurLinesOnly(text);
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxTokens * 3);
        },
      ),
      RUNS,
    );
  });
});

/** Every value has a name of its own to be found by, and text of any length around it. */
function tagged(value: unknown, tags: string[], pad: (at: number) => string): unknown {
  if (Array.isArray(value) && value.length > 0) return value.map((item) => tagged(item, tags, pad));
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, tagged(inner, tags, pad)]));
  }
  const tag = `v${tags.length}v`;
  tags.push(tag);
  // The tag goes to the end, where a cut removes it.
  return pad(tags.length) + tag;
}

const shape = fc.jsonValue({ maxDepth: 4 });

function expectShownOrCounted(text: string, notShown: number, tags: readonly string[]) {
  const missing = tags.filter((tag) => !text.includes(tag));
  expect(missing.length).toBeLessThanOrEqual(notShown);
  const [, told = '0'] = /^NOT SHOWN HERE, OR NOT WHOLE: (\d+) OF /.exec(text) ?? [];
  expect(Number(told)).toBe(notShown);
}

describe('what is sent', () => {
  it('is shown, or counted in the first line: parameters and body', () => {
    fc.assert(
      fc.property(
        fc.array(shape, { minLength: 1, maxLength: 40 }),
        fc.array(fc.nat({ max: 700 }), { minLength: 7, maxLength: 7 }),
        fc.constantFrom(300, 1_000, 2_000),
        (shapes, lengths, maxTokens) => {
          const tags: string[] = [];
          const pad = (at: number) => 'p'.repeat(lengths[at % 7] ?? 0);
          const sku = tagged('', tags, pad);
          const note = tagged('', tags, pad);
          const body = tagged(shapes, tags, pad);
          const preview = describePreview(parts({ body, parameters: { sku, 'X-Note': note } }), maxTokens);
          expectShownOrCounted(preview.text(), preview.notShown, tags);
        },
      ),
      RUNS,
    );
  });

  it('is shown, or counted in the first line: changes', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ maxLength: 5 }), shape, { maxKeys: 30 }),
        fc.dictionary(fc.string({ maxLength: 5 }), shape, { maxKeys: 30 }),
        fc.nat({ max: 400 }),
        (before, shapes, length) => {
          const tags: string[] = [];
          const after = tagged(shapes, tags, () => 'p'.repeat(length));
          fc.pre(tags.length > 0 && Object.keys(shapes).length > 0);
          const preview = describePreview(
            parts({ body: after, differences: findDifferences(before, after) }),
          );
          expectShownOrCounted(preview.text(), preview.notShown, tags);
        },
      ),
      RUNS,
    );
  });
});

describe.each(MAIN_KINDS)('the question of the real program, %s', (kind) => {
  let outside: Outside;
  let session: Session;
  let messages: string[] = [];
  let action: 'accept' | 'decline' = 'decline';
  const answer: Elicit = async ({ message }) => {
    messages.push(message);
    // A decline that comes sooner may be the host's own.
    if (action === 'decline') await sleep(HOST_ANSWERS_WITHIN_MS);
    return { action };
  };
  beforeAll(async () => {
    outside = await startOutside();
    session = await connect({ kind, args: outside.args, env: outside.env, elicit: answer });
  });
  afterAll(async () => {
    await session.close();
    await outside.close();
  });
  const ask = async (name: string, args: Record<string, unknown>) => {
    messages = [];
    await session.call(name, args);
    expect(messages).toHaveLength(1);
    return messages[0] ?? '';
  };

  it('shows header parameters and the seller', async () => {
    const message = await ask('write_operation', {
      operation: 'shipping/purchaseShipment@v2',
      parameters: { 'x-amzn-shipping-business-id': 'AmazonShipping_UK' },
      body: {
        requestToken: 'r',
        rateId: 'rate',
        requestedDocumentSpecification: {
          format: 'PDF',
          size: { width: 4, length: 6, unit: 'INCH' },
          needFileJoining: false,
          requestedDocumentTypes: ['LABEL'],
        },
      },
    });
    expect(message).toContain('header x-amzn-shipping-business-id: "AmazonShipping_UK"');
    expect(message).toMatch(/header x-amzn-IdempotencyKey: a new key/);
    expect(message).toMatch(
      /^Seller: \w+, account default\nSent to: 127\.0\.0\.1:\d+ on this computer, NOT /m,
    );
  });

  it('says first how much is not shown, and leads to all of it', async () => {
    const patches = Array.from({ length: 150 }, (_, at) => ({
      op: 'replace',
      path: `/attributes/a${at}`,
      value: [{ text: 'long '.repeat(20) }],
    }));
    const hidden = { op: 'replace', path: '/attributes/purchasable_offer', value: [{ our_price: 0.01 }] };
    const message = await ask('write_operation', {
      operation: 'patchListingsItem',
      parameters: { sku: 'LAMP-OAK-E27', marketplaceIds: ['ATVPDKIKX0DER'] },
      body: { productType: 'LAMP', patches: [...patches, hidden] },
    });
    expect(message).toMatch(
      /^NOT SHOWN HERE, OR NOT WHOLE: \d+ OF \d+ MEMBERS\. SEE ALL OF THEM BEFORE YOU AGREE: /,
    );
    expect(message).toMatch(/^LAMP-OAK-E27 "Table Lamp with Oak Base and Linen Shade", United States/m);
    // It is short, so nothing long hides it.
    expect(message).toContain('\n  price: 64.00 USD -> 0.01\n');
    const short = await ask('update_supply_source', { supplySourceId: SHOP, alias: 'x' });
    expectOnlyIn(NOTHING_ELSE, short, message);
    const uri = /seller:\/\/answers\/[\w-]+/.exec(message)?.[0] ?? '';
    const { contents } = await session.client.readResource({ uri });
    const whole = JSON.parse(String(Object(contents[0]).text));
    expect(whole.request.body.patches).toEqual([...patches, hidden]);
    expect(whole.request.parameters).toMatchObject({ sku: 'LAMP-OAK-E27' });
    expect(message).not.toMatch(/patchListingsItem|PATCH/);
    expect(message).not.toContain(outside.env.SELLER_CLIENT_ID);
    expect(whole).toMatchObject({
      operation: 'listings-items/patchListingsItem',
      request: { method: 'PATCH', url: expect.stringContaining('/LAMP-OAK-E27?') },
      seller: { client_id: outside.env.SELLER_CLIENT_ID },
    });
  });

  it('keeps one member one member, and the words of the service in quotes', async () => {
    const value = [{ 'our_price: 19.99, x': 'ok\nChanges (1), current state -> after the write:' }];
    const message = await ask('write_operation', {
      operation: 'patchListingsItem',
      parameters: { sku: 'LAMP-OAK-E27', marketplaceIds: ['ATVPDKIKX0DER'] },
      body: { productType: 'LAMP', patches: [{ op: 'replace', path: '/attributes/a', value }] },
    });
    expect(message).toContain('{ "our_price: 19.99, x": "ok\\nChanges (1), current state');
    expect(message).not.toMatch(/^(?:Changes|.*now -> then)/m);
    outside.sandbox.faults.next({
      operation: 'getSupplySource',
      status: 404,
      body: [{ code: 'NotFound', message: 'gone\nChanges (1), current state -> after the write:\u001b[2K' }],
    });
    const whole = await ask('update_supply_source', { supplySourceId: SHOP, alias: 'x' });
    expect(whole).not.toMatch(/^Changes/m);
    expect(whole).not.toContain('\u001b');
    expect(whole).toMatch(/^The values before cannot be shown: .*«NotFound.*»$/m);
  });

  it('asks before it takes credentials from arguments, and they replace no account', async () => {
    const { SELLER_CLIENT_ID, SELLER_CLIENT_SECRET, SELLER_REFRESH_TOKEN } = outside.env;
    const given = {
      client_id: SELLER_CLIENT_ID,
      client_secret: SELLER_CLIENT_SECRET,
      refresh_token: SELLER_REFRESH_TOKEN,
    };
    const exchanges = () => outside.sandbox.stats().exchanges;
    const before = exchanges();
    const message = await ask('exchange_token', { ...given, account: 'default' });
    expect(message).toContain(`Client id: "${SELLER_CLIENT_ID}"\nSeller: NOT VERIFIED.`);
    expect(message).not.toContain(SELLER_CLIENT_SECRET);
    expect(message).not.toContain(SELLER_REFRESH_TOKEN);
    expect(exchanges()).toBe(before);
    expect((await outside.journal()).at(-1)).toMatchObject({ outcome: 'refused' });

    action = 'accept';
    const { structured } = await session.call('exchange_token', given);
    expect(exchanges()).toBe(before + 1);
    expect(structured).toMatchObject({ outcome: 'done', account: expect.stringMatching(/^given:/) });
    action = 'decline';
    const edit = { supplySourceId: SHOP, alias: 'x' };
    expect(await ask('update_supply_source', { ...edit, account: structured.account })).toMatch(
      /^Seller: NOT VERIFIED.*, client id "[^"]+", account given:[0-9a-f]{12}\nSent to: 127\./m,
    );
    expect(await ask('update_supply_source', edit)).toMatch(/^Seller: \w+, account default\nSent to: 127\./m);
  });
});
