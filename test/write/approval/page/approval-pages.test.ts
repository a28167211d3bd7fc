/** Pages beside the list that is agreed to: left alone, closed, asked about anew, where no browser is, and what stood out before. */

import { join } from 'node:path';
import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import { WriteRefusedError } from '../../../../src/base/errors.ts';
import {
  type ApprovalPages,
  createApprovalPages,
} from '../../../../src/write/approval/page/approval-pages.ts';
import type { PageQuestion } from '../../../../src/write/approval/page/ask-at-page.ts';
import { NO_COUNTS } from '../../../../src/write/model/outcome.ts';
import { all, openApprovalPage } from '../../../helpers/approval-page.ts';

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const pages of opened.splice(0)) pages.close();
});

const open = (lifetimeMs?: number): ApprovalPages => {
  const entryFile = join(inject('programs'), 'main.mjs');
  const pages = createApprovalPages({
    outside: { openInBrowser: async () => {}, entryFile, config: { sandbox: false } },
    lifetimeMs,
  });
  opened.push(pages);
  return pages;
};

const rowsOf = (keys: readonly string[]) => ({
  total: keys.length,
  head: `${keys.length} listings`,
  around: [],
  rows: async () => keys.map((key) => ({ key, name: key, change: `price of ${key}`, odd: '', lately: '' })),
  renew: () => undefined,
  outcomes: async () => undefined,
});

const asked = (more: Partial<PageQuestion> = {}): PageQuestion => ({
  account: 'default',
  change: 'change-1',
  opensHere: true,
  operation: 'change_listings',
  question: 'One change\nSeller: A1',
  checked: [],
  issue: async () => 'state',
  refuse: async () => {
    throw new WriteRefusedError('The person said no at the page; nothing was sent.');
  },
  ...more,
});

const start = async (pages: ApprovalPages, more: Partial<PageQuestion> = {}) => {
  const again = vi.fn(async () => ({ text: 'Done', structured: { outcome: 'done' } }));
  const options = { tool: 'change_listings', args: { query: 'x' }, redact: (text: string) => text };
  const page = await pages.open({ ...options, asked: asked(more), again });
  const inBrowser = openApprovalPage(page.url);
  await inBrowser.enter();
  return { page, inBrowser, again };
};

describe('a page', () => {
  it('ends so long after the last that was done on it, and sends nothing', async () => {
    const { page, inBrowser, again } = await start(open(2_000));
    const begun = performance.now();
    while (performance.now() - begun < 3_000) {
      // Looking at the state does not count as an action of the user.
      expect((await inBrowser.ask('here', {})).status).toBe(200);
      await inBrowser.state();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(page.standing).toBe('waiting');
    await page.settled;
    expect(page.standing).toBe('left');
    expect(page.result).toMatchObject({ error: { message: expect.stringContaining('Nothing was sent') } });
    await expect(inBrowser.yes([], 0)).rejects.toThrow();
    expect(again).not.toHaveBeenCalled();
  });

  it('is not kept open by a tab that only looks how it stands', async () => {
    const { page, inBrowser } = await start(open(300));
    const looking = setInterval(() => void inBrowser.state().catch(() => undefined), 40);
    await page.settled;
    clearInterval(looking);
    expect(page.standing).toBe('left');
  });

  it('stays as long as the list that it began is under way and looked at, and no longer', async () => {
    let outcome: 'under_way' | 'done' = 'under_way';
    const { promise: listed, resolve: end } = Promise.withResolvers<void>();
    const counts = { ...NO_COUNTS, pending: 1 };
    const rows = { ...rowsOf(['A']), outcomes: async () => ({ outcome, items: [], counts }) };
    const { inBrowser, again } = await start(open(1_000), { rows });
    again.mockImplementation(async () => {
      await listed;
      return { text: 'Done', structured: { outcome: 'done' } };
    });
    await inBrowser.rows();
    await inBrowser.yes([0], 1);
    const begun = performance.now();
    while (performance.now() - begun < 2_500) {
      expect((await inBrowser.state()).isOver).toBe(false);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    outcome = 'done';
    end();
    await expect.poll(async () => (await inBrowser.state()).isOver).toBe(true);
    // It is over: looking at it is nothing that a person waits for.
    await expect
      .poll(
        () =>
          inBrowser.state().then(
            () => 'open',
            () => 'closed',
          ),
        { interval: 40 },
      )
      .toBe('closed');
  });

  it('that is closed by the assistant, or with the session, sends nothing', async () => {
    for (const end of ['page', 'session'] as const) {
      const pages = open();
      const { page, inBrowser, again } = await start(pages);
      if (end === 'page') page.close();
      else pages.close();
      await page.settled;
      expect(page.standing).toBe('closed');
      await expect(inBrowser.yes([], 0)).rejects.toThrow();
      expect(again).not.toHaveBeenCalled();
    }
  });

  it('of the same change once more starts with what was taken out before, and a yes does not put it back', async () => {
    const pages = open();
    const rows = rowsOf(['A', 'B', 'C']);
    const first = await start(pages, { rows });
    await first.inBrowser.rows();
    await first.inBrowser.takeOut([1], 3);
    await first.inBrowser.yes([0, 2], 3);
    await first.page.settled;
    expect(first.again).toHaveBeenCalledWith(
      expect.objectContaining({ action: 'accept', state: 'state', takenOut: new Set(['B']) }),
    );
    const second = await start(pages, { rows });
    await second.inBrowser.rows();
    expect((await second.inBrowser.yes(all(3), 3)).status).toBe(409);
    expect(second.again).not.toHaveBeenCalled();
    await second.inBrowser.takeOut([], 3);
    expect((await second.inBrowser.yes(all(3), 3)).status).toBe(200);
  });

  it('is found again by its call until that is told', async () => {
    const pages = open();
    const { page } = await start(pages);
    expect(pages.findCall('change_listings', { query: 'x' })).toBe(page);
    expect(pages.findCall('change_listings', { query: 'y' })).toBeUndefined();
    expect(pages.findCall('undo_change', { query: 'x' })).toBeUndefined();
    expect(pages.untold('default')).toEqual([page]);
    page.isTold = true;
    expect(pages.findCall('change_listings', { query: 'x' })).toBeUndefined();
    expect(pages.find(page.handle)).toBe(page);
  });

  it('no more than ten wait at once: the oldest is closed', async () => {
    const pages = open();
    const { page: oldest } = await start(pages);
    for (let more = 0; more < 10; more += 1) await start(pages);
    expect(oldest.standing).toBe('closed');
  });
});
