/** A feed of a list: once the service may have it, it is followed and never sent again; before that nothing of it is. */

import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { FeedSteps, OutgoingDocument } from '../../../../src/write/handlers/feed/feed.ts';
import { storeFeed } from '../../../../src/write/handlers/feed/feed-item.ts';
import { createFeedSender } from '../../../../src/write/handlers/feed/feed-sender.ts';
import type { Handler } from '../../../helpers/http-service.ts';
import { startToolRunner, type ToolRunner, toolContext } from '../../../helpers/tool-runner.ts';

let runner: ToolRunner;
afterEach(() => runner.close());

const DOCUMENT: OutgoingDocument = {
  contentType: 'application/json; charset=UTF-8',
  bytes: 1,
  sha256: 's',
  md5: 'm',
  read: async function* () {},
};

async function open(
  handler: Handler = () => ({ status: 403, body: {} }),
  writes = 'allow',
  { sellerId, document }: { sellerId?: string; document?: OutgoingDocument } = {},
) {
  runner = await startToolRunner(handler, { SELLER_WRITES: writes });
  const context = toolContext(runner.session);
  const { owner } = await (await runner.session.client()).prepare({
    operation: (await runner.session.program.registry()).find('feeds/getFeed'),
    account: 'default',
    parameters: { feedId: '1' },
  });
  const loaded: string[] = [];
  const load = async ({ key }: { key: string }) => {
    loaded.push(key);
    return document;
  };
  const confirmed = sellerId === undefined ? owner : { ...owner, sellerId };
  const sender = createFeedSender({ account: 'default', owner: confirmed, load }, context);
  const feed = { feedType: 'POST_X', marketplaceIds: ['M1'], document: DOCUMENT, messages: [] };
  const item = storeFeed('feed', feed);
  const parts = (steps: FeedSteps) => ({
    steps,
    note: async () => undefined,
    signal: new AbortController().signal,
    ending: new AbortController().signal,
  });
  return { sender, item, parts, loaded };
}
const CREATED = { documentId: 'D1', creating: '2026-11-20T12:00:00.000Z', feedId: 'F1' };

it('a failure once the service may have it leaves it to be followed, and is told', async () => {
  const { sender, item, parts, loaded } = await open();
  const sent = await sender.send(item, parts(CREATED));
  expect(sent).toMatchObject({ kind: 'left', why: expect.stringContaining('403') });
  // The uploaded document is not read again.
  expect(loaded).toEqual([]);
  expect(runner.calls().map(({ method }) => method)).toEqual(['GET']);
});

it('one that is not there any more as it was confirmed is not sent', async () => {
  const { sender, item, parts, loaded } = await open();
  const sent = await sender.send(item, parts({}));
  expect(sent).toMatchObject({ kind: 'not_sent', why: expect.stringContaining('nothing was sent') });
  expect(loaded).toEqual(['feed']);
  expect(runner.calls()).toEqual([]);
});

it('an item of another version is not sent', async () => {
  const { sender, parts } = await open();
  expect(await sender.send({ key: 'x', value: { kind: 'other' } }, parts({}))).toMatchObject({
    kind: 'not_sent',
    why: expect.stringContaining('does not know'),
  });
  expect(runner.calls()).toEqual([]);
});

it('writes that are switched off stop what was not created, and nothing else', async () => {
  const { sender, item, parts, loaded } = await open(undefined, 'deny');
  expect(await sender.send(item, parts({ documentId: 'D1' }))).toMatchObject({
    kind: 'later',
    endsRun: true,
  });
  expect([loaded, runner.calls()]).toEqual([[], []]);
  const { feedId: _, ...creating } = CREATED;
  for (const steps of [CREATED, creating, { feedId: 'F1' }]) {
    const before = runner.calls().length;
    await sender.send(item, parts(steps)).catch(() => undefined);
    expect(runner.calls().length).toBeGreaterThan(before);
  }
});

it('one that was cut off before it was created is sent later, and its entry in the journal says so', async () => {
  const { sender, item, parts } = await open();
  const writes = await runner.session.writeGuard();
  const settled: unknown[] = [];
  writes.settle = async (...given) => {
    settled.push(given);
  };
  const why = 'The feed was not created yet.';
  expect(await sender.look?.(item, {}, parts({ documentId: 'D1', journal: 'j-1' }))).toEqual({
    kind: 'later',
    why,
    afterMs: 0,
  });
  expect(settled).toEqual([['j-1', { outcome: 'refused', error: why }]]);
  expect(await sender.look?.(item, {}, parts({ documentId: 'D1' }))).toMatchObject({ kind: 'later' });
  expect(settled).toHaveLength(1);
  expect(await sender.look?.(item, {}, parts(CREATED))).toMatchObject({ kind: 'left' });
});

const UPLOADED = { documentId: 'D1', documentAt: '2026-11-20T12:00:00.000Z' };
const answering =
  (status: number, more: object = {}): Handler =>
  ({ path, method }) => {
    if (method === 'POST') return { status, ...more };
    return { body: path.includes('/feeds?') ? { feeds: [] } : {} };
  };

it('what the service said to it tells what becomes of it', async () => {
  const errors = [{ code: 'InvalidInput', message: 'no such type' }];
  const refused = await open(answering(400, { body: { errors } }));
  expect(await refused.sender.send(refused.item, refused.parts(UPLOADED))).toMatchObject({
    kind: 'not_accepted',
    why: expect.stringContaining('no such type'),
    journalId: expect.any(String),
  });
  await runner.close();
  const forbidden = await open(answering(403, { body: { errors } }));
  expect(await forbidden.sender.send(forbidden.item, forbidden.parts(UPLOADED))).toMatchObject({
    kind: 'not_accepted',
  });
});

it('one that the service may have is not known while two may be it, and left while it is under way', async () => {
  const one = { feedType: 'POST_X', marketplaceIds: ['M1'], createdTime: CREATED.creating };
  const feeds = ['F1', 'F2'].map((feedId) => ({ ...one, feedId, processingStatus: 'IN_PROGRESS' }));
  const { sender, item, parts } = await open(({ path }) => ({
    body: path.includes('/feeds?') ? { feeds } : { feedId: 'F1', processingStatus: 'IN_PROGRESS' },
  }));
  const { feedId: _, ...creating } = CREATED;
  expect(await sender.send(item, parts({ ...creating, journal: 'j-1' }))).toEqual({
    kind: 'unknown',
    why: expect.stringContaining('getFeeds lists 2 that may be it'),
    journalId: 'j-1',
    facts: { candidates: ['F1', 'F2'] },
  });
  const ending = AbortSignal.abort();
  expect(await sender.send(item, { ...parts(CREATED), ending })).toEqual({
    kind: 'left',
    why: 'Feed F1 is not done yet.',
  });
});

it('one that is given up once the service may have it says that the same call follows it on', async () => {
  const { sender, item, parts } = await open();
  const signal = AbortSignal.abort();
  expect(await sender.send(item, { ...parts(CREATED), signal })).toEqual({
    kind: 'left',
    why: 'It is followed on with the same call.',
  });
});

it('one that certainly did not arrive goes another time: when the service says, in a while, or once somebody has put it right', async () => {
  const headers = { 'retry-after': '3000' };
  const stormy = await open(answering(429, { headers, body: { errors: [] } }));
  expect(await stormy.sender.send(stormy.item, stormy.parts(UPLOADED))).toMatchObject({
    kind: 'later',
    why: expect.stringContaining('429'),
    afterMs: 3_000_000,
  });
  await runner.close();
  const placeless = await open(answering(201, { body: {} }), 'allow', { document: DOCUMENT });
  const later = await placeless.sender.send(placeless.item, placeless.parts({}));
  expect(later).toMatchObject({ kind: 'later', why: expect.any(String), afterMs: 30_000 });
  expect(later).not.toHaveProperty('endsRun');
  await runner.close();
  // A service that is down says nothing of the document.
  const down = await open(answering(503, { body: {} }), 'allow', { document: DOCUMENT });
  expect(await down.sender.send(down.item, down.parts({}))).toMatchObject({
    kind: 'later',
    why: expect.stringContaining('503'),
  });
  await runner.close();
  // The account belongs to another seller now, so neither this item nor the rest of the batch is sent.
  const others = await open(answering(201), 'allow', { sellerId: 'A1OTHER' });
  expect(await others.sender.send(others.item, others.parts(UPLOADED))).toEqual({
    kind: 'later',
    why: expect.stringMatching(/^Account default /),
    endsRun: true,
  });
  expect(runner.calls()).toEqual([]);
});

it('the report of one that has ended is read, told and left nowhere', async () => {
  const { sender, item, parts } = await open(({ path }) => {
    if (path.includes('/documents/'))
      return { body: { feedDocumentId: 'R1', url: `${runner.service.url}/r` } };
    if (path === '/r') return { body: 'original-record-number\tsku\terror-code\n' };
    return { body: { feedId: 'F1', processingStatus: 'FATAL', resultFeedDocumentId: 'R1' } };
  });
  expect(await sender.send(item, parts({ ...CREATED, journal: 'j-1' }))).toMatchObject({
    kind: 'unknown',
    journalId: 'j-1',
    facts: { feedId: 'F1', status: 'FATAL' },
  });
  expect(runner.calls().map(({ path }) => path)).toContain('/r');
  const tables = await runner.session.tables('default');
  const scratch = await tables.makeScratch();
  expect(await readdir(dirname(scratch))).toEqual([basename(scratch)]);
});
