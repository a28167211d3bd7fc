/** The pages of one session: the same one for every call of an account, until it is filled in or its time is over. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { startSandbox } from '../../../sandbox/start-sandbox.ts';
import type { CredentialStore } from '../../../src/accounts/account.ts';
import { createAccountSource } from '../../../src/accounts/account-source.ts';
import { createMemoryStore } from '../../../src/accounts/memory-store.ts';
import { buildConfig } from '../../../src/base/config.ts';
import { createCredentialsPages } from '../../../src/program/runtime/credentials-pages.ts';
import { HOST_ANSWERS_WITHIN_MS } from '../../../src/render/client-user.ts';
import { isPageGone } from '../../helpers/is-gone.ts';
import { noBrowser } from '../../helpers/outside.ts';
import { enter, formHeaders, type ServedTestPage, send, servedAt } from '../../helpers/served-page.ts';

let sandbox: Sandbox;
let store: CredentialStore;
let closing: AbortController;
beforeEach(async () => {
  sandbox = await startSandbox({ record: true });
  store = createMemoryStore();
  closing = new AbortController();
});
afterEach(async () => {
  vi.useRealTimers();
  closing.abort();
  await sandbox.close();
});

function open(
  flags: Record<string, string | boolean> = {},
  {
    env = {},
    allowed,
    openInBrowser = noBrowser,
  }: {
    env?: Record<string, string>;
    allowed?: readonly string[];
    openInBrowser?: (url: string) => Promise<void>;
  } = {},
) {
  const config = buildConfig({ 'base-url': sandbox.baseUrl, 'auth-url': sandbox.authUrl, ...flags }, env);
  const learn = () => {};
  const isShown = allowed === undefined ? undefined : (name: string) => allowed.includes(name);
  const accounts = createAccountSource({ config, store, learn, isShown });
  const { signal } = closing;
  return createCredentialsPages({
    config,
    account: 'default',
    allowed,
    store,
    accounts,
    learn,
    openInBrowser,
    closing: signal,
  });
}

const opened = new Map<string, ServedTestPage>();

/** Posts as the page's own form does. */
async function post(url: string, fields: Record<string, string>): Promise<string> {
  const page = opened.get(url) ?? servedAt(url);
  opened.set(url, page);
  const body = new URLSearchParams(fields).toString();
  return (await send(page, { method: 'POST', headers: formHeaders(page), body })).body;
}

const { signal } = new AbortController();
const accept = (state: string | undefined) => ({ action: 'accept' as const, state });

describe('one page', () => {
  it('is offered to every call of the account, and to no other account', async () => {
    const pages = open();
    const [first, second] = await Promise.all([pages.offer('default'), pages.offer('default')]);
    expect(second).toEqual(first);
    expect((await pages.offer('shop'))?.url).not.toBe(first?.url);
    expect((await fetch(first?.url ?? '')).status).toBe(200);
  });

  it('takes the credentials, then marketplace and seller ID, while calls wait', async () => {
    const pages = open();
    const offered = await pages.offer('default');
    const url = offered?.url ?? '';
    const waiting = Promise.all([
      pages.awaitPage(accept(offered?.id), signal),
      pages.awaitPage(accept(offered?.id), signal),
    ]);
    const { clientId, clientSecret, refreshToken } = sandbox.credentials;
    const second = await post(url, { clientId, clientSecret, refreshToken });
    expect(second).toContain('<option value="ATVPDKIKX0DER" selected>United States (ATVPDKIKX0DER)</option>');
    expect(await store.read('default')).toMatchObject({ clientId, clientSecret });
    // The same page, by an address that was not used yet.
    const again = await pages.offer('default');
    expect(again?.id).toBe(offered?.id);
    expect(again?.url).not.toBe(url);
    await post(url, { step: 'ids', marketplaceId: 'A1VC38T7YXB528', sellerId: 'A2SELLER' });
    await waiting;
    expect(await store.read('default')).toMatchObject({
      clientSecret,
      marketplaceId: 'A1VC38T7YXB528',
      sellerId: 'A2SELLER',
    });
    expect(await isPageGone(url)).toBe(true);
  });

  it('asks for neither where the settings give both, and the service for nothing', async () => {
    const pages = open({ 'seller-id': 'A2', 'marketplace-id': 'A1PA6795UKMFR9' });
    const { clientId, clientSecret, refreshToken } = sandbox.credentials;
    const done = await post((await pages.offer('default'))?.url ?? '', {
      clientId,
      clientSecret,
      refreshToken,
    });
    expect(done).toContain('You can close this page');
    const operations = sandbox.recorded().map(({ operation }) => operation);
    expect(operations).not.toContain('getMarketplaceParticipations');
  });

  it('says at the second step that the account was removed meanwhile', async () => {
    const pages = open();
    const url = (await pages.offer('default'))?.url ?? '';
    const { clientId, clientSecret, refreshToken } = sandbox.credentials;
    await post(url, { clientId, clientSecret, refreshToken });
    await store.delete('default');
    expect(await post(url, { step: 'ids', sellerId: 'A2SELLER' })).toContain(
      'removed or replaced in the meantime',
    );
    expect(await store.list()).toEqual([]);
  });
});

describe('a call that has waited long enough', () => {
  it('says until when the page is open', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: new Date(2026, 10, 5, 14, 27) });
    const pages = open();
    const offered = await pages.offer('default');
    const waiting = expect(pages.awaitPage(accept(offered?.id), signal)).rejects.toMatchObject({
      message: expect.stringContaining('still open'),
      hint: expect.stringContaining('until 14:42'),
    });
    await vi.advanceTimersByTimeAsync(45_000);
    await waiting;
    expect((await pages.offer('default'))?.url).toBe(offered?.url);
  });

  it('goes on when the credentials are stored and only the rest is missing', async () => {
    const pages = open();
    const offered = await pages.offer('default');
    const { clientId, clientSecret, refreshToken } = sandbox.credentials;
    await post(offered?.url ?? '', { clientId, clientSecret, refreshToken });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const waiting = pages.awaitPage(accept(offered?.id), signal);
    await vi.advanceTimersByTimeAsync(45_000);
    await waiting;
    vi.useRealTimers();
    expect(await post(offered?.url ?? '', { step: 'ids', sellerId: 'A2' })).toContain(
      'You can close this page',
    );
  });
});

describe('a no', () => {
  const decline = (state: string | undefined) => ({ action: 'decline' as const, state });

  it('that may be the host’s own opens it in the browser, once, and waits for it', async () => {
    const urls: string[] = [];
    const pages = open({}, { openInBrowser: async (url) => void urls.push(url) });
    const offered = await pages.offer('default');
    const gone = new AbortController();
    const waiting = [1, 2].map(() => pages.awaitPage(decline(offered?.id), gone.signal));
    await expect.poll(() => urls).toEqual([offered?.url]);
    gone.abort();
    expect(await Promise.allSettled(waiting)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    expect(await isPageGone(offered?.url ?? '')).toBe(false);
  });

  it('of a person opens nothing', async () => {
    const urls: string[] = [];
    const pages = open({}, { openInBrowser: async (url) => void urls.push(url) });
    const offered = await pages.offer('default');
    const asked = performance.now();
    await vi.waitUntil(() => performance.now() - asked >= HOST_ANSWERS_WITHIN_MS, { timeout: 10_000 });
    await expect(pages.awaitPage(decline(offered?.id), signal)).rejects.toThrow('did not open the page');
    expect(urls).toEqual([]);
  });

  it('closes a page that nobody has opened', async () => {
    const pages = open();
    const offered = await pages.offer('default');
    await expect(pages.awaitPage(decline(offered?.id), signal)).rejects.toThrow('did not open the page');
    expect(await isPageGone(offered?.url ?? '')).toBe(true);
    expect((await pages.offer('default'))?.url).not.toBe(offered?.url);
  });

  it.each([
    [
      'another call was offered',
      async (pages: ReturnType<typeof open>) => void (await pages.offer('default')),
    ],
    [
      'a person has opened',
      async (_pages: ReturnType<typeof open>, url: string) => void (await enter(servedAt(url))),
    ],
  ])('leaves open one that %s', async (_which, use) => {
    const pages = open();
    const offered = await pages.offer('default');
    await use(pages, offered?.url ?? '');
    await expect(pages.awaitPage(decline(offered?.id), signal)).rejects.toThrow('did not open the page');
    expect(await isPageGone(offered?.url ?? '')).toBe(false);
  });
});

describe('no page', () => {
  const stored = { clientId: 'c', clientSecret: 's', refreshToken: 'Atzr|own', region: 'na' } as const;

  it('with the embedded sandbox: it reads no keychain', async () => {
    expect(await open({ sandbox: true }).offer('shop')).toBeUndefined();
  });

  const whole = { SELLER_CLIENT_ID: 'c', SELLER_CLIENT_SECRET: 's', SELLER_REFRESH_TOKEN: 'r' };
  it.each<Record<string, string>>([{ SELLER_CLIENT_ID: 'c' }, whole])(
    'for the account that the environment defines, whole or in part: %j',
    async (env) => {
      expect(await open({}, { env }).offer('default')).toBeUndefined();
    },
  );

  it.each(['default', 'shpo'])('where another account exists: %s', async (name) => {
    await store.write('shop', stored);
    expect(await open().offer(name)).toBeUndefined();
  });

  it('but where the person has set the name, other accounts or not', async () => {
    await store.write('shop', stored);
    expect((await open({ account: 'second' }).offer('second'))?.url).toMatch(/^http:/);
    expect(await open({ account: 'second' }).offer('secnod')).toBeUndefined();
  });

  it('for an account that is stored, and for no name of one', async () => {
    expect(await open().offer('given:0123456789ab')).toBeUndefined();
    expect(await open().offer('a b')).toBeUndefined();
    await store.write('default', stored);
    expect(await open().offer('default')).toBeUndefined();
  });

  it("for another's account", async () => {
    await store.write('ben', stored);
    expect(await open({}, { allowed: ['ana'] }).offer('ben')).toBeUndefined();
    expect(await open({}, { allowed: ['ana'] }).offer('zoe')).toBeUndefined();
  });
});

it('an account that was stored since the page was opened is not replaced by it', async () => {
  const { clientId, clientSecret, refreshToken } = sandbox.credentials;
  const url = (await open().offer('default'))?.url ?? '';
  const other = {
    clientId: 'other',
    clientSecret: 'other',
    refreshToken: 'Atzr|other',
    region: 'na',
  } as const;
  await store.write('default', other);
  const answer = await post(url, { clientId, clientSecret, refreshToken });
  expect(answer).toContain('was stored in the meantime, with other credentials; nothing was replaced');
  expect(await store.read('default')).toEqual(other);
});
