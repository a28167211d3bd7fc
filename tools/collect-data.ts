/** collect_data: a whole set (all pages, a report, a document) into tables on this computer, for query_data. */

import * as z from 'zod';
import { systemClock } from '../src/base/clock.ts';
import { InputError } from '../src/base/errors.ts';
import { rowsPage } from '../src/board/save-page.ts';
import {
  collectedOutput,
  describeCollected,
  summarizeCollected,
} from '../src/data/collections/describe-collected.ts';
import { planCollection } from '../src/data/collections/plan-collection.ts';
import { recordCollectedStates } from '../src/data/review/collected-states.ts';
import { defineTool } from '../src/protocol/define-tool.ts';
import {
  accountArgument,
  bodyArgument,
  boundedText,
  parametersArgument,
  saveAsArgument,
  sqlArgument,
} from '../src/render/arguments/arguments.ts';
import { describeItems } from '../src/render/documents/describe-items.ts';
import { checkSaveAs } from '../src/render/documents/save-documents.ts';
import { answerQuery, checkQuery, queryRows } from '../src/render/rows/answer-query.ts';
import { isSecret } from '../src/render/secret-answers.ts';

/** Left of the call's own time for the answer. */
const MARGIN_MS = 3_000;

/** And for a question to the tables; whoever needs more calls again. */
const QUERY_MARGIN_MS = 6_000;

const MAX_MARKETPLACES = 25;

/** The report that most questions about sales need. */
const ORDERS_REPORT = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL';

/** These make the first SELECT fit; a test holds them against the facts of the report. */
const ORDER_COLUMNS =
  'amazon_order_id, merchant_order_id, purchase_date, last_updated_date, order_status, fulfillment_channel, sales_channel, order_channel, ship_service_level, product_name, sku, asin, item_status, currency, ship_city, ship_state, ship_postal_code, ship_country, promotion_ids, is_business_order, purchase_order_number, price_designation, marketplace; numbers: quantity, item_price, item_tax, shipping_price, shipping_tax, gift_wrap_price, gift_wrap_tax, item_promotion_discount, ship_promotion_discount';

const input = z.strictObject({
  operation: boundedText(300).optional().describe('One that answers in pages: searchOrders'),
  parameters: parametersArgument,
  body: bodyArgument,
  each: sqlArgument
    .optional()
    .describe(
      'A SELECT over collected tables: operation is called once for each row. Its columns are parameters (SELECT sku AS SellerSKU) or dotted members of the body (in a batch, of one request); others are kept beside the answers',
    ),
  report: z
    .strictObject({
      type: boundedText(200).describe(
        `All orders: ${ORDERS_REPORT}, one row per item; columns: ${ORDER_COLUMNS}. Other types (Data Kiosk: analytics_economics_2024_03_15) and their columns: describe_operation createReport, member: the type`,
      ),
      marketplaces: z
        .array(boundedText(100))
        .max(MAX_MARKETPLACES, `takes at most ${MAX_MARKETPLACES} marketplaces`)
        .optional()
        .describe("Countries or marketplace IDs; default: the account's default one"),
      start: boundedText(40)
        .optional()
        .describe('First day in the marketplace (2026-10-01), or a time with offset'),
      end: boundedText(40).optional().describe('Last day, counted whole, or a time; default: now'),
      options: z.record(z.string(), z.string()).optional().describe('reportOptions of the type'),
    })
    .optional()
    .describe('A report, instead of operation'),
  document: z
    .strictObject({ id: boundedText(300), of: z.enum(['report', 'feed', 'data-kiosk']).optional() })
    .optional()
    .describe('A document that exists, instead of operation; of: default report'),
  fresh: z
    .boolean()
    .optional()
    .describe('true: collect again, even if it was collected recently (reports: 4 hours, pages: 10 minutes)'),
  as: z
    .string()
    .refine((name) => /^[A-Za-z]\w{0,49}$/.test(name), 'is a letter, then up to 49 letters, digits or _')
    .optional()
    .describe('Name for its table'),
  sql: sqlArgument
    .optional()
    .describe('A SELECT over its tables that is answered at once, as query_data does'),
  save_as: saveAsArgument.describe(
    'File name: also saves it for the person as it was sent (orders.tsv), or the rows of sql (x.xlsx)',
  ),
  account: accountArgument,
});

export const collectData = defineTool({
  name: 'collect_data',
  title: 'Collect orders, sales, returns into tables',
  description:
    'Collects orders, sales, returns, refunds, inventory, fees, settlement reports into SQL tables on this computer for query_data. Takes all pages of an operation, one call for each row of a SELECT (each), a report (requested, awaited, loaded), or a document by id. describe_operation names the tables and columns first. A long collection goes on: call again with the same arguments.',
  effect: 'read',
  alwaysLoad: true,
  longAnswers: true,
  idempotent: true,
  input,
  output: collectedOutput,
  async run(args, { session, call, tell }) {
    const account = session.accountOf(args.account);
    const { sql, save_as: saveAs } = args;
    if (sql === undefined) await checkSaveAs(saveAs);
    else checkQuery({ saveAs });
    const [client, registry] = await Promise.all([session.client(), session.program.registry()]);
    if (args.operation !== undefined && isSecret(registry.find(args.operation))) {
      throw new InputError('A token is a secret, and not collected; nothing was sent.');
    }
    const plan = await planCollection(args, {
      client,
      downloads: () => session.downloads(),
      find: registry.find,
      account,
      clock: systemClock,
      ...(saveAs === undefined || sql !== undefined
        ? {}
        : { saving: { name: saveAs, files: session.files } }),
      rowsOf: (each, maxRows) => queryRows(each, { account, maxRows }, { session, call }),
      kept: async (source) => (await session.tables(account)).find(source),
      lastOfKind: async (source) => (await session.tables(account)).lastOfKind(source),
      describe: describeItems,
    });
    const collections = await session.collections();
    const collected = await collections.collect(plan, {
      tables: await session.tables(account),
      fresh: args.fresh,
      as: args.as,
      until: call.deadline - (sql === undefined ? MARGIN_MS : QUERY_MARGIN_MS),
      signal: call.signal,
      onProgress: ({ message, done, total }) => tell({ message, done, total }),
    });
    if (collected.state === 'done' && collected.ageMs === undefined) {
      const { marketplaceId: home } = await (await session.accounts()).profile(account);
      const [tables, { signal }] = [await session.tables(account), call];
      // The comparison with earlier reviews is a question of its own, so that the answer does not depend on it.
      await recordCollectedStates(collected.info, tables, { home, signal }).catch(() => undefined);
    }
    const options = {
      account,
      now: session.program.now(),
      answerTokens: session.settings().answerTokens,
      redact: session.redactor.redact,
      told: collections.told,
    };
    if (sql === undefined || collected.state === 'under way') return describeCollected(collected, options);
    const summary = { info: collected.info, ...summarizeCollected(collected, options) };
    return answerQuery(
      { sql, saveAs },
      {
        session,
        call,
        account,
        savePage: rowsPage(session, account),
        collected: summary,
      },
    );
  },
});
