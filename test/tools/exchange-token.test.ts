import { afterEach, expect, it, vi } from 'vitest';
import { exchangeToken } from '../../tools/exchange-token.ts';
import { readOperation } from '../../tools/read-operation.ts';
import { writeOperation } from '../../tools/write-operation.ts';
import { startHttpService } from '../helpers/http-service.ts';
import { nobody, startToolRunner, type ToolRunner, toolContext } from '../helpers/tool-runner.ts';
import { createFolder, readEntries } from '../write/records/journal/helpers.ts';

let runner: ToolRunner;
afterEach(() => runner.close());

const identityProvider = (answer: { status?: number; body: unknown }) => startHttpService(() => answer);
const token = { access_token: 'Atza|canary-access', token_type: 'bearer', expires_in: 1800 };

it('posts the four documented fields as JSON', async () => {
  runner = await startToolRunner(() => ({ status: 404 }));
  await runner.run(exchangeToken, {});
  expect(runner.exchanges()).toMatchObject([
    {
      method: 'POST',
      path: '/auth/o2/token',
      headers: { 'content-type': 'application/json' },
      json: {
        grant_type: 'refresh_token',
        refresh_token: 'Atzr|refresh-1',
        client_id: 'client-1',
        client_secret: 'client-secret-1',
      },
    },
  ]);
  expect(runner.exchanges()[0]?.headers).not.toHaveProperty('x-amz-access-token');
});

it('masks both tokens, tells the lifetime, and says when the refresh token was replaced', async () => {
  const provider = await identityProvider({ body: { ...token, refresh_token: 'Atzr|canary-rotated' } });
  runner = await startToolRunner(() => undefined, { SELLER_AUTH_URL: provider.url });
  const before = Date.now();
  const { text, structured } = await runner.run(exchangeToken, {});
  expect(structured).toMatchObject({
    account: 'default',
    access_token: 'Atza|…(18 characters)',
    refresh_token: 'Atzr|…(19 characters)',
    token_type: 'bearer',
    expires_in: 1800,
    refresh_token_rotated: true,
  });
  const expiresAt = Date.parse(String(structured.expires_at));
  expect(expiresAt).toBeGreaterThanOrEqual(before + 1_790_000);
  expect(expiresAt).toBeLessThanOrEqual(Date.now() + 1_800_000);
  expect(text + JSON.stringify(structured)).not.toContain('canary');
  await provider.close();
});

it('exchanges anew every time, and the newest token serves the calls that follow', async () => {
  runner = await startToolRunner(() => ({ body: {} }));
  await runner.run(exchangeToken, {});
  await runner.run(exchangeToken, {});
  const client = await runner.session.client();
  const operation = (await runner.session.program.registry()).find('getSupplySources');
  await client.call({ operation, account: 'default', parameters: {} });
  expect(runner.exchanges()).toHaveLength(2);
  expect(runner.calls()).toMatchObject([{ headers: { 'x-amz-access-token': 'Atza|token-2' } }]);
});

const GIVEN = { refresh_token: 'Atzr|given', client_id: 'given-id', client_secret: 'given-secret' };
const code = async (more: object = {}) =>
  (await runner.run(exchangeToken, { ...GIVEN, ...more })).structured.confirmation_code;

it('given values are shown first, and become an account of their own after a yes', async () => {
  runner = await startToolRunner(() => ({ body: {} }), { SELLER_WRITES: 'code' });
  const asked = await runner.run(exchangeToken, GIVEN);
  const name = String(asked.structured.account);
  expect(name).toMatch(/^given:[0-9a-f]{12}$/);
  expect(asked.structured).toMatchObject({ outcome: 'needs_confirmation', client_id: 'given-id' });
  expect(asked.text).toMatch(/Client id: "given-id"\nSeller: NOT VERIFIED\./);
  expect(asked.text).toContain(`Calls with this account go to: "${runner.service.url}"`);
  expect(runner.exchanges()).toEqual([]);
  const confirmationCode = asked.structured.confirmation_code;
  const { text, structured } = await runner.run(exchangeToken, { ...GIVEN, confirmationCode });
  expect(structured).toMatchObject({ outcome: 'done', account: name, client_id: 'given-id' });
  expect(text).toContain(`account: "${name}"`);
  expect(runner.exchanges()[0]?.json).toEqual({ grant_type: 'refresh_token', ...GIVEN });
  expect(JSON.stringify([asked, text, structured])).not.toMatch(/given-secret|Atzr\|given/);
  // The account that calls mean when they name none is what it was.
  await runner.run(exchangeToken, {});
  expect(runner.exchanges()[1]?.json).toMatchObject({
    client_id: 'client-1',
    refresh_token: 'Atzr|refresh-1',
  });
  await runner.run(exchangeToken, { account: name });
  expect(runner.exchanges()[2]?.json).toMatchObject({ client_id: 'given-id', refresh_token: 'Atzr|given' });
  expect(await (await runner.session.accounts()).names()).toEqual(['default', name]);
});

it.each([
  ['another refresh token', { refresh_token: 'Atzr|other' }],
  ['another secret', { client_secret: 'other-secret' }],
  ['another application', { client_id: 'other-id' }],
])('a code for given values is good for those values only, not for %s, and once', async (_case, change) => {
  runner = await startToolRunner(() => ({ body: {} }), { SELLER_WRITES: 'code' });
  const confirmationCode = await code();
  const other = runner.run(exchangeToken, { ...GIVEN, ...change, confirmationCode });
  await expect(other).rejects.toMatchObject({ name: 'WriteRefusedError' });
  expect(runner.exchanges()).toEqual([]);
  await runner.run(exchangeToken, { ...GIVEN, confirmationCode });
  await expect(runner.run(exchangeToken, { ...GIVEN, confirmationCode })).rejects.toThrow('was used already');
  expect(runner.exchanges()).toHaveLength(1);
});

it('a code for a write of the own seller is not taken for a given account, nor the other way round', async () => {
  runner = await startToolRunner(() => ({ body: {} }), { SELLER_WRITES: 'code' });
  const write = {
    operation: 'updateSupplySourceStatus',
    parameters: { supplySourceId: 's' },
    body: { status: 'Inactive' },
  };
  const own = (await runner.run(writeOperation, write)).structured.confirmation_code;
  const { structured } = await runner.run(exchangeToken, { ...GIVEN, confirmationCode: await code() });
  const theirs = { ...write, account: structured.account };
  await expect(runner.run(writeOperation, { ...theirs, confirmationCode: own })).rejects.toMatchObject({
    name: 'WriteRefusedError',
  });
  const preview = await runner.run(writeOperation, theirs);
  expect(preview.text).toMatch(/^Seller: NOT VERIFIED.*, account given:/m);
  expect(preview.text).toContain(`, account ${structured.account}\n`);
  const confirmationCode = preview.structured.confirmation_code;
  const elsewhere = { ...write, account: 'default', confirmationCode };
  await expect(runner.run(writeOperation, elsewhere)).rejects.toThrow('another content');
  // Only the state was read, for the previews.
  expect(runner.calls().filter(({ method }) => method !== 'GET')).toEqual([]);
});

it.each<Record<string, string>>([
  { SELLER_WRITES: 'deny' },
  { SELLER_READ_ONLY: 'true', SELLER_WRITES: 'allow' },
])(
  'given values are refused under %j, and the refusal is in the journal without a secret',
  async (settings) => {
    const folder = await createFolder();
    runner = await startToolRunner(() => ({ body: {} }), { ...settings, SELLER_STATE_DIR: folder });
    const person = { ...nobody, canConfirm: true };
    for (const confirmationCode of [undefined, 'aaaa-bbbb-cccc-dddd-eeee-ffff'])
      await expect(
        runner.run(exchangeToken, { ...GIVEN, confirmationCode }, { person }),
      ).rejects.toMatchObject({ name: 'WriteRefusedError', hint: expect.stringContaining('login') });
    expect(runner.exchanges()).toEqual([]);
    const entries = await readEntries(folder);
    expect(entries).toMatchObject([
      {
        outcome: 'refused',
        operation: 'Authentication/exchangeToken',
        parameters: { client_id: 'given-id' },
      },
      { outcome: 'refused' },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/given-secret|Atzr/);
    // The own account is only read, so it is exchanged as before.
    expect((await runner.run(exchangeToken, {})).structured).toMatchObject({ outcome: 'done' });
  },
);

it('given values that do not work leave no account, and their failure is in the journal', async () => {
  const folder = await createFolder();
  const provider = await identityProvider({ status: 400, body: { error: 'invalid_grant' } });
  const settings = { SELLER_AUTH_URL: provider.url, SELLER_WRITES: 'allow', SELLER_STATE_DIR: folder };
  runner = await startToolRunner(() => undefined, settings);
  await expect(runner.run(exchangeToken, GIVEN)).rejects.toMatchObject({ reason: 'refused' });
  expect(await (await runner.session.accounts()).names()).toEqual(['default']);
  expect(await readEntries(folder)).toMatchObject([{ outcome: 'failed' }]);
  await provider.close();
});

it('a rotated token stays with the given account', async () => {
  let issued = 0;
  const provider = await startHttpService(() => ({
    body: { ...token, refresh_token: `Atzr|rotated-${++issued}` },
  }));
  runner = await startToolRunner(() => undefined, { SELLER_AUTH_URL: provider.url, SELLER_WRITES: 'allow' });
  const { structured } = await runner.run(exchangeToken, GIVEN);
  expect(structured).toMatchObject({ refresh_token_rotated: true });
  await runner.run(exchangeToken, { account: structured.account });
  await runner.run(exchangeToken, {});
  expect(provider.requests.map(({ json }) => Object(json).refresh_token)).toEqual([
    'Atzr|given',
    'Atzr|rotated-1',
    'Atzr|refresh-1',
  ]);
  await provider.close();
});

it('a set that is not whole is refused; nothing is filled in from the account', async () => {
  runner = await startToolRunner(() => ({ body: {} }), { SELLER_WRITES: 'allow' });
  for (const part of [{ refresh_token: 'Atzr|given' }, { client_id: 'client-1', client_secret: 'renewed' }])
    await expect(runner.run(exchangeToken, part)).rejects.toMatchObject({ name: 'InputError' });
  expect(runner.exchanges()).toEqual([]);
});

it('the name of a given account means nothing in another process', async () => {
  runner = await startToolRunner(() => ({ body: {} }));
  await expect(runner.run(exchangeToken, { account: 'given:0123456789ab' })).rejects.toMatchObject({
    name: 'InputError',
    message: expect.stringContaining('There is no account "given:0123456789ab" in this process'),
  });
});

it('a refusal names the code and the next step, never the secret', async () => {
  const body = { error: 'invalid_client', error_description: 'client-secret-1 is wrong' };
  const provider = await identityProvider({ status: 401, body });
  runner = await startToolRunner(() => undefined, { SELLER_AUTH_URL: provider.url });
  const failure: unknown = await runner.run(exchangeToken, {}).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    name: 'CredentialError',
    reason: 'refused',
    message: expect.stringContaining('invalid_client'),
    hint: expect.stringContaining('log in again'),
  });
  expect(String(failure)).not.toContain('client-secret-1');
  await provider.close();
});

it('takes no other grant', async () => {
  runner = await startToolRunner(() => undefined);
  await expect(runner.run(exchangeToken, { grant_type: 'password' })).rejects.toMatchObject({
    problems: [{ path: 'grant_type', message: 'must be one of: refresh_token' }],
  });
  expect(runner.service.requests).toEqual([]);
});

it('a call that is cancelled takes nothing away from one that succeeds with the same values', async () => {
  const { promise: asked, resolve: arrived } = Promise.withResolvers<void>();
  const { promise: held, resolve: answer } = Promise.withResolvers<void>();
  const provider = await startHttpService(async () => {
    arrived();
    await held;
    return { body: token };
  });
  const folder = await createFolder();
  runner = await startToolRunner(() => ({ body: { payload: [] } }), {
    SELLER_AUTH_URL: provider.url,
    SELLER_WRITES: 'allow',
    SELLER_STATE_DIR: folder,
  });
  const cancelled = new AbortController();
  const { call } = toolContext(runner.session);
  const first = runner.run(exchangeToken, GIVEN, { call: { ...call, signal: cancelled.signal } });
  const ended = expect(first).rejects.toThrow('cancelled');
  await asked;
  const second = runner.run(exchangeToken, GIVEN);
  // Both hold the account before the first ends.
  await vi.waitFor(async () => expect(await readEntries(folder)).toHaveLength(2));
  cancelled.abort();
  await ended;
  answer();
  const { structured } = await second;
  const account = String(structured.account);
  await runner.run(readOperation, { operation: 'getMarketplaceParticipations', account });
  expect(runner.calls()).toHaveLength(1);
  await provider.close();
});
