/** The page in a real Chromium: filled in by keyboard, mistaken, refused, finished, attacked, and looked at in both colours. */

import { createServer, type Server } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { findChromium, launchChromium } from '../../../scripts/launch-chromium.ts';
import { CredentialError } from '../../../src/base/errors.ts';
import { contrastProbe } from './contrast-probe.ts';
import { good, openTestPage, type TestPage } from './open-test-page.ts';

// A newcomer may have no Chromium, and is told; in CI it is installed, and its absence is a failure.
const mayRun = findChromium() !== undefined || process.env.CI === 'true';
if (!mayRun) process.stderr.write('Skipped: browser tests of the credentials page (no Chromium installed)\n');

// Skipped for a newcomer without Chromium, never in CI (see mayRun).
describe.skipIf(!mayRun)('in Chromium (installed)', () => {
  let browser: Browser;
  const closers: (() => unknown)[] = [];
  beforeAll(async () => {
    // The made-up name leads to this machine, as an attacker's would after rebinding.
    browser = await launchChromium('--host-resolver-rules=MAP rebind.example 127.0.0.1');
  });
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });
  afterAll(() => browser.close());

  async function open(...args: Parameters<typeof openTestPage>): Promise<TestPage> {
    const page = await openTestPage(...args);
    closers.push(() => page.close());
    return page;
  }

  /** A tab without JavaScript, and what it asked for and complained about. */
  async function openTab(options: { colorScheme?: 'light' | 'dark'; javaScriptEnabled?: boolean } = {}) {
    const context = await browser.newContext({ javaScriptEnabled: false, ...options });
    closers.push(() => context.close());
    const tab = await context.newPage();
    const requests: string[] = [];
    const complaints: string[] = [];
    tab.on('request', (request) => requests.push(request.url()));
    tab.on('console', (message) => complaints.push(message.text()));
    return { tab, requests, complaints };
  }

  /** Opens the page by its address and presses the button there. */
  async function visit(tab: Page, page: TestPage): Promise<void> {
    await tab.goto(page.url);
    await tab.getByRole('button', { name: 'Open the page' }).click();
    await tab.getByLabel('Client ID').waitFor();
  }

  async function fillIn(tab: Page, values: typeof good): Promise<void> {
    await tab.getByLabel('Client ID').fill(values.clientId);
    await tab.getByLabel('Client secret').fill(values.clientSecret);
    await tab.getByLabel('Refresh token').fill(values.refreshToken);
    await tab.getByLabel('Region').selectOption(values.region);
  }

  it('takes the values without any script, and asks for nothing but itself', async () => {
    const page = await open();
    const { tab, requests, complaints } = await openTab();
    await visit(tab, page);
    expect(await tab.title()).toBe('Connect your seller account');
    // The style sheet passed the policy.
    expect(await tab.evaluate('getComputedStyle(document.querySelector("main")).borderRadius')).toBe('12px');
    await fillIn(tab, good);
    await tab.getByRole('button', { name: 'Store' }).click();
    await tab.getByText('You can close this page').waitFor();
    expect(await tab.title()).toBe('Your account is connected');
    expect(await page.done).toBe('saved');
    expect(page.saved).toEqual([good]);
    expect(new Set(requests.map((url) => new URL(url).host))).toEqual(new Set([page.host]));
    expect(complaints).toEqual([]);
    await expect(tab.reload()).rejects.toThrow(/ERR_CONNECTION_REFUSED/);
  });

  it('can be filled in with the keyboard alone', async () => {
    const page = await open();
    const { tab } = await openTab();
    await tab.goto(page.url);
    const { keyboard } = tab;
    await expect.poll(() => tab.evaluate('document.activeElement.localName')).toBe('button');
    await keyboard.press('Enter'); // the button of the door
    await tab.getByLabel('Client ID').waitFor();
    await keyboard.press('Tab'); // where to find the values
    for (const value of [good.clientId, good.clientSecret, good.refreshToken, 'Eur']) {
      await keyboard.press('Tab');
      await keyboard.type(value);
    }
    await keyboard.press('Tab'); // the button
    expect(await tab.evaluate('document.activeElement.textContent')).toBe('Check and store');
    expect(await tab.evaluate('getComputedStyle(document.activeElement).outlineWidth')).toBe('3px');
    await keyboard.press('Enter');
    expect(await page.done).toBe('saved');
    expect(page.saved[0]).toMatchObject(good);
  });

  it('hides the secrets and asks for what is missing before anything is sent', async () => {
    const page = await open();
    const { tab, requests } = await openTab();
    await visit(tab, page);
    for (const label of ['Client secret', 'Refresh token']) {
      expect(await tab.getByLabel(label).getAttribute('type')).toBe('password');
      expect(await tab.getByLabel(label).getAttribute('autocomplete')).toBe('off');
    }
    await tab.getByRole('button').click();
    expect(await tab.evaluate('document.activeElement.id')).toBe('clientId');
    // The door, its button, and the page.
    expect(requests).toHaveLength(3);
  });

  it('leads to each mistake, by focus and by link', async () => {
    const page = await open();
    const { tab } = await openTab();
    await visit(tab, page);
    await fillIn(tab, { ...good, refreshToken: 'Atza|canary-access' });
    await tab.getByRole('button', { name: 'Store' }).click();
    const summary = tab.getByRole('alert');
    await summary.waitFor();
    expect(await tab.evaluate('document.activeElement.getAttribute("role")')).toBe('alert');
    await summary.getByRole('link', { name: 'Refresh token' }).press('Enter');
    expect(await tab.evaluate('document.activeElement.id')).toBe('refreshToken');
    const field = tab.getByLabel('Refresh token');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    const described = z
      .string()
      .parse(await field.getAttribute('aria-describedby'))
      .split(' ');
    const texts = await Promise.all(described.map((id) => tab.locator(`#${id}`).textContent()));
    expect(texts.join(' ')).toContain('This is an access token');
    expect(await tab.getByLabel('Client ID').inputValue()).toBe(good.clientId);
    const secret = tab.getByLabel('Client secret');
    expect(await secret.inputValue()).toBe('');
    expect(await secret.getAttribute('placeholder')).toBe('Kept. Type to replace it');
    expect(await tab.getByLabel('Region').inputValue()).toBe('eu');
    expect(await tab.content()).not.toContain('canary-secret');
    // The other secret stays as it was typed, also after a reload and in another tab.
    const other = await openTab();
    await visit(other.tab, page);
    await other.tab.getByLabel('Refresh token').fill(good.refreshToken);
    await other.tab.getByRole('button', { name: 'Store' }).click();
    await other.tab.getByText('You can close this page').waitFor();
    expect(page.saved).toEqual([good]);
  });

  it('tells why the check failed, and takes a second try', async () => {
    let tries = 0;
    const page = await open({
      verify: async (values) => {
        tries += 1;
        if (tries === 1)
          throw new CredentialError('refused', 'The refresh token was refused.', 'Copy it again.');
        return values;
      },
    });
    const { tab } = await openTab();
    await visit(tab, page);
    await fillIn(tab, good);
    await tab.getByRole('button', { name: 'Check and store' }).click();
    await tab.getByRole('alert').getByText('The refresh token was refused.').waitFor();
    await tab.getByLabel('Refresh token').fill('Atzr|canary-corrected');
    await tab.getByRole('button', { name: 'Check and store' }).click();
    await tab.getByText('The values work').waitFor();
    expect(page.saved).toMatchObject([{ ...good, refreshToken: 'Atzr|canary-corrected' }]);
    expect(await page.done).toBe('saved');
  });

  const ids = {
    given: {},
    offer: async () => ({
      marketplaces: [
        { id: 'A1PA6795UKMFR9', country: 'Germany' },
        { id: 'A13V1IB3VIYZZH', country: 'France' },
      ],
      isOwn: true,
    }),
  };

  /** The credentials are sent; what the second form stores is collected. */
  async function openSecondStep() {
    const stored: unknown[] = [];
    const page = await open({ ids: { ...ids, save: async (given) => void stored.push(given) } });
    const { tab } = await openTab();
    await visit(tab, page);
    await fillIn(tab, good);
    await tab.getByRole('button').click();
    return { tab, page, stored };
  }

  it('asks for marketplace and seller ID when the credentials are stored', async () => {
    const { tab, page, stored } = await openSecondStep();
    await tab.getByText('Stored. One more step').waitFor();
    expect(page.saved).toHaveLength(1);
    expect(await tab.getByLabel('Marketplace').inputValue()).toBe('A1PA6795UKMFR9');
    await tab.getByLabel('Marketplace').selectOption({ label: 'France (A13V1IB3VIYZZH)' });
    await tab.getByLabel('Seller ID').press('Enter');
    // The browser asks for the seller ID itself; nothing is sent without it, or without a word of purpose.
    expect(await tab.evaluate('document.activeElement.id')).toBe('sellerId');
    expect(stored).toEqual([]);
    await tab.getByLabel('Seller ID').fill('A2CANARY');
    await tab.getByLabel('Seller ID').press('Enter');
    await tab.getByText('You can close this page').waitFor();
    expect(stored).toEqual([{ sellerId: 'A2CANARY', marketplaceId: 'A13V1IB3VIYZZH' }]);
    expect(await page.done).toBe('saved');
  });

  it('is finished without a seller ID by a button that says so', async () => {
    const { tab, stored } = await openSecondStep();
    await tab.getByRole('button', { name: 'Finish without a seller ID' }).click();
    await tab.getByText('No seller ID is stored.').waitFor();
    expect(stored).toEqual([{ marketplaceId: 'A1PA6795UKMFR9' }]);
  });

  it.each(['light', 'dark'] as const)('can be read in %s colours (WCAG AA)', async (colorScheme) => {
    const page = await open({ ids: { ...ids, save: async () => {} } });
    const { tab } = await openTab({ colorScheme });
    await visit(tab, page);
    const probe = z.array(z.object({ text: z.string(), ratio: z.number(), needed: z.number() }));
    const check = async (least: number) => {
      const found = probe.parse(await tab.evaluate(contrastProbe));
      expect(found.length).toBeGreaterThanOrEqual(least);
      expect(found.filter(({ ratio, needed }) => ratio < needed)).toEqual([]);
    };
    await check(20);
    await fillIn(tab, { ...good, clientSecret: good.clientId });
    await tab.getByRole('button').click();
    await tab.getByRole('alert').waitFor();
    await check(24);
    await fillIn(tab, good);
    await tab.getByRole('button').click();
    await tab.getByText('One more step').waitFor();
    await check(12);
    await tab.getByRole('button', { name: 'Finish without' }).click();
    await tab.getByText('You can close this page').waitFor();
    await check(4);
  });

  it('fits a narrow screen without scrolling sideways', async () => {
    const page = await open({ account: 'a'.repeat(64), ids: { ...ids, save: async () => {} } });
    const { tab } = await openTab();
    await tab.setViewportSize({ width: 320, height: 640 });
    await visit(tab, page);
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    await fillIn(tab, good);
    await tab.getByRole('button').click();
    await tab.getByText('One more step').waitFor();
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  });

  /** A site of somebody else on this machine: `localhost` is another site, 127.0.0.1 another origin. */
  async function serve(html: string): Promise<{ port: number }> {
    const server: Server = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(html);
    });
    await new Promise<void>((resolve) => server.listen(0, resolve));
    closers.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = z.object({ port: z.number() }).parse(server.address());
    return { port: address.port };
  }

  it.each(['localhost', '127.0.0.1'])('refuses a form that %s sends in its name', async (host) => {
    const page = await open();
    const inputs = Object.entries(good).map(([name, value]) => `<input name="${name}" value="${value}">`);
    const { tab } = await openTab();
    await visit(tab, page);
    // The form posts to the page itself, whose path it could not know: `127.0.0.1` gets the cookie sent
    // along.
    const form = `<form method="post" action="${tab.url()}">${inputs.join('')}<button>go</button></form>`;
    const { port } = await serve(form);
    await tab.goto(`http://${host}:${port}/`);
    await tab.getByRole('button').click();
    await tab.getByText('This form can be sent from its own page only.').waitFor();
    expect(page.saved).toEqual([]);
  });

  it('shows nothing inside a frame', async () => {
    const page = await open();
    const { port } = await serve(`<iframe src="${page.url}"></iframe>`);
    const { tab } = await openTab();
    await tab.goto(`http://127.0.0.1:${port}/`);
    expect(tab.frames()).toHaveLength(2);
    for (const frame of tab.frames().slice(1)) expect(await frame.content()).not.toContain('<form');
  });

  it('answers to no other name (DNS rebinding)', async () => {
    const page = await open();
    const { tab } = await openTab();
    const reply = await tab.goto(page.url.replace('127.0.0.1', 'rebind.example'));
    expect(reply?.status()).toBe(421);
    expect(await tab.content()).not.toContain('<form');
  });
});
