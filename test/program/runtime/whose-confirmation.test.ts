/** A yes belongs to one seller at one address: an account of the same name that has become another's does not get it. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CredentialStore, StoredAccount } from '../../../src/accounts/account.ts';
import { createMemoryStore } from '../../../src/accounts/memory-store.ts';
import { openSession } from '../../../src/program/runtime/open-session.ts';
import { createProgram } from '../../../src/program/runtime/program.ts';
import { writeOperation } from '../../../tools/write-operation.ts';
import { type HttpService, startHttpService } from '../../helpers/http-service.ts';
import { createTestOutside } from '../../helpers/outside.ts';
import { toolContext } from '../../helpers/tool-runner.ts';

const WRITE = {
  operation: 'updateSupplySourceStatus',
  parameters: { supplySourceId: 'store-1' },
  body: { status: 'Inactive' },
};

let service: HttpService;
let folder: string;
let store: CredentialStore;
let close: () => Promise<void>;
let write: (more?: object) => Promise<Record<string, unknown>>;
let replace: (change: Partial<StoredAccount>) => Promise<void>;
let exchange: () => Promise<unknown>;
let rotates = false;
const sent = () => service.requests.filter(({ method }) => method === 'PUT');

beforeEach(async () => {
  rotates = false;
  let issued = 0;
  service = await startHttpService(({ path }) => {
    if (!path.startsWith('/auth')) return { status: 204 };
    issued += 1;
    const refresh = rotates ? { refresh_token: `Atzr|rotated-${issued}` } : {};
    return { body: { access_token: `Atza|${issued}`, token_type: 'bearer', expires_in: 3600, ...refresh } };
  });
  folder = await mkdtemp(join(tmpdir(), 'seller-whose-'));
  const mine: StoredAccount = {
    clientId: 'client-mine',
    clientSecret: 'secret-mine',
    refreshToken: 'Atzr|mine',
    baseUrl: service.url,
    authUrl: service.url,
  };
  store = createMemoryStore({ default: mine });
  const env = { SELLER_STATE_DIR: folder, SELLER_DATA_DIR: join(folder, 'data'), SELLER_WRITES: 'code' };
  const program = { ...createProgram(createTestOutside({ env })), store: async () => store };
  const session = openSession(program);
  write = async (more = {}) =>
    (await writeOperation.invoke({ ...WRITE, ...more }, toolContext(session))).structured;
  exchange = async () => (await session.client()).exchangeToken('default');
  replace = async (change) => {
    // The credentials page changes an account like this after storing what the user typed.
    await store.write('default', { ...mine, ...change });
    (await session.accounts()).forget('default');
  };
  close = async () => {
    await session.close();
    await program.close();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  };
});
afterEach(() => close());

it.each([
  ['another application', { clientId: 'client-theirs' }],
  ['another login of the same application', { refreshToken: 'Atzr|theirs' }],
  ['another seller id', { sellerId: 'A2THEIRS' }],
  ['another address', { baseUrl: 'https://theirs.example' }],
  ['another identity provider', { authUrl: 'https://theirs.example' }],
])('a code is refused when its account has become that of %s', async (_case, change) => {
  const confirmationCode = (await write()).confirmation_code;
  await replace(change);
  await expect(write({ confirmationCode })).rejects.toMatchObject({
    name: 'WriteRefusedError',
    message: expect.stringContaining('other credentials, another seller or another address'),
  });
  expect(sent()).toEqual([]);
  await replace({});
  expect(await write({ confirmationCode })).toMatchObject({ outcome: 'done' });
});

it('a code survives that the refresh token is replaced, by this process or another', async () => {
  rotates = true;
  const confirmationCode = (await write()).confirmation_code;
  await exchange();
  expect((await store.read('default'))?.refreshToken).toMatch(/^Atzr\|rotated/);
  expect(await write({ confirmationCode })).toMatchObject({ outcome: 'done' });
  expect(sent()).toHaveLength(1);
});
