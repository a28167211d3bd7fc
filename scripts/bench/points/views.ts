/** Point 13: ten thousand listings in the table of the views, next to all of them in a bare table, in the same Chromium. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { readViewBundle, renderViews } from '../../../src/page/views.ts';
import { makeListings, makePage } from '../../../test/board/page-data.ts';
import type { PageData } from '../../../views/data.ts';
import { findChromium, launchChromium } from '../../launch-chromium.ts';
import { closing, tempFolder } from '../../process/closing.ts';
import type { Context } from '../context.ts';
import { type Row, timesOf } from '../report.ts';
import { ratioOf, spreadOf } from '../statistics.ts';

const ROWS = 10_000;
const QUICK_ROWS = 1_000;
const ROUNDS = 5;

/** Of the bare table's time, at most. */
const MOST = { shown: 1 / 20, sorted: 1 / 20, filtered: 1 / 4 };

type Step = keyof typeof MOST;
type Times = Record<Step, number>;

export async function measureViews({ programs, quick, say }: Context): Promise<Row[]> {
  if (findChromium() === undefined) {
    say('point 13 is left out: no Chromium is installed');
    return [];
  }
  const number = quick ? QUICK_ROWS : ROWS;
  await using temporary = await tempFolder('seller-bench-');
  const { script, data, html } = await makeViews(number, programs.ours.file);
  const file = join(temporary.path, 'page.html');
  await writeFile(file, html);
  await using browser = closing(await launchChromium());
  const [own, bare] = await Promise.all([browser.newPage(), browser.newPage()]);
  await own.goto(pathToFileURL(file).href);
  await own.locator('h1').waitFor();
  await bare.setContent('<!doctype html><meta charset="utf-8"><div></div>');
  const ours: Times[] = [];
  const others: Times[] = [];
  for (let round = 0; round < (quick ? 1 : ROUNDS); round++) {
    ours.push(await timesIn(own, timeOurs(script)));
    others.push(await timesIn(bare, timeBare(data)));
  }
  return (['shown', 'sorted', 'filtered'] as const).flatMap((step) => {
    const [mine, bares] = [ours, others].map((all) => all.map((times) => times[step]));
    if (mine === undefined || bares === undefined) return [];
    const row = { point: 13, measure: `${number} listings ${step}`, unit: 'ms' };
    return [
      { ...row, program: 'bare table', value: spreadOf(bares) },
      {
        ...row,
        program: programs.ours.name,
        value: spreadOf(mine),
        ...timesOf('bare table', ratioOf(mine, bares), MOST[step]),
      },
    ];
  });
}

async function makeViews(number: number, entryFile: string) {
  const text = (at: number) => `text ${at}`;
  const listings = makeListings(number, text);
  const page = makePage(0, text);
  const [health] = page.views;
  if (health?.kind !== 'health' || health.review === undefined) throw new Error('The page has no health.');
  const shown: PageData = { ...page, views: [{ ...health, review: { ...health.review, listings } }] };
  const bundle = await readViewBundle(entryFile);
  const data = listings.map(({ sku, title, enforced, issues, exemptUntil, stock, amount }) => [
    sku,
    title,
    enforced,
    String(issues),
    exemptUntil,
    stock,
    amount,
  ]);
  return { script: bundle.script, data, html: renderViews(bundle, shown, { isFile: true }).html };
}

async function timesIn(tab: Page, script: string): Promise<Times> {
  const value: unknown = await tab.evaluate(script);
  const [shown = 0, sorted = 0, filtered = 0] = Array.isArray(value) ? value.map(Number) : [];
  return { shown, sorted, filtered };
}

/** Until it is on the screen. */
const TIMED = `const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
const timed = async (work) => { const begin = performance.now(); work(); await drawn(); return performance.now() - begin; };`;

/** The same script again, into an empty page. */
const timeOurs = (script: string) => `(async () => {
  ${TIMED}
  document.querySelector('#root').replaceWith(Object.assign(document.createElement('div'), { id: 'root' }));
  await drawn();
  const shown = await timed(() => { ${script} });
  const heads = [...document.querySelectorAll('.scroller th button')];
  const sorted = await timed(() => heads.at(-1).click());
  // As long as it takes a person to find the box.
  await new Promise((done) => setTimeout(done, 1_500));
  const find = document.querySelector('input[type=search]');
  const filtered = await timed(() => { find.value = '42'; find.dispatchEvent(new Event('input', { bubbles: true })); });
  return [shown, sorted, filtered];
})()`;

/** Every row in the document, as one would write it in an afternoon. */
const timeBare = (rows: readonly unknown[]) => `(async () => {
  ${TIMED}
  const rows = ${JSON.stringify(rows)};
  const table = document.createElement('table');
  document.querySelector('div').replaceChildren();
  const body = table.createTBody();
  const fill = () => { for (const row of rows) { const line = body.insertRow(); for (const value of row) line.insertCell().textContent = value; } };
  const shown = await timed(() => { document.querySelector('div').append(table); fill(); });
  const sorted = await timed(() => { rows.sort((one, other) => other[6] - one[6]); body.replaceChildren(); fill(); });
  const filtered = await timed(() => { for (const line of body.rows) line.hidden = !line.textContent.includes('42'); });
  return [shown, sorted, filtered];
})()`;
