import { describe, expect, it } from 'vitest';
import { call, catalogPath, exchange, firstError, start, tokens } from '../helpers.ts';

describe('the token exchange', () => {
  it('answers as section 2.2 says, with a new refresh token', async () => {
    const sandbox = await start({ tokenLifetimeSeconds: 1800 });
    const { status, body } = await exchange(sandbox);
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^Atza\|.{100,}$/),
      refresh_token: expect.stringMatching(/^Atzr\|.{100,}$/),
      token_type: 'bearer',
      expires_in: 1800,
    });
    expect(body).not.toMatchObject({ refresh_token: sandbox.credentials.refreshToken });
    expect(sandbox.stats()).toMatchObject({ exchanges: 1, failedExchanges: 0, calls: 0 });
  });

  it('keeps the old refresh token until the new one is first used', async () => {
    const sandbox = await start();
    const original = sandbox.credentials.refreshToken;
    const first = await tokens(sandbox);
    const again = await tokens(sandbox);
    expect(sandbox.acceptsRefreshToken(original)).toBe(true);
    const second = await tokens(sandbox, { refresh_token: first.refresh });
    expect(sandbox.acceptsRefreshToken(original)).toBe(false);
    expect((await exchange(sandbox)).body).toMatchObject({ error: 'invalid_grant' });
    // A sibling bought by another process lives on, and the one just used does too.
    for (const refresh of [again.refresh, first.refresh, second.refresh]) {
      expect((await exchange(sandbox, { refresh_token: refresh })).status).toBe(200);
    }
  });

  it('drops the whole line of ancestors when a later one is used first', async () => {
    const sandbox = await start();
    const a = await tokens(sandbox);
    const b = await tokens(sandbox, { refresh_token: a.refresh });
    await tokens(sandbox, { refresh_token: b.refresh });
    expect(sandbox.acceptsRefreshToken(a.refresh)).toBe(false);
    expect(sandbox.acceptsRefreshToken(b.refresh)).toBe(true);
  });

  it('returns the same refresh token when it does not rotate', async () => {
    const sandbox = await start({ rotate: false, credentials: { refreshToken: 'given' } });
    expect((await exchange(sandbox)).body).toMatchObject({ refresh_token: 'given' });
    expect((await exchange(sandbox)).status).toBe(200);
  });

  it('takes a form as well', async () => {
    const sandbox = await start();
    const { clientId, clientSecret, refreshToken } = sandbox.credentials;
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
    const response = await fetch(`${sandbox.authUrl}/auth/o2/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...form, client_id: clientId, client_secret: clientSecret }),
    });
    expect(response.status).toBe(200);
  });

  it.each([
    [{ client_secret: 'wrong' }, 401, 'invalid_client'],
    [{ client_id: 'wrong' }, 401, 'invalid_client'],
    [{ refresh_token: 'wrong' }, 400, 'invalid_grant'],
    [{ refresh_token: undefined }, 400, 'invalid_request'],
    [{ client_id: undefined }, 400, 'invalid_request'],
    [{ refresh_token: 7 }, 400, 'invalid_request'],
    [{ grant_type: undefined }, 400, 'invalid_request'],
    [{ grant_type: 'password' }, 400, 'unsupported_grant_type'],
    [{ grant_type: 'client_credentials' }, 400, 'invalid_scope'],
    [{ grant_type: 'client_credentials', scope: 'everything' }, 400, 'invalid_scope'],
  ])('refuses %o', async (changes, status, error) => {
    const sandbox = await start();
    const reply = await exchange(sandbox, changes);
    expect(reply.status).toBe(status);
    expect(reply.body).toEqual({ error, error_description: expect.any(String) });
    expect(JSON.stringify(reply.body)).not.toContain(sandbox.credentials.clientSecret);
    expect(sandbox.stats()).toMatchObject({ exchanges: 0, failedExchanges: 1 });
  });

  it.each(['{', '[]', '""', ''])('refuses the body %j', async (text) => {
    const sandbox = await start();
    const reply = await call(sandbox, '/auth/o2/token', { method: 'POST', text });
    expect([reply.status, reply.body]).toMatchObject([400, { error: 'invalid_request' }]);
  });

  it('gives a grantless token that a seller operation refuses', async () => {
    const sandbox = await start();
    const scope = 'sellingpartnerapi::notifications';
    const reply = await exchange(sandbox, { grant_type: 'client_credentials', scope });
    expect(reply.status).toBe(200);
    expect(reply.body).not.toHaveProperty('refresh_token');
    const { access } = await tokens(sandbox, { grant_type: 'client_credentials', scope });
    const refused = await call(sandbox, catalogPath('B0SBX00001'), { token: access });
    expect([refused.status, firstError(refused).code]).toEqual([403, 'Unauthorized']);
  });
});

describe('access tokens', () => {
  it('answers 401 without one and with an unknown one', async () => {
    const sandbox = await start();
    const missing = await call(sandbox, catalogPath('B0SBX00001'));
    const unknown = await call(sandbox, catalogPath('B0SBX00001'), { token: 'Atza|nobody' });
    expect([missing.status, unknown.status]).toEqual([401, 401]);
    expect(firstError(missing).details).toMatch(/missing/);
    expect(firstError(unknown).details).toMatch(/revoked, malformed or invalid/);
    expect(sandbox.stats().rejectedTokens).toBe(2);
  });

  it('expires for real, in the words of the public service', async () => {
    let now = Date.parse('2026-11-20T12:00:00Z');
    const sandbox = await start({ tokenLifetimeSeconds: 60, now: () => now });
    const { access } = await tokens(sandbox);
    now += 59_999;
    expect((await call(sandbox, catalogPath('B0SBX00001'), { token: access })).status).toBe(200);
    now += 1;
    const expired = await call(sandbox, catalogPath('B0SBX00001'), { token: access });
    expect(expired.status).toBe(403);
    expect(expired.body).toEqual({
      errors: [
        {
          code: 'Unauthorized',
          message: 'Access to requested resource is denied.',
          details: 'The access token you provided has expired.',
        },
      ],
    });
  });

  it('can be expired and revoked on demand', async () => {
    const sandbox = await start();
    const [first, second] = [await tokens(sandbox), await tokens(sandbox)];
    sandbox.revokeAccessToken(first.access);
    const status = async (token: string): Promise<number> =>
      (await call(sandbox, catalogPath('B0SBX00001'), { token })).status;
    expect([await status(first.access), await status(second.access)]).toEqual([401, 200]);
    sandbox.expireTokens();
    expect(await status(second.access)).toBe(403);
    expect(await status((await tokens(sandbox)).access)).toBe(200);
  });

  it('can travel in another header', async () => {
    const sandbox = await start({ accessTokenHeader: 'Authorization-Token' });
    const { access } = await tokens(sandbox);
    const headers = { 'authorization-token': access };
    expect((await call(sandbox, catalogPath('B0SBX00001'), { headers })).status).toBe(200);
    expect((await call(sandbox, catalogPath('B0SBX00001'), { token: access })).status).toBe(401);
  });
});
