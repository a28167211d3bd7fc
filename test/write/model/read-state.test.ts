/** The state before a write: what the service answers, or why it is not known. */

import { describe, expect, it } from 'vitest';
import {
  ApiError,
  CancelledError,
  CredentialError,
  InputError,
  NetworkError,
  RateLimitError,
  TimeoutError,
} from '../../../src/base/errors.ts';
import type { CallInput, CallOptions, Client } from '../../../src/call/client-types.ts';
import { createProgram } from '../../../src/program/runtime/program.ts';
import { createStateReader } from '../../../src/write/model/read-state.ts';
import { createTestOutside } from '../../helpers/outside.ts';
import { ANSWER, never } from '../run/open-guard.ts';

async function open(name: string, answer: () => unknown, written: object = {}, more: object = {}) {
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
  const registry = await createProgram(createTestOutside({ env: {} })).registry();
  const operation = registry.find(name);
  const parameters = { supplySourceId: 'ss-1' };
  const reader = createStateReader(
    { operation, account: 'a', parameters, ...written },
    { client, registry, now: Date.now, ...more },
  );
  if (typeof reader === 'string') throw new Error(reader);
  return { asked, reader };
}
const failing = (error: unknown) => () => {
  throw error;
};
const STATUS = 'supply-sources/updateSupplySourceStatus';

describe('the state before a write', () => {
  it('is asked for with the limits of the call, and in bounded time', async () => {
    const { reader, asked } = await open(STATUS, () => ({ status: 'Active' }));
    expect(await reader.read({ deadline: 7 })).toEqual({ state: { status: 'Active' }, numbersAsText: [] });
    expect(asked).toMatchObject([
      {
        input: {
          operation: { id: 'supply-sources/getSupplySource' },
          parameters: { supplySourceId: 'ss-1' },
        },
        options: { deadline: 7, timeoutMs: 10_000 },
      },
    ]);
  });

  it("is nobody else's where its owner is named", async () => {
    const owner = { name: 'a', baseUrl: 'https://service.example', authUrl: 'https://login.example' };
    const { reader, asked } = await open(STATUS, () => ({ status: 'Active' }), {}, { owner });
    await reader.read({});
    expect(asked).toMatchObject([{ input: { owner } }]);
  });

  it('takes a list where the account fills in one text', async () => {
    const parameters = { sellerId: 'A1', sku: 's', marketplaceIds: 'ATVPDKIKX0DER' };
    const { reader } = await open('listings-items/patchListingsItem', () => ({}), { parameters });
    expect(reader.parameters).toMatchObject({ sku: 's', marketplaceIds: ['ATVPDKIKX0DER'] });
  });

  it.each([
    new ApiError({ status: 403 }, 'no'),
    new NetworkError('ECONNRESET', 'unknown', 'reset'),
    new TimeoutError(1, 'unknown', 'late'),
    new RateLimitError(1, 'wait'),
    new InputError('not for this operation'),
  ])('may be unreadable without hindering the write: $name', async (error) => {
    const { reader } = await open(STATUS, failing(error));
    expect(await reader.read({})).toEqual({ problem: error });
  });

  it('may be absent', async () => {
    const error = new ApiError({ status: 404 }, 'no');
    expect(await (await open(STATUS, failing(error))).reader.read({})).toEqual({ absent: error });
  });

  it.each([new CredentialError('missing', 'none'), new CancelledError('stop'), new TypeError('crash')])(
    'what would hinder the write too is thrown: $name',
    async (error) => {
      await expect((await open(STATUS, failing(error))).reader.read({})).rejects.toBe(error);
    },
  );

  it('after a cancellation nothing is taken for a fault of the service', async () => {
    const error = new ApiError({ status: 500 }, 'no');
    const { reader } = await open(STATUS, failing(error));
    await expect(reader.read({ signal: AbortSignal.abort() })).rejects.toBe(error);
  });

  it.each([
    ['messaging/createUnexpectedProblem', 'no operation reads what this one writes'],
    ['supply-sources/createSupplySource', 'there are none, this makes something new'],
  ])('of %s there is none, with the reason', async (name, reason) => {
    await expect(open(name, () => ({}))).rejects.toThrow(reason);
  });
});
