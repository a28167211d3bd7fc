import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type ExchangeEnd, ExchangeHandler } from '../../../src/call/transport/http-exchange.ts';

/** A handler with the connection that it is given, and how it ended. */
function exchange(limit = 1000) {
  const aborts: Error[] = [];
  const controller = {
    aborted: false,
    paused: false,
    reason: null,
    pause: () => undefined,
    resume: () => undefined,
    abort: (reason: Error) => void aborts.push(reason),
  };
  const endings: ExchangeEnd[] = [];
  const { promise: ending, resolve: settled } = Promise.withResolvers<ExchangeEnd>();
  const handler = new ExchangeHandler(limit, (end) => {
    endings.push(end);
    settled(end);
  });
  const start = () => handler.onRequestStart(controller);
  const head = (headers: Record<string, string | string[] | undefined> = {}, status = 200) =>
    handler.onResponseStart(controller, status, headers);
  const data = (chunk: Buffer | string) => handler.onResponseData(controller, Buffer.from(chunk));
  return { handler, controller, aborts, endings, ending, start, head, data };
}

describe('a body', () => {
  it.each([
    ['as it is', '', (text: string) => Buffer.from(text)],
    ['identity', 'identity', (text: string) => Buffer.from(text)],
    ['gzip', 'gzip', gzipSync],
    ['gzip by its old name', ' X-GZIP ', gzipSync],
    ['brotli', 'br', brotliCompressSync],
    ['deflate', 'deflate', deflateSync],
    ['deflate without its wrapping', 'deflate', deflateRawSync],
  ])('comes %s, in however many pieces', async (_name, encoding, pack) => {
    const text = JSON.stringify({ a: 'x'.repeat(200), b: [1, 2, 3] });
    for (const pieces of [1, 3]) {
      const { start, head, data, handler, ending } = exchange();
      start();
      head({ 'content-encoding': encoding });
      const bytes = pack(text);
      const length = Math.ceil(bytes.length / pieces);
      for (let at = 0; at < bytes.length; at += length) data(bytes.subarray(at, at + length));
      handler.onResponseEnd();
      const end = await ending;
      expect(end.kind === 'answer' && end.answer.body.toString()).toBe(text);
      expect(end.answer?.failure).toBeUndefined();
    }
  });

  it('that is none leaves no bytes, compressed or not', async () => {
    for (const encoding of ['', 'gzip']) {
      const { start, head, handler, ending } = exchange();
      start();
      head({ 'Content-Encoding': encoding }, 204);
      handler.onResponseEnd();
      expect(await ending).toMatchObject({ kind: 'answer', answer: { status: 204, body: Buffer.alloc(0) } });
    }
  });

  it('of exactly the limit is read, one byte more is cut off with its status kept', async () => {
    const fits = exchange(10);
    fits.start();
    fits.head({ 'content-length': '10' });
    fits.data('12345');
    fits.data('67890');
    fits.handler.onResponseEnd();
    expect(await fits.ending).toMatchObject({ kind: 'answer', answer: { body: Buffer.from('1234567890') } });
    const tooLong = exchange(10);
    tooLong.start();
    tooLong.head();
    tooLong.data('1234567890');
    expect(tooLong.endings).toHaveLength(0);
    tooLong.data('1');
    expect(await tooLong.ending).toMatchObject({ answer: { status: 200, failure: 'BODY_TOO_LARGE' } });
    expect(tooLong.aborts).toHaveLength(1);
    tooLong.data('more');
    tooLong.handler.onResponseEnd();
    expect(tooLong.endings).toHaveLength(1);
  });

  it('that is announced too long is not waited for', async () => {
    const { start, head, ending, aborts } = exchange(10);
    start();
    head({ 'content-length': '11' }, 500);
    expect(await ending).toMatchObject({
      kind: 'answer',
      answer: { status: 500, failure: 'BODY_TOO_LARGE' },
    });
    expect(aborts).toHaveLength(1);
  });

  it('that only grows when it is unpacked is cut off as well', async () => {
    const { start, head, data, ending } = exchange(1000);
    start();
    head({ 'content-encoding': 'gzip' });
    data(gzipSync('x'.repeat(100_000)));
    expect(await ending).toMatchObject({ answer: { failure: 'BODY_TOO_LARGE' } });
  });

  it.each([
    ['an encoding nobody asked for', 'zstd', Buffer.from('{}'), 'BAD_ENCODING'],
    ['no gzip', 'gzip', Buffer.from('{}'), 'BAD_ENCODING'],
    ['half a gzip', 'gzip', gzipSync('{"a":1}').subarray(0, 15), 'BODY_CUT_SHORT'],
  ])('in %s is a failure of the body', async (_name, encoding, bytes, failure) => {
    const { start, head, data, handler, ending } = exchange();
    start();
    head({ 'content-encoding': encoding });
    data(bytes);
    handler.onResponseEnd();
    expect(await ending).toMatchObject({ kind: 'answer', answer: { failure } });
  });
});

describe('the headers', () => {
  it('have lower-case names, and what came twice is joined', async () => {
    const { start, head, handler, ending } = exchange();
    start();
    head({ 'X-One': '1', 'x-two': ['2', '3'], 'x-none': undefined });
    handler.onResponseEnd();
    expect((await ending).answer?.headers).toEqual({ 'x-one': '1', 'x-two': '2, 3' });
  });

  it('of an interim answer are passed over', async () => {
    const { start, head, handler, ending } = exchange();
    start();
    head({ early: 'x' }, 103);
    handler.onResponseEnd();
    head({}, 200);
    handler.onResponseEnd();
    expect((await ending).answer).toMatchObject({ status: 200, headers: {} });
  });
});

describe('a request that fails', () => {
  it('has not been sent until its first byte is written', async () => {
    const before = exchange();
    before.handler.onResponseError(undefined, new Error('x'));
    expect(await before.ending).toMatchObject({ kind: 'failure', sent: false, answer: undefined });
    const after = exchange();
    after.start();
    after.handler.onResponseError(undefined, new Error('x'));
    expect(await after.ending).toMatchObject({ kind: 'failure', sent: true });
    const answered = exchange();
    answered.start();
    answered.head({}, 500);
    answered.handler.onResponseError(undefined, new Error('x'));
    expect(await answered.ending).toMatchObject({ sent: true, answer: { status: 500 } });
  });

  it('because it is no longer wanted does not leave, or its socket is destroyed', async () => {
    const early = exchange();
    early.handler.abort(new Error('gone'));
    expect(await early.ending).toMatchObject({ kind: 'failure', sent: false, error: { message: 'gone' } });
    early.start();
    expect(early.aborts).toHaveLength(1);
    const late = exchange();
    late.start();
    const reason = new Error('gone');
    late.handler.abort(reason);
    late.handler.abort(new Error('again'));
    expect(late.aborts).toEqual([reason]);
    expect(await late.ending).toMatchObject({ sent: true, error: reason });
    expect(late.endings).toHaveLength(1);
  });
});
