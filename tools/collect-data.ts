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
import { keepCollectedStates } from '../src/data/review/collected-states.ts';
import { defineTool } from '../src/protocol/define-tool.ts';
import {
  accountArgument,
  bodyArgument,
  parametersArgument,
  saveAsArgument,
  shortText,
  sqlArgument,
} from '../src/tell/arguments/arguments.ts';
import { describeItems } from '../src/tell/documents/describe-items.ts';
import { checkSaveAs } from '../src/tell/documents/save-documents.ts';
import { answerQuery, checkQuery, queryRows } from '../src/tell/rows/answer-query.ts';
import { isSecret } from '../src/tell/secret-answers.ts';

/** Left of the call's own time for the answer. */
const MARGIN_MS = 3_000;

/** And for a question to the tables; whoever needs more calls again. */
const QUERY_MARGIN_MS = 6_000;

const MOST_MARKETPLACES = 25;

const input = z.strictObject({
  operation: shortText(300).optional().describe('One that reads in pages: searchOrders'),
  parameters: parametersArgument,
  body: bodyArgument,
  each: sqlArgument
    .optional()
    .describe(
      'SELECT: a call for each row; columns are parameters by name (SELECT sku AS SellerSKU) or body members, dotted; others come along',
    ),
  report: z
    .strictObject({
      type: shortText(200).describe(
        'GET_MERCHANT_LISTINGS_ALL_DATA; its columns: describe_operation createReport, member: the type',
      ),
      marketplaces: z
        .array(shortText(100))
        .max(MOST_MARKETPLACES, `takes at most ${MOST_MARKETPLACES} marketplaces`)
        .optional()
        .describe("IDs or countries; default: the account's"),
      start: shortText(40).optional().describe('Day there, or time with offset'),
      end: shortText(40).optional().describe('A day counts whole; default: now'),
      options: z.record(z.string(), z.string()).optional().describe('reportOptions'),
    })
    .optional()
    .describe('Instead of operation'),
  document: z
    .strictObject({ id: shortText(300), of: z.enum(['report', 'feed', 'data-kiosk']).optional() })
    .optional()
    .describe('Instead of operation: one that exists'),
  fresh: z.boolean().optional().describe('Not the recent one that is there'),
  as: z
    .string()
    .refine((name) => /^[A-Za-z]\w{0,49}$/.test(name), 'is a letter, then up to 49 letters, digits or _')
    .optional()
    .describe('Table name'),
  sql: sqlArgument.optional().describe('Then answers this SELECT over its tables, as query_data does'),
  save_as: saveAsArgument.describe(
    'File name: saves it as sent, too (orders.tsv); with sql its rows (x.xlsx)',
  ),
  account: accountArgument,
});

export const collectData = defineTool({
  name: 'collect_data',
  title: 'Collect whole sets into tables',
  description:
    'Collects a whole set into SQL tables on this computer, for query_data: all pages of an operation, one call for each row of a SELECT, a report (asked for, awaited, loaded), or a document by id. For questions about many orders, listings, offers, stock or payments. Long ones go on: call again with the same arguments.',
  effect: 'read',
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
      readLarge: async (unread, of, signal) => (await session.readingThreads()).page(unread, of, signal),
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
      // What is new is a question of its own: the answer does not depend on it.
      await keepCollectedStates(collected.info, tables, { home, signal }).catch(() => undefined);
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
