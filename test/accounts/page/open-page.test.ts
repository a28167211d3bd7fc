/** The page's life: what it takes, what it shows, when it ends. */

import { connect } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createAccountPages, openCredentialsPage } from '../../../src/accounts/page/open-page.ts';
import { CredentialError } from '../../../src/base/errors.ts';
import { isPageGone } from '../../helpers/is-gone.ts';
import { enter, send } from '../../helpers/served-page.ts';
import { good, openTestPage, post, type TestPage } from './open-test-page.ts';

const pages: TestPage[] = [];
const open = async (...args: Parameters<typeof openTestPage>) => {
  const page = await openTestPage(...args);
  pages.push(page);
  return page;
};
afterEach(() => {
  vi.useRealTimers();
  for (const page of pages.splice(0)) page.close();
});

describe('storing', () => {
  it('stores what was entered, once, and closes every socket', async () => {
    const page = await open();
    const idle = connect(Number(new URL(page.url).port), '127.0.0.1');
    idle.on('error', () => {});
    const idleClosed = new Promise((resolve) => idle.once('close', resolve));
    const reply = await post(page, {
      ...good,
      clientId: ` ${good.clientId} `,
      sellerId: 'A2CANARY',
      marketplaceId: '',
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toContain('You can close this page');
    expect(reply.body).not.toContain('<form');
    expect(await page.done).toBe('saved');
    expect(page.saved).toEqual([{ ...good, sellerId: 'A2CANARY', marketplaceId: undefined }]);
    await idleClosed;
    expect(await isPageGone(page.url)).toBe(true);
  });

  it('stores what the check returns: a rotated refresh token', async () => {
    const page = await open({ verify: async (values) => ({ ...values, refreshToken: 'Atzr|rotated' }) });
    await post(page, good);
    expect(page.saved[0]?.refreshToken).toBe('Atzr|rotated');
  });

  it('takes one submission at a time', async () => {
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const { promise: underWay, resolve: started } = Promise.withResolvers<void>();
    const page = await open({
      verify: async (values) => {
        started();
        await gate;
        return values;
      },
    });
    const first = post(page, good);
    await underWay;
    expect(await post(page, { ...good, refreshToken: 'Atzr|other' })).toMatchObject({ status: 409 });
    release();
    expect((await first).status).toBe(200);
    expect(await page.done).toBe('saved');
    expect(page.saved).toHaveLength(1);
  });

  it('asks for no region where the settings fix the address', async () => {
    const page = await open({ service: 'service.example' });
    const { body } = await send(page);
    expect(body).toContain('service.example');
    expect(body).not.toContain('name="region"');
    const { region: _, ...rest } = good;
    expect((await post(page, rest)).status).toBe(200);
    expect(page.saved[0]?.region).toBeUndefined();
  });

  it('chooses the region of the settings beforehand', async () => {
    const { body } = await send(await open({ region: 'fe' }));
    expect(body).toContain('<option value="fe" selected>');
  });
});

describe('mistakes', () => {
  it('names each one, keeps what is no secret, and shows no secret again', async () => {
    const page = await open();
    const reply = await post(page, {
      ...good,
      refreshToken: 'has a space',
      region: '',
      sellerId: 'A2CANARY',
    });
    expect(reply.status).toBe(422);
    expect(reply.body).toContain('<title>Error: ');
    expect(reply.body).toContain('role="alert" tabindex="-1" autofocus');
    expect(reply.body).toContain(
      '<a href="#refreshToken">Refresh token</a>: The refresh token holds a space',
    );
    expect(reply.body).toContain('<a href="#region">Region</a>: Choose the region');
    expect(reply.body).toContain(`value="${good.clientId}"`);
    expect(reply.body).not.toContain(good.clientSecret);
    expect(reply.body).not.toContain('has a space"');
    expect(page.saved).toEqual([]);
    expect((await post(page, good)).status).toBe(200);
  });

  it.each([
    [{ clientId: good.clientSecret, clientSecret: '' }, 'This is the client secret, not the client ID'],
    [{ clientId: good.refreshToken, clientSecret: '' }, 'This is the refresh token, not the client ID'],
    [{ clientSecret: good.clientId }, 'This is the client ID, not the client secret'],
    [{ refreshToken: 'Atza|canary-access' }, 'This is an access token'],
    [{ clientId: 'canary-same', clientSecret: 'canary-same' }, 'The same value stands in two fields'],
    [{ sellerId: good.refreshToken }, 'The seller ID has 1 to 64 letters'],
    [{ refreshToken: 'x'.repeat(5000) }, 'longer than 4096'],
    [{ region: 'moon' }, 'The region is na'],
  ])('tells a value in the wrong field, without showing it: %#', async (wrong, told) => {
    const page = await open();
    const reply = await post(page, { ...good, ...wrong });
    expect(reply.status).toBe(422);
    expect(reply.body).toContain(told);
    for (const secret of [good.clientSecret, good.refreshToken, 'Atza|canary-access', 'canary-same']) {
      expect(reply.body).not.toContain(secret);
    }
  });

  it.each([
    ['clientId', 'canary-old-secret'],
    ['sellerId', 'canary-old-secret'],
    ['marketplaceId', ' canary-old-secret'],
  ])('never shows a secret that was pasted as %s too, whatever else is wrong', async (field, pasted) => {
    const page = await open();
    // The value itself is correct; the missing region alone brings the form back.
    const secrets = { clientSecret: 'canary-old-secret ', [field]: pasted };
    const reply = await post(page, { ...good, region: '', ...secrets });
    expect(reply.status).toBe(422);
    expect(reply.body).not.toContain('canary-old-secret');
  });

  it('escapes what a person typed', async () => {
    const page = await open();
    const reply = await post(page, { ...good, clientId: '"><b>x</b>&\'', region: '' });
    expect(reply.body).toContain('value="&quot;&gt;&lt;b&gt;x&lt;/b&gt;&amp;&#39;"');
    expect(reply.body).not.toContain('<b>x');
  });
});

describe('failures', () => {
  it('tells in words why the check failed, stores nothing and stays open', async () => {
    let isWrong = true;
    const page = await open({
      verify: async (values) => {
        if (!isWrong) return values;
        throw new CredentialError('refused', `Refused: ${values.clientSecret} <i>`, 'Copy it again.');
      },
    });
    const reply = await post(page, good);
    expect(reply.status).toBe(502);
    expect(reply.body).toContain('Refused: [hidden] &lt;i&gt;');
    expect(reply.body).toContain('Copy it again.');
    expect(reply.body).not.toContain(good.clientSecret);
    expect(page.saved).toEqual([]);
    isWrong = false;
    expect((await post(page, good)).status).toBe(200);
    expect(await page.done).toBe('saved');
  });

  it('tells nothing of an unexpected failure but that it happened', async () => {
    const page = await open({
      save: async () => {
        throw new Error(`inner ${good.clientSecret}`);
      },
    });
    const reply = await post(page, good);
    expect(reply.status).toBe(502);
    expect(reply.body).toContain('Something unexpected went wrong');
    expect(reply.body).not.toContain('inner');
  });

  it('stores even when the browser goes away during the check', async () => {
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const { promise: underWay, resolve: started } = Promise.withResolvers<void>();
    const page = await open({
      verify: async (values) => {
        started();
        await gate;
        return values;
      },
    });
    const body = new URLSearchParams(good).toString();
    const { path, cookie } = await enter(page);
    const socket = connect(Number(new URL(page.url).port), '127.0.0.1');
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: ${page.host}\r\nOrigin: http://${page.host}\r\nCookie: ${cookie}\r\n` +
        `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await underWay;
    socket.destroy();
    release();
    expect(await page.done).toBe('saved');
    expect(page.saved).toHaveLength(1);
  });
});

describe('the end', () => {
  it('comes by itself', async () => {
    const page = await open({ lifetimeMs: 50 });
    expect(await page.done).toBe('expired');
    expect(await isPageGone(page.url)).toBe(true);
  });

  it('says when, in local time', async () => {
    const now = () => new Date(2026, 10, 5, 14, 27).getTime();
    const { body } = await send(await open({ now }));
    expect(body).toContain('closes by itself at 14:42.');
  });

  it('comes after a submission that failed when the time was over meanwhile', async () => {
    const page = await open({
      lifetimeMs: 1_000,
      verify: () =>
        new Promise((_resolve, reject) => {
          setTimeout(() => reject(new CredentialError('refused', 'no')), 1_500);
        }),
    });
    expect((await post(page, good)).status).toBe(502);
    expect(await page.done).toBe('expired');
    expect(await isPageGone(page.url)).toBe(true);
  });

  it('lets a submission finish that began in time', async () => {
    const page = await open({
      lifetimeMs: 1_000,
      verify: async (values) => {
        await new Promise((resolve) => setTimeout(resolve, 1_500));
        return values;
      },
    });
    expect((await post(page, good)).status).toBe(200);
    expect(await page.done).toBe('saved');
  });

  it('comes with the server, and then nothing is stored any more', async () => {
    const { promise: underWay, resolve: started } = Promise.withResolvers<void>();
    const page = await open({
      verify: (values, signal) =>
        new Promise((resolve) => {
          started();
          signal.addEventListener('abort', () => resolve(values));
        }),
    });
    const reply = post(page, good).catch(() => 'cut');
    await underWay;
    page.stop.abort();
    expect(await page.done).toBe('cancelled');
    expect(await reply).toBe('cut');
    expect(page.saved).toEqual([]);
    expect(await isPageGone(page.url)).toBe(true);
  });

  it('does not come when the page of the same account is offered again: it is the same page', async () => {
    const all = createAccountPages();
    const first = await open({ account: 'same' }, all);
    const other = await open({ account: 'another' }, all);
    const second = await open({ account: 'same' }, all);
    expect(second.url).toBe(first.url);
    expect(other.url).not.toBe(first.url);
    expect((await send(first)).status).toBe(200);
    expect((await send(other)).status).toBe(200);
  });

  it('comes its whole time after the page was last offered, also to a page that was used meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    vi.setSystemTime(new Date(2026, 10, 5, 14, 27));
    const all = createAccountPages();
    const first = await open({}, all);
    expect(first.closesAt).toBe('14:42');
    vi.advanceTimersByTime(14 * 60_000);
    const again = await open({}, all);
    expect(again.closesAt).toBe('14:56');
    vi.advanceTimersByTime(14 * 60_000);
    expect(first.isOpen).toBe(true);
    vi.advanceTimersByTime(60_000);
    expect(await first.done).toBe('expired');
    expect(first.isOpen).toBe(false);
    const next = await open({}, all);
    expect(next.url).not.toBe(first.url);
  });

  it('comes with its owner, and never with the page of another owner', async () => {
    const mine = createAccountPages();
    const [first, second, theirs] = [
      await open({ account: 'one' }, mine),
      await open({ account: 'two' }, mine),
      await open({ account: 'one' }),
    ];
    for (const page of [first, second]) page.stop.abort();
    expect(await Promise.all([first.done, second.done])).toEqual(['cancelled', 'cancelled']);
    expect((await send(theirs)).status).toBe(200);
    expect((await send(await open({ account: 'one' }, mine))).status).toBe(200);
  });

  it('does not open at all when the server is ending', async () => {
    const nothing = { verify: async <T>(values: T) => values, save: async () => {} };
    const options = { account: 'x', signal: AbortSignal.abort(), ...nothing };
    await expect(openCredentialsPage(options)).rejects.toThrow('cancelled before it opened');
  });

  it('two calls at the same moment get the same page', async () => {
    const all = createAccountPages();
    const [first, second] = await Promise.all([open({}, all), open({}, all)]);
    expect(first.url).toBe(second.url);
  });

  it('is followed by a new page, also at the very moment of the end', async () => {
    const all = createAccountPages();
    const first = await open({}, all);
    first.close();
    const next = await Promise.all([open({}, all), open({}, all)]);
    expect(next[0].url).not.toBe(first.url);
    expect(next[1].url).toBe(next[0].url);
  });
});

describe('the step after storing', () => {
  const ids = {
    given: {},
    offer: async () => ({ marketplaces: [{ id: 'A1PA6795UKMFR9', country: 'Germany' }], isOwn: true }),
    save: async () => {},
  };

  it('is where the page stands, in every tab, until it is finished', async () => {
    const page = await open({ ids });
    expect(page.isStored).toBe(false);
    expect((await post(page, good)).body).toContain('Germany (A1PA6795UKMFR9)');
    expect(page.isStored).toBe(true);
    expect(page.saved).toHaveLength(1);
    expect((await send(page)).body).toContain('One more step');
    expect((await post(page, good)).status).toBe(409);
    const end = await post(page, { step: 'ids', marketplaceId: 'A1PA6795UKMFR9', sellerId: 'A2' });
    expect(end.body).toContain('You can close this page');
    expect(await page.done).toBe('saved');
  });

  it('may be left: the page ends as saved all the same', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const page = await open({ ids });
    await post(page, good);
    vi.advanceTimersByTime(15 * 60_000);
    expect(await page.done).toBe('saved');
  });

  it('is not taken for missing while the service is asked', async () => {
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const page = await open({ ids: { ...ids, offer: async () => gate.then(ids.offer) } });
    const first = post(page, good);
    await expect.poll(() => page.isStored).toBe(true);
    page.close();
    expect(await page.done).toBe('saved');
    release();
    await first.catch(() => undefined);
  });
});

it('a secret that was typed once is never in what the browser gets, and is used again', async () => {
  const page = await open();
  const first = await post(page, { ...good, refreshToken: 'has a space' });
  const reloaded = await send(page);
  for (const { body } of [first, reloaded]) {
    expect(body).not.toContain(good.clientSecret);
    expect(body).toContain('placeholder="Kept. Type to replace it"');
  }
  expect((await post(page, { ...good, clientSecret: '' })).status).toBe(200);
  expect(page.saved).toMatchObject([good]);
});
