/** The ways of a document that is no feed: where it is uploaded, what is sent with it, what is told, and what takes none. */

import { createHash } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { refuseBesideDocument } from '../../../../src/write/handlers/document/write-document.ts';
import { writeOperation } from '../../../../tools/write-operation.ts';
import type { Answer, Handler } from '../../../helpers/http-service.ts';
import { startToolRunner } from '../../../helpers/tool-runner.ts';

const US = 'ATVPDKIKX0DER';
const ORDER = '902-3159896-1390916';
const TEXT = 'sku\tprice\nA\t1\n';
const TAB = 'text/tab-separated-values; charset=UTF-8';
const DOCUMENT = { text: TEXT, contentType: TAB };
const hash = (name: string, encoding: 'base64') => createHash(name).update(TEXT).digest(encoding);
const DESTINATION = { operation: 'createUploadDestinationForResource', document: DOCUMENT };
const AT = { resource: 'aplus/2020-11-01/contentDocuments', marketplaceIds: ['US'] };
const MESSAGE = {
  operation: 'messaging/confirmCustomizationDetails',
  parameters: { amazonOrderId: ORDER, marketplaceIds: ['US'] },
  body: { text: 'As you asked.' },
  document: DOCUMENT,
};

/** Answers as the service does, unless told otherwise. */
async function start(more: (path: string) => Answer | undefined = () => undefined, writes = 'allow') {
  const answer: Handler = ({ path, method }) => {
    const other = more(path);
    if (other !== undefined) return other;
    const url = `${runner.service.url}/put`;
    if (path.startsWith('/put')) return { body: {} };
    if (path.startsWith('/feeds/')) return { status: 201, body: { feedDocumentId: 'doc-1', url } };
    if (path.startsWith('/uploads/')) {
      const payload = { uploadDestinationId: 'dest-1', url, headers: { 'x-own': 'mine' } };
      return { status: 201, body: { payload } };
    }
    return method === 'GET' ? { body: {} } : { status: 201, body: {} };
  };
  const runner = await startToolRunner((request, response) => answer(request, response), {
    SELLER_WRITES: writes,
  });
  onTestFinished(runner.close);
  const sent = () =>
    runner.calls().map(({ method, path }) => `${method} ${new URL(path, 'http://service').pathname}`);
  return { runner, sent, run: (args: object) => runner.run(writeOperation, args) };
}

describe('a place for a document', () => {
  it('of a feed is asked for with its type alone, the document is put there, and its id told', async () => {
    const { runner, run, sent } = await start();
    const { text, structured } = await run({ operation: 'createFeedDocument', document: DOCUMENT });
    expect(sent()).toEqual(['POST /feeds/2021-06-30/documents', 'PUT /put']);
    const [place, put] = runner.calls();
    expect(place?.json).toEqual({ contentType: TAB });
    expect(put?.body.toString()).toBe(TEXT);
    const next = 'createFeed takes it as inputFeedDocumentId.';
    expect(structured).toMatchObject({
      outcome: 'done',
      account: 'default',
      operation: 'feeds/createFeedDocument',
      feedDocumentId: 'doc-1',
      next_step: next,
      document: {
        content_type: TAB,
        content: '1 row with the columns sku, price',
        first: ['A: sku: A; price: 1'],
      },
    });
    expect(structured).not.toHaveProperty('uploadDestinationId');
    expect(structured).not.toHaveProperty('journal_problem');
    const [note, uploaded, entry] = text.split('\n');
    expect(note).toBe(structured.note);
    expect(uploaded).toMatch(/^Uploaded: a text of this call, .*\. feedDocumentId: doc-1\. /);
    expect(uploaded?.endsWith(next)).toBe(true);
    expect(entry).toBe(`Journal entry ${structured.journal_id}.`);
  });

  it('of anything else is asked for with its digest and type, and put there with the headers that were named', async () => {
    const { runner, run, sent } = await start();
    const { text, structured } = await run({ ...DESTINATION, parameters: AT });
    expect(sent()).toEqual([
      'POST /uploads/2020-11-01/uploadDestinations/aplus/2020-11-01/contentDocuments',
      'PUT /put',
    ]);
    const [place, put] = runner.calls();
    const { searchParams } = new URL(place?.path ?? '', 'http://service');
    expect(Object.fromEntries(searchParams)).toEqual({
      marketplaceIds: US,
      contentMD5: hash('md5', 'base64'),
      contentType: TAB,
    });
    expect(put?.headers['x-own']).toBe('mine');
    expect(structured).toMatchObject({
      uploadDestinationId: 'dest-1',
      next_step: 'A content document or message takes it by this id.',
    });
    expect(structured).not.toHaveProperty('feedDocumentId');
    expect(text).toContain('uploadDestinationId: dest-1. A content document or message takes it by this id.');
  });

  it('whose headers cannot be read is a place without any', async () => {
    const url = () => `${started.runner.service.url}/put`;
    const started = await start((path) =>
      path.startsWith('/uploads/')
        ? { status: 201, body: { payload: { uploadDestinationId: 'dest-1', url: url(), headers: [1] } } }
        : undefined,
    );
    expect((await started.run({ ...DESTINATION, parameters: AT })).structured.outcome).toBe('done');
    expect(started.sent()).toHaveLength(2);
  });

  it.each([
    { operation: 'createFeedDocument', document: DOCUMENT },
    { ...DESTINATION, parameters: AT },
  ])('is only shown where that is asked for: $operation', async (args) => {
    const { run, sent } = await start();
    const { text, structured } = await run({ ...args, dryRun: true });
    expect(sent()).toEqual([]);
    expect(structured).toMatchObject({ outcome: 'preview', document: { content_type: TAB } });
    expect(text).toContain('Upload: 1 row with the columns sku, price.\n  A: sku: A; price: 1\n');
    expect(text).toContain('It is uploaded to a place of its own; nothing else is done with it.');
  });

  it('waits for the code that was shown with it, which is good for this document alone', async () => {
    const { run, sent } = await start(undefined, 'code');
    const args = { operation: 'createFeedDocument', document: DOCUMENT };
    const { structured } = await run(args);
    expect(structured.outcome).toBe('needs_confirmation');
    const code = structured.confirmation_code;
    expect(code).toEqual(expect.any(String));
    expect(sent()).toEqual([]);
    const other = { ...args, document: { ...DOCUMENT, text: `${TEXT}B\t2\n` }, confirmationCode: code };
    const refused = await run(other).catch(String);
    expect(JSON.stringify(refused)).not.toContain('doc-1');
    expect(sent()).toEqual([]);
    expect((await run({ ...args, confirmationCode: code })).structured.outcome).toBe('done');
  });

  it.each([[{}], [{ feedDocumentId: '', url: 'http://x' }], [{ feedDocumentId: 'd' }], [{ payload: {} }]])(
    'that the service does not name (%j) takes nothing',
    async (body) => {
      const { run, sent } = await start((path) =>
        path.startsWith('/feeds/') ? { status: 201, body } : undefined,
      );
      await expect(run({ operation: 'createFeedDocument', document: DOCUMENT })).rejects.toThrow(
        'createFeedDocument',
      );
      expect(sent()).toEqual(['POST /feeds/2021-06-30/documents']);
    },
  );

  it('takes no body of the caller’s', async () => {
    const { run, sent } = await start();
    await expect(run({ ...DESTINATION, parameters: AT, body: { a: 1 } })).rejects.toThrow(
      'createUploadDestinationForResource takes no body; nothing was sent.',
    );
    expect(sent()).toEqual([]);
  });
});

describe('a message with a file', () => {
  it.each([
    ['text/plain', 'attachment.txt'],
    ['text/plain; charset=UTF-8', 'attachment.txt'],
    ['text/csv', 'attachment.csv'],
    ['application/pdf', 'attachment.pdf'],
    ['image/png', 'attachment.png'],
    ['image/jpeg', 'attachment.jpg'],
    [TAB, 'attachment.txt'],
  ])(
    'of %s uploads it for this message first, and then sends it by its id',
    async (contentType, fileName) => {
      const { runner, run, sent } = await start();
      const { structured } = await run({ ...MESSAGE, document: { text: TEXT, contentType } });
      const message = `messaging/v1/orders/${ORDER}/messages/confirmCustomizationDetails`;
      expect(sent()).toEqual([
        `POST /uploads/2020-11-01/uploadDestinations/${message}`,
        'PUT /put',
        `POST /${message}`,
      ]);
      const [place, , last] = runner.calls();
      const { searchParams } = new URL(place?.path ?? '', 'http://service');
      expect(Object.fromEntries(searchParams)).toEqual({
        marketplaceIds: US,
        contentMD5: hash('md5', 'base64'),
        contentType,
      });
      expect(last?.json).toEqual({
        text: 'As you asked.',
        attachments: [{ uploadDestinationId: 'dest-1', fileName }],
      });
      expect(structured).toMatchObject({ outcome: 'done', document: { content_type: contentType } });
    },
  );

  it('that was given others keeps them', async () => {
    const { runner, run } = await start();
    const other = { uploadDestinationId: 'before', fileName: 'a.pdf' };
    await run({ ...MESSAGE, body: { text: 'x', attachments: [other] } });
    expect(runner.calls().at(-1)?.json).toMatchObject({
      attachments: [other, { uploadDestinationId: 'dest-1' }],
    });
  });

  it('is only shown, or waits for a yes, before anything is uploaded', async () => {
    const { run, sent } = await start(undefined, 'code');
    const { text, structured } = await run({ ...MESSAGE, dryRun: true });
    expect(structured.outcome).toBe('preview');
    expect(text).toContain('Attachment "attachment.txt": 1 row with the columns sku, price.');
    expect(text).toContain('It is uploaded for this message, then the message is sent with it.');
    expect((await run(MESSAGE)).structured.outcome).toBe('needs_confirmation');
    expect(sent()).toEqual([]);
  });

  it('whose file was not taken is not sent', async () => {
    const { run, sent } = await start((path) =>
      path.startsWith('/put') ? { status: 403, body: {} } : undefined,
    );
    await expect(run(MESSAGE)).rejects.toThrow();
    expect(sent().filter((one) => one.includes('messages/confirm') && !one.includes('/uploads/'))).toEqual(
      [],
    );
  });

  it('has a body of members, or none', async () => {
    const { run, sent } = await start();
    await expect(run({ ...MESSAGE, body: ['x'] })).rejects.toThrow(
      'body must be a JSON object; nothing was sent.',
    );
    expect(sent()).toEqual([]);
  });
});

it.each([
  { operation: 'deleteListingsItem', parameters: { sku: 'A', marketplaceIds: ['US'] } },
  {
    operation: 'messaging/createConfirmOrderDetails',
    parameters: { amazonOrderId: ORDER, marketplaceIds: ['US'] },
  },
])('$operation takes none', async (args) => {
  const { run, sent } = await start();
  await expect(run({ ...args, document: DOCUMENT })).rejects.toThrow('takes no document; nothing was sent.');
  expect(sent()).toEqual([]);
});

it('only the following of a feed is ended', async () => {
  const { run, sent } = await start();
  for (const args of [{ operation: 'createFeedDocument', document: DOCUMENT }, MESSAGE])
    await expect(run({ ...args, stop: true })).rejects.toThrow('"stop" ends the following of a feed');
  expect(sent()).toEqual([]);
});

it('what says what to do with an answer goes with no document', () => {
  expect(() => refuseBesideDocument({ save_as: undefined, select: undefined })).not.toThrow();
  expect(() => refuseBesideDocument({ a: 1, b: undefined, c: 'x' })).toThrow(
    'document and a, c were both given; nothing was sent.',
  );
});

it('a yes to a feed is good for its very document, type and places', async () => {
  const { run, sent } = await start(undefined, 'code');
  const body = { feedType: 'POST_FLAT_FILE_PRICEANDQUANTITYONLY_UPDATE_DATA', marketplaceIds: ['US'] };
  const args = { operation: 'createFeed', body, document: DOCUMENT };
  const code = async () => (await run(args)).structured.confirmation_code;
  for (const other of [
    { document: { ...DOCUMENT, text: TEXT.replace('1', '2') } },
    { document: { ...DOCUMENT, contentType: 'text/plain' } },
    { body: { ...body, feedType: 'POST_FLAT_FILE_INVLOADER_DATA' } },
    { body: { ...body, marketplaceIds: ['CA'] } },
  ]) {
    const result = await run({ ...args, ...other, confirmationCode: await code() }).catch(String);
    expect(typeof result === 'string' || result.structured.outcome === 'needs_confirmation').toBe(true);
  }
  expect(sent()).toEqual([]);
});
