import { describe, expect, it } from 'vitest';
import type { Account } from '../../../src/accounts/account.ts';
import { CredentialError } from '../../../src/base/errors.ts';
import { ServiceText } from '../../../src/base/text/service-text.ts';
import { SellerTokens } from '../../../src/call/tokens/seller-tokens.ts';
import { boughtWith, readSharedToken, writeSharedToken } from '../../../src/call/tokens/shared-token.ts';
import type { Token, TokensOfReplicas } from '../../../src/call/tokens/token-cache.ts';
import { type IssuedToken, TokenRefusedError } from '../../../src/call/tokens/token-exchange.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';
import { memoryAccounts, testAccount } from '../../helpers/memory-accounts.ts';
import { failureOf } from '../../helpers/test-client.ts';

const account = testAccount({ baseUrl: 'https://api.test' });
const open = new AbortController().signal;
const refusal = (code = 'invalid_grant') => new TokenRefusedError(code, `refused: ${code}`, '');

/** Sellers' tokens over an exchange that the test scripts; tokens are `t1`, `t2`, ... */
function sellers(
  answer: (used: Account, count: number) => Partial<IssuedToken> | Error = () => ({}),
  ofReplicas?: TokensOfReplicas,
) {
  const clock = fakeClock();
  const accounts = memoryAccounts(account);
  const used: string[] = [];
  const warnings: string[] = [];
  const tokens = new SellerTokens({
    accounts,
    clock,
    warn: (message) => void warnings.push(message),
    ofReplicas,
    exchange: async (of) => {
      used.push(of.refreshToken);
      const answered = answer(of, used.length);
      if (answered instanceof Error) throw answered;
      return {
        accessToken: `t${used.length}`,
        tokenType: new ServiceText('bearer'),
        expiresInSeconds: 3600,
        ...answered,
      };
    },
  });
  return { clock, accounts, tokens, used, warnings };
}

/** Opens tokens like those of a store, but without its races. */
function shared(): TokensOfReplicas {
  const [tokens, refresh] = [new Map<string, Token>(), new Map<string, string>()];
  return {
    async get(what, unwanted, buy) {
      const kept = tokens.get(what);
      if (kept !== undefined && kept.value !== unwanted) return kept;
      const token = await buy();
      tokens.set(what, token);
      return token;
    },
    keep: async (what, token) => void tokens.set(what, token),
    keepRotated: async (what, token) => void refresh.set(what, token),
    rotated: async (what) => refresh.get(what),
  };
}

describe('on several machines', () => {
  it('a token whose purchase gave a new refresh token is found by who has the old one, and by who has the new', async () => {
    const store = shared();
    const one = sellers(() => ({ refreshToken: 'r1' }), store);
    const [old, newer] = [sellers(undefined, store), sellers(undefined, store)];
    newer.accounts.set({ ...account, refreshToken: 'r1' });
    expect(await one.tokens.get('default')).toBe('t1');
    expect([await old.tokens.get('default'), await newer.tokens.get('default')]).toEqual(['t1', 't1']);
    expect([...old.used, ...newer.used]).toEqual([]);
  });

  it('another authorization of the same application is another seller’s for all that is known', async () => {
    const store = shared();
    await sellers(undefined, store).tokens.get('default');
    const other = sellers(undefined, store);
    other.accounts.set({ ...account, refreshToken: 'of-another-seller' });
    await other.tokens.get('default');
    expect(other.used).toEqual(['of-another-seller']);
  });

  it('who still has the refresh token that was replaced elsewhere takes the new one, and keeps it', async () => {
    const store = shared();
    const one = sellers(() => ({ refreshToken: 'r1' }), store);
    const old = sellers(({ refreshToken }) => (refreshToken === 'r1' ? {} : refusal()), store);
    await one.tokens.get('default');
    old.tokens.reject(await old.tokens.get('default'));
    expect(await old.tokens.get('default')).toBe('t2');
    expect(old.used).toEqual(['refresh-canary-1', 'r1']);
    expect(old.accounts.rotations).toEqual([{ name: 'default', from: 'refresh-canary-1', to: 'r1' }]);
  });
});

it.each(['clientId', 'refreshToken'])(
  'an account with another %s has a token of its own, and the earlier one once it is as before',
  async (member) => {
    const { tokens, accounts, used } = sellers();
    const other = { ...account, [member]: 'https://other.test' };
    for (const one of [account, other, account, other]) {
      accounts.set(one);
      expect(await tokens.get('default')).toBe(one === account ? 't1' : 't2');
    }
    expect(used).toHaveLength(2);
  },
);

it('a changed client secret is tried at once, whatever pause the earlier one has earned', async () => {
  const { tokens, accounts, used } = sellers(() => refusal('invalid_client'));
  for (let attempt = 0; attempt < 3; attempt++) await failureOf(tokens.get('default'));
  expect(used).toHaveLength(2);
  accounts.set({ ...account, clientSecret: 'another-canary' });
  await failureOf(tokens.get('default'));
  expect(used).toHaveLength(3);
});

describe('a rotated refresh token', () => {
  it('serves the next exchange, under the old form of the account and the new one', async () => {
    const { tokens, accounts, used } = sellers((_of, count) => ({ refreshToken: `r${count}` }));
    accounts.rotated = async () => undefined; // the store still gives the old form
    await tokens.get('default');
    expect(await tokens.get('default')).toBe('t1');
    accounts.set({ ...account, refreshToken: 'r1' });
    expect(await tokens.get('default')).toBe('t1');
    expect(await tokens.exchange('default', open)).toMatchObject({ refreshToken: 'r2', rotated: true });
    expect(used).toEqual(['refresh-canary-1', 'r1']);
    // The form before the last is forgotten.
    accounts.set(account);
    await tokens.get('default');
    expect(used).toHaveLength(3);
  });

  it('that is the old one again is no rotation', async () => {
    const { tokens, accounts } = sellers((of) => ({ refreshToken: of.refreshToken }));
    expect(await tokens.exchange('default', open)).toMatchObject({
      rotated: false,
      refreshToken: 'refresh-canary-1',
    });
    expect(accounts.rotations).toEqual([]);
  });

  it('is waited for until it is kept', async () => {
    const { tokens, accounts } = sellers(() => ({ refreshToken: 'r1' }));
    let keep: () => void = () => undefined;
    accounts.rotated = () =>
      new Promise((resolve) => {
        keep = resolve;
      });
    const exchanged = tokens.exchange('default', open);
    let isSettled = false;
    await Promise.resolve().then(() => Promise.resolve());
    const settled = tokens.settled().then(() => {
      isSettled = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isSettled).toBe(false);
    keep();
    await settled;
    expect(await exchanged).toMatchObject({ rotated: true });
    await tokens.settled();
  });

  it('has bought the shared access token too', async () => {
    const { tokens, accounts } = sellers(() => ({ refreshToken: 'r1' }));
    await tokens.get('default');
    expect(accounts.tokens.get('default')).toMatchObject({
      accessToken: 't1',
      boughtWith: boughtWith({ clientId: 'client-1', refreshToken: 'r1' }),
    });
  });
});

describe('a refresh token that is refused', () => {
  it('is replaced by what the store has meanwhile, as often as that goes on, up to five times', async () => {
    const { tokens, accounts, used } = sellers(() => refusal());
    let stored = 0;
    accounts.reread = async () => ({ ...account, refreshToken: `stored-${++stored}` });
    expect(await failureOf(tokens.get('default'))).toMatchObject({ code: 'invalid_grant' });
    expect(used).toEqual(['refresh-canary-1', ...[1, 2, 3, 4, 5].map((n) => `stored-${n}`)]);
  });

  it('is told when the store has nothing newer, and any other refusal at once', async () => {
    const nothing = sellers(() => refusal());
    expect(await failureOf(nothing.tokens.get('default'))).toMatchObject({ code: 'invalid_grant' });
    expect(nothing.used).toHaveLength(1);
    for (const error of [refusal('invalid_client'), new CredentialError('refused', 'x')]) {
      const other = sellers(() => error);
      other.accounts.reread = async () => ({ ...account, refreshToken: 'newer' });
      expect(await failureOf(other.tokens.get('default'))).toBe(error);
      expect(other.used).toHaveLength(1);
    }
  });
});

describe('an exchange on demand', () => {
  it('joins a purchase under way, and makes one of its own after a token of another process', async () => {
    const { tokens, accounts, used } = sellers();
    const expiresAt = 1_700_000_001_000 + 3_000_000;
    accounts.tokens.set('default', { accessToken: 'shared', expiresAt, boughtWith: boughtWith(account) });
    const [value, exchange] = await Promise.all([tokens.get('default'), tokens.exchange('default', open)]);
    expect([value, exchange.accessToken]).toEqual(['shared', 't1']);
    expect(used).toHaveLength(1);
    const [one, other] = await Promise.all([
      tokens.exchange('default', open),
      tokens.exchange('default', open),
    ]);
    expect([one.accessToken, other.accessToken]).toEqual(['t2', 't2']);
  });

  it('is not begun for a call that has ended', async () => {
    const { tokens, used } = sellers();
    expect(await failureOf(tokens.exchange('default', AbortSignal.abort('gone')))).toBe('gone');
    expect(used).toHaveLength(0);
  });
});

describe('the shared token', () => {
  const clock = fakeClock();
  const read = async (fields = {}, unwanted?: string) => {
    const accounts = memoryAccounts(account);
    const expiresAt = clock.wallClock() + 3_600_000;
    accounts.tokens.set('default', {
      accessToken: 'shared',
      expiresAt,
      boughtWith: boughtWith(account),
      ...fields,
    });
    return readSharedToken(accounts, account, clock, unwanted);
  };

  it('is used until a minute before its end', async () => {
    const token = await read();
    expect(token).toEqual({
      value: 'shared',
      life: {
        usableUntil: clock.now() + 3_540_000,
        usableUntilWall: clock.wallClock() + 3_540_000,
        expiresAt: clock.wallClock() + 3_600_000,
      },
    });
  });

  it.each([
    ['with a minute left', { expiresAt: clock.wallClock() + 60_000 }, undefined],
    ['that lives longer than a day', { expiresAt: clock.wallClock() + 86_400_001 }, undefined],
    ['of other credentials', { boughtWith: boughtWith({ ...account, clientId: 'client-2' }) }, undefined],
    ['that was just rejected', {}, 'shared'],
  ])('%s is not used', async (_name, fields, unwanted) =>
    expect(await read(fields, unwanted)).toBeUndefined(),
  );

  it.each([
    ['with more than a minute left', { expiresAt: clock.wallClock() + 60_001 }],
    ['that lives a day', { expiresAt: clock.wallClock() + 86_400_000 }],
  ])('%s is used', async (_name, fields) =>
    expect(await read(fields, 'another')).toMatchObject({ value: 'shared' }),
  );

  it('is as good as none when the store fails, to read and to write', async () => {
    const accounts = memoryAccounts(account);
    accounts.readToken = () => Promise.reject(new Error('locked'));
    accounts.writeToken = () => Promise.reject(new Error('locked'));
    expect(await readSharedToken(accounts, account, clock, undefined)).toBeUndefined();
    const life = { usableUntil: 1, usableUntilWall: 1, expiresAt: 1 };
    await expect(writeSharedToken(accounts, account, { value: 't', life })).resolves.toBeUndefined();
  });
});
