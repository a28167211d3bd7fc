/** The demo: a real client talks to the real server over stdio, with the sandbox behind it; every answer is checked. */

import * as z from 'zod';
import { CLOSE_ON_SUNDAYS, SHOP, startOutside } from '../test/helpers/outside-service.ts';
import { connect, PROGRAM, type Session } from '../test/helpers/sessions.ts';
import { loadTools } from '../tools/index.ts';
import { createStage } from './demo/stage.ts';
import { runQuietly } from './process/run.ts';

/** The last price is far above the maximum that the service accepts. */
const PRICES = [
  { sku: 'KETL-OAK-S', set: { price: 31.49 } },
  { sku: 'KETL-OAK-L', set: { price: 66.49 } },
  { sku: 'BOWL-OAK-L', set: { price: 24.29 } },
  { sku: 'STOL-OAK-S', set: { price: 57.49 } },
  { sku: 'LAMP-OAK-E27', set: { price: 575_000 } },
];

const historySchema = z.looseObject({ entries: z.array(z.looseObject({ outcome: z.string() })) });
const changesSchema = z.looseObject({
  changes: z.array(
    z.looseObject({ single: z.array(z.looseObject({ id: z.string(), what: z.string() })).optional() }),
  ),
});

/** Settings of `demo-output.ts`, which has every process at a fixed time. */
const { NODE_OPTIONS, DEMO_SHIFT_MS } = process.env;
const CLOCK: Readonly<Record<string, string>> =
  DEMO_SHIFT_MS === undefined ? {} : { NODE_OPTIONS: String(NODE_OPTIONS), DEMO_SHIFT_MS };

/** `2026-11-21` */
const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

const stage = createStage(process.stdout);
// The sandbox runs beside the program, with the limits of the public service, so that it outlives the first session.
const outside = await startOutside({ rateLimits: undefined, rotate: false, now: Date.now });
const sessions: Session[] = [];
/** A process of its own, as a host starts it for a chat. */
const startSession = async (): Promise<Session> => {
  const session = await connect({
    spawn: true,
    args: outside.args,
    env: { ...outside.env, ...CLOCK },
    elicit: async ({ message }) => {
      stage.person(message, 'Yes');
      return { action: 'accept' };
    },
  });
  sessions.push(session);
  return session;
};
const session = await startSession();

try {
  stage.title('seller-commerce-mcp: two sessions over stdio, against its sandbox');
  const { tools } = await session.client.listTools();
  stage.scene('The tools');
  for (const { name, title } of tools) stage.line(`${name.padEnd(22)} ${title}`);
  stage.check('all that there are', tools.length === (await loadTools()).length);

  stage.scene('"What is wrong with my listing LAMP-OAK-E27?"');
  const listing = await stage.call(session, 'read_operation', {
    operation: 'getListingsItem',
    parameters: { sku: 'LAMP-OAK-E27', includedData: ['summaries', 'issues'] },
  });
  stage.check(
    'the issues are explained, worst first',
    /4 issues: 1 suppresses the listing in the United States[\s\S]*1\. ERROR[\s\S]*4\. WARNING/.test(
      listing.text,
    ),
  );

  stage.scene(
    'The same, through the documented catalog operation (withdrawn, but this sandbox still answers)',
  );
  const item = await stage.call(session, 'get_catalog_item', { asin: 'B0SBX00002', select: ['issues.0'] });
  stage.check('one issue was selected', item.text.includes('18027') && !item.text.includes('99022'));

  stage.scene('"Which of my listings have problems?"');
  const review = await stage.call(session, 'review_listings', {});
  stage.check(
    'all are read, what is suppressed is told by cause, with the money that stands still',
    /259 of 259 listings read[\s\S]*USD of inventory affected[\s\S]*Suppressed now, by cause/.test(
      review.text,
    ),
  );

  stage.scene('"What did I sell a week, in Los Angeles weeks, cancelled and pending orders left out?"');
  const type = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL';
  const collected = await stage.call(session, 'collect_data', {
    report: { type, marketplaces: ['United States'], start: dayAgo(35), end: dayAgo(1) },
    as: 'orders',
  });
  stage.check('the report is asked for, awaited and loaded', collected.structured.complete === true);
  const weeks = await stage.call(session, 'query_data', {
    sql: "SELECT local_week(purchase_date, 'America/Los_Angeles') AS week, count(DISTINCT amazon_order_id) AS orders, sum(item_price) AS revenue, currency FROM orders WHERE order_status NOT IN ('Cancelled', 'Pending') GROUP BY week, currency ORDER BY week",
  });
  stage.check('each week has its sum', /(?:20\d\d-W\d\d \|.*USD\n){4}/.test(weeks.text));

  stage.scene('"Close the Pike Street shop on Sundays": first, only a preview');
  const edit = { supplySourceId: SHOP, changes: CLOSE_ON_SUNDAYS };
  const preview = await stage.call(session, 'update_supply_source', { ...edit, dryRun: true });
  stage.check(
    'the difference is one line, nothing was sent',
    /opening hours: Sundays 11:00-16:00 -> closed[\s\S]*nothing was sent/.test(preview.text),
  );

  stage.scene('Then for real: the person is asked, the change is made and read back');
  const written = await stage.call(session, 'update_supply_source', edit);
  stage.check(
    'written and read back',
    written.structured.outcome === 'done' && /service has what was sent/.test(written.text),
  );

  stage.scene('A wrong edit is refused before anything is sent');
  const wrong = await stage.call(session, 'update_supply_source', {
    supplySourceId: SHOP,
    changes: { configuration: { timeZone: 'Europe/Berlin' } },
  });
  stage.check(
    'the error gives the wrong name and the right one',
    wrong.isError && wrong.text.includes('did you mean timezone?'),
  );

  stage.scene('Every operation, searched by keyword');
  const found = await stage.call(session, 'list_known_operations', { search: 'fees estimate' });
  stage.check(
    'the three estimates are found first',
    /getMyFeesEstimate[\s\S]*getMyFeesEstimate[\s\S]*getMyFeesEstimate/.test(found.text),
  );

  stage.scene('"Set these five prices": one question for all of them, and an outcome for each');
  const prices = await stage.call(session, 'change_listings', { items: PRICES });
  stage.check(
    'four accepted, one refused, with the reason',
    /4 accepted, 1 not accepted[\s\S]*LAMP-OAK-E27.*575000 is not between/.test(prices.text),
  );
  await session.close();

  stage.scene('In a new session, another process: "Take the price of the large bowl back"');
  const later = await startSession();
  const listed = await stage.call(later, 'undo_change', {});
  const bowl = changesSchema
    .parse(listed.structured)
    .changes.flatMap(({ single = [] }) => single)
    .find(({ what }) => what.startsWith('BOWL-OAK-L'));
  stage.check('what was changed is listed, with what was there before', bowl !== undefined);
  const undone = await stage.call(later, 'undo_change', { id: bowl?.id });
  stage.check(
    'the bowl has its old price again',
    undone.structured.outcome === 'done' && /24\.29 USD -> 26\.99 USD/.test(undone.text),
  );

  stage.scene('The last entry of the journal of writes (seller-commerce-mcp history --limit 1)');
  const history = await runHistory();
  stage.text(history.last);
  stage.check(
    'the store, five prices of which one was not accepted, and what was taken back',
    history.entries
      .map(({ outcome }) => outcome)
      .sort()
      .join() === `${'done,'.repeat(6)}not_accepted`,
  );
  stage.check(
    'nothing was written to stderr',
    sessions.every(({ stderr }) => stderr() === ''),
  );
} finally {
  for (const each of sessions) await each.close();
  await outside.close();
}
process.exitCode = stage.end();

/** The program's own history command, as a person would run it. */
async function runHistory() {
  const history = async (...flags: string[]) => {
    const args = [PROGRAM, 'history', ...outside.args, ...flags];
    return (await runQuietly(process.execPath, args)).stdout;
  };
  const [last, json] = await Promise.all([history('--limit', '1'), history('--json')]);
  return { last, entries: historySchema.parse(JSON.parse(json)).entries };
}
