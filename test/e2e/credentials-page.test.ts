/** From nothing to a working account through the page: a call finds no credentials, a person fills the page in, the call goes on. */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, launchChromium } from '../../scripts/launch-chromium.ts';
import { describeWithKeychain } from '../helpers/keychain.ts';
import { type Outside, startOutside } from '../helpers/outside-service.ts';
import { CLIENT_KINDS, connect, type ElicitedRequest } from '../helpers/sessions.ts';

const mayRun = findChromium() !== undefined || process.env.CI === 'true';
if (!mayRun) process.stderr.write('Skipped: the page end to end (no Chromium installed)\n');

describeWithKeychain('the page offered by a tool', () => {
  describe.skipIf(!mayRun)('in Chromium', () => {
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
        async elicit(request) {
          asked.push(request);
          const page = await browser.newPage();
          await page.goto(request.url ?? '');
          await page.getByLabel('Client ID').fill(credentials.clientId);
          await page.getByLabel('Client secret').fill(credentials.clientSecret);
          await page.getByLabel('Refresh token').fill(credentials.refreshToken);
          await page.getByRole('button').click();
          await page.getByText('You can close').waitFor();
          await page.close();
          return { action: 'accept' };
        },
      });
      try {
        const first = await session.call('get_catalog_item', { asin: 'B0SBX00001' });
        expect(first).toMatchObject({ isError: false });
        expect(first.structured.payload).toMatchObject({ sku: 'MUG-SAND-350' });
        expect(asked).toMatchObject([{ mode: 'url', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/) }]);
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

    it('a no is told, and nothing is stored', async () => {
      const session = await connect({
        env: environmentWithoutCredentials(outside),
        args: [...outside.args, '--account', 'declined'],
        elicit: async () => ({ action: 'decline' }),
      });
      try {
        const { isError, text } = await session.call('get_catalog_item', { asin: 'B0SBX00001' });
        expect(isError).toBe(true);
        expect(text).toContain('did not open the page');
        expect(text).toContain('seller-commerce-mcp login');
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
        expect(text).toContain('seller-commerce-mcp login --account nobody');
      } finally {
        await session.close();
      }
    });
  });
});

/** The addresses and this session's own keyring, but no account. */
function environmentWithoutCredentials({ env }: Outside): Record<string, string> {
  const { SELLER_CLIENT_ID: _id, SELLER_CLIENT_SECRET: _secret, SELLER_REFRESH_TOKEN: _token, ...rest } = env;
  return { ...rest, DBUS_SESSION_BUS_ADDRESS: process.env.DBUS_SESSION_BUS_ADDRESS ?? '' };
}
