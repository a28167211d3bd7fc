/** What a document holds, as the question tells it: counted, its first lines, and nothing that its reader may not see. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  describeContent as describeDocument,
  documentLine,
} from '../../../../src/write/kinds/document/describe-document.ts';
import type { LoadedDocument } from '../../../../src/write/kinds/document/load-document.ts';

const TAB = 'text/tab-separated-values; charset=UTF-8';

function loaded(text: string, contentType = TAB, more: Partial<LoadedDocument> = {}): LoadedDocument {
  const bytes = Buffer.from(text);
  return {
    document: {
      contentType,
      bytes: bytes.length,
      sha256: 'abcdef0123456789fedcba',
      md5: 'm',
      read: async function* () {},
    },
    bytes,
    shown: bytes,
    source: 'text',
    replaced: [],
    isPersonal: false,
    isPrivate: false,
    mask: (value) => value,
    ...more,
  };
}

/** As the person reads it, and the lines of both readers. */
function describeContent(...given: Parameters<typeof describeDocument>) {
  const { messages, sellerId, forPerson, forAssistant } = describeDocument(...given);
  const { count, remarks } = forPerson;
  const lines = (isForPerson: boolean) => (isForPerson ? forPerson : forAssistant).lines;
  return { messages, sellerId, count, remarks, lines };
}

const TABLE = 'sku\tprice\nA\t1\nB\t2\n\nA\t3\n';

describe('a table', () => {
  it('is its rows and columns, each row by its number and SKU, and its first lines', () => {
    const content = describeContent(loaded(TABLE), 'POST_X');
    expect(content).toMatchObject({
      messages: [
        { messageId: 1, sku: 'A' },
        { messageId: 2, sku: 'B' },
        { messageId: 3, sku: 'A' },
      ],
      count: '3 rows with the columns sku, price',
      remarks: ['1 rows have a SKU that stands in another row too: which of them counts is not known.'],
    });
    expect(content.lines(true)).toEqual(['«sku | price»', '«A | 1»', '«B | 2»', '«A | 3»']);
    expect(content.sellerId).toBeUndefined();
    const once = describeContent(loaded('sku\tprice\nA\t1\n'), undefined);
    expect(once).toMatchObject({ count: '1 row with the columns sku, price', remarks: [] });
  });

  it.each(['sku', 'seller-sku', 'item_sku', 'Merchant-SKU', '"sku"'])('has SKUs under %s', (name) => {
    expect(describeContent(loaded(`x\t${name}\n1\t"A"\n`), undefined).messages).toEqual([
      { messageId: 1, sku: 'A' },
    ]);
  });

  it.each(['skus', 'my-sku', 'x'])('has none under %s', (name) => {
    expect(describeContent(loaded(`${name}\nA\n`), undefined).messages).toEqual([{ messageId: 1 }]);
  });

  it.each(['TemplateType=x', 'feedType=x', 'Settings=x'])('of a template begins behind %s', (settings) => {
    const template = `\uFEFF${settings}\tmore\nSeller SKU\tPrice\nitem_sku\tprice\nA\t1\n`;
    const { count, messages } = describeContent(loaded(template), undefined);
    expect([count, messages]).toEqual([
      '1 row with the columns item_sku, price',
      [{ messageId: 1, sku: 'A' }],
    ]);
  });

  it('with commas is one only where it says so', () => {
    const text = 'sku,price\r\nA,1\rB,2';
    const messages = [
      { messageId: 1, sku: 'A' },
      { messageId: 2, sku: 'B' },
    ];
    expect(describeContent(loaded(text, 'text/csv'), undefined).messages).toEqual(messages);
    expect(describeContent(loaded(text, 'text/plain'), undefined).count).toBe(
      '2 rows with the columns «sku,price»',
    );
  });

  it('names twenty of its columns', () => {
    const names = Array.from({ length: 25 }, (_, at) => `c${at}`);
    const { count } = describeContent(loaded(`${names.join('\t')}\nx\n`), undefined);
    expect(count).toBe(`1 row with the columns ${names.slice(0, 20).join(', ')}`);
  });

  it('counts as many rows with a repeated SKU as there are too many, whatever the rows', () => {
    const skus = fc.array(fc.constantFrom('A', 'B', 'C', ''), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(skus, (all) => {
        const { messages, remarks } = describeContent(
          loaded(`sku\tn\n${all.map((sku, at) => `${sku}\t${at}`).join('\n')}`),
          undefined,
        );
        expect(messages.map(({ messageId, sku = '' }) => [messageId, sku])).toEqual(
          all.map((sku, at) => [at + 1, sku]),
        );
        const given = all.filter((sku) => sku !== '');
        const repeated = given.length - new Set(given).size;
        expect(remarks).toHaveLength(repeated === 0 ? 0 : 1);
        if (repeated > 0) expect(remarks[0]).toMatch(new RegExp(`^${repeated} rows`));
      }),
    );
  });
});

it('of any other document only the first lines of a text are shown', () => {
  const xml = describeContent(loaded('<a>\n\n<b>\n<c>\n<d>\n<e>', 'text/xml'), undefined);
  expect(xml).toMatchObject({ messages: [], count: '', remarks: [] });
  expect(xml.lines(false)).toEqual(['«<a>»', '«<b>»', '«<c>»', '«<d>»']);
  expect(describeContent(loaded('{}', 'application/json'), undefined).lines(true)).toEqual(['«{}»']);
  expect(describeContent(loaded('PDF', 'application/pdf'), undefined).lines(true)).toEqual([]);
  const long = describeContent(loaded('x'.repeat(500), 'text/xml'), undefined).lines(true);
  expect(long).toEqual([`«${'x'.repeat(160)}» (340 more characters)`]);
});

it('the person sees what it holds, the assistant what it may see of it', () => {
  const marked = Buffer.from('sku\tname\nA\t[mark]\n');
  const both = describeContent(loaded('sku\tname\nA\tAda\n', TAB, { shown: marked }), undefined);
  expect([both.lines(true)[1], both.lines(false)[1]]).toEqual(['«A | Ada»', '«A | [mark]»']);
  const hidden = describeContent(loaded('sku\tname\nA\tAda\n', TAB, { shown: undefined }), undefined);
  expect([hidden.lines(true).length, hidden.lines(false)]).toEqual([2, []]);
});

describe('a feed of listings', () => {
  const message = (messageId: number, operationType: string, more: object = {}) => ({
    messageId,
    sku: `S${messageId}`,
    operationType,
    ...(operationType === 'DELETE' ? {} : { productType: 'LAMP' }),
    ...more,
  });
  const patch = (...names: string[]) => ({
    patches: names.map((name) => ({ op: 'replace', path: `/attributes/${name}`, value: [{ value: 'x' }] })),
  });
  const feed = (...messages: object[]) =>
    JSON.stringify({ header: { sellerId: 'A1', version: '2.0' }, messages });
  const of = (text: string, more: Partial<LoadedDocument> = {}) =>
    describeContent(loaded(text, 'application/json', more), 'JSON_LISTINGS_FEED');

  it('is its messages by kind, each told in a line, with what is lost by it', () => {
    const content = of(
      feed(
        message(1, 'PATCH', patch('item_name')),
        message(2, 'DELETE'),
        message(3, 'UPDATE', { requirements: 'LISTING', attributes: { brand: [{ value: 'x' }] } }),
        message(4, 'DELETE'),
      ),
    );
    expect(content).toMatchObject({
      sellerId: 'A1',
      count: '4 messages (1 PATCH, 2 DELETE, 1 UPDATE)',
      messages: [1, 2, 3, 4].map((at) => ({ messageId: at, sku: `S${at}` })),
      remarks: [
        'What is there now is not compared with it; change_listings shows the values before.',
        '2 LISTINGS ARE DELETED; they do not come back.',
        '1 listings are replaced whole: what the message does not hold is removed.',
      ],
    });
    expect(content.lines(true)).toEqual([
      'S1: PATCH item_name «[{"value":"x"}]»',
      'S2: deleted',
      'S3: UPDATE brand «[{"value":"x"}]»',
      'S4: deleted',
    ]);
    const one = of(feed(message(1, 'PATCH', patch('item_name'))));
    expect([one.count, one.remarks.length]).toEqual(['1 message (1 PATCH)', 1]);
  });

  it('tells ten of its messages and six attributes of each, and counts the others', () => {
    const names = Array.from({ length: 8 }, (_, at) => `a${at}`);
    const all = Array.from({ length: 12 }, (_, at) => message(at + 1, 'PATCH', patch(...names)));
    const lines = of(feed(...all)).lines(true);
    expect(lines).toHaveLength(11);
    expect(lines[10]).toBe('... and 2 more');
    expect(lines[0]).toMatch(/^S1: PATCH a0 .*, a5 «.*» and 2 more$/);
    expect(of(feed(...all.slice(0, 10))).lines(true)).toHaveLength(10);
  });

  it('shows values only to whoever may see them', () => {
    const hidden = of(feed(message(1, 'PATCH', patch('item_name'))), { shown: undefined });
    expect(hidden.lines(false)).toEqual(['S1: PATCH item_name']);
    expect(hidden.lines(true)).toEqual(['S1: PATCH item_name «[{"value":"x"}]»']);
  });
});

it.each<[Partial<LoadedDocument>, string]>([
  [{ source: 'file', name: 'prices.txt' }, 'the file "prices.txt"'],
  [{ source: 'file' }, 'the file ""'],
  [{ source: 'text' }, 'a text of this call'],
  [{ source: 'query' }, 'rows of a query'],
])('%j is told by what it is and its type, to the person with size and digest', (more, what) => {
  const document = loaded('x'.repeat(1_234), 'text/plain', more);
  expect(documentLine(document, true)).toBe(`${what}, 1,234 bytes, text/plain, SHA-256 abcdef0123456789`);
  expect(documentLine(document, false)).toBe(`${what}, text/plain`);
});
