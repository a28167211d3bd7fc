/** A dry run with a document tells the assistant nothing that depends on a masked value, whatever stands around it. */

import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { writeOperation } from '../../../../tools/write-operation.ts';
import { startToolRunner } from '../../../helpers/tool-runner.ts';

const TAB = 'text/tab-separated-values; charset=UTF-8';
const JSON_CONTENT = 'application/json; charset=UTF-8';
const PRICES = 'POST_FLAT_FILE_PRICEANDQUANTITYONLY_UPDATE_DATA';
const UPLOAD = { resource: 'aplus/2020-11-01/contentDocuments', marketplaceIds: ['US'] };
const createFeed = (feedType: string) => ({
  operation: 'createFeed',
  body: { feedType, marketplaceIds: ['US'] },
});
const message = (messageId: number, sku: string, value: string) => ({
  messageId,
  sku,
  operationType: 'PATCH',
  productType: 'LAMP',
  patches: [{ op: 'replace', path: '/attributes/item_name', value: [{ value }] }],
});
const listings = (...messages: object[]) =>
  JSON.stringify({ header: { sellerId: 'A1SELLER', version: '2.0' }, messages });

/** Each door of a placeholder into a document. @param v placeholder @param pad text before it */
const DOORS: Readonly<Record<string, (v: string, pad: string) => object>> = {
  'a table': (v, pad) => ({ ...createFeed(PRICES), document: { text: `sku\tname\nA\t${pad}${v}\n` } }),
  'the SKU of a table': (v) => ({ ...createFeed(PRICES), document: { text: `sku\tn\n${v}\t1\nB\t2\n` } }),
  'two equal SKUs of a table': (v) => ({
    ...createFeed(PRICES),
    document: { text: `sku\tn\n${v}\t1\nAnna Schmidt\t2\n` },
  }),
  'the names of columns': (v, pad) => ({
    ...createFeed(PRICES),
    document: { text: `sku\t${pad}${v}\nA\t1\n` },
  }),
  'a template': (v, pad) => ({
    ...createFeed(PRICES),
    document: { text: `TemplateType=x\nSKU\nsku\t${pad}${v}\nA\t1\n` },
  }),
  XML: (v, pad) => ({
    ...createFeed('POST_ORDER_ACKNOWLEDGEMENT_DATA'),
    document: { text: `<a>${pad}${v}</a>` },
  }),
  'a value of a listing': (v, pad) => ({
    ...createFeed('JSON_LISTINGS_FEED'),
    document: { text: listings(message(1, 'A', `${pad}${v}`)) },
  }),
  'the SKU of a listing': (v) => ({
    ...createFeed('JSON_LISTINGS_FEED'),
    document: { text: listings(message(1, v, 'x'), message(2, 'Anna Schmidt', 'y')) },
  }),
  'a listings feed that is refused': (v) => ({
    ...createFeed('JSON_LISTINGS_FEED'),
    document: { text: listings(message(1, v, 'x'), message(2, v, 'y')) },
  }),
  'the name of a member': (v) => ({
    ...createFeed('POST_OTHER_DATA'),
    document: { text: JSON.stringify({ [v]: 1, 'Anna Schmidt': 2 }) },
  }),
  'an upload': (v, pad) => ({
    operation: 'createUploadDestinationForResource',
    parameters: UPLOAD,
    document: { text: `${pad}${v}`, contentType: TAB },
  }),
  'a document of a feed': (v, pad) => ({
    operation: 'createFeedDocument',
    document: { text: JSON.stringify([`${pad}${v}`]), contentType: JSON_CONTENT },
  }),
  'an attachment': (v, pad) => ({
    operation: 'messaging/confirmCustomizationDetails',
    parameters: { amazonOrderId: '902-3159896-1390916', marketplaceIds: ['US'] },
    body: { text: 'As you asked.' },
    document: { text: `${pad}${v}`, contentType: TAB },
  }),
};

it.each(Object.keys(DOORS))('tells nothing of a placeholder in %s', async (door) => {
  const runner = await startToolRunner(() => ({ body: {} }));
  onTestFinished(runner.close);
  const personal = await runner.session.personal();
  const [mark] = ['[buyer name a1b2c3d4e5]'];
  const { BuyerName: real } = Object(
    personal.maskAnswer('default', { operation: 'orders/getOrder' }, { BuyerName: 'Anna Schmidt' }),
  );
  const placeholder = String(real ?? mark);
  const args = (pad: string) => ({ ...DOORS[door]?.(placeholder, pad), dryRun: true });
  /** The answer, or the refusal, where the placeholder stands for this value. */
  const told = async (value: string, pad: string) => {
    const resolve: typeof personal.resolve = (account, given) => {
      const { replaced } = personal.resolve(account, given);
      const put = (one: unknown): unknown =>
        JSON.parse(
          JSON.stringify(one, (_name, member) =>
            typeof member === 'string' ? member.replaceAll(placeholder, value) : member,
          ) ?? 'null',
        );
      return { value: put(given), replaced: replaced.map((each) => ({ ...each, original: value })) };
    };
    const session = { ...runner.session, personal: async () => ({ ...personal, resolve }) };
    return runner
      .run(writeOperation, args(pad), { session })
      .then(({ text, structured }) => JSON.stringify([text, structured]), String);
  };
  const values = fc.constantFrom(
    'Anna Schmidt',
    'Q"\\7\nZx\tWv',
    '+49 30 90187654',
    'Łukasz Brzęczyszcz',
    'B',
  );
  const paddings = fc.integer({ min: 0, max: 220 }).map((length) => '-'.repeat(length));
  await fc.assert(
    fc.asyncProperty(values, values, paddings, async (one, other, pad) => {
      const [first, second] = [await told(one, pad), await told(other, pad)];
      expect(first).toBe(second);
      expect(first.length).toBeGreaterThan(50);
    }),
    {
      numRuns: 12,
      examples: [
        ['Anna Schmidt', 'B', '-'.repeat(95)],
        ['Anna Schmidt', 'B', ''],
      ],
    },
  );
});

it('saves no copy of a document with a placeholder, whose size would tell the length of the value', async () => {
  const runner = await startToolRunner(() => ({ body: {} }));
  onTestFinished(runner.close);
  const personal = await runner.session.personal();
  const answer = { BuyerName: 'Anna Schmidt' };
  const masked: unknown = personal.maskAnswer('default', { operation: 'orders/getOrder' }, answer);
  const args = {
    ...createFeed(PRICES),
    document: { text: `sku\tname\nA\t${String(Object(masked).BuyerName)}\n` },
    save_as: 'copy.txt',
    dryRun: true,
  };
  await expect(runner.run(writeOperation, args)).rejects.toThrow();
  expect(await (await runner.session.files()).list()).toEqual([]);
});
