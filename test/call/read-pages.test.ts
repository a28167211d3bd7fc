/** Page after page: each token is asked for once, and what cannot be read ends the list instead of the work. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CancelledError, NetworkError } from '../../src/base/errors.ts';
import type { CallInput, CallOptions, CallResult } from '../../src/call/client-types.ts';
import { readPages } from '../../src/call/read-pages.ts';
import { apiRequest, apiResponse } from '../helpers/api-request.ts';
import { failureOf, operation } from '../helpers/test-client.ts';

const INPUT: CallInput = { operation: operation(), account: 'default', parameters: { pageSize: 5 } };

/** Reads a list whose answers are these bodies, in order; a function in the place of a body fails with what it makes. */
async function read(answers: readonly unknown[], most = 100, call: CallOptions = {}) {
  const asked: CallInput['parameters'][] = [];
  const client = {
    async call({ parameters }: CallInput): Promise<CallResult> {
      const body = answers[asked.length];
      asked.push(parameters);
      if (typeof body === 'function') throw body();
      return { ...apiResponse(200, {}, body), owner: apiRequest().owner, filledIn: {} };
    },
  };
  const pages: unknown[] = [];
  const paging = { most, token: 'next', tokenIn: ({ token }: Record<string, unknown>) => token };
  for await (const page of readPages(client, INPUT, paging, call)) pages.push(page);
  return { pages, asked };
}

const broken = () => new NetworkError('ECONNRESET', 'unknown', 'reset');

it('asks for each page with the token of the one before, until there is none or they are enough', async () => {
  const chain = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 6 });
  const most = fc.integer({ min: 1, max: 8 });
  await fc.assert(
    fc.asyncProperty(chain, most, fc.constantFrom(undefined, '', null, 7), async (tokens, limit, none) => {
      const bodies = [...tokens, none].map((token, page) => ({ page, token }));
      const { pages, asked } = await read(bodies, limit);
      expect(pages).toEqual(bodies.slice(0, limit));
      const wanted = [{ pageSize: 5 }, ...tokens.map((next) => ({ pageSize: 5, next }))];
      expect(asked).toEqual(wanted.slice(0, limit));
    }),
    { numRuns: 60 },
  );
});

it('a token that comes again leads nowhere', async () => {
  const { asked } = await read([{ token: 'a' }, { token: 'a' }, { token: 'b' }]);
  expect(asked).toHaveLength(2);
});

it.each([['a text'], [[{ token: 'b' }]], [null], [broken]])(
  'the page %j is told as one that cannot be read, and is the last',
  async (answer) => {
    const { pages, asked } = await read([{ token: 'a' }, answer, {}]);
    expect(pages).toEqual([{ token: 'a' }, undefined]);
    expect(asked).toHaveLength(2);
  },
);

it('what ends the call ends the reading: a cancellation, and a fault of our own', async () => {
  const signal = AbortSignal.abort();
  const cancelled = new CancelledError('gone');
  expect(await failureOf(read([() => cancelled], 100, { signal }))).toBe(cancelled);
  const fault = new RangeError('ours');
  expect(await failureOf(read([() => fault]))).toBe(fault);
  const running = { signal: new AbortController().signal };
  expect((await read([broken], 100, running)).pages).toEqual([undefined]);
});
