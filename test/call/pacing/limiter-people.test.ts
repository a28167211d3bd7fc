/** Turns under one limit, shared by people: who has many calls waits behind who has one, and no turn is lost by it. */

import { setMaxListeners } from 'node:events';
import { expect, it } from 'vitest';
import { createLocalLimiter, type QueueSlot } from '../../../src/call/pacing/limiter.ts';
import { rateLimit } from '../../../src/call/pacing/rate-limit.ts';
import { apiRequest, apiResponse } from '../../helpers/api-request.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';
import { operation } from '../../helpers/test-client.ts';

const RATE = { requestsPerSecond: 10, burst: 5 };
const EACH_MS = 100;

function people() {
  const clock = fakeClock();
  const start = clock.now();
  const limiter = createLocalLimiter({ clock });
  const sent: { person: string; at: number }[] = [];
  const open = (person: string) => {
    const layer = rateLimit({ clock, limiter, closing: new AbortController().signal });
    const send = layer(async () => {
      sent.push({ person, at: clock.now() - start });
      await clock.sleep(5);
      return apiResponse(200);
    });
    return (count = 1, signal = new AbortController().signal) => {
      setMaxListeners(0, signal);
      const request = () =>
        apiRequest({ operation: operation({ rate: RATE }), deadline: clock.now() + 60_000, signal });
      return Promise.allSettled(Array.from({ length: count }, () => send(request())));
    };
  };
  const waitsOf = (person: string, from: number) =>
    sent.filter((one) => one.person === person).map(({ at }) => at - from);
  return { clock, open, sent, waitsOf };
}

it('one call of a person waits for two turns at most, however many another has', async () => {
  const { clock, open, sent, waitsOf } = people();
  const [anna, ben, cleo] = [open('anna'), open('ben'), open('cleo')];
  const noisy = anna(200);
  await clock.advance(2_000);
  const [one] = [ben()];
  await clock.advance(1_000);
  const both = Promise.all([ben(), cleo()]);
  await clock.advance(1_000);
  expect(Math.max(...waitsOf('ben', 2_000).slice(0, 1))).toBeLessThanOrEqual(2 * EACH_MS + 10);
  expect(Math.max(...waitsOf('ben', 3_000).slice(1))).toBeLessThanOrEqual(3 * EACH_MS + 10);
  expect(Math.max(...waitsOf('cleo', 3_000))).toBeLessThanOrEqual(3 * EACH_MS + 10);
  await clock.advance(30_000);
  await Promise.all([noisy, one, both]);
  // The limit is used fully, and no caller waits longer than it would without turns.
  expect(sent).toHaveLength(203);
  expect(Math.max(...sent.map(({ at }) => at))).toBeLessThanOrEqual(((203 - RATE.burst) / 10) * 1000 + 1_000);
});

it('three with many calls each have as many turns', async () => {
  const { clock, open, waitsOf } = people();
  const all = ['anna', 'ben', 'cleo'].map((name) => open(name)(100));
  await clock.advance(6_000);
  const counts = ['anna', 'ben', 'cleo'].map((name) => waitsOf(name, 0).length);
  // The burst is whose it is who comes first; after it each has a turn in three.
  expect(Math.max(...counts) - Math.min(...counts), counts.join(' ')).toBeLessThanOrEqual(RATE.burst + 1);
  await clock.advance(60_000);
  await Promise.all(all);
});

it('who leaves the line holds nobody up for long', async () => {
  const { clock, open, waitsOf } = people();
  const [anna, ben] = [open('anna'), open('ben')];
  const leaving = new AbortController();
  const gone = anna(50, leaving.signal);
  await clock.advance(200);
  const waiting = ben(3);
  leaving.abort(new Error('left'));
  await clock.advance(1_500);
  expect(waitsOf('ben', 200)).toHaveLength(3);
  expect(Math.max(...waitsOf('ben', 200))).toBeLessThanOrEqual(5 * EACH_MS + 350);
  await Promise.all([gone, waiting]);
});

it('who asks all the while takes no turn from who comes when they were told', async () => {
  const clock = fakeClock();
  const limiter = createLocalLimiter({ clock });
  const key = { operation: 'o', seller: 's', application: 'a', service: 'x' };
  const wentAt: Record<'anna' | 'ben', number[]> = { anna: [], ben: [] };
  const slots: Partial<Record<'anna' | 'ben', QueueSlot>> = {};
  let benAsksAt = 1_000;
  for (let at = 0; at < 5_000; at++) {
    for (const person of at >= benAsksAt ? (['anna', 'ben'] as const) : (['anna'] as const)) {
      const turn = await limiter.ask(key, RATE, { place: slots[person], latest: Number.POSITIVE_INFINITY });
      slots[person] = turn.go ? undefined : turn;
      if (turn.go) {
        wentAt[person].push(at);
        await limiter.ended(key, { status: 200 });
      }
      if (person === 'ben') benAsksAt = at + (turn.go ? 1 : Math.ceil(turn.waitMs));
    }
    await clock.advance(1);
  }
  expect(wentAt.ben.length).toBeGreaterThanOrEqual(18);
  expect(wentAt.anna.length + wentAt.ben.length).toBeGreaterThanOrEqual(48);
});

it('who was told to come and never does, nor says that they leave, holds the others up for a second at most', async () => {
  const clock = fakeClock();
  const limiter = createLocalLimiter({ clock });
  const key = { operation: 'o', seller: 's', application: 'a', service: 'x' };
  const ask = () =>
    limiter.ask(key, { requestsPerSecond: 10, burst: 1 }, { latest: Number.POSITIVE_INFINITY });
  expect(await ask()).toEqual({ go: true });
  expect(await ask()).toMatchObject({ go: false });
  await clock.advance(1_000);
  expect(await ask()).toMatchObject({ go: false });
  await clock.advance(1_300);
  expect(await ask()).toEqual({ go: true });
});
