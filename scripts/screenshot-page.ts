/** Takes the screenshot of the credentials page that docs/account.md shows: `tsx scripts/screenshot-page.ts [folder]`. */

import { join } from 'node:path';
import { openCredentialsPage } from '../src/accounts/page/open-page.ts';
import { launchChromium } from './launch-chromium.ts';

const folder = process.argv[2] ?? 'docs/images';
const browser = await launchChromium();
const stop = new AbortController();
const page = await openCredentialsPage({
  account: 'default',
  region: 'eu',
  verify: async (values) => values,
  save: async () => {},
  // The same image at any time of day.
  now: () => new Date(2026, 10, 5, 14, 27).getTime(),
  signal: stop.signal,
});
const view = await browser.newPage({ viewport: { width: 640, height: 800 }, colorScheme: 'light' });
await view.goto(page.url);
await view.screenshot({ path: join(folder, 'credentials-page.png'), fullPage: true });
await browser.close();
stop.abort();
await page.done;
