/** Takes the pictures of pages that the documents show into docs/images: `npm run build && tsx scripts/screenshots.ts`. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { openCredentialsPage } from '../src/accounts/page/open-page.ts';
import { noteBrowser } from '../test/helpers/noted-browser.ts';
import { oakSkus } from '../test/helpers/oak-skus.ts';
import { startOutside } from '../test/helpers/outside-service.ts';
import { connect } from '../test/helpers/sessions.ts';
import { stageBoard } from '../test/helpers/staged-board.ts';
import { launchChromium } from './launch-chromium.ts';
import { closing } from './process/closing.ts';

const LOOK_AGAIN_MS = 50;
const VIEWPORT = { width: 1280, height: 860 };

await using browser = closing(await launchChromium());
await takeCredentials(browser);
await takeBoard(browser);
await takeApproval(browser);

async function take(tab: Page, name: string, fullPage = false): Promise<void> {
  await tab.screenshot({ path: `docs/images/${name}.png`, fullPage });
}

async function takeCredentials(from: Browser): Promise<void> {
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
  await using tab = closing(await from.newPage({ viewport: { ...VIEWPORT, width: 640 } }));
  await tab.goto(page.url);
  await tab.getByRole('button').click();
  await tab.getByLabel('Client ID').waitFor();
  await take(tab, 'credentials-page', true);
  stop.abort();
  await page.done;
}

async function takeBoard(from: Browser): Promise<void> {
  const staged = await stageBoard();
  const board = spawn('node', ['dist/main.mjs', 'board', '--no-open', ...staged.args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const chunk of board.stdout) {
    output += chunk;
    if (output.includes('\n')) break;
  }
  const [url = ''] = /http:\S+/.exec(output) ?? [];
  await using tab = closing(await from.newPage({ viewport: VIEWPORT }));
  await tab.goto(url);
  await tab.getByRole('button').click();
  await tab.getByRole('link', { name: 'Listing health' }).click();
  await take(tab, 'board-health');
  await tab.emulateMedia({ colorScheme: 'dark' });
  await tab.getByRole('link', { name: 'Hours' }).click();
  await take(tab, 'board-hours');
  board.kill('SIGTERM');
  await once(board, 'exit');
  await staged.remove();
}

/** A list that waits for its approval. */
async function takeApproval(from: Browser): Promise<void> {
  await using outside = closing(await startOutside());
  const noted = await noteBrowser(outside.folder);
  await using session = closing(
    await connect({
      args: [...outside.args, '--writes=page'],
      env: { ...outside.env, PATH: noted.path },
      spawn: true,
    }),
  );
  const skus = await oakSkus(session, 40);
  const items = skus.map((sku, at) => ({ sku, set: { price: at % 7 === 0 ? 9 : 20 + at } }));
  const called = session.call('change_listings', { items });
  await using tab = closing(await from.newPage({ viewport: VIEWPORT }));
  let [url] = await noted.opened();
  for (; url === undefined; [url] = await noted.opened()) await setTimeout(LOOK_AGAIN_MS);
  await tab.goto(url);
  await tab.getByRole('button').click();
  await tab.locator('tbody tr').first().waitFor();
  await take(tab, 'yes-page');
  await tab.getByRole('button', { name: /^Yes/ }).click();
  await called;
}
