import { afterEach, describe, expect, it } from 'vitest';
import { AppError, CancelledError, CredentialError, NetworkError } from '../../../src/base/errors.ts';
import { boughtWith } from '../../../src/call/tokens/shared-token.ts';
import type { Answer, Handler } from '../../helpers/http-service.ts';
import { failureOf, operation, type SetupOptions, setUp, type TestSetup } from '../../helpers/test-client.ts';
import { words } from '../../helpers/words.ts';

let setup: TestSetup;
const start = async (handler: Handler, options?: SetupOptions) => {
  setup = await setUp(handler, options);
  return setup;
};
afterEach(() => setup.close());

const input = { operation: operation(), parameters: {}, account: 'default' };
const calls = (count: number) =>
  Promise.allSettled(Array.from({ length: count }, () => setup.client.call(input)));
const fulfilled = (results: PromiseSettledResult<unknown>[]) =>
  results.filter(({ status }) => status === 'fulfilled');
const token = (request: { headers: Record<string, unknown> }) => request.headers['x-amz-access-token'];
const ok: Handler = () => ({ body: {} });

/** Accepts only the token issued last; what the service does when it takes an earlier one back. */
function rejecting(rejected: string, answer: Answer): Handler {
  return (request) => (token(request) === rejected ? answer : { body: {} });
}

describe('one exchange', () => {
  it('serves 50 cold calls at once', async () => {
    const { exchanges } = await start(ok);
    expect(fulfilled(await calls(50))).toHaveLength(50);
    expect(exchanges()).toHaveLength(1);
    expect(exchanges()[0]).toMatchObject({
      method: 'POST',
      json: {
        grant_type: 'refresh_token',
        refresh_token: 'refresh-canary-1',
        client_id: 'client-1',
        client_secret: 'secret-canary-1',
      },
    });
    expect(exchanges()[0]?.headers['content-type']).toBe('application/json');
  });

  it.each([
    ['401', { status: 401 }],
    [
      '403 that says so',
      {
        status: 403,
        body: {
          errors: [{ code: 'Unauthorized', message: 'Denied', details: 'The access token has expired.' }],
        },
      },
    ],
  ])('follows when the token of 50 calls in flight is rejected with %s', async (_name, answer) => {
    const { exchanges, client } = await start(rejecting('token-1', answer));
    await client.exchangeToken('default');
    expect(fulfilled(await calls(50))).toHaveLength(50);
    expect(exchanges()).toHaveLength(2);
  });

  it('is all that a second rejection gets: then it is an error', async () => {
    const { exchanges, client } = await start(() => ({
      status: 401,
      body: { code: 'Unauthorized', message: 'no' },
    }));
    const error = await failureOf(client.call(input));
    expect(error).toMatchObject({ status: 401, hint: expect.stringContaining('authorized') });
    expect(exchanges()).toHaveLength(2);
    expect(setup.calls()).toHaveLength(2);
  });

  it('does not follow a 403 of another cause', async () => {
    const { exchanges, client } = await start(() => ({
      status: 403,
      body: { code: 'Unauthorized', message: 'no role' },
    }));
    expect(await failureOf(client.call(input))).toMatchObject({
      status: 403,
      hint: expect.stringContaining('role'),
    });
    expect(exchanges()).toHaveLength(1);
  });

  it('is not disturbed by one of its callers leaving', async () => {
    const leaving = new AbortController();
    const { client, exchanges } = await start(ok, {
      token: async () => {
        leaving.abort();
        await new Promise((resolve) => setTimeout(resolve, 50));
        return { body: { access_token: 'slow', expires_in: 3600 } };
      },
    });
    const left = failureOf(client.call(input, { signal: leaving.signal }));
    const stays = client.call(input);
    expect(await left).toBeInstanceOf(CancelledError);
    expect((await stays).status).toBe(200);
    expect(exchanges()).toHaveLength(1);
  });
});

it.each([400, 500])(
  'an identity provider that says nothing but the secret is not quoted (%i)',
  async (status) => {
    const secret = 'secret-canary-1';
    await start(ok, { token: () => ({ status, body: { code: secret, message: secret } }) });
    const error = await failureOf(setup.client.call(input));
    expect(error).toBeInstanceOf(AppError);
    expect(JSON.stringify([String(error), error])).not.toContain(secret);
  },
);

describe('a failed exchange', () => {
  const wrongSecret: Handler = (request) => ({
    status: 401,
    body: { error: 'invalid_client', error_description: `bad secret ${JSON.stringify(request.json)}` },
  });

  it('is told to all who waited, with the code and what to do, and without any secret', async () => {
    const { exchanges } = await start(ok, { token: wrongSecret });
    const results = await calls(10);
    expect(exchanges()).toHaveLength(1);
    for (const result of results) {
      const error = result.status === 'rejected' ? result.reason : undefined;
      expect(error).toBeInstanceOf(CredentialError);
      expect(error).toMatchObject({ reason: 'refused', message: expect.stringContaining('invalid_client') });
      expect(error.hint).toContain('client secret');
      expect(JSON.stringify([error.message, error.hint, error.stack])).not.toContain('canary');
    }
  });

  it.each(['secret-canary-1', 'invalid_client secret-canary-1', 'refresh-canary-1'])(
    'passes on no code that repeats a secret: %s',
    async (code) => {
      const { client } = await start(ok, {
        token: () => ({ status: 400, body: { error: code, error_description: `see ${code}` } }),
      });
      const error = await failureOf(client.call(input));
      expect(error).toMatchObject({ code: 'status 400', message: expect.stringContaining('(status 400)') });
      expect(JSON.stringify(error)).not.toContain('canary');
    },
  );

  it.each([500, 418, 429])(
    'with %i repeats no secret either, and keeps the words that hold none',
    async (status) => {
      const errors = [
        { code: 'Down', message: 'for secret-canary-1' },
        { code: 'refresh-canary-1', message: '' },
        { code: '', message: 'Later.' },
      ];
      const { client } = await start(ok, { token: () => ({ status, body: { errors } }) });
      const error = await failureOf(client.call(input));
      expect(error).toHaveProperty('message', expect.stringMatching(/: «Down; Later\.»$/));
      expect(JSON.stringify(error)).not.toContain('canary');
    },
  );

  it('that is no refusal says whose it is, with what the provider gave to ask about it', async () => {
    const { client } = await start(ok, {
      token: () => ({
        status: 418,
        headers: { 'x-amzn-requestid': 'r' },
        body: { error: 'tea', error_description: 'pot' },
      }),
    });
    expect(await failureOf(client.call(input))).toMatchObject({
      status: 418,
      requestId: words('r'),
      message: 'The identity provider failed: token exchange with the identity provider: 418: «tea: pot»',
      hint: 'No call was made with it. Check auth-url if this stays.',
    });
  });

  it('for want of an answer is tried again first, and does not multiply with the retries of the call', async () => {
    const { client, exchanges } = await start(ok, { token: () => ({ status: 503, body: 'down' }) });
    expect(await failureOf(client.call(input))).toMatchObject({ status: 503 });
    expect(exchanges()).toHaveLength(3);
  });

  it('for want of a provider says that nothing was sent', async () => {
    const { client } = await start(ok, { account: { authUrl: 'http://127.0.0.1:1' } });
    const error = await failureOf(client.call(input));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ fate: 'not-sent', message: expect.stringContaining('No access token') });
    expect(setup.calls()).toHaveLength(0);
  });

  it.each([
    [{ status: 200, body: {} }],
    [{ status: 200, body: { access_token: '' } }],
    [{ status: 200, body: { access_token: 'a\r\nx: y' } }],
    [{ status: 200, body: [] }],
  ])('is any success without a usable token: %j', async (answer) => {
    const { client } = await start(ok, { token: () => answer });
    expect(await failureOf(client.call(input))).toBeInstanceOf(CredentialError);
  });
});

describe('rotation', () => {
  const rotating: Handler = () => ({
    body: { access_token: 'a', refresh_token: 'refresh-canary-2', expires_in: 3600 },
  });

  it('makes the new refresh token safe before the access token is first used', async () => {
    const order: string[] = [];
    const { client, accounts, exchanges } = await start(
      () => {
        order.push('used');
        return { body: {} };
      },
      { token: rotating },
    );
    const rotated = accounts.rotated;
    accounts.rotated = async (...args) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      order.push('safe');
      await rotated(...args);
    };
    await client.call(input);
    await client.call(input);
    expect(order).toEqual(['safe', 'used', 'used']);
    expect(accounts.rotations).toEqual([
      { name: 'default', from: 'refresh-canary-1', to: 'refresh-canary-2' },
    ]);
    expect(exchanges()).toHaveLength(1);
  });

  it('goes on in memory, with a warning, when the new one cannot be stored', async () => {
    const warnings: string[] = [];
    const { client, accounts, exchanges } = await start(ok, {
      token: rotating,
      client: { warn: (message) => warnings.push(message) },
    });
    accounts.rotated = () => Promise.reject(new CredentialError('unreachable', 'no keychain'));
    await client.call(input);
    await client.call(input);
    expect(exchanges()).toHaveLength(1);
    await client.exchangeToken('default');
    expect(exchanges()[1]?.json).toMatchObject({ refresh_token: 'refresh-canary-2' });
    expect(warnings).toHaveLength(1);
    expect(warnings.join()).not.toContain('canary');
  });

  it('is an error when the store has nothing newer', async () => {
    const { client, exchanges } = await start(ok, {
      token: () => ({ status: 400, body: { error: 'invalid_grant' } }),
    });
    expect(await failureOf(client.call(input))).toHaveProperty('hint', expect.stringContaining('log in'));
    expect(exchanges()).toHaveLength(1);
  });
});

describe('the token that processes share', () => {
  const stored = (fields = {}) => ({
    accessToken: 'of-another-process',
    expiresAt: Date.now() + 3_600_000,
    boughtWith: boughtWith({ clientId: 'client-1', refreshToken: 'refresh-canary-1' }),
    ...fields,
  });

  it('is used instead of buying one', async () => {
    const { client, accounts, exchanges } = await start(ok);
    accounts.tokens.set('default', stored());
    await client.call(input);
    expect(exchanges()).toHaveLength(0);
    expect(setup.calls().map(token)).toEqual(['of-another-process']);
  });

  it('is replaced when the service rejects it', async () => {
    const { client, accounts, exchanges } = await start(rejecting('of-another-process', { status: 401 }));
    accounts.tokens.set('default', stored());
    await client.call(input);
    expect(exchanges()).toHaveLength(1);
    expect(accounts.tokens.get('default')).toMatchObject({
      accessToken: 'token-1',
      boughtWith: stored().boughtWith,
    });
  });
});

describe('exchangeToken', () => {
  it('exchanges at once and its token serves the calls that follow', async () => {
    const secrets: string[] = [];
    const { client, exchanges } = await start(ok, { client: { onSecret: (secret) => secrets.push(secret) } });
    await client.call(input);
    expect(await client.exchangeToken('default')).toMatchObject({
      accessToken: 'token-2',
      tokenType: words('bearer'),
      expiresInSeconds: 3600,
      refreshToken: 'refresh-canary-1',
      rotated: false,
    });
    await client.call(input);
    expect(setup.calls().map(token)).toEqual(['token-1', 'token-2']);
    expect(exchanges()).toHaveLength(2);
    expect(secrets).toEqual(expect.arrayContaining(['token-1', 'token-2']));
  });
});

describe('without a seller', () => {
  const scoped = (scope: string) => ({
    ...input,
    operation: operation({ id: `Test/${scope}`, auth: { kind: 'grantless', scope } }),
  });

  it('a token is bought with client credentials and kept per scope', async () => {
    const { client, exchanges } = await start(ok);
    await client.call(scoped('a'));
    await client.call(scoped('a'));
    await client.call(scoped('b'));
    expect(exchanges().map(({ json }) => json)).toEqual(
      ['a', 'b'].map((scope) => ({
        grant_type: 'client_credentials',
        scope,
        client_id: 'client-1',
        client_secret: 'secret-canary-1',
      })),
    );
    expect(setup.calls().map(token)).toEqual(['token-1', 'token-1', 'token-2']);
  });

  it('a rejected one is renewed once', async () => {
    const { client, exchanges } = await start(rejecting('token-1', { status: 401 }));
    expect((await client.call(scoped('a'))).status).toBe(200);
    expect(exchanges()).toHaveLength(2);
  });
});

describe('the tokens of two accounts', () => {
  it('are apart: the 401 of one drops nothing of the other', async () => {
    const { client, accounts, exchanges } = await start(rejecting('token-2', { status: 401 }));
    accounts.set({ ...(await accounts.get('default')), name: 'other', refreshToken: 'refresh-canary-2' });
    await client.call(input);
    await client.call({ ...input, account: 'other' });
    await client.call(input);
    expect(setup.calls().map(token)).toEqual(['token-1', 'token-2', 'token-3', 'token-1']);
    expect(exchanges()).toHaveLength(3);
  });
});
