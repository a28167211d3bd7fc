/** A long list where the host opens addresses: the person is sent to a page by the host, and what they say there is what counts. */

import { mkdtemp, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SECRET_VARIABLES } from '../../src/base/generated/secret-variables.ts';
import { all, openApprovalPage } from '../helpers/approval-page.ts';
import { noteBrowser } from '../helpers/noted-browser.ts';
import { oakSkus } from '../helpers/oak-skus.ts';
import { CLOSE_ON_SUNDAYS, type Outside, SHOP, startOutside } from '../helpers/outside-service.ts';
import { connect, type Elicit, MAIN_KINDS, type Session } from '../helpers/sessions.ts';

describe.each(MAIN_KINDS)('%s', (kind) => {
  let outside: Outside;
  let session: Session;
  let skus: string[] = [];
  const itemsOf = (length: number, days: number) =>
    skus.slice(0, length).map((sku) => ({ sku, set: { title: `Oak thing, edition ${days}` } }));
  let answer: Elicit = async () => ({ action: 'cancel' });
  beforeAll(async () => {
    outside = await startOutside();
    const elicit: Elicit = (request) => answer(request);
    const { args, env } = outside;
    session = await connect({ kind, args, env, elicit, opensPages: true });
    skus = await oakSkus(session, 11);
  });
  afterAll(async () => {
    await session.close();
    await outside.close();
  });

  it('of more than ten is asked about at the page, whose address no answer tells', async () => {
    const urls: string[] = [];
    answer = async ({ url = '', message }) => {
      urls.push(url);
      expect(message).toContain('A list of 11 waits for your yes');
      const page = openApprovalPage(url);
      await page.enter();
      await page.rows();
      await page.takeOut([2], 11);
      await page.yes(all(11, new Set([2])), 11);
      return { action: 'accept' };
    };
    const { structured, text } = await session.call('change_listings', { items: itemsOf(11, 3) });
    expect(structured, text).toMatchObject({ items: 10, taken_out: { number: 1 } });
    expect(urls).toHaveLength(1);
    const { host, pathname } = new URL(urls[0] ?? '');
    for (const form of [text, JSON.stringify(structured), session.stderr()]) {
      expect(form).not.toContain(host);
      expect(form).not.toContain(pathname);
    }
    expect(outside.received('patchListingsItem')).toHaveLength(10);
  });

  it('is not sent where the host does not open it, whatever it answers', async () => {
    const before = outside.received('patchListingsItem').length;
    for (const action of ['decline', 'cancel'] as const) {
      answer = async () => ({ action });
      const { isError, text } = await session.call('change_listings', { items: itemsOf(11, 4) });
      expect({ isError, text }).toMatchObject({
        isError: true,
        text: /did not open the page; nothing was sent/,
      });
    }
    expect(outside.received('patchListingsItem')).toHaveLength(before);
  });

  it('of ten is a question in the chat', async () => {
    const asked: unknown[] = [];
    answer = async ({ url, message }) => {
      asked.push([url, message]);
      return { action: 'decline' };
    };
    await session.call('change_listings', { items: itemsOf(10, 5) });
    expect(asked).toEqual([[undefined, expect.stringContaining('10 listings, United States')]]);
  });
});

// The stand-in for a browser is xdg-open, which Linux alone looks for.
it.skipIf(process.platform !== 'linux')(
  'shows no other user of the machine the address of the page, and gives the browser no secret',
  async () => {
    const outside = await startOutside();
    const noted = await noteBrowser(await mkdtemp(join(tmpdir(), 'environment-')));
    const args = [...outside.args, '--writes=page'];
    const planted = Object.fromEntries(
      SECRET_VARIABLES.map((name) => [name, outside.env[name] ?? `planted-${name}-${'x'.repeat(32)}`]),
    );
    const env = { ...outside.env, ...planted, PATH: noted.path };
    const session = await connect({ args, env, spawn: true });
    const called = session
      .call('update_supply_source', { supplySourceId: SHOP, changes: CLOSE_ON_SUNDAYS })
      .catch(() => undefined);
    const file = new URL(await noted.address());
    expect(file.protocol).toBe('file:');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { origin, pathname } = new URL(await noted.target());
    expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const environment = await noted.environment();
    expect(environment).toContain('SELLER_CLIENT_ID=');
    const secrets = Object.entries(planted).flat();
    const seen = [environment, ...(await noted.opened())].join('\n');
    expect([...secrets, pathname].filter((one) => seen.includes(one))).toEqual([]);
    await session.close();
    await expect.poll(() => stat(file).catch(() => 'gone')).toBe('gone');
    await called;
    await outside.close();
  },
);
