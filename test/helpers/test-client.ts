/** A client against a service that also issues tokens, with the settings a test seldom cares about. */

import type { Account } from '../../src/accounts/account.ts';
import type { Client } from '../../src/call/client-types.ts';
import { type ClientOptions, type ClientSettings, createClient } from '../../src/call/create-client.ts';
import { createLocalLimiter } from '../../src/call/pacing/limiter.ts';
import { createTransport, type TransportSettings } from '../../src/call/transport/transport.ts';
import type { Operation } from '../../src/service/facts/operation.ts';
import { type Answer, type Handler, type HttpService, startHttpService } from './http-service.ts';
import { type MemoryAccounts, memoryAccounts, testAccount } from './memory-accounts.ts';

export interface TestSetup {
  service: HttpService;
  accounts: MemoryAccounts;
  client: Client;
  /** Requests that are no token exchange. */
  calls(): HttpService['requests'];
  exchanges(): HttpService['requests'];
  close(): Promise<void>;
}

export const settings: ClientSettings & TransportSettings = {
  version: '9.9.9',
  accessTokenHeader: 'x-amz-access-token',
  connectTimeoutMs: 2000,
  callTimeoutMs: 10_000,
  maxResponseBytes: 1_000_000,
};

export interface SetupOptions {
  account?: Partial<Account>;
  settings?: Partial<typeof settings>;
  token?: Handler;
  client?: Partial<Omit<ClientOptions, 'settings'>>;
}

/** Tokens are `token-1`, `token-2`, ... in order of issue; retries do not wait unless the service asks. */
export async function setUp(handler: Handler, options: SetupOptions = {}): Promise<TestSetup> {
  let issued = 0;
  const issue = (): Answer => ({
    body: { access_token: `token-${++issued}`, token_type: 'bearer', expires_in: 3600 },
  });
  const service = await startHttpService((request, response) => {
    if (request.path === '/auth/o2/token') return (options.token ?? issue)(request, response);
    return handler(request, response);
  });
  const accounts = memoryAccounts(testAccount({ baseUrl: service.url, ...options.account }));
  const client = aloneClient({ accounts, ...options.client }, options.settings);
  const isExchange = ({ path }: { path: string }) => path === '/auth/o2/token';
  return {
    service,
    accounts,
    client,
    calls: () => service.requests.filter((request) => !isExchange(request)),
    exchanges: () => service.requests.filter(isExchange),
    async close() {
      await client.close();
      await service.close();
    },
  };
}

/** A client with a transport and a limiter of its own, which it closes with itself. */
export function aloneClient(
  options: Pick<ClientOptions, 'accounts'> & Partial<Omit<ClientOptions, 'settings'>>,
  changed: Partial<typeof settings> = {},
): Client {
  const all = { ...settings, ...changed };
  const { transport = createTransport(all), clock } = options;
  const limiter = createLocalLimiter(clock === undefined ? {} : { clock });
  const client = createClient({ limiter, random: () => 0, ...options, settings: all, transport });
  return {
    ...client,
    async close() {
      await client.close();
      await transport.close();
    },
  };
}

/** A read of one thing, changed as the test needs. */
export function operation(fields: Partial<Operation> = {}): Operation {
  return {
    id: 'Test/getThing',
    group: 'Test',
    name: 'getThing',
    method: 'GET',
    path: '/things/v1/things',
    parameters: [],
    effect: 'read',
    auth: { kind: 'seller' },
    source: 'user',
    ...fields,
  };
}

/** A write of one thing. */
export function writeOperation(fields: Partial<Operation> = {}): Operation {
  return operation({
    id: 'Test/putThing',
    name: 'putThing',
    method: 'PUT',
    effect: 'write',
    body: { required: true, schema: { type: 'object' } },
    ...fields,
  });
}

/** The error of a promise that must fail. */
export async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}
