/** Large answers in threads of their own: told as they would be here, and known to the session as if they had been. */

import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { CancelledError, NetworkError, TimeoutError } from '../../../src/base/errors.ts';
import type { Unread } from '../../../src/call/api-request.ts';
import { UNREAD_BYTES } from '../../../src/call/transport/parse-answer.ts';
import { WorkerEndedError, type WorkerPool } from '../../../src/data/tables/worker-thread.ts';
import { catalogItemV0 } from '../../../src/service/facts/documented-operations.ts';
import type { Paging } from '../../../src/service/facts/operation.ts';
import {
  createReadingThreads,
  type ReadingThreads,
} from '../../../src/tell/large-answers/reading-threads.ts';
import { collectData } from '../../../tools/collect-data.ts';
import { queryData } from '../../../tools/query-data.ts';
import { readOperation } from '../../../tools/read-operation.ts';
import type { Answer, Handler } from '../../helpers/http-service.ts';
import { RUNS_ALL } from '../../helpers/launch.ts';
import { expectOnlyIn } from '../../helpers/only-in.ts';
import { startToolRunner, type ToolRunner, toolContext } from '../../helpers/tool-runner.ts';

const PDF = Buffer.from('%PDF-1.4 label of nobody, long enough to be one');
const ORDER = { operation: 'orders/getOrders', parameters: { CreatedAfter: '2026-01-01' } };
const PAGING: Paging = { by: 'token', input: { in: 'query', name: 'next' }, output: 'next', list: 'items' };
const PADDING = 'x'.repeat(UNREAD_BYTES);

let runner: ToolRunner;
afterEach(() => runner.close());
let answer: Answer = {};
const service: Handler = ({ path }) =>
  path.startsWith('/tokens/')
    ? { body: { restrictedDataToken: 'Atz.sprdt|1', expiresIn: 3600 } }
    : { ...answer, headers: { 'x-amzn-ratelimit-limit': '1000', ...answer.headers } };
const start = async (settings: Record<string, string> = {}) => {
  runner = await startToolRunner(service, settings);
};

/** Members whose values are masked, are secrets, have no end, look like paths, or are plain. */
const record = fc.record(
  {
    BuyerName: fc.constantFrom('Erika Mustermann', 'Zoë Zq', ''),
    BuyerEmail: fc.constantFrom('erika@example.de', 'no address'),
    note: fc.constantFrom(
      'for Erika Mustermann',
      'ask erika@example.de',
      '«buyer name 12345678»',
      'a\u202eb',
    ),
    access_token: fc.constantFrom('Atza|abcdefghijklmnop', ''),
    amount: fc.oneof(fc.integer(), fc.constant(12345678901234567890n)),
    inner: fc.dictionary(fc.constantFrom('a', 'b.c', 'd'), fc.string({ maxLength: 5 }), { maxKeys: 3 }),
  },
  { requiredKeys: [] },
);
const world = fc.record({
  orders: fc.array(record, { maxLength: 8 }),
  select: fc.option(fc.constantFrom(['payload.Orders.*.note'], ['payload.nothing'], ['payload']), {
    nil: undefined,
  }),
  next: fc.constantFrom('token+/==', undefined),
});

const toJson = (value: unknown) =>
  JSON.stringify(value, (_name, inner) => (typeof inner === 'bigint' ? `big${inner}` : inner)).replaceAll(
    /"big(\d+)"/g,
    '$1',
  );

/** What differs between two sessions, and by the size of what is left out. */
const comparable = (told: unknown) =>
  JSON.stringify(told)
    .replaceAll(/(buyer name|e-mail|buyer text) [0-9a-z]{8}/g, '$1')
    .replaceAll(/seller:\/\/answers\/[0-9a-f]+-\d+/g, 'seller://answers')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\dZ/g, 'time');

describe('an answer', () => {
  it('is told as it is where it is small', async () => {
    await start();
    const other = await startToolRunner(service);
    await fc.assert(
      fc.asyncProperty(world, async ({ orders, select, next }) => {
        const told: string[] = [];
        // Blanks make it large, and nothing else of it.
        for (const [each, blanks] of [
          [runner, 0],
          [other, UNREAD_BYTES],
        ] as const) {
          answer = {
            headers: { 'content-type': 'application/json', 'x-amzn-requestid': 'r-1' },
            body: toJson({ payload: { Orders: orders, NextToken: next } }) + ' '.repeat(blanks),
          };
          const { text, structured, links } = await each.run(readOperation, { ...ORDER, select });
          told.push(comparable([text, structured, links?.map(({ name, uri }) => [name, uri])]));
        }
        expect(told[1]).toBe(told[0]);
      }),
      { numRuns: RUNS_ALL ? 50 : 10 },
    );
    await other.close();
  });

  it('leaves what was masked known: a mark is resolved, a name is masked in later texts, and the note is told once', async () => {
    await start();
    answer = { body: { payload: { Orders: [{ BuyerName: 'Zqfirst Zqlast' }], padding: PADDING } } };
    const select = ['payload.Orders'];
    const first = await runner.run(readOperation, { ...ORDER, select });
    const mark = /«buyer name [0-9a-z]{8}»/.exec(first.text)?.[0] ?? '';
    const personal = await runner.session.personal();
    expect(personal.resolve('default', mark).value).toBe('Zqfirst Zqlast');
    expect(personal.maskText('an error about Zqfirst Zqlast')).toBe(`an error about ${mark}`);
    const second = await runner.run(readOperation, { ...ORDER, select });
    expect(second.text).toContain(mark);
    expectOnlyIn('Personal data of buyers is masked', first.text, second.text);
  });

  it('leaves a mark with what it stands for, be it a number or a text', async () => {
    await start();
    const names = [{ BuyerName: '12345678' }, { BuyerName: 12345678 }];
    answer = { body: { payload: { Orders: names, padding: PADDING } } };
    const { text } = await runner.run(readOperation, { ...ORDER, select: ['payload.Orders'] });
    const mark = /«buyer name [0-9a-z]{8}»/.exec(text)?.[0] ?? '';
    expect((await runner.session.personal()).resolve('default', mark).value).toBe('12345678');
  });

  it('holds no secret of the session, in the resource that keeps the whole of it neither', async () => {
    await start();
    answer = { body: { payload: { note: `client-secret-1 ${PADDING}`, token: 'Atza|token-1' } } };
    const { text, structured, links = [] } = await runner.run(readOperation, ORDER);
    const kept = (await (await runner.session.answers()).read(links[0]?.uri ?? '')) ?? '';
    expect(kept.length).toBeGreaterThan(UNREAD_BYTES);
    for (const told of [text, JSON.stringify(structured), kept]) {
      expect(told).not.toContain('client-secret-1');
      expect(told).not.toContain('token-1');
    }
  });

  it('keeps the whole of each, whatever is read before its text is written', async () => {
    await start();
    const given = [];
    for (const size of [1, 20, 2]) {
      const body = { payload: { size, padding: PADDING.repeat(size) } };
      answer = { body };
      const { links = [] } = await runner.run(readOperation, ORDER);
      given.push({ body, uri: links[0]?.uri ?? '' });
    }
    const answers = await runner.session.answers();
    for (const { body, uri } of given) expect(JSON.parse((await answers.read(uri)) ?? '')).toEqual(body);
  });

  it('has its documents saved', async () => {
    await start();
    const label = Buffer.concat([PDF, Buffer.alloc(UNREAD_BYTES)]);
    answer = {
      body: {
        payload: { ShipmentId: 'S-1', Label: { FileContents: { Contents: label.toString('base64') } } },
      },
    };
    const saved = await runner.run(readOperation, {
      operation: 'merchant-fulfillment/getShipment',
      parameters: { shipmentId: '01234567-89ab-cdef-0123-456789abcdef' },
      save_as: 'label.pdf',
    });
    expect(saved.structured).toMatchObject({ saved: [{ bytes: label.length, kind: 'PDF label' }] });
    const none = runner.run(readOperation, { ...ORDER, save_as: 'label.pdf' });
    answer = { body: { payload: { padding: PADDING } } };
    await expect(none).rejects.toThrow('its answer holds no document; nothing was saved');
  });

  it.each([
    ['is no JSON', `[${PADDING}`, 'the answer is not valid JSON'],
    ['is a web page', `<html>${PADDING}`, 'the answer is a web page'],
    ['holds too many values', `[${'0,'.repeat(400_000)}0]`, 'which is the most that is read'],
    ['is nested too deep, and of 3 MB', '['.repeat(500).padEnd(3_000_000), 'nested deeper than'],
    ['is a failure of 300 KB', undefined, 'its reasons, 300 kB of them, were not read'],
  ])('that %s is told as such, and the next one is read', async (_what, body, message) => {
    await start();
    answer = body === undefined ? { status: 400, body: 'x'.repeat(300_000) } : { body };
    await expect(runner.run(readOperation, ORDER)).rejects.toThrow(message);
    answer = { body: { payload: PADDING } };
    expect((await runner.run(readOperation, ORDER)).text).toContain('xxx');
  });
});

describe('a thread that does not answer', () => {
  const unread = (): Unread => ({
    bytes: new Uint8Array(10),
    refuse(code, message) {
      throw new NetworkError(code, 'unknown', message);
    },
  });
  const page = (threads: ReadingThreads, signal = new AbortController().signal) =>
    threads.page(unread(), { operation: catalogItemV0, paging: PAGING }, signal);
  /** Threads of which nothing is heard until they are ended. */
  const silent = () => {
    const taken: { fail(): void }[] = [];
    const workers: WorkerPool = {
      take() {
        let end = () => {};
        let isEnded = false;
        const gone = new Promise<never>((_resolve, reject) => {
          end = () => {
            isEnded = true;
            reject(new WorkerEndedError('gone'));
          };
        });
        taken.push({ fail: end });
        return { ask: () => gone, end: async () => end(), isEnded: () => isEnded, engineBytes: () => 0 };
      },
      giveBack: () => undefined,
      close: async () => undefined,
    };
    return { threads: createReadingThreads(workers), taken };
  };

  it('is waited for until the call is over; others wait for their turn, and all end with the session', async () => {
    await start();
    const { threads, taken } = silent();
    const cancel = new AbortController();
    const reading = [page(threads), page(threads), page(threads, cancel.signal), page(threads)];
    const ended = Promise.allSettled(reading);
    const { call } = toolContext(runner.session);
    const parts = {
      operation: catalogItemV0,
      account: 'default',
      select: undefined,
      remarks: [],
      defaults: {},
    };
    const late = threads.answer(
      unread(),
      { ...parts, result: { status: 200, bytes: 10, filledIn: {} } },
      runner.session,
      { saveAll: undefined, call: { ...call, deadline: performance.now() + 50 } },
    );
    await expect(late).rejects.toThrow(TimeoutError);
    cancel.abort();
    await expect(reading[2]).rejects.toThrow(CancelledError);
    expect(taken).toHaveLength(2);
    await threads.close();
    expect((await ended).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
  });

  it('that ends for want of memory says so, and leaves its turn to the next', async () => {
    await start();
    const { threads, taken } = silent();
    for (let at = 0; at < 5; at += 1) {
      const reading = page(threads);
      await expect.poll(() => taken.length).toBe(at + 1);
      taken[at]?.fail();
      await expect(reading).rejects.toThrow('more memory to read than one answer is given');
    }
  });
});

describe('a page', () => {
  it('is saved as it was sent, its documents too', async () => {
    await start();
    const label = PDF.toString('base64');
    const orders = Array.from({ length: 300 }, (_, i) => ({
      AmazonOrderId: `o-${i}`,
      label,
      more: 'y'.repeat(1_000),
    }));
    answer = { body: { payload: { Orders: orders } } };
    const collect = () => runner.run(collectData, { ...ORDER, as: 'saved', save_as: 'orders' });
    let { structured } = await collect();
    for (; structured.state !== 'done'; { structured } = await collect()) await sleep(20);
    const [{ path }] = z.tuple([z.looseObject({ path: z.string() })]).parse(structured.saved);
    expect((await readFile(path, 'utf8')).split('\n')[0]).toBe(JSON.stringify(orders[0]));
  });

  it('becomes the rows that it becomes where it is small, its documents in words', async () => {
    await start();
    const orders = (padding: string) => ({
      payload: {
        Orders: Array.from({ length: 300 }, (_, i) => ({
          AmazonOrderId: `o-${i}`,
          BuyerName: `Zq Zq${i}`,
          label: PDF.toString('base64'),
          padding,
        })),
      },
    });
    const rows: unknown[] = [];
    for (const [as, padding] of [
      ['small', ''],
      ['large', 'y'.repeat(1_000)],
    ] as const) {
      answer = { body: orders(padding) };
      const collect = () => runner.run(collectData, { ...ORDER, as, fresh: true });
      while ((await collect()).structured.state !== 'done') await sleep(20);
      const sql = `SELECT amazon_order_id, label, count(*) OVER () FROM ${as} ORDER BY 1 LIMIT 3`;
      rows.push((await runner.run(queryData, { sql })).structured.rows);
    }
    expect(rows[1]).toEqual(rows[0]);
    expect(JSON.stringify(rows[1])).toMatch(/o-0.*PDF.*300/);
  });
});
