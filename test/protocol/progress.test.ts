import { expect, it } from 'vitest';
import { createProgress, reportWaits } from '../../src/protocol/progress.ts';
import { callThrough } from '../helpers/server-context.ts';

const done = { content: [] };

it('tells waits of more than a second, counted, and why', async () => {
  const reports: unknown[] = [];
  await callThrough(
    async (ctx) => {
      const onWait = reportWaits(createProgress(ctx, (text) => text));
      onWait({ ms: 400, reason: 'retry' });
      onWait({ ms: 2_340, reason: 'rate limit' });
      onWait({ ms: 12_000, reason: 'queue' });
      onWait({ ms: 1_500, reason: 'retry' });
      // Notifications go out before the answer does.
      await new Promise((resolve) => setTimeout(resolve, 20));
      return done;
    },
    { onprogress: ({ progress, message }) => reports.push([progress, message]) },
  );
  expect(reports).toEqual([
    [1, "Waiting 2.3 s for the service's rate limit"],
    [2, 'Waiting 12.0 s for earlier calls of the same operation'],
    [3, 'Waiting 1.5 s for the service to recover'],
  ]);
});

it('says nothing to a client that did not ask, and does not fail', async () => {
  const result = await callThrough(async (ctx) => {
    reportWaits(createProgress(ctx, (text) => text))({ ms: 5_000, reason: 'retry' });
    return done;
  });
  expect(result.isError).toBeFalsy();
});

it('tells what is counted by its numbers, and every number is higher than the one before', async () => {
  const seen: unknown[] = [];
  await callThrough(
    async (ctx) => {
      const report = createProgress(ctx, (text) => text);
      report({ message: 'page 1', done: 20, total: 60 });
      reportWaits(report)({ ms: 2_000, reason: 'rate limit' });
      report({ message: 'page 2', done: 40, total: 60 });
      report({ message: 'page 2 again', done: 40, total: 60 });
      await new Promise((resolve) => setTimeout(resolve, 20));
      return done;
    },
    { onprogress: ({ progress, total }) => seen.push([progress, total]) },
  );
  expect(seen).toEqual([
    [20, 60],
    [20.001, undefined],
    [40, 60],
    [40.001, 60],
  ]);
});
