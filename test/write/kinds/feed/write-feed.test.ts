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

async function setUp() {
  const sandbox = await startSandbox({ rateLimits: false, record: true, feedSpeed: 1_000 });
  const folder = await mkdtemp(join(tmpdir(), 'seller-feed-'));
  const env = {
    ...environmentOf(sandbox),
    SELLER_STATE_DIR: folder,
    SELLER_DATA_DIR: join(folder, 'data'),
    SELLER_FILES_DIR: join(folder, 'files'),
    SELLER_WRITES: 'allow',
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
    /** As another process would, over the same folders. */
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

function call(session: Session, document: object, signal?: AbortSignal) {
  const context = toolContext(session);
  const own = { ...context.call, ...(signal && { signal }) };
  const args = { ...FEED, document };
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

it('whose file is another one by the time that it is uploaded is not sent', async () => {
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
  await writeFile(path, textOf(99));
  const told = await call(open(), { file: 'prices.json' });
  expect(JSON.stringify(told)).toContain('The document is not there any more as it was confirmed');
  expect([sent('createFeed'), sent('uploadDocument')]).toEqual([0, 0]);
});
