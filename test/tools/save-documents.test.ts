/** Documents of answers, over loopback services: described in their place, or saved into the person's folder. */

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CancelledError } from '../../src/base/errors.ts';
import { readOperation } from '../../tools/read-operation.ts';
import { writeOperation } from '../../tools/write-operation.ts';
import type { Handler } from '../helpers/http-service.ts';
import { nobody, startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';

let runner: ToolRunner;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seller-files-'));
});
afterEach(async () => {
  await runner.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(handler: Handler, settings: Readonly<Record<string, string>> = {}) {
  const withTokens: Handler = (request, response) =>
    request.path.startsWith('/tokens/')
      ? { body: { restrictedDataToken: 'Atz.sprdt|1', expiresIn: 3600 } }
      : handler(request, response);
  runner = await startToolRunner(withTokens, { SELLER_FILES_DIR: folder, ...settings });
}

const PDF = Buffer.from(`%PDF-1.4\n${'1 0 obj << /Anna Schmidt >> endobj\n'.repeat(700)}%%EOF\n`);
const PACKED = gzipSync(PDF).toString('base64');
const SHIPMENT = {
  payload: { ShipmentId: 'S1', Label: { FileContents: { Contents: PACKED, FileType: 'application/pdf' } } },
};
const GET_LABEL = {
  operation: 'merchant-fulfillment/getShipment',
  parameters: { shipmentId: 'be7a0a53-00c3-4f6f-a63a-639f76ee9253' },
};

const inOneText = ({ text, structured, links = [] }: Awaited<ReturnType<ToolRunner['run']>>) =>
  `${text}\n${JSON.stringify(structured)}\n${JSON.stringify(links)}`;

it('a label in an answer is described in its place, with the way to save it, and never shown', async () => {
  await start(() => ({ body: SHIPMENT }));
  const answer = await runner.run(readOperation, GET_LABEL);
  const words = 'PDF label, 24 kB; save_as saves it';
  expect(answer.text).toContain(words);
  expect(answer.structured).toMatchObject({
    value: { payload: { Label: { FileContents: { Contents: words, FileType: 'application/pdf' } } } },
  });
  expect(inOneText(answer)).not.toContain(PACKED.slice(0, 20));
  expect(await readdir(folder)).toEqual([]);
});

it('a damaged label is not shown, not promised to be saved, and no file comes of it', async () => {
  const cut = PDF.toString('base64').slice(0, 1_001);
  await start(() => ({ body: { payload: { Label: { FileContents: { Contents: cut } } } } }));
  const answer = await runner.run(readOperation, GET_LABEL);
  expect(answer.text).toContain('PDF label, damaged or cut short by the service; it cannot be saved');
  expect(inOneText(answer)).not.toContain(cut.slice(0, 20));
  await expect(runner.run(readOperation, { ...GET_LABEL, save_as: 'label.pdf' })).rejects.toThrow(/damaged/);
  expect(await readdir(folder)).toEqual([]);
});

it('a call that is cancelled while a document is fetched says so, and leaves no file', async () => {
  const ending = new AbortController();
  await start(({ path, headers }) => {
    if (!path.startsWith('/slow')) {
      return { body: { payload: { labelDownloadURL: `http://${headers.host}/slow?X-Amz-Signature=abc` } } };
    }
    ending.abort();
    return undefined;
  });
  const call = { signal: ending.signal, deadline: performance.now() + 40_000, onProgress: () => undefined };
  const cancelled = runner.run(readOperation, { ...GET_LABEL, save_as: 'label.pdf' }, { call });
  await expect(cancelled).rejects.toThrow(CancelledError);
  expect(await readdir(folder)).toEqual([]);
});

it('the whole answer that is kept holds no document either', async () => {
  const many = Array.from({ length: 200 }, (_, at) => ({ at, note: `${at} ${'x'.repeat(200)}` }));
  await start(() => ({ body: { ...SHIPMENT, many } }));
  const { links = [] } = await runner.run(readOperation, GET_LABEL);
  const kept = (await runner.session.answers()).read(links[0]?.uri ?? '') ?? '';
  expect(kept).toContain('PDF label, 24 kB; save_as saves it');
  expect(kept).not.toContain(PACKED.slice(0, 20));
});

it('save_as saves it unpacked, byte for byte, under the ending of its content, and tells the full path', async () => {
  await start(() => ({ body: SHIPMENT }));
  const answer = await runner.run(readOperation, { ...GET_LABEL, save_as: 'label.zpl' });
  const path = join(folder, 'label.pdf');
  expect(await readFile(path)).toEqual(PDF);
  expect(answer.text).toContain(`Saved ${path} (PDF label, 24 kB)`);
  expect(answer.text).toMatch(/holds the real values/);
  expect(answer.structured).toMatchObject({
    saved: [
      {
        path,
        kind: 'PDF label',
        bytes: PDF.length,
        at: 'payload.Label.FileContents.Contents',
        uri: 'seller://files/label.pdf',
      },
    ],
    value: { payload: { Label: { FileContents: { Contents: 'PDF label, 24 kB; saved as label.pdf' } } } },
  });
  expect(answer.links).toContainEqual(
    expect.objectContaining({ uri: 'seller://files/label.pdf', mimeType: 'application/pdf' }),
  );
});

it('several get numbers, and it is said which is which; a name that is taken gets one too', async () => {
  const contents = [`${'%PDF-1.4 one '.repeat(9)}`, '^XA^FO50,50^FDtwo^FS^XZ  '].map((text) =>
    Buffer.from(text).toString('base64'),
  );
  await start(() => ({ body: { labelData: contents.map((content) => ({ content })) } }));
  await writeFile(join(folder, 'box-2.zpl'), 'mine');
  const answer = await runner.run(readOperation, { ...GET_LABEL, save_as: 'box' });
  expect((await readdir(folder)).sort()).toEqual(['box-1.pdf', 'box-2 (2).zpl', 'box-2.zpl']);
  expect(answer.text).toContain(`Saved 2 documents in ${folder}:`);
  expect(answer.text).toMatch(/box-1\.pdf \(PDF label, \d+ B\) from labelData\[0\]\.content/);
  expect(answer.text).toMatch(/box-2 \(2\)\.zpl \(ZPL label, \d+ B\) from labelData\[1\]\.content/);
  expect(await readFile(join(folder, 'box-2.zpl'), 'utf8')).toBe('mine');
});

/** A service that gives documents out at signed addresses. */
function signedService(documents: Readonly<Record<string, Buffer | number>>): Handler {
  return ({ path, headers }) => {
    const { pathname } = new URL(path, 'http://x');
    const document = documents[pathname];
    if (typeof document === 'number') return { status: document, body: 'no' };
    if (document !== undefined) return { body: document };
    const url = (name: string) => `http://${headers.host}${name}?X-Amz-Signature=abc&X-Amz-Expires=300`;
    return { body: { invoices: Object.keys(documents).map((name) => ({ invoiceUrl: url(name) })) } };
  };
}

const GET_INVOICE = { operation: 'invoices/getInvoicesAttributes', parameters: { marketplaceId: 'BR' } };

it.each([
  ['mask', false],
  ['show', true],
])('the address of a report is a key to what is masked: with %s it is shown: %s', async (mode, isShown) => {
  const url = 'https://reports.example/1?X-Amz-Signature=abc&X-Amz-Expires=300';
  await start(() => ({ body: { reportDocumentId: 'D1', url } }), { SELLER_PERSONAL_DATA: mode });
  const shown = await runner.run(readOperation, {
    operation: 'getReportDocument',
    parameters: { reportDocumentId: 'D1' },
  });
  expect(inOneText(shown).includes('X-Amz-Signature')).toBe(isShown);
  expect(shown.text).toContain('To read it: collect_data with document');
});

it('a signed address is not shown; save_as fetches it without a token', async () => {
  await start(signedService({ '/invoice.pdf': gzipSync(PDF) }));
  const shown = await runner.run(readOperation, GET_INVOICE);
  expect(shown.text).toContain('PDF invoice at a signed address; save_as saves it');
  expect(inOneText(shown)).not.toMatch(/X-Amz-Signature|127\.0\.0\.1/);
  const saved = await runner.run(readOperation, { ...GET_INVOICE, save_as: 'invoice' });
  expect(await readFile(join(folder, 'invoice.pdf'))).toEqual(PDF);
  expect(inOneText(saved)).not.toMatch(/X-Amz-Signature/);
  const fetched = runner.calls().filter(({ path }) => path.startsWith('/invoice.pdf'));
  expect(fetched).toHaveLength(1);
  expect(Object.keys(fetched[0]?.headers ?? {})).not.toContain('x-amz-access-token');
});

it('what was saved is told, and what was not, with the reason', async () => {
  await start(signedService({ '/one.csv': Buffer.from('a,b\n1,2\n'), '/two.pdf': 403 }));
  const { text, structured } = await runner.run(readOperation, { ...GET_INVOICE, save_as: 'invoice' });
  expect(await readdir(folder)).toEqual(['invoice-1.csv']);
  expect(text).toMatch(/Saved 1 of 2 documents: .*invoice-1\.csv/);
  expect(text).toMatch(/NOT SAVED: invoices\[1\]\.invoiceUrl: .*no longer valid.*403/);
  expect(structured).toMatchObject({
    not_saved: [{ at: 'invoices[1].invoiceUrl', reason: expect.stringContaining('403') }],
  });
  const left = await readdir(join((await runner.session.tables('default')).folder, 'loading'));
  expect(left).toEqual([]);
});

it('where nothing could be saved, the reason is the error', async () => {
  await start(signedService({ '/one.pdf': 403 }));
  await expect(runner.run(readOperation, { ...GET_INVOICE, save_as: 'invoice' })).rejects.toMatchObject({
    code: 'ADDRESS_EXPIRED',
  });
  expect(await readdir(folder)).toEqual([]);
});

it('an answer of the service leads into no private network', async () => {
  await start(() => ({ body: { documentUrl: 'https://10.0.0.1/label.pdf' } }));
  await expect(runner.run(readOperation, { ...GET_LABEL, save_as: 'label' })).rejects.toMatchObject({
    code: 'ADDRESS_NOT_ALLOWED',
  });
});

it('an answer without a document says so', async () => {
  await start(() => ({ body: { payload: { ShipmentId: 'S1' } } }));
  await expect(runner.run(readOperation, { ...GET_LABEL, save_as: 'label.pdf' })).rejects.toMatchObject({
    name: 'InputError',
    message: expect.stringContaining('holds no document; nothing was saved'),
  });
});

it.each(['../label.pdf', 'label.exe', 'CON', 'a/b.pdf', '.label.pdf'])(
  'a name that no file may have is refused before anything is sent: %s',
  async (save_as) => {
    await start(() => ({ body: SHIPMENT }));
    await expect(runner.run(readOperation, { ...GET_LABEL, save_as })).rejects.toThrow('cannot be used');
    await expect(runner.run(writeOperation, { ...CREATE, save_as })).rejects.toThrow('cannot be used');
    expect(runner.calls()).toEqual([]);
  },
);

it('no more than 100 documents of an answer are saved, and that is told', async () => {
  const list = Array.from({ length: 103 }, () => ({
    content: Buffer.from('^XA^FDlabel^FS^XZ   ').toString('base64'),
  }));
  await start(() => ({ body: { list } }));
  const { text, structured } = await runner.run(readOperation, { ...GET_LABEL, save_as: 'label' });
  expect(await readdir(folder)).toHaveLength(100);
  expect(text).toContain('Saved 100 of 103 documents');
  expect(text).toMatch(/NOT SAVED: list\[100\]\.content: The answer holds 103 documents, and at most 100/);
  expect(structured).toMatchObject({ saved_files: 100 });
});

it('what is told of saved documents keeps the answer within its budget', async () => {
  const list = Array.from({ length: 100 }, () => ({
    content: Buffer.from('^XA^FDlabel^FS^XZ   ').toString('base64'),
  }));
  await start(() => ({ body: { list } }), { SELLER_ANSWER_TOKENS: '800' });
  const { text, structured } = await runner.run(readOperation, { ...GET_LABEL, save_as: 'label' });
  expect(Buffer.byteLength(text) / 3).toBeLessThanOrEqual(800);
  expect(Buffer.byteLength(JSON.stringify(structured)) / 3).toBeLessThanOrEqual(800);
  expect(text).toContain('Saved 100 documents in');
});

it('page tokens and ids are shown as they came', async () => {
  const answer = {
    nextToken: Buffer.from('{"key":{"s":"supplySourceCode#owner"}}').toString('base64'),
    slotId: 'AQc48yxSAAAAADZG0qQAAAAA6kkAAAAAAAA=',
  };
  await start(() => ({ body: answer }));
  expect((await runner.run(readOperation, GET_LABEL)).structured.value).toEqual(answer);
});

const CREATE = {
  operation: 'merchant-fulfillment/createShipment',
  body: {
    ShipmentRequestDetails: {
      AmazonOrderId: '903-1',
      ItemList: [{ OrderItemId: '1', Quantity: 1 }],
      ShipFromAddress: {
        Name: 'Shop',
        AddressLine1: '1',
        Email: 'a@example.com',
        City: 'X',
        PostalCode: '1',
        CountryCode: 'US',
        Phone: '1',
      },
      PackageDimensions: {},
      Weight: { Value: 1, Unit: 'oz' },
      ShippingServiceOptions: { DeliveryExperience: 'NoTracking', CarrierWillPickUp: false },
    },
    ShippingServiceId: 'USPS',
  },
};
const ALLOWED = { SELLER_WRITES: 'allow' };

it('a write saves its documents once it was made', async () => {
  await start(() => ({ body: SHIPMENT }), ALLOWED);
  const { text, structured } = await runner.run(writeOperation, { ...CREATE, save_as: 'label.pdf' });
  expect(structured).toMatchObject({ outcome: 'done', saved: [{ path: join(folder, 'label.pdf') }] });
  expect(text.indexOf('Done: ')).toBeLessThan(text.indexOf('Saved '));
  expect(await readFile(join(folder, 'label.pdf'))).toEqual(PDF);
});

it('without save_as a write says how its document is had again, and that is not by writing again', async () => {
  await start(() => ({ body: SHIPMENT }), ALLOWED);
  const answer = await runner.run(writeOperation, CREATE);
  expect(answer.text).toContain(
    'PDF label, 24 kB; read_operation merchant-fulfillment/getShipment with save_as saves it',
  );
  expect(inOneText(answer)).not.toContain(PACKED.slice(0, 20));
});

it('a write whose answer holds no document was made all the same, and that comes first', async () => {
  await start(() => ({ body: { payload: { ShipmentId: 'S1' } } }), ALLOWED);
  const { text, structured } = await runner.run(writeOperation, { ...CREATE, save_as: 'label.pdf' });
  expect(structured).toMatchObject({ outcome: 'done', saved: [] });
  expect(text).toMatch(/Done: .*Nothing was saved: the answer of createShipment holds no document/s);
});

it('a write that could not save its document was made all the same; how it is had again is told', async () => {
  await start(() => ({ body: SHIPMENT }), { ...ALLOWED, SELLER_FILES_DIR: join(folder, 'file', 'x') });
  await writeFile(join(folder, 'file'), '');
  const { text, structured } = await runner.run(writeOperation, { ...CREATE, save_as: 'label.pdf' });
  expect(structured).toMatchObject({ outcome: 'done', not_saved: [{}] });
  expect(text).toMatch(
    /Done: .*Nothing was saved.*NOT SAVED: .*Do not repeat the write.*getShipment with save_as/s,
  );
});

it('a preview names the file, and saves nothing', async () => {
  await start(() => ({ body: SHIPMENT }));
  const { text, structured } = await runner.run(writeOperation, {
    ...CREATE,
    save_as: 'label.pdf',
    dryRun: true,
  });
  expect(structured).toMatchObject({ outcome: 'preview', save_as: 'label.pdf' });
  expect(text).toContain('Documents of the answer are saved on this computer as "label.pdf"');
  expect(await readdir(folder)).toEqual([]);
  expect(runner.calls()).toEqual([]);
});

it('a code for a write holds whatever the file is called', async () => {
  await start(() => ({ body: SHIPMENT }), { SELLER_WRITES: 'code' });
  const first = await runner.run(writeOperation, { ...CREATE, save_as: 'label.pdf' }, { person: nobody });
  const confirmationCode = String(first.structured.confirmation_code);
  await runner.run(writeOperation, { ...CREATE, save_as: 'other.pdf', confirmationCode });
  expect(await readdir(folder)).toEqual(['other.pdf']);
});
