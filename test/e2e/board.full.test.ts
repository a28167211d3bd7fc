/** The command in a real Chromium, from a seller's day with the sandbox to the page: what was done is what is seen. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, launchChromium } from '../../scripts/launch-chromium.ts';
import { isPageGone } from '../helpers/is-gone.ts';
import { type StagedBoard, stageBoard } from '../helpers/staged-board.ts';

// A newcomer may have no Chromium, and is told; in CI it is installed, and its absence is a failure.
const mayRun = findChromium() !== undefined || process.env.CI === 'true';
if (!mayRun) process.stderr.write('Skipped: the board end to end (no Chromium installed)\n');

/** The maximum size of one saved board. */
const MAX_SAVED_BYTES = 400_000;

// Skipped for a newcomer without Chromium, never in CI (see mayRun).
describe.skipIf(!mayRun)('the board of the sandbox, in Chromium (installed)', () => {
  let browser: Browser;
  let staged: StagedBoard;
  beforeAll(async () => {
    browser = await launchChromium();
    staged = await stageBoard(async (session) => {
      await session.call('review_listings', { save_as: 'health.html' });
      const sql =
        'SELECT marketplace, count(*) AS listings FROM listings GROUP BY 1 UNION ALL SELECT status, count(*) FROM listings GROUP BY 1';
      await session.call('query_data', { sql, save_as: 'by status.html' });
    });
  });
  afterAll(async () => {
    await browser.close();
    await staged.remove();
  });

  async function withBoard(use: (tab: Page, url: string) => Promise<void>): Promise<string> {
    const board = spawn('node', ['dist/main.mjs', 'board', '--no-open', ...staged.args]);
    let output = '';
    board.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    await expect.poll(() => output).toMatch(/http:\S+\n/);
    const [url = ''] = /http:\S+/.exec(output) ?? [];
    const context = await browser.newContext();
    try {
      const tab = await context.newPage();
      await tab.goto(url);
      await tab.getByRole('button', { name: 'Open the board' }).click();
      await tab.locator('h1').waitFor();
      await use(tab, url);
    } finally {
      await context.close();
      board.kill('SIGTERM');
      await once(board, 'exit');
    }
    return url;
  }

  it('shows what was reviewed, changed and taken back, and ends with the command', async () => {
    const url = await withBoard(async (tab, address) => {
      expect(await tab.locator('.big').textContent()).toMatch(/^\$\d{3},\d{3}\.\d\d$/);
      expect(await tab.getByRole('heading', { name: 'Do first' }).isVisible()).toBe(true);
      await tab.getByRole('button', { name: '8 listings' }).click();
      await expect.poll(() => tab.locator('.count').textContent()).toContain('8 of 259 rows');
      await tab.getByRole('button', { name: 'RACK-OAK-S' }).click();
      expect(await tab.getByRole('dialog').textContent()).toContain(
        "'country_of_origin' is required but is missing.",
      );
      await tab.keyboard.press('Escape');
      await tab.getByRole('link', { name: 'What changed' }).click();
      expect(await tab.locator('main').textContent()).toContain('RACK-OAK-S');
      await tab.getByRole('link', { name: 'Hours' }).click();
      expect(await tab.locator('main').textContent()).toContain('open, while the store itself is closed');
      await tab.getByRole('link', { name: 'Changes' }).click();
      expect(await tab.locator('main').textContent()).toContain('takes back an earlier one');
      expect(await tab.locator('main').textContent()).toContain('2 done, 1 not accepted');
      await tab.getByRole('link', { name: 'Data' }).click();
      await tab.getByRole('button', { name: 'listing_issues' }).click();
      await expect.poll(() => tab.locator('.count').textContent()).toContain('rows');
      // The page is gone for anybody who has read its address meanwhile.
      expect((await fetch(address)).status).toBe(410);
    });
    expect(await isPageGone(url)).toBe(true);
  });

  it('what is saved opens without the program, asks for nothing, and is small', async () => {
    const file = join(staged.files, 'health.html');
    expect((await stat(file)).size).toBeLessThan(MAX_SAVED_BYTES);
    expect(await readFile(file, 'utf8')).not.toMatch(/(?:src|href)=["']?https?:/);
    const context = await browser.newContext();
    const tab = await context.newPage();
    const requests: string[] = [];
    tab.on('request', (request) => requests.push(request.url()));
    await tab.goto(pathToFileURL(file).href);
    expect(await tab.locator('.count').first().textContent()).toBe('259 rows');
    expect(requests).toEqual([pathToFileURL(file).href]);
    await tab.goto(pathToFileURL(join(staged.files, 'by status.html')).href);
    expect(await tab.locator('figcaption').textContent()).toContain('listings by marketplace');
    await context.close();
  });
});
