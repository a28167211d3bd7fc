/**
 * A list whose undo awaits approval sends nothing meanwhile, and goes on although nobody comes back for it.
 */

import { describe, expect, test } from 'vitest';
import { MAX_PAUSE_MS } from '../../../../src/write/run/batches/batch.ts';
import { fakeClock } from '../../../helpers/fake-clock.ts';
import { createRandom } from '../../../helpers/random.ts';
import { createProcess, listOf, passTime, simulatedBatches, simulatedService } from './simulated.ts';
import { simulatedStore } from './simulated-store.ts';

const NEVER = Number.POSITIVE_INFINITY;
const COUNT = 40;
const items = Array.from({ length: COUNT }, (_, i) => ({ key: `SKU-${i}`, value: { price: i } }));
const waiting = (until: number) => ({
  until,
  onProgress: () => undefined,
  signal: new AbortController().signal,
});

function setUp() {
  const clock = fakeClock();
  const random = createRandom(1);
  const shared = simulatedStore(clock);
  const service = simulatedService({ random, moods: new Map() });
  const open = () => {
    const process = createProcess(clock, random, NEVER);
    return { process, batches: simulatedBatches({ clock, shared, random, process }) };
  };
  const pass = <T>(work: Promise<T>) => passTime(work, clock);
  /** Begins the list, and sends it for a moment. */
  const begin = async () => {
    const runner = open();
    const { id } = await pass(runner.batches.begin(listOf(items)));
    const run = await pass(runner.batches.run(id, service.sender(runner.process)));
    await pass(run.wait(waiting(clock.now() + 300)));
    return { ...runner, id, run };
  };
  return { clock, service, open, pass, begin };
}

describe('a list that was paused by another process', () => {
  test('is quiet before the pause is confirmed, and goes on when that process dies, once the pause is over', async () => {
    const { clock, service, open, pass, begin } = setUp();
    const { id, run, batches } = await begin();
    const asking = open();
    await pass(asking.batches.pause(id, 'question'));
    const sent = service.sent.length;
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(COUNT);
    asking.process.kill();
    expect(await pass(run.wait(waiting(clock.now() + MAX_PAUSE_MS - 60_000)))).toBeUndefined();
    expect(service.sent).toHaveLength(sent);
    expect((await pass(batches.summary(id)))?.why).toMatch(/\d\d:\d\d:\d\d/);
    const ended = await pass(run.wait(waiting(clock.now() + 300_000)));
    expect(ended).toMatchObject({ state: 'ended', counts: { accepted: COUNT } });
    expect(service.sent).toHaveLength(COUNT);
  });

  test('goes on as soon as it is resumed, unless another question is still out', async () => {
    const { clock, service, open, pass, begin } = setUp();
    const { id, run } = await begin();
    const asking = open();
    await pass(asking.batches.pause(id, 'first'));
    await pass(asking.batches.pause(id, 'second'));
    const sent = service.sent.length;
    await pass(asking.batches.resume(id, 'first'));
    await pass(run.wait(waiting(clock.now() + 30_000)));
    expect(service.sent).toHaveLength(sent);
    await pass(asking.batches.resume(id, 'second'));
    expect(await pass(run.wait(waiting(clock.now() + 30_000)))).toMatchObject({ state: 'ended' });
  });

  test('stays quiet where its own process dies and the same call goes on in a third', async () => {
    const { clock, service, open, pass, begin } = setUp();
    const { id, process } = await begin();
    const asking = open();
    await pass(asking.batches.pause(id, 'question'));
    const sent = service.sent.length;
    process.kill();
    const third = open();
    const run = await pass(third.batches.run(id, service.sender(third.process)));
    await pass(run.wait(waiting(clock.now() + 60_000)));
    expect(service.sent).toHaveLength(sent);
    await pass(asking.batches.resume(id, 'question'));
    expect(await pass(run.wait(waiting(clock.now() + 60_000)))).toMatchObject({ state: 'ended' });
    expect(service.sent).toHaveLength(COUNT);
  });

  test('can be stopped, and is taken back as a whole', async () => {
    for (const end of ['stop', 'withdraw'] as const) {
      const { clock, service, open, pass, begin } = setUp();
      const { id, run } = await begin();
      const asking = open();
      await pass(asking.batches.pause(id, 'question'));
      const sent = service.sent.length;
      if (end === 'stop') await pass(asking.batches.stop(id));
      else await pass(asking.batches.withdraw(id));
      const ended = await pass(run.wait(waiting(clock.now() + 30_000)));
      expect(ended).toMatchObject({ state: 'stopped', counts: { accepted: sent, not_sent: COUNT - sent } });
      await clock.advance(2 * MAX_PAUSE_MS);
      expect(service.sent).toHaveLength(sent);
    }
  });

  test('does not wait longer where the clock is set back', async () => {
    const { clock, service, open, pass, begin } = setUp();
    const { id, run } = await begin();
    await pass(open().batches.pause(id, 'question'));
    clock.jump(-3 * 3_600_000);
    expect(await pass(run.wait(waiting(clock.now() + 60_000)))).toMatchObject({ state: 'ended' });
    expect(service.sent).toHaveLength(COUNT);
  });
});
