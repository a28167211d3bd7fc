/**
 * Takes pictures of every page that the program shows a person, in light, dark and narrow, into build/screenshots:
 * `npm run build && tsx scripts/screenshots.ts`. With `--write-docs` also those that README and docs/account.md show.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { openCredentialsPage } from '../src/accounts/page/open-page.ts';
import { noteBrowser } from '../test/helpers/noted-browser.ts';
import { oakSkus } from '../test/helpers/oak-skus.ts';
import { startOutside } from '../test/helpers/outside-service.ts';
import { connect } from '../test/helpers/sessions.ts';
import { stageBoard } from '../test/helpers/staged-board.ts';
import { launchChromium } from './launch-chromium.ts';

const FOLDER = 'build/screenshots';
const DOCS = 'docs/images';
/** In the documents: by the name there. */
const SHOWN = {
  'credentials-page': 'credentials-light',
  'board-health': 'board-health-top-light',
  'board-hours': 'board-hours-top-dark',
  'yes-page': 'yes-light',
};

const LOOK_AGAIN_MS = 50;

const LOOKS = {
  light: { viewport: { width: 1280, height: 860 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 860 }, colorScheme: 'dark' },
  narrow: { viewport: { width: 360, height: 740 }, colorScheme: 'light' },
} as const;

await mkdir(FOLDER, { recursive: true });
const browser = await launchChromium();
await takeCredentials(browser);
await takeBoard(browser);
await takeYes(browser);
await browser.close();
if (process.argv.includes('--write-docs')) {
  for (const [name, from] of Object.entries(SHOWN)) {
    await copyFile(join(FOLDER, `${from}.png`), join(DOCS, `${name}.png`));
  }
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
  for (const [look, options] of Object.entries(LOOKS)) {
    const tab = await from.newPage({
      ...options,
      viewport: { ...options.viewport, width: Math.min(640, options.viewport.width) },
    });
    await tab.goto(page.url);
    await tab.screenshot({ path: join(FOLDER, `door-${look}.png`), fullPage: true });
    await tab.getByRole('button').click();
    await tab.getByLabel('Client ID').waitFor();
    await tab.screenshot({ path: join(FOLDER, `credentials-${look}.png`), fullPage: true });
    await tab.close();
  }
  stop.abort();
  await page.done;
}

async function takeBoard(from: Browser): Promise<void> {
  const staged = await stageBoard();
  const board = spawn('node', ['dist/main.mjs', 'board', '--no-open', ...staged.args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  for await (const chunk of board.stdout) {
    said += chunk;
    if (said.includes('\n')) break;
  }
  const [url = ''] = /http:\S+/.exec(said) ?? [];
  const context = await from.newContext(LOOKS.light);
  const tab = await context.newPage();
  await tab.goto(url);
  await tab.getByRole('button').click();
  for (const [look, { viewport, colorScheme }] of Object.entries(LOOKS)) {
    await tab.setViewportSize(viewport);
    await tab.emulateMedia({ colorScheme });
    await takeViews(tab, look);
  }
  await context.close();
  board.kill('SIGTERM');
  await once(board, 'exit');
  await staged.remove();
}

/** A list that waits, and what became of it. */
async function takeYes(from: Browser): Promise<void> {
  const outside = await startOutside();
  const noted = await noteBrowser(outside.folder);
  const session = await connect({
    args: [...outside.args, '--writes=page'],
    env: { ...outside.env, PATH: noted.path },
    spawn: true,
  });
  const skus = await oakSkus(session, 40);
  const items = skus.map((sku, at) => ({ sku, set: { price: at % 7 === 0 ? 9 : 20 + at } }));
  const called = session.call('change_listings', { items });
  const context = await from.newContext(LOOKS.light);
  const tab = await context.newPage();
  const take = async (name: string) => {
    for (const [look, { viewport, colorScheme }] of Object.entries(LOOKS)) {
      await tab.setViewportSize(viewport);
      await tab.emulateMedia({ colorScheme });
      await tab.screenshot({ path: join(FOLDER, `${name}-${look}.png`), fullPage: look === 'narrow' });
    }
  };
  let [url] = await noted.opened();
  for (; url === undefined; [url] = await noted.opened()) await setTimeout(LOOK_AGAIN_MS);
  await tab.goto(url);
  await tab.getByRole('button').click();
  await tab.locator('tbody tr').first().waitFor();
  await take('yes');
  await tab.getByRole('button', { name: /^Yes/ }).click();
  await called;
  await tab.getByText('it has ended').waitFor();
  await take('yes-done');
  await context.close();
  await session.close();
  await outside.close();
}

async function takeViews(tab: Page, look: string): Promise<void> {
  const take = (name: string, fullPage = true) =>
    tab.screenshot({ path: join(FOLDER, `board-${name}-${look}.png`), fullPage });
  for (const [name, view] of [
    ['Listing health', 'health'],
    ['What changed', 'news'],
    ['Hours', 'hours'],
    ['Changes', 'changes'],
    ['Data', 'data'],
  ] as const) {
    await tab.getByRole('link', { name }).click();
    await take(view);
    await take(`${view}-top`, false);
  }
  await tab.getByRole('button', { name: 'listings', exact: true }).first().click();
  await tab.getByRole('button', { name: 'Read more' }).or(tab.getByRole('table')).first().waitFor();
  await take('rows');
  await tab.getByRole('link', { name: 'Listing health' }).click();
  await tab.locator('.scroller .name').first().click();
  await tab.getByRole('dialog').waitFor();
  await take('listing', false);
  await tab.keyboard.press('Escape');
}
