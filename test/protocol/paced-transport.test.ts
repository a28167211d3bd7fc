/** Backpressure: what is read while nobody reads the answers, while much is in work, and what overtakes. */

import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { createLineAssembler } from '../../src/protocol/line-assembler.ts';
import { MAX_IN_FLIGHT, PacedTransport } from '../../src/protocol/paced-transport.ts';

let stdin: PassThrough;
let transport: PacedTransport;
let begun: unknown[];
let ended: boolean;
/** Lets what was written leave, from now on. */
let read: () => void;
beforeEach(async () => {
  stdin = new PassThrough();
  begun = [];
  ended = false;
  const held: (() => void)[] = [];
  let reads = false;
  const out = new Writable({
    highWaterMark: 100,
    write: (_chunk, _encoding, done) => void (reads ? done() : held.push(done)),
  });
  read = () => {
    reads = true;
    for (const done of held.splice(0)) done();
  };
  const lines = stdin.pipe(createLineAssembler({ onDropped: () => {} }));
  transport = new PacedTransport(lines, out, () => {
    ended = true;
  });
  transport.onmessage = (message) => void begun.push('id' in message ? message.id : message);
  await transport.start();
});

const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
const request = (id: number, more = {}) => line({ id, method: 'tools/call', params: { name: 'x', ...more } });
const answer = (id: number, text = '') => transport.send({ jsonrpc: '2.0', id, result: { text } });
const settle = async () => {
  for (let turns = 0; turns < 50; turns++) await turn();
};
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe('while nobody reads the answers', () => {
  it('begins no further request, and reads no further than the streams hold', async () => {
    stdin.write(request(1));
    await settle();
    void answer(1, 'x'.repeat(200));
    for (const id of range(2, 2_000)) stdin.write(request(id, { pad: 'x'.repeat(200) }));
    await settle();
    expect(begun).toEqual([1]);
    expect(stdin.readableLength + stdin.writableLength).toBeGreaterThan(50_000);
    read();
    await settle();
    for (const id of range(2, MAX_IN_FLIGHT)) void answer(id);
    await settle();
    expect(begun).toEqual(range(1, 2_000));
  });

  it('sees the end of stdin all the same', async () => {
    stdin.write(request(1));
    await settle();
    void answer(1, 'x'.repeat(200)).catch(() => {});
    stdin.end(request(2));
    await once(stdin, 'end');
    await settle();
    expect(ended).toBe(true);
  });
});

describe('answers of one turn', () => {
  const pieces: number[] = [];
  beforeEach(async () => {
    pieces.length = 0;
    const out = new Writable({
      write(chunk: Buffer, _encoding, done) {
        pieces.push(chunk.length);
        done();
      },
    });
    transport = new PacedTransport(stdin.pipe(createLineAssembler({ onDropped: () => {} })), out, () => {});
    await transport.start();
  });

  it('leave in one piece, as far as a pipe takes it', async () => {
    for (const id of range(1, 20)) void answer(id, 'x'.repeat(2_000));
    expect(pieces).toEqual([]);
    await settle();
    expect(pieces).toHaveLength(1);
    for (const id of range(1, 100)) void answer(id, 'x'.repeat(2_000));
    await settle();
    expect(pieces.slice(1).map((bytes) => bytes < 70_000)).toEqual([true, true, true, true]);
  });
});

describe('while as many are in work as there may be', () => {
  beforeEach(async () => {
    read();
    for (const id of range(1, MAX_IN_FLIGHT)) stdin.write(request(id));
    await settle();
    expect(begun).toEqual(range(1, MAX_IN_FLIGHT));
  });

  it('the next begins when one is answered, or cancelled', async () => {
    stdin.write(request(5_000) + request(5_001));
    await settle();
    expect(begun).toHaveLength(MAX_IN_FLIGHT);
    await answer(7);
    expect(begun.slice(MAX_IN_FLIGHT)).toEqual([5_000]);
    stdin.write(line({ method: 'notifications/cancelled', params: { requestId: 9 } }));
    await settle();
    expect(begun.slice(-2)).toEqual([expect.objectContaining({ method: 'notifications/cancelled' }), 5_001]);
  });

  it('the answer to a question overtakes what waits', async () => {
    stdin.write(request(5_000) + line({ id: 'question', result: {} }));
    await settle();
    expect(begun.slice(MAX_IN_FLIGHT)).toEqual(['question']);
  });

  it('what is cancelled while it waits is never begun', async () => {
    stdin.write(request(5_000) + request(5_001));
    stdin.write(line({ method: 'notifications/cancelled', params: { requestId: 5_000 } }));
    await settle();
    await answer(1);
    expect(begun.slice(MAX_IN_FLIGHT)).toEqual([5_001]);
  });

  it('of what is cancelled while it waits nothing counts any more: the next is read', async () => {
    const long = { long: 'x'.repeat(3.5 * 1024 * 1024) };
    for (const id of range(5_000, 5_007)) {
      stdin.write(request(id, long));
      stdin.write(line({ method: 'notifications/cancelled', params: { requestId: id } }));
      await settle();
    }
    stdin.write(request(6_000));
    await settle();
    await answer(1);
    expect(begun.slice(MAX_IN_FLIGHT)).toEqual([6_000]);
  });
});

it('large messages wait for each other, one is always worked on', async () => {
  read();
  const big = { long: 'x'.repeat(3.5 * 1024 * 1024) };
  for (const id of range(1, 24)) stdin.write(request(id, big));
  await settle();
  expect(begun).toEqual(range(1, 18));
  for (const id of range(1, 18)) await answer(id);
  await settle();
  expect(begun).toEqual(range(1, 24));
});
