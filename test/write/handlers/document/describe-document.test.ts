/** A question describes what a document holds: it counts, and shows nothing that its reader may not see. */

import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createContentThreads } from '../../../../src/write/handlers/document/content/content-threads.ts';
import { readContent } from '../../../../src/write/handlers/document/content/read-content.ts';
import { describeDocument, documentLine } from '../../../../src/write/handlers/document/describe-document.ts';
import type { LoadedDocument } from '../../../../src/write/handlers/document/load-document.ts';
import { startToolRunner, toolContext } from '../../../helpers/tool-runner.ts';

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

/** Returns the description as the user reads it, and the lines of both readers. */
async function describeContent(given: LoadedDocument, feedType?: string) {
  const runner = await startToolRunner(() => ({ body: {} }));
  onTestFinished(runner.close);
  const { messages, sellerId, forPerson, forAssistant } = await describeDocument(
    given,
    { feedType },
    toolContext(runner.session),
  );
  const { count, warnings } = forPerson;
  const lines = (isForPerson: boolean) => (isForPerson ? forPerson : forAssistant).lines;
  return { messages: messages(), sellerId, count, warnings, lines };
}

/** Reads what a table holds, without a session. */
async function readTable(text: string, contentType = TAB) {
  const call = { signal: new AbortController().signal, deadline: performance.now() + 10_000 };
  const threads = createContentThreads(() => {
    throw new Error('A small document takes no thread');
  });
  const options = { contentType, feedType: 'POST_X', places: [], maxItems: 10, isResolved: false };
  const content = await threads.read(Buffer.from(text), options, call);
  if ('problems' in content) throw new Error(content.problems.join());
  const messages: unknown = JSON.parse(Buffer.from(content.messages).toString());
  return { ...content, messages };
}

describe('a table', () => {
  it('is its rows, each by its number and SKU', async () => {
    const content = await describeContent(loaded('sku\tprice\nA\t1\nB\t2\n\nA\t3\n'), 'POST_X');
    expect(content).toMatchObject({
      messages: [
        { messageId: 1, sku: 'A' },
        { messageId: 2, sku: 'B' },
        { messageId: 3, sku: 'A' },
      ],
    });
    expect(content.warnings).toHaveLength(1);
    expect(content.sellerId).toBeUndefined();
    expect(content.lines(true)).toHaveLength(3);
  });

  it.each(['sku', 'seller-sku', 'item_sku', 'Merchant-SKU', '"sku"'])('has SKUs under %s', async (name) => {
    expect((await readTable(`x\t${name}\n1\t"A"\n`)).messages).toEqual([[1, 'A']]);
  });

  it.each(['skus', 'my-sku', 'x'])('has none under %s', async (name) => {
    expect((await readTable(`${name}\nA\n`)).messages).toEqual([[1, null]]);
  });

  it.each([
    ['TemplateType=x', 'Seller SKU\tPrice\nitem_sku\tprice\nA\t1\n'],
    ['feedType=x', 'Seller SKU\tPrice\nitem_sku\tprice\nA\t1\n'],
    ['settings=attributeRow=4&dataRow=6&labelRow=3', 'note\nSKU\nitem_sku\tprice\nexample\t0\nA\t1\n'],
  ])('of a template with %s begins behind its head', async (settings, rest) => {
    const { total, columns, messages } = await readTable(`\uFEFF${settings}\tmore\n${rest}`);
    expect([total, columns, messages]).toEqual([1, ['item_sku', 'price'], [[1, 'A']]]);
  });

  it('with commas is one only where it says so', async () => {
    const text = 'sku,price,title\r\nA,1,"x, ""y"""\rB,2,';
    const csv = await readTable(text, 'text/csv');
    expect(csv.messages).toEqual([
      [1, 'A'],
      [2, 'B'],
    ]);
    expect(csv.items[0]?.parts).toContainEqual({ label: 'title', value: 'x, "y"' });
    expect((await readTable(text, 'text/plain')).columns).toEqual(['sku,price,title']);
  });

  it('with commas holds line breaks in quotes, and each row is one item', async () => {
    const text = 'sku,title,price\r\nA,"Lamp\r\n\r\n,B,9",1\r\n"C",x,"2"\r\n';
    const { total, messages, items } = await readTable(text, 'text/csv');
    expect([total, messages]).toEqual([
      2,
      [
        [1, 'A'],
        [2, 'C'],
      ],
    ]);
    expect(items.map(({ parts }) => parts.find((part) => 'label' in part && part.label === 'price'))).toEqual(
      [
        { label: 'price', value: '1' },
        { label: 'price', value: '2' },
      ],
    );
  });

  it('with a row that is too long is said to be not understood', () => {
    const text = `sku,title\nA,"${'x\n'.repeat(600_000)}`;
    const options = { contentType: 'text/csv', feedType: 'X', places: [], maxItems: 10, isResolved: false };
    expect(readContent(Buffer.from(text), options)).toMatchObject({ form: 'unknown' });
  });

  it('counts as many rows with a repeated SKU as there are too many, whatever the rows', async () => {
    const skus = fc.array(fc.constantFrom('A', 'B', 'C', ''), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(skus, async (all) => {
        const text = `sku\tn\n${all.map((sku, at) => `${sku}\t${at}`).join('\n')}`;
        const { messages, warnings } = await readTable(text);
        expect(messages).toEqual(all.map((sku, at) => [at + 1, sku === '' ? null : sku]));
        const given = all.filter((sku) => sku !== '');
        const repeated = given.length - new Set(given).size;
        expect(warnings).toHaveLength(repeated === 0 ? 0 : 1);
        if (repeated > 0) expect(warnings[0]).toMatch(new RegExp(`^${repeated} `));
      }),
    );
  });

  it('is read the same however its lines lie in the pieces that it is read in', async () => {
    const rows = Array.from({ length: 60_000 }, (_, at) => `S-${at}\t${'ä'.repeat(at % 40)}`);
    for (const end of ['\n', '\r\n', '\r']) {
      const { linesOf } = await import('../../../../src/write/handlers/document/content/decode-text.ts');
      expect([...linesOf(Buffer.from(rows.join(end)), TAB)]).toEqual(rows);
    }
  });
});

it.each([
  ['the charset of Windows', Buffer.from('736b75096e616d650a410980a0a92d35300a', 'hex'), '€\u00a0©-50'],
  ['Shift_JIS', Buffer.from('736b75096e616d650a41098365835883670a', 'hex'), 'テスト'],
  ['UTF-16', Buffer.from('\uFEFFsku\tname\nA\tŁódź\n', 'utf16le'), 'Łódź'],
])('reads %s as it is', async (_name, bytes, value) => {
  const content = await describeContent({ ...loaded('', TAB), bytes, shown: bytes });
  expect(content.lines(true).join()).toContain(value);
});

it('the person sees what it holds, the assistant what it may see of it', async () => {
  const marked = Buffer.from('sku\tname\nA\t[mark]\n');
  const both = await describeContent(loaded('sku\tname\nA\tAda\n', TAB, { shown: marked }));
  expect(both.lines(true).join()).toContain('Ada');
  expect(both.lines(false).join()).toContain('[mark]');
  expect(both.lines(false).join()).not.toContain('Ada');
  const hidden = await describeContent(loaded('sku\tname\nA\tAda\n', TAB, { shown: undefined }));
  expect([hidden.lines(true).length, hidden.lines(false)]).toEqual([1, []]);
});

it('shows the values of listings only to whoever may see them', async () => {
  const patches = [{ op: 'replace', path: '/attributes/item_name', value: [{ value: 'planted' }] }];
  const message = { messageId: 1, sku: 'S1', operationType: 'PATCH', productType: 'LAMP', patches };
  const text = JSON.stringify({ header: { sellerId: 'A1', version: '2.0' }, messages: [message] });
  const hidden = await describeContent(
    loaded(text, 'application/json', { shown: undefined }),
    'JSON_LISTINGS_FEED',
  );
  expect(hidden.sellerId).toBe('A1');
  expect(hidden.lines(false).join()).toContain('item_name');
  expect(hidden.lines(false).join()).not.toContain('planted');
  expect(hidden.lines(true).join()).toContain('planted');
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
