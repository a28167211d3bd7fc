import { expect, it } from 'vitest';
import type { ListingsReadParts } from '../../../../src/write/handlers/listing/background-reads.ts';
import {
  createBackgroundReads,
  MAX_READINGS,
  MAX_RESULT_AGE_MS,
} from '../../../../src/write/handlers/listing/background-reads.ts';
import type { ReadListings } from '../../../../src/write/handlers/listing/read-listings.ts';

const found: ReadListings = Object.assign(
  new Map([['L-1', { item: { sku: 'L-1' }, inexact: new Set<string>() }]]),
  { unread: new Map() },
);

function setUp() {
  const clock = { now: 0 };
  const readings = createBackgroundReads({ now: () => clock.now });
  const begun: ListingsReadParts[] = [];
  const ends: { resolve: (value: ReadListings) => void; reject: (error: unknown) => void }[] = [];
  const read = (parts: ListingsReadParts) => {
    begun.push(parts);
    return new Promise<ReadListings>((resolve, reject) => {
      ends.push({ resolve, reject });
      parts.signal.addEventListener('abort', () => reject(parts.signal.reason));
    });
  };
  const join = (key: string, ms = 0, signal = new AbortController().signal, onProgress = () => {}) =>
    readings.join(key, read, { until: clock.now + ms, signal, onProgress });
  return { clock, readings, begun, ends, join };
}

it('a call that ends before all is read is told how far it is, and the next one joins it', async () => {
  const { begun, ends, join } = setUp();
  const first = join('a');
  begun[0]?.tell(40, 60);
  expect(await first).toEqual({ read: 40, of: 60 });
  const second = join('a', 5_000);
  ends[0]?.resolve(found);
  expect(await second).toBe(found);
  expect(begun).toHaveLength(1);
});

it('what was read is given once: the next call reads anew', async () => {
  const { begun, ends, join } = setUp();
  const first = join('a', 5_000);
  ends[0]?.resolve(found);
  await first;
  void join('a');
  expect(begun).toHaveLength(2);
});

it('a failure is told once, and the next call tries again', async () => {
  const { begun, ends, join } = setUp();
  await join('a');
  ends[0]?.reject(new Error('429'));
  await expect(join('a', 5_000)).rejects.toThrow('429');
  void join('a');
  expect(begun).toHaveLength(2);
});

it('a caller that goes ends its waiting, not the reading', async () => {
  const { begun, ends, join } = setUp();
  const caller = new AbortController();
  const first = join('a', 5_000, caller.signal);
  caller.abort();
  await expect(first).rejects.toThrow('nothing was sent');
  expect(begun[0]?.signal.aborted).toBe(false);
  const second = join('a', 5_000);
  ends[0]?.resolve(found);
  expect(await second).toBe(found);
});

it('more lists at once are refused; what nobody asks for again makes room', async () => {
  const { clock, ends, begun, join } = setUp();
  for (let at = 0; at < MAX_READINGS; at += 1) await join(`list ${at}`);
  await expect(join('one more')).rejects.toThrow(`${MAX_READINGS} other lists`);
  ends[0]?.resolve(found);
  await new Promise((resolve) => setImmediate(resolve));
  clock.now += MAX_RESULT_AGE_MS + 1;
  await join('one more');
  expect(begun).toHaveLength(MAX_READINGS + 1);
});

it('the end of the session ends all of them', async () => {
  const { readings, join } = setUp();
  const waiting = join('a', 5_000);
  const rejection = expect(waiting).rejects.toThrow('The session has ended');
  await readings.close();
  await rejection;
  await expect(join('b')).rejects.toThrow('The session has ended');
});
