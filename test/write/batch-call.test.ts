/** A list that is on the disk goes on and is told: as ended only once nothing of it is in doubt, and only to a caller that is there. */

import { afterEach, beforeEach, expect, it } from 'vitest';
import { WriteRefusedError } from '../../src/base/errors.ts';
import { type BatchRunner, sendAndReportBatch, stopBatch } from '../../src/write/batch-call.ts';
import type { Sender } from '../../src/write/run/batches/batch.ts';
import { startToolRunner, type ToolRunner, toolContext } from '../helpers/tool-runner.ts';
import { listOf } from './run/batches/simulated.ts';

let runner: ToolRunner;
beforeEach(async () => {
  runner = await startToolRunner(() => ({ status: 404, body: {} }));
});
afterEach(() => runner.close());

it('what is in doubt is looked at by each call until reading tells; a caller that has gone was told nothing', async () => {
  const { session } = runner;
  const batches = await session.batches();
  const { id } = await batches.begin(listOf([{ key: 'one', value: {} }]));
  let isReadable = false;
  let looks = 0;
  const sender: Sender = {
    atOnce: 1,
    send: () => Promise.reject(new Error('no answer')),
    async look() {
      looks += 1;
      if (!isReadable) throw new Error('cannot be read now');
      return { kind: 'accepted' };
    },
  };
  const list: BatchRunner = {
    sender: async () => sender,
    progress: () => ({ message: '' }),
    renderAnswer: async () => ({
      text: '',
      structured: { note: '', outcome: 'done', account: 'shop', operation: 'x/y' },
    }),
  };
  const call = async (signal?: AbortSignal, isUnheard = false) => {
    const info = await batches.info(id);
    if (info === undefined) throw new Error('It is gone');
    const context = toolContext(session);
    await sendAndReportBatch(info, list, {
      ...context,
      isUnheard,
      call: { ...context.call, ...(signal && { signal }) },
    });
    return batches.info(id);
  };
  expect(await call()).toMatchObject({ state: 'unfinished', inDoubt: 1, told: false });
  await batches.stop(id);
  const before = looks;
  expect(await call()).toMatchObject({ state: 'stopped', inDoubt: 1, told: false });
  expect(looks).toBeGreaterThan(before);
  isReadable = true;
  const looked = await batches.run(id, sender);
  await looked.wait({
    until: performance.now() + 40_000,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  expect(await call(AbortSignal.abort())).toMatchObject({ inDoubt: 0, told: false });
  expect(await call(undefined, true)).toMatchObject({ inDoubt: 0, told: false });
  expect(await call()).toMatchObject({ counts: { accepted: 1 }, told: true });
});

it('one that was taken back as a whole is over, and nobody is told of it any more', async () => {
  const batches = await runner.session.batches();
  const { id } = await batches.begin(listOf([{ key: 'one', value: {} }]));
  expect((await batches.list()).map((list) => list.id)).toEqual([id]);
  await batches.stop(id);
  expect((await batches.list()).map((list) => list.id)).toEqual([id]);
  await batches.withdraw(id);
  expect(await batches.list()).toEqual([]);
});

it('is not stopped by who may not end what others began', async () => {
  const { session } = runner;
  const batches = await session.batches();
  const { id } = await batches.begin(listOf([{ key: 'one', value: {} }]));
  const info = await batches.info(id);
  const writes = await session.writeGuard();
  writes.refuseStop = (account) => {
    throw new WriteRefusedError(`not you, of ${account}`);
  };
  const list: BatchRunner = {
    sender: () => Promise.reject(new Error('nothing is sent')),
    progress: () => ({ message: '' }),
    renderAnswer: () => Promise.reject(new Error('nothing is told')),
  };
  if (info === undefined) throw new Error('It is gone');
  await expect(stopBatch(info, list, toolContext(session))).rejects.toThrow('not you, of shop');
  expect(await batches.info(id)).toMatchObject({ state: 'unfinished' });
});
