import { randomBytes } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { describeDocument } from '../../../src/render/documents/describe-document.ts';
import { findDocuments } from '../../../src/render/documents/find-documents.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';

const registry = await loadRegistry();

const PDF = Buffer.from(`%PDF-1.4\n${'1 0 obj << >> endobj\n'.repeat(20)}%%EOF\n`);
const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(80, 7)]);
const ZPL = Buffer.from('^XA\r\n^FO50,50^ADN,36,20^FDAnna Schmidt^FS\r\n^XZ');
const EPL = Buffer.from('\nN\nq609\nA50,0,0,1,1,1,N,"Anna"\nP1\n');
const XLSX = zipSync({
  '[Content_Types].xml': strToU8('<Types/>'),
  'xl/workbook.xml': strToU8('<workbook/>'),
});
const ZIP = zipSync({ 'label.pdf': new Uint8Array(PDF) });
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

async function look(answer: unknown, name = 'getShipment') {
  const operation = registry.operations.find((each) => each.name === name) ?? registry.operations[0];
  if (operation === undefined) throw new Error('no operations');
  const { documents, withWords } = await findDocuments(operation, answer);
  return { documents, words: documents.map(describeDocument), shown: withWords(describeDocument) };
}

it.each([
  ['plain', PDF, 'pdf', 'PDF'],
  ['gzip', gzipSync(PDF), 'pdf', 'PDF'],
  ['gzip twice', gzipSync(gzipSync(PDF)), 'pdf', 'PDF'],
  ['zlib', deflateSync(PDF), 'pdf', 'PDF'],
  ['PNG', PNG, 'png', 'PNG'],
  ['JPEG', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(60)]), 'jpg', 'JPEG'],
  ['GIF', Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(60)]), 'gif', 'GIF'],
  ['ZPL', ZPL, 'zpl', 'ZPL'],
  ['ZPL in gzip', gzipSync(ZPL), 'zpl', 'ZPL'],
  ['EPL', EPL, 'epl', 'EPL'],
  ['a workbook', XLSX, 'xlsx', 'Excel'],
  ['a ZIP', ZIP, 'zip', 'ZIP'],
  ['XML', Buffer.from('<?xml version="1.0"?><nfe><dest>Anna</dest></nfe>'), 'xml', 'XML'],
  ['HTML', Buffer.from('<!DOCTYPE html><html><body>Anna</body></html>'), 'html', 'HTML'],
])('finds %s in base64, under any name, and tells it by its content', async (_what, bytes, ending, name) => {
  const text = base64(bytes);
  for (const spelled of [
    text,
    text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
    lines(text),
  ]) {
    const { documents, shown } = await look({ payload: { anything: [spelled] } });
    expect(documents).toMatchObject([{ at: 'payload.anything[0]', kind: { ending, name } }]);
    expect(JSON.stringify(shown)).not.toContain(text.slice(0, 20));
  }
});

const lines = (text: string) => text.replace(/.{76}/g, '$&\r\n');

it('reads what it found unpacked, byte for byte', async () => {
  for (const packed of [PDF, gzipSync(PDF), gzipSync(gzipSync(PDF)), deflateSync(PDF)]) {
    const { documents } = await look({ Contents: base64(packed) });
    const [document] = documents;
    expect(document?.from === 'answer' && Buffer.from(await document.read())).toEqual(PDF);
  }
});

it('takes CSV, TSV and text where the member is one of documents, and nowhere else', async () => {
  const texts = [
    'a,b\n1,2\n3,4\nmore,rows\n',
    'sku\tprice\nA\t1\nB\t2\nC\t3\n',
    'This is some text to convert.',
  ];
  const kinds = [];
  for (const text of texts) {
    const content = Buffer.from(text).toString('base64');
    kinds.push(
      (await look({ base64EncodedContent: content })).documents.map(
        (each) => each.from === 'answer' && each.kind.ending,
      ),
    );
    expect((await look({ title: content, sellerNote: content })).documents).toEqual([]);
  }
  expect(kinds).toEqual([['csv'], ['tsv'], ['txt']]);
});

it('takes data: URLs by their content, not by their name', async () => {
  const { documents } = await look({
    one: `data:application/pdf;base64,${base64(PNG)}`,
    two: `data:text/plain;charset=utf-8,${encodeURIComponent('Hello there, this is text')}`,
  });
  expect(documents).toMatchObject([{ kind: { ending: 'png' } }, { kind: { ending: 'txt' } }]);
});

it('says what it is, in the words of its place, and how large', async () => {
  const { words } = await look({
    packingSlipList: [{ content: base64(PDF) }],
    labelData: [{ content: base64(ZPL) }],
    file: base64(PNG),
  });
  expect(words).toEqual([
    `PDF packing slip, ${PDF.length} B`,
    `ZPL label, ${ZPL.length} B`,
    `PNG document, ${PNG.length} B`,
  ]);
});

it.each([
  [
    'a page token of JSON',
    { nextToken: base64(Buffer.from('{"s2_sort_key":{"s":"supplySourceCode#owner"},"n":null}')) },
  ],
  [
    'a packed page token',
    { pagination: { next: base64(gzipSync('{"lastEvaluatedKey":{"s":"1234567890"}}')) } },
  ],
  ['a token that is a PDF by its first bytes', { nextPageToken: base64(PDF) }],
  ['an encryption key', { encryptionDetails: { key: 'PDuDJm2l+0ydObrRpS48tB+t2qbtOmWhSEOiFWKnH2k=' } }],
  [
    'an offer id of 320 characters',
    { ShippingServiceOfferId: 'WHgxtyn6qjGGaCzOCog1azF5HLHje5Pz'.repeat(10) },
  ],
  ['a slot', { slotId: 'AQc48yxSAAAAADZG0qQAAAAA6kkAAAAAAAA=' }],
  ['a sum', { Checksum: 'DmsWbJpdMPALN3jV4wHOrg==' }],
  ['long words', { content: 'TestWarehouseReferenceIdentifierOfTheSeller' }],
  ['long prose', { content: 'A long description of 2 lamps in words only '.repeat(20) }],
  ['words in lines', { content: 'Lamp2forChildrenRoundAndGreen\n'.repeat(20) }],
  ['prose', { content: 'A long description of a lamp with words only and nothing else in it' }],
  [
    'a base64 text that says nothing',
    { message: base64(Buffer.from('<3 lamps and more lamps for everybody')) },
  ],
])('leaves %s alone', async (_what, answer) => {
  const { documents, shown } = await look(answer);
  expect(documents).toEqual([]);
  expect(shown).toBe(answer);
});

const SIGNED =
  'https://bucket.s3.eu-west-1.amazonaws.com/label.pdf?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=abc';

it.each([
  ['signed', { anything: SIGNED }],
  ['signed by CloudFront', { u: 'https://d1.cloudfront.net/x?Expires=1&Signature=abc&Key-Pair-Id=K' }],
  ['named so, though not signed', { LabelDownloadURL: { DownloadURL: 'https://example.com/a' } }],
  ['of an invoice', { invoiceDocument: { invoiceDocumentUrl: 'https://example.com/a.xml' } }],
  ['in a list', { documentDownloads: [{ uri: 'https://example.com/labels' }] }],
  ['in base64', { customizedUrl: base64(Buffer.from('https://zme-caps.example.com/t/abc')) }],
])('finds an address that is %s', async (_what, answer) => {
  const { documents, shown } = await look(answer);
  expect(documents).toMatchObject([{ from: 'address' }]);
  expect(JSON.stringify(shown)).not.toMatch(/http|aHR0c/);
});

it.each([
  [
    'a picture of a product',
    { images: [{ link: 'https://m.media-amazon.com/images/I/51DZzp3w3vL.jpg' }] },
    'getCatalogItem',
  ],
  ['a page', { trackingUrl: 'https://www.swiship.com/track?id=SampleTrackingNumber1' }, 'getShipment'],
  ['a place to upload to', { feedDocumentId: '1', url: SIGNED }, 'createFeedDocument'],
  ['another place to upload to', { payload: { url: SIGNED } }, 'createUploadDestinationForResource'],
])('leaves %s alone', async (_what, answer, name) => {
  expect((await look(answer, name)).documents).toEqual([]);
});

it('the address that collect_data reads stays where it is, and can be saved', async () => {
  const answer = { reportDocumentId: 'D1', url: 'https://d34.cloudfront.net/Report_1.txt' };
  const { documents, shown } = await look(answer, 'getReportDocument');
  expect(documents).toMatchObject([{ from: 'address', address: answer.url }]);
  expect(shown).toEqual(answer);
});

it('what unpacks to more than the limit is told, and not read', async () => {
  const bomb = base64(gzipSync(Buffer.alloc(50_000_001)));
  const { documents, words } = await look({ Label: { FileContents: { Contents: bomb } } });
  expect(words).toEqual(['label of an unknown kind, too large to be unpacked here']);
  const [document] = documents;
  await expect(document?.from === 'answer' ? document.read() : undefined).rejects.toThrow(/50 MB.*limit/);
});

const TEXT_OF_PDF = base64(Buffer.concat([PDF, randomBytes(2_000)]));
it.each([
  ['cut within a group', TEXT_OF_PDF.slice(0, 1_001)],
  ['with something else in it', `${TEXT_OF_PDF.slice(0, 500)}!!${TEXT_OF_PDF.slice(500)}`],
  ['with spaces in it', TEXT_OF_PDF.replace(/.{76}/g, '$& ')],
  ['escaped for an address', `${TEXT_OF_PDF.slice(0, 40)}%2B${encodeURIComponent(TEXT_OF_PDF)}`],
  ['cut in a data: URL', `data:application/pdf;base64,${TEXT_OF_PDF.slice(0, 1_001)}`],
  ['in gzip that is cut', base64(gzipSync(Buffer.from(TEXT_OF_PDF, 'base64')).subarray(0, 1_200))],
])(
  'a document that is damaged, %s, is not shown either, and not saved as if it were whole',
  async (_what, text) => {
    for (const answer of [{ Contents: text }, { anything: text }]) {
      const { documents, words, shown } = await look(answer);
      expect(words).toEqual(['PDF document, damaged or cut short by the service']);
      expect(JSON.stringify(shown)).not.toContain(text.slice(10, 30));
      const [document] = documents;
      await expect(document?.from === 'answer' ? document.read() : undefined).rejects.toThrow(/damaged/);
    }
  },
);

it('base64 of unknown bytes that is damaged is not shown where documents stand', async () => {
  const { shown } = await look({ content: `${base64(randomBytes(900))}?`, title: `${'aB3'.repeat(40)}?` });
  expect(shown).toMatchObject({ content: expect.stringMatching(/^document of an unknown kind, damaged/) });
  expect(shown).toMatchObject({ title: expect.stringMatching(/^aB3/) });
});

it('a member of a list and one of an object that hold the same text are told apart', async () => {
  const text = base64(PDF);
  const { documents, shown } = await look({ a: [text, 'x', text], '0': { b: text } });
  expect(documents).toHaveLength(3);
  expect(shown).toEqual({
    '0': { b: expect.stringContaining('PDF') },
    a: [expect.stringContaining('PDF'), 'x', expect.stringContaining('PDF')],
  });
});
