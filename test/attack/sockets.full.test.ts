/** Raw sockets of another user on the machine against the credentials page: whoever they are, the person is served. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { HEADERS_TIMEOUT_MS, MAX_CONNECTIONS } from '../../src/page/page-server.ts';
import { good, openTestPage, post, type TestPage } from '../accounts/page/open-test-page.ts';
import { send } from '../helpers/served-page.ts';

const SEED = 20_261_121;
/** A guard against hanging; what is measured is who is served, not how fast. */
const BOUND_MS = 60_000;

const sockets: Socket[] = [];
let page: TestPage | undefined;
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  page?.close();
  await page?.done;
});

/** Opens a socket that sends `start` and then nothing; resolves when it is connected. */
async function attack(to: TestPage, start: string | Buffer = ''): Promise<Socket> {
  const socket = connect(Number(new URL(to.url).port), '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  if (start.length > 0) socket.write(start);
  return socket;
}

async function attackOften(
  to: TestPage,
  count: number,
  start: (at: number) => string | Buffer,
): Promise<void> {
  // The connections open in groups, so that the system's queue refuses none.
  for (let at = 0; at < count; at += 50)
    await Promise.all(Array.from({ length: Math.min(50, count - at) }, (_, i) => attack(to, start(at + i))));
}

/** However it ends: a byte that is written to a closed one ends it with an error, for which `once` would reject. */
const closing = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));

const isOpen = (socket: Socket) => !socket.destroyed && !socket.readableEnded;

const kinds: readonly (readonly [string, (to: TestPage, at: number) => string])[] = [
  ['that send nothing', () => ''],
  ['that send half of a request line', () => 'GET /'],
  ['that send headers without an end', (to, at) => `GET / HTTP/1.1\r\nHost: ${to.host}\r\nX-${at}: a`],
  [
    'that owe a body, to an address they guessed',
    (to) =>
      `POST /x HTTP/1.1\r\nHost: ${to.host}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 60000\r\n\r\na=`,
  ],
  [
    'that owe a body in chunks, to another host',
    () => 'POST / HTTP/1.1\r\nHost: evil.example\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n',
  ],
  [
    'that ask for an upgrade',
    (to) => `GET / HTTP/1.1\r\nHost: ${to.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  ],
  [
    'that wait to continue',
    (to) => `POST / HTTP/1.1\r\nHost: ${to.host}\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n`,
  ],
];

describe.each([40, 1_000])('%i sockets', (count) => {
  it.each(kinds)(
    '%s: the person sees the page and stores',
    async (_kind, start) => {
      const opened = await openTestPage();
      page = opened;
      await attackOften(opened, count, (at) => start(opened, at));
      expect((await send(opened)).status).toBe(200);
      expect((await post(opened, good)).status).toBe(200);
      expect(await opened.done).toBe('saved');
    },
    BOUND_MS,
  );
});

it(
  `keeps at most ${MAX_CONNECTIONS}: the oldest without its headers goes, the newest stays`,
  async () => {
    const opened = await openTestPage();
    page = opened;
    await attackOften(opened, MAX_CONNECTIONS, () => 'GET');
    expect(sockets.filter(isOpen)).toHaveLength(MAX_CONNECTIONS);
    const [first, second] = sockets;
    const closed = first && closing(first);
    const last = await attack(opened, 'GET');
    await closed;
    expect(second && isOpen(second)).toBe(true);
    expect(isOpen(last)).toBe(true);
  },
  BOUND_MS,
);

it(
  `cuts off who has not sent all headers within ${HEADERS_TIMEOUT_MS / 1000} s, also who sends byte after byte`,
  async () => {
    const opened = await openTestPage();
    page = opened;
    const silent = await attack(opened);
    const slow = await attack(opened, `GET ${opened.door} HTTP/1.1\r\nHost: ${opened.host}\r\nX: `);
    const trickle = setInterval(() => slow.write('a'), 200);
    // Far below the time that a body may take, which is what headers could take before.
    const ended = Promise.all([closing(silent.resume()), closing(slow.resume())]);
    const late = sleep(HEADERS_TIMEOUT_MS + 8_000, 'too late', { ref: false });
    expect(await Promise.race([ended.then(() => 'cut off'), late])).toBe('cut off');
    clearInterval(trickle);
    expect((await send(opened)).status).toBe(200);
  },
  BOUND_MS,
);

it(
  'bytes of any kind, in any pieces, leave the page as it was',
  async () => {
    const opened = await openTestPage();
    page = opened;
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom(
          'GET / HTTP/1.1\r\n',
          'POST / HTTP/1.0\r\n',
          'Host: a\r\n',
          `Host: ${opened.host}\r\n`,
          '\r\n\r\n',
          'Content-Length: -1\r\n',
          'Content-Length: 9e9\r\n',
          'Transfer-Encoding: chunked\r\n',
          'ffffffffffffffff\r\n',
          'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
          'CONNECT a:1 HTTP/1.1\r\n\r\n',
          '\u0016\u0003\u0001',
        )
        .map((text) => Buffer.from(text, 'latin1')),
      fc.integer({ min: 1, max: 20_000 }).map((size) => Buffer.from(`X: ${'x'.repeat(size)}\r\n`)),
    );
    const attacks = fc.sample(fc.array(piece, { maxLength: 6 }), { seed: SEED, numRuns: 400 });
    await attackOften(opened, attacks.length, (at) => Buffer.concat(attacks[at] ?? []));
    expect((await send(opened)).status).toBe(200);
    expect(opened.saved).toEqual([]);
    expect((await post(opened, good)).status).toBe(200);
    expect(await opened.done).toBe('saved');
  },
  BOUND_MS,
);
