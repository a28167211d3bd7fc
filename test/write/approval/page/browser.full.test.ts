/** The page for a yes in a real Chromium, opened by the spawned program: looked through, taken out of, agreed to, watched, attacked. */

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { findChromium, launchChromium } from '../../../../scripts/launch-chromium.ts';
import { noteBrowser } from '../../../helpers/noted-browser.ts';
import { oakSkus } from '../../../helpers/oak-skus.ts';
import { CLOSE_ON_SUNDAYS, type Outside, SHOP, startOutside } from '../../../helpers/outside-service.ts';
import { connect, type Session } from '../../../helpers/sessions.ts';

// A newcomer may have no Chromium, and is told; in CI it is installed, and its absence is a failure.
const mayRun = findChromium() !== undefined || process.env.CI === 'true';
if (!mayRun) process.stderr.write('Skipped: browser tests of the page for a yes (no Chromium installed)\n');

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=1</script>\u202eevil';

// Skipped for a newcomer without Chromium, never in CI (see mayRun).
describe.skipIf(!mayRun)('in Chromium (installed)', () => {
  let browser: Browser;
  const closers: (() => unknown)[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  afterAll(() => browser.close());

  interface Run {
    outside: Outside;
    session: Session;
    noted: Awaited<ReturnType<typeof noteBrowser>>;
  }

  async function start(): Promise<Run> {
    const outside = await startOutside();
    const noted = await noteBrowser(await mkdtemp(join(tmpdir(), 'yes-page-')));
    const args = [...outside.args, '--writes=page'];
    const session = await connect({ args, env: { ...outside.env, PATH: noted.path }, spawn: true });
    closers.push(
      () => outside.close(),
      () => session.close(),
    );
    return { outside, session, noted };
  }

  /** Through its door. */
  async function open(url: string, options: object = {}): Promise<Page> {
    const context = await browser.newContext(options);
    closers.push(() => context.close());
    const tab = await context.newPage();
    const complaints: string[] = [];
    tab.on('console', (message) => complaints.push(message.text()));
    tab.on('pageerror', (error) => complaints.push(String(error)));
    closers.push(() =>
      expect(complaints.filter((one) => !/favicon|404|ERR_CONNECTION/.test(one))).toEqual([]),
    );
    await tab.goto(url);
    await tab.getByRole('button', { name: 'Look at it' }).click();
    await tab.getByRole('heading', { name: 'A change waits for your yes' }).waitFor();
    return tab;
  }

  it('everything can be done by keyboard and mouse: found, sorted, taken out, put back, agreed to, and watched to its end', async () => {
    const run = await start();
    const { session, outside, noted } = run;
    const skus = await oakSkus(session, 12);
    const items = skus.map((sku, at) => ({
      sku,
      set: at === 0 ? { title: HOSTILE } : { title: `New title ${at}` },
    }));
    const called = session.call('change_listings', { items });
    const tab = await open(await noted.address());
    await expect.poll(() => tab.locator('tbody tr').count()).toBe(12);
    expect(await tab.title()).toBe('Your yes - A change waits for your yes');
    // The page shows the text with its direction marks spelled out.
    expect(await tab.locator('tbody').textContent()).toContain('<script>document.title=1</script>');
    expect(await tab.locator('tbody img, tbody script').count()).toBe(0);
    expect((await new AxeBuilder({ page: tab }).analyze()).violations).toEqual([]);
    for (const sku of skus.slice(0, 3))
      await tab.getByRole('checkbox', { name: new RegExp(`Mark ${sku}`) }).check();
    await tab.getByRole('button', { name: 'Take out 3 marked rows' }).click();
    await tab.getByRole('button', { name: 'Yes, change 9 items' }).waitFor();
    await tab.getByRole('button', { name: new RegExp(skus[1] ?? '') }).press('Enter');
    await tab.getByRole('button', { name: 'Put it back' }).press('Enter');
    await tab.keyboard.press('Escape');
    await tab.reload();
    const approveButton = tab.getByRole('button', { name: 'Yes, change 10 items' });
    await expect.poll(() => approveButton.isEnabled()).toBe(true);
    if (process.env.SHOTS !== undefined) await tab.screenshot({ path: `${process.env.SHOTS}/waiting.png` });
    expect(outside.received('patchListingsItem')).toEqual([]);
    await approveButton.press('Enter');
    await tab.getByText(/You said yes, and it has ended: 10 accepted/).waitFor();
    if (process.env.SHOTS !== undefined) await tab.screenshot({ path: `${process.env.SHOTS}/ended.png` });
    expect(await tab.getByRole('button', { name: /^Yes/ }).count()).toBe(0);
    const { structured, text } = await called;
    expect(structured).toMatchObject({ items: 10, taken_out: { number: 2 } });
    expect(text).not.toMatch(/127\.0\.0\.1:\d+\/[\w-]{20}/);
    expect(outside.received('patchListingsItem')).toHaveLength(10);
    expect(session.stderr()).not.toContain('http://127.0.0.1');
  });

  const hasFocus = async (tab: Page, control: Locator) =>
    (await control.elementHandle())?.evaluate(
      (element, active) => element === active,
      await activeElement(tab),
    );
  const activeElement = (tab: Page) => tab.evaluateHandle('document.activeElement');

  /**
   * Presses Tab until the wanted control, and returns the names of the controls on the way in their order.
   */
  async function tabStops(tab: Page, until: RegExp, most = 30): Promise<string[]> {
    const stops: string[] = [];
    for (let times = 0; times < most; times += 1) {
      await tab.keyboard.press('Tab');
      const name = String(
        await tab.evaluate(
          'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent',
        ),
      );
      stops.push(name);
      if (until.test(name)) return stops;
    }
    throw new Error(`Tab never came to ${until}: ${stops.join(' | ')}`);
  }

  /** Finds the texts of visible rows that are cut off at this width of the window. */
  const cutTexts = (tab: Page) =>
    tab.evaluate(`(() => {
      const scroller = document.querySelector('.scroller').getBoundingClientRect();
      const cut = new Set();
      for (const cell of document.querySelectorAll('tbody td')) {
        const row = cell.closest('tr').getBoundingClientRect();
        const texts = cell.querySelectorAll('bdi');
        for (const text of texts.length === 0 ? [cell] : texts) {
          const range = document.createRange();
          range.selectNodeContents(text);
          const boxes = [...range.getClientRects()];
          const isWithin = ({ left, right, top, bottom }) =>
            [cell.getBoundingClientRect(), scroller].every((box) => left >= box.left - 1 && right <= box.right + 1) &&
            top >= row.top - 1 && bottom <= row.bottom + 1;
          if (boxes.length === 0 || !boxes.every(isWithin)) cut.add(cell.dataset.label + ': ' + text.textContent);
        }
      }
      return [...cut];
    })()`);

  it('shows names and new prices whole at every width, with the direction of each change', async () => {
    const { session, noted } = await start();
    const skus = await oakSkus(session, 8);
    const title = `Solid oak wall shelf with hidden brackets, 120 x 20 cm, load of up to 30 kg, color`;
    const items = skus.map((sku, at) => ({ sku, set: { price: 1.01 + at, title: `${title} ${at}` } }));
    const called = session.call('change_listings', { items }).catch(() => undefined);
    const tab = await open(await noted.address(), { viewport: { width: 1280, height: 900 } });
    await expect.poll(() => tab.locator('tbody tr').count()).toBe(8);
    for (const width of [1280, 1024, 960, 900, 860, 800, 768, 720, 704, 600, 480, 360]) {
      await tab.setViewportSize({ width, height: 900 });
      await expect.poll(() => cutTexts(tab), { message: `at ${width} px` }).toEqual([]);
      if (process.env.SHOTS !== undefined)
        await tab.screenshot({ path: `${process.env.SHOTS}/prices-${width}.png` });
    }
    const sizes = await tab.locator('tbody td.number').allTextContents();
    expect(sizes).toHaveLength(8);
    for (const size of sizes) expect(size).toMatch(/^[-\u2212]\d/);
    await tab.getByRole('button', { name: 'No, change nothing' }).click();
    await called;
  });

  it('reaches the answer with the first keys, and every row with the arrow keys, as one stop', async () => {
    const { session, noted } = await start();
    const skus = await oakSkus(session, 30);
    const items = skus.map((sku, at) => ({ sku, set: { title: `New title ${at}` } }));
    const called = session.call('change_listings', { items }).catch(() => undefined);
    const tab = await open(await noted.address(), { viewport: { width: 1280, height: 900 } });
    await expect.poll(() => tab.locator('tbody tr').count()).toBeGreaterThan(5);
    await expect.poll(() => tab.getByRole('button', { name: /^Yes/ }).isEnabled()).toBe(true);
    await tab.locator('body').press('Home');
    expect((await tabStops(tab, /^No, change nothing$/)).length).toBeLessThanOrEqual(2);
    // Tab stops at the tools above the table and at the headings, then once for all rows.
    await tabStops(tab, new RegExp(skus[0] ?? ''));
    await tab.keyboard.press('End');
    const last = tab.getByRole('button', { name: new RegExp(skus.at(-1) ?? '') });
    await expect.poll(() => hasFocus(tab, last)).toBe(true);
    await tab.keyboard.press('ArrowLeft');
    await tab.keyboard.press('Space');
    await tab.keyboard.press('ArrowUp');
    const above = tab.getByRole('checkbox', { name: new RegExp(`Mark ${skus.at(-2)}`) });
    await expect.poll(() => hasFocus(tab, above)).toBe(true);
    await tab.keyboard.press('Space');
    await tab.getByRole('button', { name: 'Take out 2 marked rows' }).waitFor();
    await tab.keyboard.press('Tab');
    expect(await tab.evaluate('document.activeElement.closest("tbody") === null')).toBe(true);
    await tab.getByRole('button', { name: 'No, change nothing' }).click();
    await called;
  });

  it('a single write is a page too; a no sends nothing, and the tab says so', async () => {
    const { session, outside, noted } = await start();
    const edit = { supplySourceId: SHOP, changes: CLOSE_ON_SUNDAYS };
    const refused = session.call('update_supply_source', edit);
    const tab = await open(await noted.address(), {
      colorScheme: 'dark',
      viewport: { width: 360, height: 640 },
    });
    await tab.getByText(/Sundays 11:00-16:00 -> closed/).waitFor();
    if (process.env.SHOTS !== undefined) await tab.screenshot({ path: `${process.env.SHOTS}/single.png` });
    expect((await new AxeBuilder({ page: tab }).analyze()).violations).toEqual([]);
    await tab.getByRole('button', { name: 'No, change nothing' }).click();
    await tab.getByText('You said no. Nothing was sent').waitFor();
    expect((await refused).text).toContain('The person said no at the page; nothing was sent.');
    // A declined change is not shown again for a while, and another one is.
    const other = { ...edit, changes: { ...edit.changes, alias: 'Pike' } };
    const done = session.call('update_supply_source', other);
    const next = await open(await noted.address(2));
    await next.getByRole('button', { name: 'Yes, make this change' }).click();
    expect((await done).structured).toMatchObject({ outcome: 'done' });
    expect(outside.received('updateSupplySource')).toHaveLength(1);
  });

  it('no frame, no other site and no second browser gets in; when the program ends, the tab says that nothing was sent', async () => {
    const { session, outside, noted } = await start();
    const edit = { supplySourceId: SHOP, changes: CLOSE_ON_SUNDAYS };
    const called = session.call('update_supply_source', edit).catch(() => undefined);
    const url = await noted.target();
    const tab = await open(url);
    const inside = tab.url();
    const other = await (await browser.newContext()).newPage();
    expect((await other.goto(url))?.status()).toBe(410);
    expect((await other.goto(inside))?.status()).toBe(403);
    const evil = await (await browser.newContext()).newPage();
    await evil.setContent(`<iframe src="${url}"></iframe><iframe src="${inside}"></iframe>`);
    for (const frame of evil.frames().slice(1)) {
      await frame.waitForLoadState();
      expect(await frame.getByRole('button').count()).toBe(0);
    }
    await evil.setContent(
      `<form method="post" action="${inside}yes"><input name="kept" value=""><button>x</button></form>`,
    );
    await evil.getByRole('button').click();
    await expect.poll(() => evil.content()).toMatch(/from its own page only|in the browser that/);
    expect(outside.received('updateSupplySource')).toEqual([]);
    await session.close();
    await called;
    await tab.getByText('Nothing was sent; ask your assistant again').waitFor();
    expect(outside.received('updateSupplySource')).toEqual([]);
  });
});
