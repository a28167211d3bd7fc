/** A feed that is gone on with: told once, created once, and of the very document that was confirmed. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { environmentOf } from '../../../../sandbox/environment.ts';
import { startSandbox } from '../../../../sandbox/start-sandbox.ts';
import { openSession } from '../../../../src/program/runtime/open-session.ts';
import { createProgram } from '../../../../src/program/runtime/program.ts';
import type { Session } from '../../../../src/write/session.ts';
import { writeOperation } from '../../../../tools/write-operation.ts';
import { FEED, patch } from '../../../helpers/feeds.ts';
import { createTestOutside } from '../../../helpers/outside.ts';
import { tableWorkers } from '../../../helpers/tables-worker.ts';
import { toolContext } from '../../../helpers/tool-runner.ts';

async function setUp(writes = 'allow') {
  const sandbox = await startSandbox({ rateLimits: false, record: true, feedSpeed: 1_000 });
  const folder = await mkdtemp(join(tmpdir(), 'seller-feed-'));
  const env = {
    ...environmentOf(sandbox),
    SELLER_STATE_DIR: folder,
    SELLER_DATA_DIR: join(folder, 'data'),
    SELLER_FILES_DIR: join(folder, 'files'),
    SELLER_WRITES: writes,
  };
  onTestFinished(async () => {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  });
  const header = { sellerId: sandbox.sellerId, version: '2.0' };
  return {
    sandbox,
    files: join(folder, 'files'),
    textOf: (price: number) => JSON.stringify({ header, messages: [patch('MUG-SAND-350', price, 1)] }),
    sent: (name: string) => sandbox.recorded().filter(({ operation }) => operation === name).length,
    /** Opens another process over the same folders. */
    open() {
      const program = createProgram({ ...createTestOutside({ env }), tableWorkers });
      const session = openSession(program);
      onTestFinished(async () => {
        await session.close();
        await program.close();
      });
      return session;
    },
  };
}

function call(session: Session, document: object, signal?: AbortSignal, more: object = {}) {
  const context = toolContext(session);
  const own = { ...context.call, ...(signal && { signal }) };
  const args = { ...FEED, document, ...more };
  return writeOperation.invoke(args, { ...context, call: own }).catch((error: unknown) => error);
}

it('whose caller has gone is told to the next one, and never created again for that', async () => {
  const { sandbox, textOf, sent, open } = await setUp();
  const session = open();
  const document = { text: textOf(17) };
  const gone = new AbortController();
  sandbox.nextFeed({ takesMs: 300 });
  const first = call(session, document, gone.signal);
  await expect.poll(() => sent('createFeed')).toBe(1);
  gone.abort();
  await first;
  const batches = await session.batches();
  await expect.poll(async () => (await batches.list()).map(({ state }) => state)).toEqual(['ended']);
  // One that has gone already is told nothing either.
  await call(session, document, gone.signal);
  expect(await call(session, document)).toMatchObject({
    structured: { outcome: 'done', counts: { accepted: 1 } },
  });
  expect(sent('createFeed')).toBe(1);
  // Now somebody was told: the same call is a new feed.
  expect(await call(session, document)).toMatchObject({ structured: { outcome: 'done' } });
  expect(sent('createFeed')).toBe(2);
});

/** The file's content when another process than the one that asked uploads the document. */
it.each<[string, number | undefined, number]>([
  ['as it was confirmed is sent', 17, 1],
  ['another one is not sent', 99, 0],
  ['gone is not sent', undefined, 0],
])('whose file is %s', async (_what, price, created) => {
  const { sandbox, files, textOf, sent, open } = await setUp();
  await mkdir(files);
  const path = join(files, 'prices.json');
  await writeFile(path, textOf(17));
  const first = open();
  sandbox.faults.next({ operation: 'createFeedDocument', delayMs: 20_000 });
  void call(first, { file: 'prices.json' });
  const batches = await first.batches();
  await expect.poll(async () => (await batches.list()).map(({ state }) => state)).toEqual(['under_way']);
  await first.close();
  if (price === undefined) await rm(path);
  else await writeFile(path, textOf(price));
  const answer = await call(open(), { file: 'prices.json' });
  const gone = 'The document is not there any more as it was confirmed';
  expect(JSON.stringify(answer).includes(gone)).toBe(created === 0);
  expect(sent('createFeed')).toBe(created);
});

it('takes a yes for exactly its document', async () => {
  const { textOf, sent, open } = await setUp('code');
  const session = open();
  const asked = await call(session, { text: textOf(17) });
  const { confirmation_code: code } = Object(asked).structured;
  expect(asked).toMatchObject({ structured: { outcome: 'needs_confirmation' } });
  const other = await call(session, { text: textOf(18) }, undefined, { confirmationCode: code });
  expect(String(other)).toContain('WriteRefusedError');
  expect(sent('createFeedDocument')).toBe(0);
  const again = Object(await call(session, { text: textOf(17) })).structured.confirmation_code;
  const done = await call(session, { text: textOf(17) }, undefined, { confirmationCode: again });
  expect(done).toMatchObject({ structured: { outcome: 'done' } });
});

it.each<[string, object, string]>([
  ['without a type', { marketplaceIds: ['US'] }, 'body.feedType is required'],
  ['with a document of its own', { ...FEED.body, inputFeedDocumentId: 'D1' }, 'were both given'],
  ['of another seller', FEED.body, 'names another seller than the account'],
])('%s is refused before anything of it is sent', async (_what, body, words) => {
  const { textOf, sent, open } = await setUp();
  const text = textOf(17).replace(/"sellerId":"[^"]+"/, '"sellerId":"A2OTHER"');
  expect(String(await call(open(), { text }, undefined, { body }))).toContain(words);
  expect(sent('createFeedDocument')).toBe(0);
});
