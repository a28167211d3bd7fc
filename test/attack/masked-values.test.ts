/**
 * No door tells anything of a masked value: two worlds that differ in buyers' data alone answer every call alike, whatever
 * the placeholder, the file or the query stands in, and no four characters of a value stand in any answer.
 */

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { EVERY_PLACEHOLDER } from '../../src/base/text/placeholder-shape.ts';
import type { Tool } from '../../src/protocol/define-tool.ts';
import { errorMessageOf } from '../../src/render/error-result.ts';
import { changeListings } from '../../tools/change-listings.ts';
import { collectData } from '../../tools/collect-data.ts';
import { getCatalogItem } from '../../tools/get-catalog-item.ts';
import { queryData } from '../../tools/query-data.ts';
import { readOperation } from '../../tools/read-operation.ts';
import { reviewListings } from '../../tools/review-listings.ts';
import { undoChange } from '../../tools/undo-change.ts';
import { updateSupplySource } from '../../tools/update-supply-source.ts';
import { writeOperation } from '../../tools/write-operation.ts';
import { startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';

interface Buyer {
  name: string;
  email: string;
  phone: string;
  street: string;
  postcode: string;
}

type Pair = readonly [Buyer, Buyer];

/**
 * Pairs the buyers of two worlds that are compared: of each member one value is short and one long, and one
 * has characters that are syntax in tables and JSON.
 */
const BUYERS: readonly [Pair, Pair] = [
  [
    {
      name: 'Quirin Zabelthau',
      email: 'quirin@zyxwvut.de',
      phone: '+49 170 7316482',
      street: 'Zwetschgenweg 7',
      postcode: '86971',
    },
    {
      name: 'Xaveria Obermoos-Yxkull',
      email: 'x@zyx.de',
      phone: '+49 9561 27',
      street: 'Wq "N" 1\\2',
      postcode: 'D-09661',
    },
  ],
  [
    { name: 'Bo', email: 'b@qx.io', phone: '+39 06 5591', street: 'Jv 3', postcode: '73' },
    {
      name: 'Wiktoria Brzęczyszcz\tKfx',
      email: 'wiktoria.brz@vjqkx.pl',
      phone: '+48 601 947 285',
      street: 'ul. Źdźbło <i>14</i> & Vkq',
      postcode: '40-861',
    },
  ],
];

const ordersOf = ({ name, email, phone, street, postcode }: Buyer) => ({
  payload: {
    Orders: [1, 2, 3].map((at) => ({
      AmazonOrderId: `028-000000${at}-0000000`,
      PurchaseDate: `2026-11-0${at}T10:00:00Z`,
      MarketplaceId: 'A1PA6795UKMFR9',
      OrderTotal: { CurrencyCode: 'EUR', Amount: `${at}0.00` },
      // The note holds JSON that another program has cut off, so that no parser takes it.
      Note: `Gift: ${JSON.stringify({ buyerName: name, addressLine1: street.replace(/<.*>/, '') }).slice(0, -1)}`,
      BuyerInfo: { BuyerName: at === 3 ? `${name}${name}` : name, BuyerEmail: email },
      ShippingAddress: { Name: name, AddressLine1: street, PostalCode: postcode, Phone: phone },
    })),
  },
});

const DE = 'A1PA6795UKMFR9';
const ORDERS = {
  operation: 'orders/getOrders',
  parameters: { MarketplaceIds: [DE], CreatedAfter: '2026-11-01' },
};
/** Names a file in the folder of saved files, which hold the real values and no placeholders. */
const FILE = 'buyers.tsv';

interface World {
  buyer: Buyer;
  runner: ToolRunner;
  placeholders: Buyer;
}

const placeholderSchema = z.object({
  Orders: z.array(
    z.object({
      BuyerInfo: z.object({ BuyerName: z.string(), BuyerEmail: z.string() }),
      ShippingAddress: z.object({ AddressLine1: z.string(), PostalCode: z.string(), Phone: z.string() }),
    }),
  ),
});

async function startWorld(buyer: Buyer): Promise<World> {
  const runner = await startToolRunner(
    ({ method, path }) =>
      method === 'GET' && path.includes('/orders/')
        ? { body: ordersOf(buyer) }
        : { status: 404, body: { errors: [{ code: 'NotFound', message: 'Not here' }] } },
    { SELLER_WRITES: 'code' },
  );
  const personal = await runner.session.personal();
  const source = { operation: 'orders/getOrders' };
  const masked = placeholderSchema.parse(personal.maskAnswer('default', source, ordersOf(buyer).payload));
  const [order] = masked.Orders;
  if (order === undefined) throw new Error('No order was masked');
  await runner.run(collectData, { ...ORDERS, as: 'shop_orders' });
  const select = 'SELECT amazon_order_id AS sku, buyer_info_buyer_name AS title FROM shop_orders';
  await runner.run(queryData, { sql: select, save_as: FILE });
  return {
    buyer,
    runner,
    placeholders: {
      name: order.BuyerInfo.BuyerName,
      email: order.BuyerInfo.BuyerEmail,
      phone: order.ShippingAddress.Phone,
      street: order.ShippingAddress.AddressLine1,
      postcode: order.ShippingAddress.PostalCode,
    },
  };
}

/**
 * Describes a call with a placeholder in one of its arguments. @param v placeholder @param pad text before it
 */
type Door = readonly [tool: Tool, args: (v: string, pad: string) => Readonly<Record<string, unknown>>];

const feed = (feedType: string) => ({
  operation: 'createFeed',
  body: { feedType, marketplaceIds: [DE] },
});
const PRICES = 'POST_FLAT_FILE_PRICEANDQUANTITYONLY_UPDATE_DATA';
const upload = {
  operation: 'createUploadDestinationForResource',
  parameters: { resource: 'aplus/2020-11-01/contentDocuments', marketplaceIds: [DE] },
};
const patch = (sku: string, value: string) => ({
  parameters: { sku, marketplaceIds: [DE] },
  body: { productType: 'LAMP', patches: [{ op: 'replace', path: '/attributes/color', value: [{ value }] }] },
});
const column = 'buyer_info_buyer_name';

/** Lists doors that take a text with padding before it. */
const TEXT_DOORS: Readonly<Record<string, Door>> = {
  'a parameter of a read': [
    readOperation,
    (v, pad) => ({ operation: 'orders/getOrder', parameters: { orderId: pad + v } }),
  ],
  'a list parameter of a read': [
    readOperation,
    (v, pad) => ({ ...ORDERS, parameters: { ...ORDERS.parameters, AmazonOrderIds: [pad + v, 'B'] } }),
  ],
  'a member to select': [readOperation, (v, pad) => ({ ...ORDERS, select: [`payload.${pad}${v}`] })],
  'a name of a file to save': [readOperation, (v, pad) => ({ ...ORDERS, save_as: `${pad}${v}.json` })],
  'an ASIN': [getCatalogItem, (v, pad) => ({ asin: pad + v })],
  'a collection': [
    collectData,
    (v, pad) => ({
      operation: 'orders/getOrders',
      parameters: { MarketplaceIds: [DE], BuyerEmail: pad + v },
    }),
  ],
  'the name of a collection': [collectData, (v, pad) => ({ ...ORDERS, as: pad + v })],
  'the SKUs of a review': [reviewListings, (v, pad) => ({ skus: [pad + v] })],
  'a SKU to change': [
    changeListings,
    (v, pad) => ({ items: [{ sku: pad + v, set: { price: 5 } }], dryRun: true }),
  ],
  'a title': [changeListings, (v, pad) => ({ items: [{ sku: 'A', set: { title: pad + v } }], dryRun: true })],
  'an undo': [undoChange, (v, pad) => ({ id: pad + v, dryRun: true })],
  'a store': [
    updateSupplySource,
    (v, pad) => ({ supplySourceId: pad + v, changes: { alias: pad + v }, dryRun: true }),
  ],
  'a body': [
    writeOperation,
    (v, pad) => ({
      operation: 'messaging/createUnexpectedProblem',
      parameters: { amazonOrderId: pad + v, marketplaceIds: [DE] },
      body: { text: pad + v },
      dryRun: true,
    }),
  ],
  'a patch': [
    writeOperation,
    (v, pad) => ({ operation: 'patchListingsItem', ...patch(`${pad}${v}`, pad + v), dryRun: true }),
  ],
  'a list of calls': [
    writeOperation,
    (v, pad) => ({
      operation: 'patchListingsItem',
      calls: [patch('A', pad + v), patch(`${pad}${v}`, 'x')],
      dryRun: true,
    }),
  ],
  'a table': [
    writeOperation,
    (v, pad) => ({ ...feed(PRICES), document: { text: `sku\tname\nA\t${pad}${v}\n` }, dryRun: true }),
  ],
  'the SKU of a table': [
    writeOperation,
    (v, pad) => ({ ...feed(PRICES), document: { text: `sku\tname\n${pad}${v}\tx\nB\ty\n` }, dryRun: true }),
  ],
  'the names of columns': [
    writeOperation,
    (v, pad) => ({ ...feed(PRICES), document: { text: `sku\t${pad}${v}\nA\t1\n` }, dryRun: true }),
  ],
  'a template': [
    writeOperation,
    (v, pad) => ({
      ...feed(PRICES),
      document: { text: `TemplateType=${pad}${v}\nSKU\nsku\t${v}\nA\t1\n` },
      dryRun: true,
    }),
  ],
  XML: [
    writeOperation,
    (v, pad) => ({
      ...feed('POST_ORDER_ACKNOWLEDGEMENT_DATA'),
      document: { text: `<a><b>${pad}${v}</b></a>` },
      dryRun: true,
    }),
  ],
  'a listings feed': [
    writeOperation,
    (v, pad) => ({
      ...feed('JSON_LISTINGS_FEED'),
      document: {
        text: JSON.stringify({
          header: { sellerId: 'A1SELLER', version: '2.0' },
          messages: [pad + v, 'A'].map((sku, at) => ({
            messageId: at + 1,
            sku,
            operationType: 'PATCH',
            productType: 'LAMP',
            patches: [
              {
                op: 'replace',
                path: `/attributes/${at === 0 ? 'color' : 'size'}`,
                value: [{ value: pad + v }],
              },
            ],
          })),
        }),
      },
      dryRun: true,
    }),
  ],
  'an upload': [
    writeOperation,
    (v, pad) => ({ ...upload, document: { text: `${pad}${v}`, contentType: 'text/plain' }, dryRun: true }),
  ],
  'a listings feed that is refused': [writeOperation, (v) => listings(v, v)],
  'a document of a feed': [
    writeOperation,
    (v, pad) => ({
      operation: 'createFeedDocument',
      document: { text: JSON.stringify([`${pad}${v}`]), contentType: 'application/json; charset=UTF-8' },
      dryRun: true,
    }),
  ],
  'an attachment': [
    writeOperation,
    (v, pad) => ({
      operation: 'messaging/confirmCustomizationDetails',
      parameters: { amazonOrderId: '902-3159896-1390916', marketplaceIds: [DE] },
      body: { text: 'As you asked.' },
      document: { text: `${pad}${v}`, contentType: 'text/tab-separated-values; charset=UTF-8' },
      dryRun: true,
    }),
  ],
  'JSON that ends too early': [
    writeOperation,
    (v, pad) => ({
      ...upload,
      document: { text: `{"a": "${pad}${v}`, contentType: 'application/json' },
      dryRun: true,
    }),
  ],
  'a name of a file': [
    writeOperation,
    (v, pad) => ({ ...upload, document: { file: `${pad}${v}` }, dryRun: true }),
  ],
  'a type of content': [
    writeOperation,
    (v, pad) => ({ ...upload, document: { text: 'x', contentType: `text/${pad}${v}` }, dryRun: true }),
  ],
  'a text in a query': [
    queryData,
    (v, pad) => ({
      sql: `SELECT count(*) FROM shop_orders WHERE ${column} = '${pad}${v.replaceAll("'", "''")}'`,
    }),
  ],
  'a name in a query': [queryData, (v, pad) => ({ sql: `SELECT "${pad}${v}" FROM shop_orders` })],
};

const GUESS = 'Quirin Zabelthau';
const message = (messageId: number, sku: string) => ({
  messageId,
  sku,
  operationType: 'PATCH',
  productType: 'LAMP',
  patches: [{ op: 'replace', path: '/attributes/item_name', value: [{ value: 'x' }] }],
});
const listings = (...skus: string[]) => ({
  ...feed('JSON_LISTINGS_FEED'),
  document: {
    text: JSON.stringify({
      header: { sellerId: 'A1SELLER', version: '2.0' },
      messages: skus.map((sku, at) => message(at + 1, sku)),
    }),
  },
  dryRun: true,
});

/** Doors that hold the value of one world in clear, as a guess: no answer may tell that the placeholder is equal to it. */
const GUESS_DOORS: Readonly<Record<string, Door>> = {
  'a SKU of a table and a guess': [
    writeOperation,
    (v) => ({ ...feed(PRICES), document: { text: `sku\tn\n${v}\t1\n${GUESS}\t2\n` }, dryRun: true }),
  ],
  'a SKU of a listings feed and a guess': [writeOperation, (v) => listings(v, GUESS)],
};

/**
 * Lists doors whose values come from a query or a file; the order of rows in their answers depends on random
 * placeholders.
 */
const ROW_DOORS: Readonly<Record<string, Door>> = {
  ...Object.fromEntries(
    [
      `length(${column})`,
      `substr(${column}, 1, 4)`,
      `unicode(${column})`,
      `${column} LIKE 'Q%'`,
      `${column} = shipping_address_name`,
      `instr(${column}, ' ')`,
      `CAST(${column} AS INTEGER)`,
      `${column} || ${column}`,
      `typeof(${column})`,
      `json_quote(${column})`,
      `printf('%.4s', ${column})`,
      `count(DISTINCT ${column})`,
    ].map((expression): [string, Door] => [
      expression,
      [queryData, () => ({ sql: `SELECT ${expression} AS x FROM shop_orders` })],
    ]),
  ),
  'a text that was cut': [queryData, () => ({ sql: 'SELECT note, substr(note, 8) FROM shop_orders' })],
  'each row of a read': [
    collectData,
    () => ({ operation: 'orders/getOrder', each: `SELECT ${column} AS orderId FROM shop_orders` }),
  ],
  'columns beside each row': [
    collectData,
    () => ({
      operation: 'orders/getOrder',
      each: `SELECT amazon_order_id AS orderId, ${column} AS note FROM shop_orders`,
    }),
  ],
  'SKUs of a list': [
    changeListings,
    () => ({ query: `SELECT ${column} AS sku, 5 AS price FROM shop_orders`, dryRun: true }),
  ],
  'titles of a list': [
    changeListings,
    () => ({ query: `SELECT amazon_order_id AS sku, ${column} AS title FROM shop_orders`, dryRun: true }),
  ],
  'prices of a list': [
    changeListings,
    () => ({ query: `SELECT amazon_order_id AS sku, ${column} AS price FROM shop_orders`, dryRun: true }),
  ],
  'rows of a table': [
    writeOperation,
    () => ({
      ...feed(PRICES),
      document: { query: `SELECT amazon_order_id AS sku, ${column} FROM shop_orders` },
      dryRun: true,
    }),
  ],
  'SKUs of a table by a query': [
    writeOperation,
    () => ({
      ...feed(PRICES),
      document: { query: `SELECT ${column} AS sku FROM shop_orders` },
      dryRun: true,
    }),
  ],
  'rows of a listings feed': [
    writeOperation,
    () => ({
      ...feed('JSON_LISTINGS_FEED'),
      document: {
        query: `SELECT ${column} AS sku, 'LAMP' AS product_type, '[]' AS patches FROM shop_orders`,
      },
      dryRun: true,
    }),
  ],
  'rows of an upload': [
    writeOperation,
    () => ({
      ...upload,
      document: { query: `SELECT ${column} FROM shop_orders`, contentType: 'application/json' },
      dryRun: true,
    }),
  ],
  'a file as a table': [writeOperation, () => ({ ...feed(PRICES), document: { file: FILE }, dryRun: true })],
  'a file as a listings feed': [
    writeOperation,
    () => ({ ...feed('JSON_LISTINGS_FEED'), document: { file: FILE }, dryRun: true }),
  ],
  'a file as an upload': [writeOperation, () => ({ ...upload, document: { file: FILE }, dryRun: true })],
};

/**
 * Returns what an answer says without random parts and times: placeholders are numbered in the order in which
 * they first appear.
 */
async function answerOf(
  { runner, placeholders }: World,
  [tool, argsOf]: Door,
  member: keyof Buyer,
  pad: string,
) {
  const result = await runner
    .run(tool, argsOf(placeholders[member], pad))
    .then((answer) => JSON.stringify([answer.text, answer.structured, answer.links ?? []]), errorMessageOf);
  const seen = new Map<string, number>();
  const plain = result
    .replace(/seller-tool-\w+/g, 'FOLDER')
    .replace(/127\.0\.0\.1:\d+/g, 'HOST')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]+/g, 'ID')
    .replace(/[a-z\d]{4}(?:-[a-z\d]{4}){5}/g, 'CODE')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d(?::[\d.]+)?Z/g, 'TIME')
    .replace(/in \d+ ms/g, 'in a while');
  return plain.replace(EVERY_PLACEHOLDER, (mark) => {
    const at = seen.get(mark) ?? seen.size;
    seen.set(mark, at);
    return `[masked ${at}]`;
  });
}

/** Finds four characters of a value that the text contains. */
function findLeak(text: string, { name, email, phone, street }: Buyer): string | undefined {
  for (const value of [name, email, phone, street]) {
    for (const form of [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]) {
      for (let at = 0; at + 4 <= form.length; at++) {
        const piece = form.slice(at, at + 4);
        if (text.includes(piece)) return `${piece} of ${value}`;
      }
    }
  }
  return undefined;
}

let worlds: (readonly [World, World])[] = [];
beforeAll(async () => {
  worlds = await Promise.all(
    BUYERS.map(
      async ([one, other]): Promise<readonly [World, World]> => [
        await startWorld(one),
        await startWorld(other),
      ],
    ),
  );
}, 120_000);
afterAll(async () => {
  for (const { runner } of worlds.flat()) await runner.close();
});

async function expectAlike(pair: readonly [World, World], door: Door, member: keyof Buyer, pad: string) {
  const [one, other] = [
    await answerOf(pair[0], door, member, pad),
    await answerOf(pair[1], door, member, pad),
  ];
  expect(one).toBe(other);
  for (const { buyer } of pair) expect(findLeak(one, buyer)).toBeUndefined();
}

it('every door takes its arguments, so that none is closed for another reason', async () => {
  // This test starts a world of its own, because its collection stays for the calls that follow.
  const world = await startWorld(BUYERS[0][0]);
  onTestFinished(() => world.runner.close());
  const refusal = (tool: Tool, args: object) =>
    world.runner.run(tool, args).then(
      () => undefined,
      (error) => error.message,
    );
  const malformed = await refusal(readOperation, {});
  expect(malformed).toBeDefined();
  for (const [name, [tool, argsOf]] of Object.entries({ ...TEXT_DOORS, ...GUESS_DOORS, ...ROW_DOORS })) {
    expect(await refusal(tool, argsOf('A', '')), name).not.toBe(malformed);
  }
});

const members = fc.constantFrom<keyof Buyer>('name', 'email', 'phone', 'street');
const paddings = fc.oneof(
  fc.constant(''),
  fc.integer({ min: 1, max: 4_100 }).map((length) => '-'.repeat(length)),
);

it.each(Object.entries(TEXT_DOORS))('%s', async (_name, door) => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...worlds.keys()), members, paddings, async (at, member, pad) => {
      const pair = worlds[at];
      if (pair !== undefined) await expectAlike(pair, door, member, pad);
    }),
    {
      numRuns: 6,
      examples: [
        [0, 'name', ''],
        [0, 'name', '-'.repeat(95)],
        [1, 'street', '-'.repeat(55)],
      ],
    },
  );
});

// These expressions depend on a placeholder's own random letters, so their values differ from session to
// session.
it.each([`hex(${column})`, `replace(${column}, 'a', '')`])(
  '%s makes something of the placeholder alone',
  async (expression) => {
    for (const world of worlds.flat()) {
      const door: Door = [queryData, () => ({ sql: `SELECT ${expression} AS x FROM shop_orders` })];
      const result = await answerOf(world, door, 'name', '');
      expect(findLeak(result, world.buyer)).toBeUndefined();
      expect(result.toUpperCase()).not.toContain(Buffer.from(world.buyer.name).toString('hex').toUpperCase());
    }
  },
);

it.each(Object.entries(GUESS_DOORS))('%s', async (_name, door) => {
  for (const [one, other] of worlds) {
    expect(await answerOf(one, door, 'name', '')).toBe(await answerOf(other, door, 'name', ''));
  }
});

it.each(Object.entries(ROW_DOORS))('%s', async (_name, door) => {
  for (const pair of worlds) await expectAlike(pair, door, 'name', '');
});
