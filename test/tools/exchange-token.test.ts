import { afterEach, expect, it } from 'vitest';
import { exchangeToken } from '../../tools/exchange-token.ts';
import { startHttpService } from '../helpers/http-service.ts';
import { startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';

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

it('values given as arguments go out instead of the configured ones, and stay in memory', async () => {
  runner = await startToolRunner(() => ({ body: {} }));
  const given = { refresh_token: 'Atzr|given', client_id: 'given-id', client_secret: 'given-secret' };
  const { text, structured } = await runner.run(exchangeToken, given);
  expect(runner.exchanges()[0]?.json).toEqual({ grant_type: 'refresh_token', ...given });
  expect(text + JSON.stringify(structured)).not.toMatch(/given-secret|Atzr\|given/);
  await runner.run(exchangeToken, {});
  expect(runner.exchanges()[1]?.json).toMatchObject({ refresh_token: 'Atzr|given' });
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
