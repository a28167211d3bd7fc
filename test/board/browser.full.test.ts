/** Every view in a real Chromium: used by keyboard, read by a screen reader's rules, attacked by its own texts, and printed. */

import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { findChromium, launchChromium } from '../../scripts/launch-chromium.ts';
import { type OpenPage, openPage } from '../../src/page/page-server.ts';
import { readViewBundle, renderViews, type ViewBundle } from '../../src/page/views.ts';
import type { PageData } from '../../views/data.ts';
import { HOSTILE, makePage, makeRows } from './page-data.ts';

// A newcomer may have no Chromium, and is told; in CI it is installed, and its absence is a failure.
const mayRun = findChromium() !== undefined || process.env.CI === 'true';
if (!mayRun) process.stderr.write('Skipped: browser tests of the views (no Chromium installed)\n');

/** The time limit of axe, which inspects every element in turn. */
const LONG_MS = 240_000;

const VIEWS = ['health', 'news', 'hours', 'changes', 'data', 'rows'] as const;
const plain = (at: number) => `text ${at}`;
const hostile = (at: number) => HOSTILE[at % HOSTILE.length] ?? '';

// Skipped for a newcomer without Chromium, never in CI (see mayRun).
describe.skipIf(!mayRun)('in Chromium (installed)', () => {
  let browser: Browser;
  let bundle: ViewBundle;
  const closers: (() => unknown)[] = [];
  beforeAll(async () => {
    [browser, bundle] = await Promise.all([
      launchChromium(),
      readViewBundle(join(inject('programs'), 'main.mjs')),
    ]);
  });
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });
  afterAll(() => browser.close());

  async function serve(data: PageData): Promise<OpenPage> {
    const { html, policy } = renderViews(bundle, data, { isFile: false });
    const page = await openPage({
      door: { title: 'A board', text: 'It is behind this.', button: 'Open' },
      policy,
      signal: new AbortController().signal,
      answer: ({ name }) =>
        name === ''
          ? { status: 200, type: 'text/html', body: html }
          : { status: 200, type: 'application/json', body: JSON.stringify(makeRows(3, plain)) },
    });
    closers.push(() => page.close());
    return page;
  }

  interface Opened {
    tab: Page;
    requests: string[];
    complaints: string[];
  }

  async function openTab(options: BrowserContextOptions = {}): Promise<Opened> {
    const context = await browser.newContext({ viewport: { width: 1_280, height: 860 }, ...options });
    closers.push(() => context.close());
    const tab = await context.newPage();
    const requests: string[] = [];
    const complaints: string[] = [];
    tab.on('request', (request) => requests.push(request.url()));
    tab.on('console', (message) => complaints.push(message.text()));
    tab.on('pageerror', (error) => complaints.push(String(error)));
    tab.on('dialog', (dialog) => complaints.push(dialog.message()));
    return { tab, requests, complaints };
  }

  /** Through the door of the board, or as the file that is saved. */
  async function openData(
    data: PageData,
    door: 'board' | 'file',
    options: BrowserContextOptions = {},
  ): Promise<Opened> {
    const opened = await openTab(options);
    if (door === 'file') {
      const file = join(await mkdtemp(join(inject('scratch'), 'views-')), 'page.html');
      await writeFile(file, renderViews(bundle, data, { isFile: true }).html);
      await opened.tab.goto(pathToFileURL(file).href);
    } else {
      const page = await serve(data);
      await opened.tab.goto(page.url);
      await opened.tab.getByRole('button', { name: 'Open' }).click();
    }
    await opened.tab.locator('h1').waitFor();
    return opened;
  }

  const look = (tab: Page, view: (typeof VIEWS)[number]) => tab.locator(`nav a[href="#${view}"]`).click();

  describe.each(['board', 'file'] as const)('the %s', (door) => {
    it('runs no script of a text, loads nothing, breaks no layout and hides no row', async () => {
      const number = HOSTILE.length * 3;
      const { tab, requests, complaints } = await openData(makePage(number, hostile), door, {
        viewport: { width: 1_000, height: 700 },
      });
      const before = requests.length;
      for (const view of VIEWS) {
        await look(tab, view);
        expect(await tab.evaluate('window.hit'), view).toBeUndefined();
        expect(
          await tab.evaluate(
            'document.querySelectorAll("img, iframe, link, base, object, script:not(#data)").length',
          ),
          view,
        ).toBe(1);
        expect(await tab.evaluate('document.documentElement.scrollWidth'), view).toBeLessThanOrEqual(1_000);
        if (view === 'health' || view === 'news' || view === 'rows') {
          expect(await seenRows(tab), view).toBe(number);
          await tab.locator('.scroller .name, .scroller tbody td').first().click();
          if (view !== 'rows') await tab.locator('dialog[open]').waitFor();
          await tab.keyboard.press('Escape');
          await tab.locator('dialog[open]').waitFor({ state: 'hidden' });
        }
      }
      expect(await tab.evaluate('document.body.innerText')).not.toContain('\u202E');
      expect(requests.slice(before)).toEqual([]);
      expect(complaints).toEqual([]);
    });

    it('holds all rows in print, up to 2,000, and says what is missing', async () => {
      const { tab } = await openData({ ...makePage(2_345, plain), views: [makeRows(2_345, plain)] }, door);
      await tab.emulateMedia({ media: 'print' });
      await expect.poll(() => tab.locator('.scroller tbody tr').count()).toBe(2_000);
      expect(await tab.getByText('345 rows more').isVisible()).toBe(true);
      await tab.emulateMedia({ media: 'screen' });
      await expect.poll(() => tab.locator('.scroller tbody tr').count()).toBeLessThan(60);
    });
  });

  /** Every row that can be scrolled to. */
  async function seenRows(tab: Page): Promise<number> {
    const seen = await tab.evaluate(`(async () => {
      const scroller = document.querySelector('.scroller');
      const seen = new Set();
      for (let top = 0; ; top += scroller.clientHeight / 2) {
        scroller.scrollTop = top;
        await new Promise((done) => setTimeout(done, 30));
        for (const row of scroller.querySelectorAll('tbody tr')) if (row.offsetHeight > 20) seen.add(row.dataset.at);
        if (top > scroller.scrollHeight) return seen.size;
      }
    })()`);
    return Number(seen);
  }

  it.each([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['narrow', { viewport: { width: 360, height: 740 } }],
  ] as const)(
    'nothing is found by axe, %s',
    async (_look, options) => {
      // axe itself is what the policy would keep out.
      const { tab } = await openData(makePage(12, plain), 'board', { ...options, bypassCSP: true });
      const found: string[] = [];
      const check = async (where: string) => {
        const { violations } = await new AxeBuilder({ page: tab }).analyze();
        for (const { id, nodes } of violations)
          found.push(`${where}: ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`);
      };
      for (const view of VIEWS) {
        await look(tab, view);
        await check(view);
        const name = tab.locator('main button.name').first();
        if (view === 'data' || (await name.count()) === 0) continue;
        await name.click();
        await tab.getByRole('dialog').waitFor();
        await check(`${view}, opened`);
        await tab.keyboard.press('Escape');
      }
      expect(found).toEqual([]);
    },
    LONG_MS,
  );

  it('fits 360 pixels on every view', async () => {
    const { tab } = await openData(makePage(30, hostile), 'board', { viewport: { width: 360, height: 740 } });
    for (const view of VIEWS) {
      await look(tab, view);
      expect(await tab.evaluate('document.documentElement.scrollWidth'), view).toBeLessThanOrEqual(360);
    }
  });

  it('is used with the keyboard alone: sorted, filtered, opened, closed, and the focus comes back', async () => {
    const { tab } = await openData(makePage(500, plain), 'board');
    const { keyboard } = tab;
    const active = () => tab.evaluate('document.activeElement.textContent');
    await tab.locator('.scroller').focus();
    await keyboard.press('Tab');
    expect(await active()).toContain('SKU');
    await keyboard.press('Enter');
    expect(await tab.locator('th[aria-sort]').getAttribute('aria-sort')).toBe('ascending');
    expect(await tab.locator('.scroller .name').first().textContent()).toBe('text 0-0');
    await tab.locator('.scroller .name').first().focus();
    await keyboard.press('End');
    await expect.poll(active).toBe('text 499-499');
    const last = tab.locator('.scroller tbody tr').last();
    expect(await last.getAttribute('aria-rowindex')).toBe('501');
    expect(
      await tab.getByRole('table', { name: 'Listings, the worst first' }).getAttribute('aria-rowcount'),
    ).toBe('501');
    await keyboard.press('Home');
    await expect.poll(active).toBe('text 0-0');
    await keyboard.press('ArrowDown');
    await expect.poll(active).toBe('text 1-1');
    await keyboard.press('Enter');
    await tab.getByRole('dialog').waitFor();
    await keyboard.press('Escape');
    await expect.poll(() => tab.getByRole('dialog').count()).toBe(0);
    await expect.poll(active).toBe('text 1-1');
    await tab.getByLabel('Find').fill('text 42-42');
    expect(await tab.locator('.count').first().textContent()).toContain('1 of 500 rows');
  });

  it('shows what was chosen by its cause, and copies the sentence to ask', async () => {
    const { tab } = await openData(makePage(100, plain), 'board', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await tab.getByRole('button', { name: '1 listing', exact: true }).click();
    // The choice reaches the table a moment after the view.
    await expect.poll(() => tab.locator('.count').first().textContent()).toContain('5 of 100 rows');
    await tab.locator('.scroller .name').first().click();
    await tab.getByRole('dialog').getByRole('button', { name: 'Copy' }).click();
    expect(await tab.evaluate('navigator.clipboard.readText()')).toBe('What is wrong with 0?');
  });

  it('tells numbers, money and days in the locale of the reader', async () => {
    const { tab } = await openData(makePage(3_000, plain), 'board', {
      locale: 'de-DE',
      timezoneId: 'Europe/Berlin',
    });
    expect(await tab.locator('.big').textContent()).toContain('1.234,50\u00a0$');
    expect(await tab.locator('.count').first().textContent()).toBe('3.000 rows');
    expect(await tab.locator('.top p').textContent()).toContain('25.11.2026, 13:00');
  });

  it.each(['Pacific/Honolulu', 'UTC', 'Pacific/Kiritimati'])(
    'in %s too a day is that day',
    async (timezoneId) => {
      const { tab } = await openData(makePage(1, plain), 'file', { locale: 'en-US', timezoneId });
      const until = tab.locator('[data-label="Exempt until"]').first();
      expect(await until.textContent()).toBe('Dec 7, 2026');
    },
  );

  it('a chart has its numbers as a table', async () => {
    const byWeek = {
      ...makeRows(0, plain),
      columns: [
        { name: 'week', isNumber: false },
        { name: 'orders', isNumber: true },
      ],
      rows: [
        ['2026-W01', 3],
        ['2026-W02', 9],
        ['2026-W03', 4],
      ],
      total: 3,
    };
    const { tab } = await openData({ ...makePage(1, plain), views: [byWeek] }, 'file');
    expect(await tab.getByRole('img').getAttribute('aria-label')).toBe(
      'orders by week: from 2026-W01 to 2026-W03, at most 9 (2026-W02), at least 3',
    );
    expect(await tab.locator('.scroller tbody tr').count()).toBe(3);
  });

  it('asks for rows where the program is there, and for nothing in a file', async () => {
    const { tab, requests } = await openData(makePage(1, plain), 'board');
    await look(tab, 'data');
    await tab.locator('main button.name').first().click();
    await tab.getByText('text 0-0').first().waitFor();
    expect(requests.at(-1)).toMatch(/\/rows\?table=text%200-0&from=0$/);
    const file = await openData(makePage(1, plain), 'file');
    await look(file.tab, 'data');
    expect(await file.tab.locator('main button.name').count()).toBe(0);
  });
});
