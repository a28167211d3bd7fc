import { describe, expect, it } from 'vitest';
import { refuseMessage } from '../../src/protocol/refuse-message.ts';

const answers = (message: unknown) =>
  refuseMessage(JSON.stringify(message)).map(({ id, error }) => [id, error.code, error.message]);

describe('a request that cannot be read', () => {
  it.each([
    ['params null', { params: null }, -32602],
    ['params that are a list', { params: [1] }, -32602],
    ['params that are text', { params: 'x' }, -32602],
    ['a progress token of no kind', { params: { _meta: { progressToken: {} } } }, -32602],
    ['no method', { method: undefined }, -32600],
    ['a method that is a number', { method: 5 }, -32600],
    ['another version', { jsonrpc: '1.0' }, -32600],
    ['no version', { jsonrpc: undefined }, -32600],
    ['a member too many', { result: {} }, -32600],
  ])('%s: one answer with its id', (_case, change, code) => {
    expect(answers({ jsonrpc: '2.0', id: 'a', method: 'ping', ...change })).toEqual([
      ['a', code, expect.any(String)],
    ]);
  });

  it.each([null, true, 1.5, 1e300, {}])('the id %j cannot be repeated: the answer has none', (id) => {
    expect(answers({ jsonrpc: '2.0', id, method: 'ping' })).toEqual([
      [null, -32600, '"id" must be a string or an integer.'],
    ]);
  });
});

it.each([
  ['a notification', { jsonrpc: '2.0', method: 'notifications/cancelled', params: null }],
  ['an answer', { jsonrpc: '2.0', id: 1, result: null }],
  ['an error', { jsonrpc: '2.0', id: 1, error: 5 }],
  ['no object', 5],
  ['null', null],
])('%s gets no answer', (_case, message) => {
  expect(answers(message)).toEqual([]);
});

it('what is no JSON gets no answer', () => {
  expect(refuseMessage('{"jsonrpc":"2.0","id":1')).toEqual([]);
});

describe('a batch', () => {
  const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });

  it('is refused request by request', () => {
    const batch = [ping(1), { jsonrpc: '2.0', method: 'notifications/initialized' }, ping(2), 5];
    expect(answers(batch).map(([id, code]) => [id, code])).toEqual([
      [1, -32600],
      [2, -32600],
    ]);
  });

  it('of more than 100 requests is refused once, so that it is not answered with many times its size', () => {
    expect(answers(Array.from({ length: 100 }, (_, at) => ping(at)))).toHaveLength(100);
    expect(answers(Array.from({ length: 101 }, (_, at) => ping(at)))).toEqual([
      [null, -32600, expect.stringContaining('This one held 101; no more than 100')],
    ]);
  });
});
