/**
 * Tests who is let in: a token is good only where every part of it is, errors are explained, and there is no
 * other way in.
 */

import fc from 'fast-check';
import { generateKeyPair } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTokenCheck } from '../../src/http/caller/check-token.ts';
import { type StartedPeople, startPeople } from '../helpers/people-server.ts';

let people: StartedPeople;
beforeAll(async () => {
  // No test of its tokens waits for a key that the provider does not have.
  people = await startPeople({ provider: { cooldownMs: 10 } });
});
afterAll(() => people.close());

const now = () => Math.floor(Date.now() / 1000);

/** A way to change the claims, and whether a token with them is good. */
type Way = readonly [claims: () => Record<string, unknown>, isGood: boolean];
const CLAIMS: Readonly<Record<string, readonly Way[]>> = {
  iss: [
    [() => ({}), true],
    [() => ({ iss: `${people.issuer.issuer}/` }), false],
    [() => ({ iss: 'https://other.example' }), false],
    [() => ({ iss: undefined }), false],
  ],
  aud: [
    [() => ({}), true],
    [() => ({ aud: ['https://other.example', people.server.endpoint.href] }), true],
    [() => ({ aud: people.server.endpoint.origin }), false],
    [() => ({ aud: 'a-client' }), false],
    [() => ({ aud: [] }), false],
    [() => ({ aud: undefined }), false],
  ],
  time: [
    [() => ({}), true],
    [() => ({ nbf: now() - 60 }), true],
    [() => ({ exp: now() - 60 }), false],
    [() => ({ nbf: now() + 60 }), false],
    [() => ({ exp: undefined }), false],
    [() => ({ exp: `${now() + 600}` }), false],
  ],
  sub: [
    [() => ({}), true],
    [() => ({ sub: 'ben', client_id: 'the same client' }), true],
    [() => ({ sub: '' }), false],
    [() => ({ sub: undefined }), false],
    [() => ({ sub: 5 }), false],
    [() => ({ sub: ['anna'] }), false],
    [() => ({ sub: null }), false],
    [() => ({ sub: 'x'.repeat(600) }), false],
  ],
  scope: [
    [() => ({}), true],
    [() => ({ scope: 'openid seller:read' }), true],
    [() => ({ scope: undefined, scp: ['seller:read'] }), true],
    [() => ({ scope: 'openid' }), false],
    [() => ({ scope: undefined }), false],
    [() => ({ scope: 'seller:reader' }), false],
  ],
};

const SIGNED = [
  [{}, true],
  [{ typ: 'JWT' }, true],
  [{ typ: 'application/at+jwt' }, true],
  [{ typ: 'logout+jwt' }, false],
  [{ kid: 'key-99' }, false],
] as const;

it('takes a token where issuer, audience, time, person, scope and signature are right, and no other', async () => {
  const claims = fc.tuple(...Object.values(CLAIMS).map((ways) => fc.constantFrom(...ways)));
  await fc.assert(
    fc.asyncProperty(claims, fc.constantFrom(...SIGNED), async (chosen, [how, isWellSigned]) => {
      const token = await people.issuer.token(Object.assign({}, ...chosen.map(([make]) => make())), how);
      people.callers.length = 0;
      const answer = await people.call(token);
      const isGood = isWellSigned && chosen.every(([, good]) => good);
      expect(answer.status).toBe(isGood ? 200 : answer.status === 403 ? 403 : 401);
      expect(people.callers).toHaveLength(isGood ? 1 : 0);
      if (isGood) return;
      const challenge = answer.headers.get('www-authenticate') ?? '';
      expect(challenge).toContain(`resource_metadata="${people.server.endpoint.origin}/.well-known/`);
      expect(challenge).toContain('scope="seller:read"');
      expect(challenge).not.toContain(token);
    }),
    { numRuns: 150 },
  );
});

it('takes a text of groups for one group, whatever words are in its name', async () => {
  for (const [groups, read] of [
    ['not management seller:lamps:write', ['not management seller:lamps:write']],
    [
      ['sales team', 5, 'buyers'],
      ['sales team', 'buyers'],
    ],
    [{ management: true }, []],
  ] as const) {
    people.callers.length = 0;
    await people.call(await people.issuer.token({ groups }));
    expect(people.callers[0]?.groups).toEqual(read);
  }
});

it('says of each wrong token what is wrong with it', async () => {
  const { issuer, call } = people;
  const { privateKey } = await generateKeyPair('RS256');
  const pem = new TextEncoder().encode(await issuer.publicPem());
  const good = await issuer.token();
  const [header = '', payload = ''] = good.split('.');
  const none = `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${payload}.`;
  const tokens: Record<string, string | undefined> = {
    'Missing Authorization header': undefined,
    'signed in a way that is not allowed': none,
    'not allowed (alg)': await issuer.token({}, { alg: 'HS256', key: pem }),
    'The token does not say whom it is for.': await issuer.token({ sub: ['anna'] }),
    'The signature of the token does not fit': await issuer.token({}, { key: privateKey }),
    'key that the issuer does not have': await issuer.token({}, { kid: 'key-7', key: privateKey }),
    'not for this server (aud)': await issuer.token({ aud: 'https://other.example' }),
    'another issuer (iss)': await issuer.token({ iss: 'https://other.example' }),
    'has ended': await issuer.token({ exp: now() - 60 }),
    'not valid yet (nbf)': await issuer.token({ nbf: now() + 60 }),
    'has no end (exp)': await issuer.token({ exp: undefined }),
    'cannot be read': `${header}.${payload}`,
  };
  for (const [words, token] of Object.entries(tokens)) {
    const answer = await call(token);
    expect({ words, status: answer.status, says: answer.headers.get('www-authenticate') }).toMatchObject({
      status: 401,
      says: expect.stringContaining(words),
    });
  }
  const twice = await fetch(people.server.endpoint, {
    method: 'POST',
    headers: [
      ['authorization', `Bearer ${good}`],
      ['authorization', 'Bearer other'],
    ],
    body: '{}',
  });
  expect(twice.status).toBe(401);
  const huge = await call('x'.repeat(1_000_000)).catch(() => undefined);
  expect(huge?.status ?? 431).toBe(431);
});

it('asks for the keys once where a token names one that it does not know, and takes a new one', async () => {
  const fresh = await startPeople();
  const { issuer, call } = fresh;
  expect((await call(await issuer.token())).status).toBe(200);
  const before = issuer.keyRequests();
  const unknown = await issuer.token({}, { kid: 'key-99' });
  const answers = await Promise.all(Array.from({ length: 50 }, () => call(unknown)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  // The provider may have rotated its keys a moment ago: all of them wait for one more look.
  expect(issuer.keyRequests() - before).toBeLessThan(10);
  await fresh.close();
  const rotated = await startPeople({ provider: { cooldownMs: 0 } });
  const old = await rotated.issuer.token();
  expect((await rotated.call(old)).status).toBe(200);
  await rotated.issuer.rotate();
  const asked = rotated.issuer.keyRequests();
  const renewed = await rotated.issuer.token();
  const all = await Promise.all(Array.from({ length: 20 }, () => rotated.call(renewed)));
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
  expect(rotated.issuer.keyRequests() - asked).toBe(1);
  expect((await rotated.call(old)).status).toBe(401);
  await rotated.close();
});

it('lets a new key in at once, also where unknown keys have just had the keys asked for', async () => {
  const people = await startPeople();
  const { issuer, call } = people;
  expect((await call(await issuer.token())).status).toBe(200);
  const unknown = await issuer.token({}, { kid: 'key-99' });
  expect((await call(unknown)).status).toBe(401);
  await issuer.rotate();
  expect((await call(await issuer.token())).status).toBe(200);
  await people.close();
});

it('is not ready while nobody can be served, and is again', async () => {
  let why: string | undefined = 'the accounts cannot be read';
  const people = await startPeople({ readiness: async () => ({ why }) });
  expect((await people.call(await people.issuer.token())).status).toBe(200);
  const ready = async () => (await fetch(`http://127.0.0.1:${people.server.monitorPort}/readyz`)).status;
  expect(await ready()).toBe(503);
  why = undefined;
  expect(await ready()).toBe(200);
  await people.close();
});

it('checks a token that was right once, and again when it ends or other keys are held', async () => {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  let [asked, edition, time]: [number, number | undefined, number] = [0, 1, Date.now()];
  const provider = {
    key: async () => {
      asked += 1;
      return publicKey;
    },
    edition: () => edition,
  };
  const check = createTokenCheck(provider, { issuer: 'i', audience: 'a', now: () => time });
  const token = await people.issuer.token({ iss: 'i', aud: 'a' }, { key: privateKey });
  const other = await people.issuer.token({ iss: 'i', aud: 'a', sub: 'ben' }, { key: privateKey });
  expect((await check(token)).subject).toBe('anna');
  expect((await check(token)).subject).toBe('anna');
  expect(asked).toBe(1);
  expect((await check(other)).subject).toBe('ben');
  await expect(check(`${token}x`)).rejects.toThrow('does not fit');
  expect(asked).toBe(3);
  edition = 2;
  await check(token);
  expect(asked).toBe(4);
  time += 601_000;
  await check(token);
  expect(asked).toBe(5);
  // Keys that have to be asked for vouch for nothing.
  edition = undefined;
  await check(other);
  await check(other);
  expect(asked).toBe(7);
});

it('tells that the provider is away, lets nobody in, and does not make others wait for it', async () => {
  const away = await startPeople({ provider: { timeoutMs: 200 } });
  const { issuer, call } = away;
  const token = await issuer.token();
  issuer.mood.delayMs = 10_000;
  const first = await call(token);
  expect([first.status, first.headers.get('retry-after'), await first.text()]).toEqual([
    503,
    '5',
    expect.stringContaining('identity provider does not answer'),
  ]);
  const started = performance.now();
  const many = await Promise.all(Array.from({ length: 50 }, () => call(token)));
  expect(new Set(many.map(({ status }) => status))).toEqual(new Set([503]));
  // None of them waited for it: fifty timeouts one after the other would be ten seconds.
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(away.callers).toEqual([]);
  const ready = await fetch(`http://127.0.0.1:${away.server.monitorPort}/readyz`);
  expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('identity provider')]);
  await away.close();
});

it('serves those whose key it has while the provider is away', async () => {
  const fresh = await startPeople({ provider: { timeoutMs: 200 } });
  const token = await fresh.issuer.token();
  expect((await fresh.call(token)).status).toBe(200);
  fresh.issuer.mood.status = 500;
  const unknown = await fresh.issuer.token({}, { kid: 'key-99' });
  await Promise.all([fresh.call(unknown), fresh.call(unknown)]);
  expect((await fresh.call(token)).status).toBe(200);
  await fresh.close();
});

it('tells who is logged in and has no access apart from who is not, so that no client asks for another token', async () => {
  people.lose('gone');
  const answer = await people.call(await people.issuer.token({ sub: 'gone' }));
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([403, null]);
  expect(await answer.text()).toContain('no access here');
});

it('knows a person by issuer and subject, by name and groups beside it, and never by the client', async () => {
  people.callers.length = 0;
  const claims = {
    client_id: 'one-client-of-all',
    azp: 'x',
    name: 'Anna\u202e',
    preferred_username: 'anna',
    groups: ['a', 7, 'b'],
  };
  await people.call(await people.issuer.token(claims));
  expect(people.callers).toMatchObject([
    { issuer: people.issuer.issuer, subject: 'anna', name: 'anna', groups: ['a', 'b'] },
  ]);
});
