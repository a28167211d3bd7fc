/** Tests that another process undoes a feed as a feed and one listing alone, but nothing refused or not recorded. */

import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import * as z from 'zod';
import { select, sql } from '../../src/store/statement.ts';
import { openStateStore } from '../../src/write/state-store.ts';
import { type Agreeing, openAgreeing } from '../helpers/many.ts';
import { type Outside, startOutside } from '../helpers/outside-service.ts';
import type { CallOutcome, Session } from '../helpers/sessions.ts';

const COUNT = 3_010;
const QUICK = { '*': { requestsPerSecond: 1_000, burst: 1_000 } };
const SLOW = { timeout: 300_000 };
/** One of them is refused: its price is higher than the sandbox takes. */
const REFUSED = 'MORE-00005';
const query = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT})
  SELECT printf('MORE-%05d', i) AS sku, iif(i = 5, 200000, 9 + i % 50 + 0.49) AS price FROM n`;
const LOOKED_AT = [
  'MORE-00001',
  REFUSED,
  'MORE-00008',
  'MORE-00250',
  'MORE-00251',
  'MORE-01500',
  'MORE-03010',
];

let outside: Outside;
let opened: Session[];
beforeEach(async () => {
  opened = [];
  outside = await startOutside({ moreListings: COUNT, feedSpeed: 50, rateLimits: QUICK });
});
afterEach(async () => {
  for (const session of opened) await session.close();
  await outside.close();
});

const open = async (): Promise<Agreeing> => {
  const agreeing = await openAgreeing('code', outside, [], true);
  opened.push(agreeing.session);
  return agreeing;
};
/** Until it has ended. */
async function agree(one: Agreeing, tool: string, args: object): Promise<CallOutcome> {
  let answer = await one.agree(tool, args);
  for (let again = 0; again < 10 && answer.structured.outcome === 'under_way'; again += 1) {
    answer = await one.session.call(tool, { ...args });
  }
  return answer;
}
async function attributes({ session }: Agreeing, sku: string): Promise<string> {
  const { structured } = await session.call('read_operation', {
    operation: 'getListingsItem',
    select: ['attributes'],
    parameters: { sku, includedData: ['attributes'] },
  });
  return JSON.stringify(structured.value);
}
const all = (one: Agreeing) => Promise.all(LOOKED_AT.map((sku) => attributes(one, sku)));
const feeds = () => outside.received('createFeed').length;

async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + 60_000;
  while (!holds()) {
    if (Date.now() > end) throw new Error('It never came to that');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

it(
  'all of it, by one question and as a feed; one listing by its own id; and the undo can be undone',
  SLOW,
  async () => {
    const one = await open();
    const before = await all(one);
    const done = await agree(one, 'change_listings', { query });
    expect(done.structured).toMatchObject({ outcome: 'partly_accepted', counts: { accepted: COUNT - 1 } });
    const after = await all(one);
    expect(after[0]).not.toBe(before[0]);
    await one.session.close();

    const two = await open();
    const listed = await two.session.call('undo_change', {});
    const id = String(done.structured.batch_id);
    expect(listed.structured.changes).toMatchObject([{ id, items: COUNT, can_undo: true }]);
    expect(listed.text).toContain('3,010 changes, one of them: MORE-00001');
    expect(listed.text).toContain(`undo_change with id ${id}/ and the SKU`);

    // One of them.
    const single = await two.agree('undo_change', { id: `${id}/MORE-00008` });
    expect(two.questions.at(-1)).toContain('MORE-00008');
    expect(single.structured.outcome).toBe('done');
    expect(await attributes(two, 'MORE-00008')).toBe(before[2]);
    const refused = await two.session.call('undo_change', { id: `${id}-5` });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('it was not accepted') });

    // The rest, with what somebody else has changed left as it is.
    const undone = await agree(two, 'undo_change', { id });
    const asked = String(two.questions.at(-1));
    expect(asked).toContain('3,008 listings');
    expect(asked).toContain('Sent as a feed (JSON_LISTINGS_FEED)');
    expect(asked).toMatch(/Not undone: MORE-00005: it was not accepted/);
    expect(undone.structured).toMatchObject({ outcome: 'done', counts: { accepted: 3_008 } });
    expect(feeds()).toBe(2);
    expect(await all(two)).toEqual(before);
    const again = await two.session.call('undo_change', { id });
    expect(again).toMatchObject({ isError: true, text: expect.stringContaining('undone already') });

    const journal = await outside.journal();
    expect(journal.map(({ operation, batch }) => [operation, batch])).toEqual([
      ['feeds/createFeed', id],
      ['listings-items/patchListingsItem', undefined],
      ['feeds/createFeed', undone.structured.batch_id],
    ]);

    await two.session.close();
    const three = await open();
    const redone = await agree(three, 'undo_change', { id: String(undone.structured.batch_id) });
    expect(redone.structured).toMatchObject({ outcome: 'done' });
    expect(await attributes(three, 'MORE-01500')).toBe(after[5]);
  },
);

it(
  'a process that is killed before the feed is created has kept the values; the same call goes on, and all can be undone',
  SLOW,
  async () => {
    const one = await open();
    const before = await all(one);
    outside.sandbox.faults.next({ operation: 'createFeed', delayMs: 3_000 });
    const asked = await one.session.call('change_listings', { query });
    const cut = one.session
      .call('change_listings', { query, confirmationCode: asked.structured.confirmation_code })
      .catch(() => undefined);
    await until(() => outside.received('createFeedDocument').length > 0);
    // Before the service has the feed, everything lies on the disk.
    const store = openStateStore(join(outside.folder, 'state'));
    const kept = await store.read(() =>
      select(sql`SELECT id FROM writes WHERE kept IS NOT NULL`, z.unknown()),
    );
    expect(kept).toHaveLength(COUNT);
    await store.close();
    await new Promise((resolve) => setTimeout(resolve, 500));
    process.kill(one.session.pid() ?? 0, 'SIGKILL');
    await cut;
    await new Promise((resolve) => setTimeout(resolve, 3_000));

    const two = await open();
    const done = await two.session.call('change_listings', { query });
    expect(done.structured).toMatchObject({ counts: { accepted: COUNT - 1, not_accepted: 1 } });
    expect(feeds()).toBe(1);
    const undone = await agree(two, 'undo_change', { id: String(done.structured.batch_id) });
    expect(undone.structured).toMatchObject({ outcome: 'done', counts: { accepted: COUNT - 1 } });
    expect(await all(two)).toEqual(before);
  },
);
