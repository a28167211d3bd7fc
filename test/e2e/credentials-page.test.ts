/**
 * Tests the way to a working account through the page: a call lacks credentials, a user enters them, the call
 * continues.
 */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, launchChromium } from '../../scripts/launch-chromium.ts';
import { describeWithKeychain } from '../helpers/keychain.ts';
import { type Outside, startOutside } from '../helpers/outside-service.ts';
import { CLIENT_KINDS, connect, type ElicitedRequest } from '../helpers/sessions.ts';

// A newcomer may have no Chromium, and is told; in CI it is installed, and its absence is a failure.
const mayRun = findChromium() !== undefined || process.env.CI === 'true';
if (!mayRun) process.stderr.write('Skipped: the page end to end (no Chromium installed)\n');

describeWithKeychain('the page offered by a tool', () => {
  // Skipped for a newcomer without Chromium, never in CI (see mayRun).
  describe.skipIf(!mayRun)('in Chromium (installed)', () => {
    let browser: Browser;
    let outside: Outside;
    beforeAll(async () => {
      [browser, outside] = await Promise.all([launchChromium(), startOutside()]);
    });
    afterAll(() => Promise.all([browser.close(), outside.close()]));

    it.each(CLIENT_KINDS)('%s: the person enters the values, the same call is answered', async (kind) => {
      const { credentials } = outside.sandbox;
      const asked: ElicitedRequest[] = [];
      const session = await connect({
        kind,
        env: environmentWithoutCredentials(outside),
        args: [...outside.args, '--account', kind],
        opensPages: true,
        async elicit(request) {
          asked.push(request);
          const page = await browser.newPage();
          await page.goto(request.url ?? '');
          await page.getByRole('button', { name: 'Open the page' }).click();
          await page.getByLabel('Client ID').fill(credentials.clientId);
          await page.getByLabel('Client secret').fill(credentials.clientSecret);
          await page.getByLabel('Refresh token').fill(credentials.refreshToken);
          await page.getByRole('button').click();
          await page.getByLabel('Marketplace').selectOption({ label: 'United States (ATVPDKIKX0DER)' });
          await page.getByLabel('Seller ID').fill(outside.sandbox.sellerId);
          await page.getByRole('button', { name: 'Save and finish' }).click();
          await page.getByText('You can close').waitFor();
          await page.close();
          return { action: 'accept' };
        },
      });
      try {
        const first = await session.call('get_catalog_item', { asin: 'B0SBX00001' });
        expect(first.text).toContain('MUG-SAND-350');
        expect(first).toMatchObject({ isError: false });
        expect(first.structured.payload).toMatchObject({ sku: 'MUG-SAND-350' });
        expect(asked).toMatchObject([{ mode: 'url', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/) }]);
        // The seller ID and the marketplace that were entered fill in what this call leaves out.
        const listing = await session.call('read_operation', {
          operation: 'getListingsItem',
          parameters: { sku: 'MUG-SAND-350' },
        });
        expect(listing).toMatchObject({ isError: false });
        expect(outside.received('getListingsItem').at(-1)?.path).toContain(outside.sandbox.sellerId);
        // Stored: the next call asks nobody.
        expect((await session.call('get_catalog_item', { asin: 'B0SBX00002' })).isError).toBe(false);
        expect(asked).toHaveLength(1);
        for (const secret of [credentials.clientSecret, credentials.refreshToken]) {
          expect(JSON.stringify([first, asked])).not.toContain(secret);
          expect(session.stderr()).not.toContain(secret);
        }
      } finally {
        await session.close();
      }
    });

    it('two calls in a row offer the same page, and the second does not close it while a person types', async () => {
      const { credentials } = outside.sandbox;
      const page = await browser.newPage();
      const urls: string[] = [];
      const session = await connect({
        env: environmentWithoutCredentials(outside),
        args: [...outside.args, '--account', 'typing'],
        opensPages: true,
        async elicit({ url = '' }) {
          urls.push(url);
          if (urls.length === 1) {
            await page.goto(url);
            await page.getByRole('button', { name: 'Open the page' }).click();
          }
          return { action: 'accept' };
        },
      });
      try {
        const first = session.call('get_catalog_item', { asin: 'B0SBX00001' });
        await page.getByLabel('Client ID').fill(credentials.clientId);
        await page.getByLabel('Client secret').fill(credentials.clientSecret);
        const second = session.call('get_catalog_item', { asin: 'B0SBX00002' });
        await expect.poll(() => urls.length).toBe(2);
        // The first try has the wrong refresh token; the client secret is not typed again.
        await page.getByLabel('Refresh token').fill('Atzr|wrong');
        await page.getByRole('button').click();
        await page.getByRole('alert').waitFor();
        await page.getByLabel('Refresh token').fill(credentials.refreshToken);
        await page.getByRole('button').click();
        await page.getByRole('button', { name: 'Finish without a seller ID' }).click();
        await page.getByText('You can close').waitFor();
        // Another address of the same page, which nobody had to open.
        expect(new URL(urls[1] ?? '').host).toBe(new URL(urls[0] ?? '').host);
        expect(urls[1]).not.toBe(urls[0]);
        for (const outcome of await Promise.all([first, second])) expect(outcome.isError).toBe(false);
      } finally {
        await session.close();
        await page.close();
      }
    });

    it('a no is told, and nothing is stored', async () => {
      const session = await connect({
        env: environmentWithoutCredentials(outside),
        args: [...outside.args, '--account', 'declined'],
        opensPages: true,
        elicit: async () => ({ action: 'decline' }),
      });
      try {
        const { isError, text } = await session.call('get_catalog_item', { asin: 'B0SBX00001' });
        expect(isError).toBe(true);
        expect(text).toContain('did not open the page');
        expect(text).toMatch(/(?:main\.mjs|start --) login/);
      } finally {
        await session.close();
      }
    });

    it('a client that cannot open pages gets the login command', async () => {
      const session = await connect({
        env: environmentWithoutCredentials(outside),
        args: [...outside.args, '--account', 'nobody'],
      });
      try {
        const { isError, text } = await session.call('get_catalog_item', { asin: 'B0SBX00001' });
        expect(isError).toBe(true);
        expect(text).toMatch(/(?:main\.mjs|start --) login --account nobody/);
      } finally {
        await session.close();
      }
    });
  });
});

const accountVariables = new Set([
  'SELLER_CLIENT_ID',
  'SELLER_CLIENT_SECRET',
  'SELLER_REFRESH_TOKEN',
  'SELLER_ID',
  'SELLER_MARKETPLACE_ID',
]);

/** The addresses and this session's own keyring, but nothing of an account. */
function environmentWithoutCredentials({ env }: Outside): Record<string, string> {
  const rest = Object.fromEntries(Object.entries(env).filter(([name]) => !accountVariables.has(name)));
  return { ...rest, DBUS_SESSION_BUS_ADDRESS: process.env.DBUS_SESSION_BUS_ADDRESS ?? '' };
}
