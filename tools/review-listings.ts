/** review_listings: what keeps the listings of a whole catalog from being sold or found, in one reply. */

import * as z from 'zod';
import { systemClock } from '../src/base/clock.ts';
import { InputError } from '../src/base/errors.ts';
import {
  collectedOutput,
  describeCollected,
  summarizeCollected,
} from '../src/data/collections/describe-collected.ts';
import { planReview } from '../src/data/review/plan-review.ts';
import { defineTool } from '../src/protocol/define-tool.ts';
import { accountArgument, boundedText, sqlArgument } from '../src/render/arguments/arguments.ts';
import { isPageName } from '../src/store/files/endings.ts';

/** Left of the call's own time for reading the tables and for the answer, and how much of a short one. */
const MARGIN_MS = 6_000;
const MARGIN_PART = 0.3;

/** Longest time for one question to the tables. */
const MAX_QUERY_MS = 5_000;

const MAX_MARKETPLACES = 25;
const MAX_SKUS = 1_000;

/** So that the first SELECT fits; a test holds it against the rows that a review makes. */
const COLUMNS =
  'A SELECT over the tables of the review, answered instead of the review. Table listings: sku, marketplace_id, marketplace (country: Germany), asin, title, product_type, status, buyable, discoverable, channel (FBA, seller), quantity, inbound, price, currency, stock_amount, suppressed (altogether, search), suppressed_by, exempt_issues, errors, warnings, issues, last_updated; no minimum_price (getListingsItem has it). Table listing_issues: sku, marketplace, code, severity, message, effect, suppresses, exempt, exempt_until, attribute_names';

export const reviewListings = defineTool({
  name: 'review_listings',
  title: 'Review all listings',
  description: `Answers "What is wrong with my listings?" for all or for skus, and "What is new since yesterday?" for all. Tells by cause which are suppressed (can't be sold) or hidden from search now, which are exempt and until when, and which warnings and errors have no effect; first those with the most inventory that can't sell (price x quantity). Its tables stay for query_data. A long review goes on: call again with the same arguments.`,
  effect: 'read',
  alwaysLoad: true,
  longAnswers: true,
  idempotent: true,
  input: z.strictObject({
    marketplaces: z
      .array(boundedText(100))
      .min(1, 'must name a marketplace')
      .max(MAX_MARKETPLACES, `takes at most ${MAX_MARKETPLACES} marketplaces`)
      .optional()
      .describe("Countries or marketplace IDs; default: the account's default one"),
    skus: z
      .array(boundedText(100))
      .min(1, 'must name a SKU')
      .max(MAX_SKUS, `takes at most ${MAX_SKUS} SKUs; leave it out for all`)
      .optional()
      .describe('Only these listings'),
    fresh: z
      .boolean()
      .optional()
      .describe('true: read all again, even if it was read in the last 10 minutes'),
    sql: sqlArgument.optional().describe(COLUMNS),
    since: boundedText(40)
      .optional()
      .describe('Tell what is new since yesterday, 7d or 2026-11-27T08:00:00Z, not since the last review'),
    save_as: z
      .string()
      .min(1)
      .optional()
      .describe('File name: the rows of sql (x.xlsx), or without sql the review as a page (x.html)'),
    account: accountArgument,
  }),
  output: collectedOutput,
  async run({ account: given, sql, save_as: saveAs, since, ...request }, { session, call, tell }) {
    const account = session.accountOf(given);
    const isPage = sql === undefined && saveAs !== undefined && isPageName(saveAs);
    if (sql === undefined && saveAs !== undefined && !isPage) {
      throw new InputError(
        'save_as takes the rows of sql, and there is none.',
        'Give sql too, or a name in .html for the review as a page to look at.',
      );
    }
    if (saveAs !== undefined) (await import('../src/render/rows/answer-query.ts')).checkQuery({ saveAs });
    const [client, registry, tables, collections] = await Promise.all([
      session.client(),
      session.program.registry(),
      session.tables(account),
      session.collections(),
    ]);
    const downloads = () => session.downloads();
    const sources = { client, downloads, find: registry.find, account, clock: systemClock };
    const collected = await collections.collect(await planReview({ ...request, since }, sources, tables), {
      tables,
      fresh: request.fresh,
      until: call.deadline - Math.min(MARGIN_MS, MARGIN_PART * (call.deadline - performance.now())),
      signal: call.signal,
      onProgress: ({ message, done, total }) => tell({ message, done, total }),
    });
    const options = {
      account,
      now: session.program.now(),
      answerTokens: session.settings().answerTokens,
      redact: session.redactor.redact,
      told: collections.told,
    };
    if (collected.state === 'under way') return describeCollected(collected, options);
    if (sql !== undefined) {
      const { answerQuery } = await import('../src/render/rows/answer-query.ts');
      const { rowsPage } = await import('../src/board/save-page.ts');
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
    }
    const { describeReview } = await import('../src/data/review/describe-review.ts');
    const answer = await describeReview(
      tables,
      { ...collected, since },
      { ...options, timeoutMs: MAX_QUERY_MS, signal: call.signal },
    );
    if (!isPage) return answer;
    const reading = { ...options, timeoutMs: MAX_QUERY_MS, signal: call.signal, since };
    const { withReviewPage } = await import('../src/board/review-page.ts');
    return withReviewPage(answer, saveAs, { info: collected.info, tables, reading }, session);
  },
});
