/** The question and the page about a document show what leaves: every amount, deletion, marketplace and member, and say where the rest can be seen. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ClientUser } from '../../../../src/render/client-user.ts';
import { writeOperation } from '../../../../tools/write-operation.ts';
import { openApprovalPage } from '../../../helpers/approval-page.ts';
import { startToolRunner, toolContext } from '../../../helpers/tool-runner.ts';

const US = 'ATVPDKIKX0DER';
const LISTINGS = 'JSON_LISTINGS_FEED';
const PRICES = 'POST_FLAT_FILE_PRICEANDQUANTITYONLY_UPDATE_DATA';
const FIRST_LINE_OF_A_CUT = /^[^a-z]*(?:SUMMED UP|CUT|NOT SHOWN|NOT UNDERSTOOD)/;

class Asked extends Error {}

async function start() {
  const runner = await startToolRunner(() => ({ body: {} }));
  onTestFinished(runner.close);
  const { session } = runner;
  const ask = async (args: object, more: Partial<ClientUser>) => {
    const context = toolContext(session);
    const fail = () => {
      throw new Asked();
    };
    const person: ClientUser = {
      canConfirm: true,
      canOpenPage: false,
      isHere: false,
      answer: () => undefined,
      confirm: fail,
      openPage: fail,
      ...more,
    };
    await writeOperation.invoke(args, { ...context, person }).catch((error: unknown) => {
      if (!(error instanceof Asked)) throw error;
    });
  };
  const argsOf = (feedType: string, document: object) => ({
    operation: 'createFeed',
    body: { feedType, marketplaceIds: ['US'] },
    document,
  });
  return {
    runner,
    /** Returns the question that the user gets in the chat. */
    async question(feedType: string, document: object, more: object = {}): Promise<string> {
      let question = '';
      await ask(
        { ...argsOf(feedType, document), ...more },
        {
          confirm(_key, message) {
            question = message;
            throw new Asked();
          },
        },
      );
      return question;
    },
    /** Returns the page that the user opens, and its rows. */
    async page(feedType: string, document: object) {
      let address = '';
      await ask(argsOf(feedType, document), {
        canOpenPage: true,
        openPage(_key, _message, url) {
          address = url;
          throw new Asked();
        },
      });
      const page = openApprovalPage(address);
      await page.enter();
      return { page, rows: await page.rows() };
    },
    async save(name: string, content: string | Buffer) {
      const folder = await (await session.files()).folder();
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, name), content);
    },
  };
}

const offer = (price: unknown, more: object = {}) => ({
  marketplace_id: US,
  currency: 'USD',
  our_price: [{ schedule: [{ value_with_tax: price }] }],
  ...more,
});
const patchOf = (attribute: string, value: unknown, op = 'replace') => ({
  op,
  path: `/attributes/${attribute}`,
  value,
});
const message = (messageId: number, patches: readonly object[], more: object = {}) => ({
  messageId,
  sku: `SKU-${messageId}`,
  operationType: 'PATCH',
  productType: 'LAMP',
  patches,
  ...more,
});
const priced = (messageId: number, price: unknown) =>
  message(messageId, [patchOf('purchasable_offer', [offer(price)])]);
const feed = (messages: readonly object[], more: object = {}) =>
  JSON.stringify({ header: { sellerId: 'A1SELLER', version: '2.0' }, messages, ...more });

describe('a feed of listings', () => {
  it.each([0, 90, 200, 2_000, 20_000])(
    'shows a price of 0.01 in an offer of %i characters more',
    async (length) => {
      const { question } = await start();
      const { our_price: price, ...before } = offer(0.01);
      const value = [{ ...before, seller_note: 'x'.repeat(length), our_price: price }];
      const text = await question(LISTINGS, {
        text: feed([message(1, [patchOf('purchasable_offer', value)])]),
      });
      expect(text).toContain('0.01');
    },
  );

  it('shows every attribute, the seventh and the last too', async () => {
    const { question } = await start();
    const patches = Array.from({ length: 12 }, (_, at) =>
      patchOf(`attribute_${at}`, [{ value: `planted-${at}` }]),
    );
    const text = await question(LISTINGS, { text: feed([message(1, patches)]) });
    for (let at = 0; at < 12; at += 1) expect(text).toContain(`planted-${at}`);
  });

  it.each<[string, object, readonly string[]]>([
    [
      'a member of the message',
      message(1, [patchOf('brand', [{ value: 'x' }])], { planted_member: 'planted' }),
      ['planted_member', 'planted'],
    ],
    [
      'a member of a patch',
      message(1, [{ ...patchOf('brand', [{ value: 'x' }]), planted_member: 7 }]),
      ['planted_member', '7'],
    ],
    [
      'a member of an offer',
      message(1, [patchOf('purchasable_offer', [offer(5, { planted_member: 'planted' })])]),
      ['planted_member', 'planted'],
    ],
    [
      'attributes beside patches',
      message(1, [patchOf('brand', [{ value: 'x' }])], { attributes: { item_name: [{ value: 'planted' }] } }),
      ['planted'],
    ],
    [
      'attributes of a deletion',
      { messageId: 1, sku: 'S', operationType: 'DELETE', attributes: { item_name: [{ value: 'planted' }] } },
      ['planted'],
    ],
    [
      'a path of another kind',
      message(1, [{ op: 'replace', path: '/attributes/brand/0/value', value: 'planted' }]),
      ['planted'],
    ],
    [
      'another marketplace',
      message(1, [patchOf('purchasable_offer', [offer(5), offer(6, { marketplace_id: 'A1PA6795UKMFR9' })])]),
      ['Germany', '6.00 USD'],
    ],
    ['a price as a text', message(1, [patchOf('purchasable_offer', [offer('0.01')])]), ['0.01']],
    [
      'the business price',
      message(1, [patchOf('purchasable_offer', [offer(5), offer(0.02, { audience: 'B2B' })])]),
      ['0.02 USD'],
    ],
    [
      'the dates of a sale',
      message(1, [
        patchOf('purchasable_offer', [
          offer(5, {
            discounted_price: [
              { schedule: [{ value_with_tax: 4, start_at: '2031-05-06', end_at: '2031-07-08' }] },
            ],
          }),
        ]),
      ]),
      ['2031-05-06', '2031-07-08', '4.00 USD'],
    ],
    [
      'requirements',
      message(1, [patchOf('brand', [{ value: 'x' }])], { requirements: 'LISTING_OFFER_ONLY' }),
      ['LISTING_OFFER_ONLY'],
    ],
  ])('shows %s', async (_what, one, planted) => {
    const { question } = await start();
    const text = await question(LISTINGS, { text: feed([one]) });
    for (const word of planted) expect(text).toContain(word);
  });

  it('shows what stands beside the messages', async () => {
    const { question } = await start();
    const text = await question(LISTINGS, { text: feed([priced(1, 5)], { planted_member: 'planted' }) });
    expect(text).toContain('planted_member');
  });

  it('tells a removal of an attribute from a value of it', async () => {
    const { question } = await start();
    const value = [{ marketplace_id: US }];
    const [removed, set] = await Promise.all(
      ['delete', 'replace'].map((op) =>
        question(LISTINGS, { text: feed([message(1, [patchOf('bullet_point', value, op)])]) }),
      ),
    );
    expect(removed).toContain('removed');
    expect(removed).not.toBe(set);
  });

  it('shows what is unusual first in a long feed: few deletions, a low price, another marketplace', async () => {
    const { question, save } = await start();
    const all: object[] = Array.from({ length: 3_000 }, (_, at) => priced(at + 1, 20 + (at % 7)));
    all[2_500] = priced(2_501, 0.01);
    all[2_600] = { messageId: 2_601, sku: 'SKU-2601', operationType: 'DELETE' };
    all[2_700] = message(2_701, [
      patchOf('item_name', [{ value: 'Lampe', marketplace_id: 'A1PA6795UKMFR9' }]),
    ]);
    all[2_800] = message(2_801, [patchOf('brand', undefined, 'delete')]);
    await save('feed.json', feed(all));
    const text = await question(LISTINGS, { file: 'feed.json' });
    const lines = text.split('\n');
    expect(lines[0]).toMatch(FIRST_LINE_OF_A_CUT);
    expect(lines[0]).toContain('feed.json');
    for (const sku of ['SKU-2501', 'SKU-2601', 'SKU-2701', 'SKU-2801']) {
      expect(lines.slice(0, 12).join('\n')).toContain(sku);
    }
    expect(text).toMatch(/2,999 PATCH/);
    expect(text).toMatch(/1 DELETE/);
    expect(text).toContain('0.01 USD');
  });

  it('is refused where a member is there twice', async () => {
    const { question } = await start();
    const twice = feed([priced(1, 25)]).replace(
      '"our_price"',
      '"our_price":[{"schedule":[{"value_with_tax":0.01}]}],"our_price"',
    );
    await expect(question(LISTINGS, { text: twice })).rejects.toThrow(/our_price/);
  });

  it('shows each message on the page, the last too, and none of them can be taken out', async () => {
    const { page } = await start();
    const all = Array.from({ length: 60 }, (_, at) => priced(at + 1, 10 + at));
    const { page: opened, rows } = await page(LISTINGS, { text: feed(all) });
    expect(rows.map(({ name }) => name)).toEqual(all.map(({ sku }) => sku));
    expect(rows.at(-1)?.change).toContain('69.00 USD');
    expect((await opened.takeOut([3], 60)).status).toBe(400);
    expect((await opened.yes([], 0)).status).toBe(200);
  });
});

describe('a feed that is a table', () => {
  const table = (rows: readonly string[], head = 'sku\tprice\tquantity') => `${head}\n${rows.join('\n')}\n`;

  it('shows row 6 and all that follow, as far as there is room', async () => {
    const { question } = await start();
    const rows = Array.from({ length: 20 }, (_, at) => `SKU-${at}\t${30 + at}.5\t${at + 1}`);
    const text = await question(PRICES, { text: table(rows) });
    for (let at = 0; at < 20; at += 1) expect(text).toContain(`${30 + at}.5`);
  });

  it.each(['TemplateType=x', 'settings=attributeRow=6&dataRow=900'])(
    'shows the lines that stand before the columns of a template: %s',
    async (settings) => {
      const { question } = await start();
      const rows = ['SKU-1\t0.02\t1', 'SKU-2\t0.03\t1', 'SKU-3\t0.04\t1', 'SKU-4\t0.05\t1'];
      const text = await question(PRICES, { text: `${settings}\n${table(rows)}` });
      for (const amount of ['0.02', '0.03', '0.04', '0.05']) expect(text).toContain(amount);
    },
  );

  it('shows the lowest price and each deletion of a long one first, and says where all of it is', async () => {
    const { question, save } = await start();
    const rows = Array.from({ length: 4_000 }, (_, at) => `SKU-${at}\t${30 + (at % 9)}.5\t${at + 1}\ta`);
    rows[3_300] = 'SKU-LOW\t0.02\t3\ta';
    rows[3_400] = 'SKU-GONE\t\t\tx';
    await save('prices.txt', table(rows, 'sku\tprice\tquantity\tadd-delete'));
    const text = await question(PRICES, { file: 'prices.txt' });
    const lines = text.split('\n');
    expect(lines[0]).toMatch(FIRST_LINE_OF_A_CUT);
    expect(lines[0]).toContain('prices.txt');
    const top = lines.slice(0, 10).join('\n');
    expect(top).toContain('SKU-LOW');
    expect(top).toContain('SKU-GONE');
    expect(text).toContain('4,000 rows');
  });

  it('counts more than a million rows, and answers other calls meanwhile', async () => {
    const { question, save } = await start();
    const rows = 1_010_000;
    await save('large.txt', `sku\tprice\n${'A\t1.5\n'.repeat(rows - 1)}LAST\t0.03\n`);
    let turns = 0;
    let [longest, last] = [0, performance.now()];
    const timer = setInterval(() => {
      turns += 1;
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    const began = performance.now();
    const text = await question(PRICES, { file: 'large.txt' });
    const took = performance.now() - began;
    clearInterval(timer);
    expect(text).toContain('1,010,000 rows');
    expect(text).toContain('LAST');
    // The event loop had its turns all the while: a share of the time, whatever the machine.
    expect(turns).toBeGreaterThan(20);
    expect(longest).toBeLessThan(took / 3);
  });
});

it('shows each row of a large table on the page, the last too', async () => {
  const { page, save } = await start();
  const rows = Array.from({ length: 6_000 }, (_, at) => `SKU-${at}\t${30 + at}.5\t${at + 1}`);
  await save('table.txt', `sku\tprice\tquantity\n${rows.join('\n')}\n`);
  const shown = (await page(PRICES, { file: 'table.txt' })).rows;
  expect(shown.map(({ name }) => name)).toEqual(rows.map((row) => row.split('\t')[0]));
  expect(shown.at(-1)?.change).toContain('6029.5');
});

const envelope = (messages: readonly string[], header = '') =>
  `<?xml version="1.0" encoding="UTF-8"?><AmazonEnvelope><Header><MerchantIdentifier>M1</MerchantIdentifier></Header>${header}${messages
    .map((body, at) => `<Message><MessageID>${at + 1}</MessageID>${body}</Message>`)
    .join('')}</AmazonEnvelope>`;

const refund = (order: string, amount: string) =>
  `<OrderAdjustment><AmazonOrderID>${order}</AmazonOrderID><AdjustedItem><AmazonOrderItemCode>777</AmazonOrderItemCode><AdjustmentReason>CustomerReturn</AdjustmentReason><ItemPriceAdjustments><Component><Type>Principal</Type><Amount currency="EUR">${amount}</Amount></Component></ItemPriceAdjustments></AdjustedItem></OrderAdjustment>`;

describe('a feed in XML', () => {
  it('shows order, type and amount of each refund', async () => {
    const { question } = await start();
    const orders = Array.from(
      { length: 6 },
      (_, at) => [`902-${at}000000-1111111`, `${at + 10}.25`] as const,
    );
    const text = await question('POST_PAYMENT_ADJUSTMENT_DATA', {
      text: envelope(
        orders.map(([order, amount]) => refund(order, amount)),
        '<MessageType>OrderAdjustment</MessageType>',
      ),
    });
    for (const [order, amount] of orders) {
      const line = text.split('\n').find((one) => one.includes(order)) ?? '';
      expect(line).toContain(`${amount} EUR`);
      expect(line).toContain('Principal');
    }
    expect(text).toContain('OrderAdjustment');
    expect(text).toContain('6 messages');
  });

  it('shows the largest refund of many, and what all are together', async () => {
    const { question, save } = await start();
    const all = Array.from({ length: 500 }, (_, at) => refund(`902-${at}`, '1.50'));
    all[400] = refund('902-PLANTED', '8123.45');
    await save('refunds.xml', envelope(all));
    const text = await question('POST_PAYMENT_ADJUSTMENT_DATA', { file: 'refunds.xml' });
    expect(text.split('\n')[0]).toMatch(FIRST_LINE_OF_A_CUT);
    expect(text).toContain('902-PLANTED');
    expect(text).toContain('8123.45');
    expect(text).toContain(String(499 * 1.5 + 8123.45));
  });

  it.each<[string, string, string, readonly string[]]>([
    [
      'POST_ORDER_FULFILLMENT_DATA',
      '',
      '<OrderFulfillment><AmazonOrderID>902-1</AmazonOrderID><FulfillmentData><ShipperTrackingNumber>1Z9</ShipperTrackingNumber></FulfillmentData></OrderFulfillment>',
      ['902-1', '1Z9'],
    ],
    [
      'POST_INVENTORY_AVAILABILITY_DATA',
      '',
      '<OperationType>Update</OperationType><Inventory><SKU>S-1</SKU><Quantity>0</Quantity></Inventory>',
      ['S-1', 'Quantity', '0'],
    ],
    [
      'POST_ORDER_ACKNOWLEDGEMENT_DATA',
      '',
      '<OrderAcknowledgement><AmazonOrderID>902-2</AmazonOrderID><StatusCode>Failure</StatusCode></OrderAcknowledgement>',
      ['902-2', 'Failure'],
    ],
    [
      'POST_PRODUCT_DATA',
      '',
      '<OperationType>Delete</OperationType><Product><SKU>S-3</SKU></Product>',
      ['S-3', 'Delete'],
    ],
    [
      'POST_PRODUCT_PRICING_DATA',
      '',
      '<Price><SKU>S-4</SKU><StandardPrice currency="EUR">0.01</StandardPrice></Price>',
      ['S-4', '0.01 EUR'],
    ],
    [
      'POST_PRODUCT_DATA',
      '<PurgeAndReplace>true</PurgeAndReplace>',
      '<Product><SKU>S-5</SKU></Product>',
      ['PurgeAndReplace', 'S-5'],
    ],
    [
      'POST_PRODUCT_DATA',
      '',
      '<Product><SKU>S-6</SKU><Title><![CDATA[plan<t>ed]]></Title><X y="attri"/></Product>',
      ['plan<t>ed', 'attri'],
    ],
  ])('shows what a message of %s does %s', async (feedType, header, body, planted) => {
    const { question } = await start();
    const text = await question(feedType, { text: envelope([body], header) });
    for (const word of planted) expect(text).toContain(word);
  });

  it.each([
    '<AmazonEnvelope><Message>',
    '<!DOCTYPE a [<!ENTITY x "9999.00">]><AmazonEnvelope><Message><Amount>&x;</Amount></Message></AmazonEnvelope>',
    '<a>&unknown;</a>',
    'no xml',
  ])('says in its first line that %s is not understood', async (text) => {
    const { question } = await start();
    const asked = await question('POST_PAYMENT_ADJUSTMENT_DATA', { text, contentType: 'text/xml' });
    expect(asked.split('\n')[0]).toMatch(FIRST_LINE_OF_A_CUT);
  });
});

it('shows the only line of a text that is no table, and says where the rest of a long one is', async () => {
  const { question } = await start();
  const short = await question('POST_OTHER_DATA', {
    text: `${'word '.repeat(100)}planted`,
    contentType: 'text/plain',
  });
  expect(short).toContain('planted');
  const long = await question('POST_OTHER_DATA', { text: 'word '.repeat(5_000), contentType: 'text/plain' });
  expect(long.split('\n')[0]).toMatch(FIRST_LINE_OF_A_CUT);
});

it('saves the document for the person where the call names a file', async () => {
  const { question, runner } = await start();
  const text = feed(Array.from({ length: 100 }, (_, at) => priced(at + 1, 10)));
  const asked = await question(LISTINGS, { text }, { save_as: 'feed.json' });
  const files = await runner.session.files();
  const [first] = await files.list();
  expect(first?.bytes).toBe(text.length);
  expect(asked.split('\n')[0]).toContain(first?.name);
});
