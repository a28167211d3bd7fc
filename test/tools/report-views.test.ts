/** Each view of a report, over what the demo account's report holds: its rows are made of the report's, to the cent. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { reportViews } from '../../src/data/tables/generated/report-views.ts';
import { type Outside, startOutside } from '../helpers/outside-service.ts';
import { connect, type Session } from '../helpers/sessions.ts';

/** Two statements with equal answers for each view: over the view, and over the report as table `t`. */
const AGREES: Readonly<Record<string, readonly [view: string, report: string]>> = {
  settlement_totals: [
    'SELECT settlement_id, round(sum(amount), 2), max(deposit), currency FROM settlement_totals GROUP BY 1, currency ORDER BY 1',
    'SELECT settlement_id, max(total_amount), max(total_amount), currency FROM t GROUP BY 1, currency ORDER BY 1',
  ],
  daily_sales: [
    'SELECT sum(orders), sum(units), sum(sales), currency FROM daily_sales GROUP BY currency ORDER BY currency',
    "SELECT count(DISTINCT amazon_order_id), sum(quantity), sum(item_price), currency FROM t WHERE order_status <> 'Cancelled' GROUP BY currency ORDER BY currency",
  ],
};

let outside: Outside;
let session: Session;
beforeAll(async () => {
  outside = await startOutside();
  session = await connect({ args: outside.args, env: outside.env });
});
afterAll(async () => {
  await session.close();
  await outside.close();
});

const query = (sql: string) => session.call('query_data', { sql });

it('says of a view whose report is not collected what to collect', async () => {
  const { isError, text } = await query('SELECT * FROM daily_sales');
  expect(isError).toBe(true);
  expect(text).toContain('collect_data');
});

it.each(Object.entries(reportViews))('%s agrees with its report', async (name, { reportType }) => {
  const report = {
    type: reportType,
    start: new Date(Date.now() - 60 * 86_400_000).toISOString().slice(0, 10),
  };
  const collected = await session.call('collect_data', { report, as: `t_${name}` });
  expect(collected.text).toContain(name);
  const [view = '', whole = ''] = AGREES[name] ?? [];
  expect(view, `two statements for ${name} in AGREES`).not.toBe('');
  const [of, from] = [await query(view), await query(whole.replaceAll(' FROM t', ` FROM t_${name}`))];
  for (const one of [of, from]) expect(one.isError, one.text).toBe(false);
  expect(of.structured.rows).toEqual(from.structured.rows);
  expect(of.structured.rows).not.toEqual([]);
  // The view works beside a WITH table, in parentheses, and as a table of its own.
  for (const sql of [
    `WITH own AS (SELECT 1 AS one) SELECT count(*) AS n FROM ${name}, own`,
    `WITH RECURSIVE own(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM own WHERE n < 2) SELECT count(*) / 2 AS n FROM ${name}, own`,
    `(SELECT count(*) AS n FROM ${name})`,
  ])
    expect((await query(sql)).structured.rows).toEqual(
      (await query(`SELECT count(*) FROM ${name}`)).structured.rows,
    );
  for (const defined of [`${name} AS (`, `${name}(n) AS (`, `${name} AS MATERIALIZED (`]) {
    const own = await query(`WITH ${defined}SELECT 7 AS n) SELECT n FROM ${name}`);
    expect(own.structured.rows, own.text).toEqual([[7]]);
  }
});
