/** What the service has afterwards, compared with what was sent. */

import { describe, expect, it } from 'vitest';
import { describeReadBack } from '../../../src/changes/describe-difference.ts';
import { changeSupplySource, toWritableSupplySource } from '../../../src/changes/supply-source/body.ts';
import { compareReadBack, createSupplySourceReader } from '../../../src/changes/supply-source/state.ts';
import type { CallInput, CallOptions, Client } from '../../../src/client/client.ts';
import {
  ApiError,
  CancelledError,
  CredentialError,
  InputError,
  NetworkError,
  RateLimitError,
  TimeoutError,
} from '../../../src/errors.ts';
import { supplySourceWrite } from '../../../src/service/facts/documented-operations.ts';
import { ANSWER, never } from '../../writes/open-guard.ts';
import { buildCurrentState } from './fixture.ts';

const words = (sent: unknown, found: unknown) =>
  describeReadBack(compareReadBack(sent, found), (text) => text);
const morning = { startTime: '09:00', endTime: '12:00' };
const afternoon = { endTime: '18:00', startTime: '13:00' };

describe('compareReadBack', () => {
  it('finds nothing when the service has what was sent', () => {
    const sent = changeSupplySource(buildCurrentState(), { alias: 'South store' });
    const found = toWritableSupplySource({
      ...buildCurrentState(),
      alias: 'South store',
      updatedAt: 'later',
    });
    expect(compareReadBack(sent, found)).toEqual([]);
  });

  it.each([
    ['the order of openings', { monday: [afternoon, morning] }, { monday: [morning, afternoon] }],
    ['the order of members', { a: 1, b: 2 }, { b: 2, a: 1 }],
    ['null against absent', { a: 1, b: null }, { a: 1 }],
    [
      'the case of units',
      { throughputUnit: 'Order', timeUnit: 'Hours' },
      { throughputUnit: 'ORDER', timeUnit: 'hours' },
    ],
  ])('does not tell %s', (_name, sent, found) => {
    expect(compareReadBack(sent, found)).toEqual([]);
  });

  it('tells each difference in words, as it was written', () => {
    expect(
      words(
        {
          alias: 'South',
          operatingHoursByDay: { sunday: [], monday: [morning] },
          timeUnit: 'Hours',
          gone: 1,
        },
        {
          alias: 'SOUTH',
          operatingHoursByDay: { sunday: [morning], monday: [morning] },
          timeUnit: 'Days',
          extra: true,
        },
      ),
    ).toEqual([
      'alias: "South" was sent, yet the service has "SOUTH"',
      'operatingHoursByDay.sunday: closed was sent, yet the service has 09:00-12:00',
      'timeUnit: "Hours" was sent, yet the service has "Days"',
      'gone: 1 was sent, yet the service has nothing there',
      'extra: was not sent, yet the service has true',
    ]);
  });

  it('tells a missing opening, and one too many', () => {
    expect(words([morning, afternoon], [morning])).toEqual([
      'the whole: 09:00-12:00, 13:00-18:00 was sent, yet the service has 09:00-12:00',
    ]);
    expect(compareReadBack({ list: [{ a: 1 }] }, { list: [{ a: 1 }, { a: 2 }] })).toHaveLength(1);
  });
});

describe('the state before a write', () => {
  function open(answer: () => unknown) {
    const asked: { input: CallInput; options: CallOptions | undefined }[] = [];
    const client: Client = {
      call: async (input, options) => {
        asked.push({ input, options });
        return { ...ANSWER, status: 200, body: answer() };
      },
      prepare: never,
      exchangeToken: never,
      rememberRestrictedToken: never,
      close: async () => {},
    };
    const place = { account: 'a', supplySourceId: 'ss-1' };
    return { asked, reader: createSupplySourceReader(client, supplySourceWrite(), place) };
  }
  const failing = (error: unknown) =>
    open(() => {
      throw error;
    }).reader;

  it('is what the service answers, asked for with the limits of the call', async () => {
    const { reader, asked } = open(buildCurrentState);
    const options = { deadline: 7 };
    expect(await reader.read(options)).toEqual({ state: buildCurrentState(), numbersAsText: [] });
    expect(asked).toMatchObject([
      { input: { account: 'a', parameters: { supplySourceId: 'ss-1' } }, options: { deadline: 7 } },
    ]);
  });

  it.each([
    new ApiError({ status: 403 }, 'no'),
    new NetworkError('ECONNREFUSED', 'not-sent', 'no'),
    new TimeoutError(1, 'unknown', 'late'),
  ])('may be unreadable, by a fault of the service: $name', async (problem) => {
    expect(await failing(problem).read({})).toEqual({ problem });
  });

  it.each([
    new CancelledError('stop'),
    new CredentialError('missing', 'none'),
    new RateLimitError(1, 'wait'),
    new InputError('wrong'),
    new TypeError('crash'),
  ])('a $name is not taken for a fault of the service', async (error) => {
    await expect(failing(error).read({})).rejects.toBe(error);
  });

  it('after a cancellation nothing is taken for one', async () => {
    const error = new NetworkError('ECONNRESET', 'unknown', 'reset');
    const signal = AbortSignal.abort();
    await expect(failing(error).read({ signal })).rejects.toBe(error);
    expect(await failing(error).read({ signal: new AbortController().signal })).toEqual({ problem: error });
  });

  it.each([[[]], ['text'], [undefined], [null]])('an answer such as %j is none', async (body) => {
    expect(await open(() => body).reader.read({})).toMatchObject({
      problem: { name: 'ApiError', status: 200, message: expect.stringContaining('not a supply source') },
    });
  });

  it('afterwards it is compared without what can only be read', async () => {
    const { reader, asked } = open(buildCurrentState);
    const sent = { ...toWritableSupplySource(buildCurrentState()), alias: 'South' };
    expect(await reader.compare(sent, { deadline: 9 })).toMatchObject([
      { path: 'alias', before: 'South', after: 'North store' },
    ]);
    expect(asked[0]?.options).toEqual({ deadline: 9 });
  });
});
