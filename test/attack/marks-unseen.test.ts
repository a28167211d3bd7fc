/** Tests that a placeholder's value reaches the service only where the user sees it in the question, in every mode. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { PLACEHOLDER_PARTS } from '../../src/privacy/personal/placeholders.ts';
import type { Tool } from '../../src/protocol/define-tool.ts';
import { readItem } from '../../src/protocol/resources/read-resources.ts';
import type { ClientUser } from '../../src/render/client-user.ts';
import { collectData } from '../../tools/collect-data.ts';
import { readOperation } from '../../tools/read-operation.ts';
import { updateSupplySource } from '../../tools/update-supply-source.ts';
import { writeOperation } from '../../tools/write-operation.ts';
import { nobody, startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';

const EMAIL = 'anna.schmidt@example.com';
const ORDER = '028-1234567-1234567';
const order = { payload: { AmazonOrderId: ORDER, BuyerInfo: { BuyerEmail: EMAIL } } };

let runner: ToolRunner;
afterEach(() => runner.close());

async function start(settings: Readonly<Record<string, string>>): Promise<string> {
  runner = await startToolRunner(
    ({ method, path }) => ({
      body:
        method === 'GET' && path.includes('orders') ? order : { sku: 'LAMP', status: 'VALID', issues: [] },
    }),
    settings,
  );
  const read = { operation: 'orders/getOrder', parameters: { orderId: ORDER } };
  const { structured } = await runner.run(readOperation, read);
  const mark = PLACEHOLDER_PARTS.exec(JSON.stringify(structured))?.[0];
  if (mark === undefined) throw new Error('nothing was masked');
  return mark;
}

/** Requests in which the value stands, in any spelling. */
const sent = () =>
  runner
    .calls()
    .filter(({ path, body }) => /anna(?:\.|%2E)schmidt/i.test(`${decodeURIComponent(path)} ${body}`));

/** Every way in: with a mark where a text is taken. */
const WAYS: readonly [name: string, tool: Tool, args: (mark: string) => Record<string, unknown>][] = [
  ['a read', readOperation, (mark) => ({ operation: 'orders/getOrder', parameters: { orderId: mark } })],
  [
    'a read, in a list',
    readOperation,
    (mark) => ({
      operation: 'orders/getOrders',
      parameters: { BuyerEmail: mark, MarketplaceIds: ['DE'] },
    }),
  ],
  [
    'a collection',
    collectData,
    (mark) => ({ operation: 'orders/getOrders', parameters: { BuyerEmail: mark } }),
  ],
  [
    'a report of a collection',
    collectData,
    (mark) => ({ report: { type: 'GET_MERCHANT_LISTINGS_ALL_DATA', options: { custom: mark } } }),
  ],
  [
    'a request',
    writeOperation,
    (mark) => ({
      operation: 'createReport',
      body: { reportType: 'GET_ORDERS', marketplaceIds: ['DE'], reportOptions: { who: `x ${mark}` } },
    }),
  ],
  ['a validation by itself', writeOperation, (mark) => patch(mark, { mode: 'VALIDATION_PREVIEW' })],
  ['a write', writeOperation, (mark) => patch(mark)],
  ['a write to a marked address', writeOperation, (mark) => patch('x', { sku: mark })],
  [
    'calls',
    writeOperation,
    (mark) => {
      const { operation, ...call } = patch(mark);
      return { operation, calls: [call, { ...call, parameters: { ...call.parameters, sku: `a-${mark}` } }] };
    },
  ],
  [
    'validations in a list',
    writeOperation,
    (mark) => {
      const { operation, ...call } = patch(mark, { mode: 'VALIDATION_PREVIEW' });
      return { operation, calls: [call] };
    },
  ],
  [
    'a document',
    writeOperation,
    (mark) => ({
      operation: 'createFeed',
      body: { feedType: 'POST_FLAT_FILE_FULFILLMENT_DATA', marketplaceIds: ['DE'] },
      document: { text: `order-id\tnote\n1\t${mark}\n` },
    }),
  ],
  ['a store', updateSupplySource, (mark) => ({ supplySourceId: mark, changes: { alias: mark } })],
  ['stores', updateSupplySource, (mark) => ({ supplySourceIds: [mark], changes: { alias: mark } })],
];

function patch(text: string, more: Record<string, unknown> = {}) {
  const patches = [{ op: 'replace', path: '/attributes/item_name', value: [{ value: text }] }];
  return {
    operation: 'listings-items/patchListingsItem',
    parameters: { sku: 'LAMP', marketplaceIds: ['DE'], ...more },
    body: { productType: 'LAMP', patches },
  };
}

/** A person at another machine, whose client asks nothing. */
const unreachable: ClientUser = { ...nobody, isHere: false };

const MODES = [
  { SELLER_WRITES: 'ask' },
  { SELLER_WRITES: 'code' },
  { SELLER_WRITES: 'allow' },
  { SELLER_WRITES: 'deny' },
  { SELLER_READ_ONLY: 'true' },
] as const;

it.each(MODES)(
  '%o: where nobody can be asked, nothing of it is sent, in any way and in a dry run',
  async (mode) => {
    const mark = await start(mode);
    for (const [name, tool, args] of WAYS) {
      for (const more of tool === readOperation || tool === collectData ? [{}] : [{}, { dryRun: true }]) {
        const call = { ...args(mark), ...more };
        const answer = await runner.run(tool, call, { person: unreachable }).catch((error: unknown) => error);
        const isPreview = 'dryRun' in more && !(answer instanceof Error);
        if (!isPreview) expect(answer, `${name}: refused`).toBeInstanceOf(Error);
        expect(sent(), `${name} ${JSON.stringify(more)}`).toEqual([]);
        expect(JSON.stringify(answer)).not.toContain(EMAIL);
      }
    }
    await expect(
      readItem(encodeURIComponent(mark), runner.session, new AbortController().signal),
    ).rejects.toThrow(/marks/);
    expect(sent()).toEqual([]);
  },
);

it.each([{ SELLER_WRITES: 'ask' }, { SELLER_WRITES: 'allow' }])(
  '%o: where the person can be asked, what is sent before the yes is in the question, and requests stay refused',
  async (mode) => {
    const mark = await start(mode);
    for (const [name, tool, args] of WAYS) {
      const asked: string[] = [];
      const before = sent().length;
      const person: ClientUser = {
        ...nobody,
        canConfirm: true,
        confirm(_key, message): never {
          asked.push(message);
          throw new Error('asked');
        },
      };
      if (tool !== readOperation && tool !== collectData)
        await runner.run(tool, { ...args(mark), dryRun: true }, { person }).catch(() => undefined);
      expect(sent().length, `${name}, dry`).toBe(before);
      await expect(runner.run(tool, args(mark), { person }), name).rejects.toThrow();
      const isRequest = /read|collection|request|validation/.test(name);
      if (isRequest) expect(asked, name).toEqual([]);
      if (sent().length > before) expect(asked.join('\n'), name).toContain(EMAIL);
    }
    // The validation of what is about to be asked may hold it.
    expect(sent().some(({ path }) => path.includes('VALIDATION_PREVIEW'))).toBe(true);
  },
);

it('one module alone turns marks into values', () => {
  const resolving = ['src', 'sandbox', 'tools'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name))
      .filter((file) => /personal\(\)\)?\.resolve\(|personal\.resolve\(/.test(readFileSync(file, 'utf8'))),
  );
  expect(resolving).toEqual([join('src', 'write', 'plan', 'resolve-arguments.ts')]);
});
