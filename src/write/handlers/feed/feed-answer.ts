/**
 * Builds the answer about a feed in both forms: its progress, the counts, each rejected message, and the
 * table of all results.
 */

import { AppError } from '../../../base/errors.ts';
import { dropUndefined } from '../../../base/json.ts';
import { delimit, escapeText, showText, VALUES_NOTE } from '../../../base/text/escape-text.ts';
import { count } from '../../../base/text/format-value.ts';
import { shortenToTokens, takeLines, takeValues, tokensOf } from '../../../base/text/shorten.ts';
import type { CollectionSource } from '../../../data/tables/table-types.ts';
import type { ToolAnswer } from '../../../render/tool-answer.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import { HEADS, isBad, type WriteCallOutcome, type WriteStructured } from '../../model/outcome.ts';
import { formatReason } from '../../model/verdict.ts';
import { undefinedIfEmpty } from '../../render/render-write.ts';
import type { BatchInfo } from '../../run/batches/summary.ts';
import type { ToolContext } from '../../session.ts';
import type { MessageResult, ReportIssue } from './feed.ts';
import { type FeedFacts, messageResults, readFacts, restoreFeed, type StoredFeed } from './feed-item.ts';
import { describeDelay } from './follow-feed.ts';
import {
  countResults,
  type FeedOutcome,
  formatMessageCounts,
  formatReportedCounts,
  outcomeOf,
} from './settle-feed.ts';

interface FeedAnswerParts {
  info: BatchInfo;
  account: string;
  operation: Operation;
  /** Sentences about other unfinished batches. */
  unfinished: readonly string[];
}

/** Tokens for the lines around those of the messages. */
const FRAME_TOKENS = 300;

export async function buildFeedAnswer(
  parts: FeedAnswerParts,
  ctx: ToolContext,
): Promise<ToolAnswer<WriteStructured>> {
  const [item] = parts.info.items;
  const feed = item && restoreFeed(item);
  const facts = readFacts(item?.outcome);
  const answer =
    feed === undefined || facts === undefined
      ? waitingAnswer(parts, feed, ctx)
      : await endedAnswer(parts, feed, facts, ctx);
  const { unfinished } = parts;
  if (unfinished.length === 0) return answer;
  return {
    ...answer,
    text: [answer.text, ...unfinished].join('\n'),
    structured: { ...answer.structured, unfinished },
  };
}

async function endedAnswer(
  { info, account, operation }: FeedAnswerParts,
  feed: StoredFeed,
  facts: FeedFacts,
  ctx: ToolContext,
): Promise<ToolAnswer<WriteStructured>> {
  const { session } = ctx;
  const { answerTokens } = session.settings();
  const { maskText } = await session.personal();
  const results = messageResults(feed.messages, facts);
  const counts = countResults(results, facts);
  const messages = counts.accepted + counts.not_accepted + counts.unknown;
  const outcome = outcomeOf(facts, counts);
  const counted = formatReportedCounts(facts);
  const table = await loadResults({ account, feed, facts, results }, ctx);
  const clean = (text: string) => maskText(session.redactor.redact(text));
  const listed = results
    .filter(({ outcome: one, issues }) => one !== 'accepted' || issues.length > 0)
    .sort(worstFirst);
  const next = nextSteps(outcome, facts, feed, table);
  const journalId = info.items[0]?.outcome?.journalId;
  const whole = facts.whole.slice(0, MAX_WHOLE_ISSUES).map((issue) => clean(formatIssue(issue)));
  const frame = {
    note: VALUES_NOTE,
    outcome,
    account,
    operation: operation.id,
    feed_id: facts.feedId,
    feed_type: feed.feedType,
    feed_status: facts.status,
    messages,
    counts,
    report_counts: facts.counted && {
      ...facts.counted,
      in_error: facts.counted.processed - facts.counted.accepted,
    },
    table,
    next_step: next.join(' '),
    batch_id: info.id,
    journal_id: journalId,
    of_the_whole: undefinedIfEmpty(whole),
    report: reportFact(facts, clean),
  };
  const room = answerTokens - tokensOf(JSON.stringify(frame)) - 40;
  const rows = takeValues(
    listed.map((result) => resultFact(result, clean)),
    room,
  );
  const lines = takeLines(
    [
      ...whole.map((text) => `  The feed as a whole: ${text}`),
      ...listed.map((result) => `  ${resultLine(result, clean)}`),
    ],
    answerTokens - FRAME_TOKENS,
    (missing) => `  ... and ${missing} more that are not listed here`,
  );
  return {
    isError: isBad(outcome),
    text: [
      VALUES_NOTE,
      `${HEADS[outcome]}: feed ${showText(facts.feedId, 60)} (${escapeText(feed.feedType)}) for account ${account} is ${facts.status}; of ${facts.unnamed === null ? 'its messages, whose number is not known' : `${count(messages)} messages`}: ${formatMessageCounts(counts)}.`,
      ...(counted === undefined ? [] : [`The processing report counts: ${counted}.`]),
      ...lines,
      ...(facts.noReport === undefined ? [] : [describeMissingReport(facts, clean)]),
      ...next,
      `${journalId === undefined ? '' : `Journal entry ${journalId}. `}Batch ${info.id}.`,
    ].join('\n'),
    structured: dropUndefined({
      ...frame,
      results: undefinedIfEmpty(rows),
      not_listed: rows.length < listed.length ? listed.length - rows.length : undefined,
    }),
    links: [],
  };
}

/** The maximum number of issues to show about the feed as a whole. */
const MAX_WHOLE_ISSUES = 5;

const RANK = { not_accepted: 0, unknown: 1, accepted: 2 } as const;

const worstFirst = (one: MessageResult, other: MessageResult) =>
  RANK[one.outcome] - RANK[other.outcome] || one.messageId - other.messageId;

function nextSteps(
  outcome: FeedOutcome,
  { status, cut, counted }: FeedFacts,
  { feedType }: StoredFeed,
  table: string | undefined,
): string[] {
  return [
    ...(table === undefined ? [] : [`Every message stands in the table ${table} (query_data).`]),
    ...(cut === 0
      ? []
      : [`${count(cut)} remarks are only in the processing report: collect_data with document of a feed.`]),
    ...(status === 'FATAL'
      ? [
          'The service broke the feed off: some, none or all of it may have been done. Read what it was to change before anything is sent again.',
        ]
      : []),
    ...(status === 'CANCELLED'
      ? ['The feed was cancelled before the service began with it: nothing of it was done.']
      : []),
    ...(outcome === 'partly_accepted' && counted !== undefined
      ? [
          'Read what the feed was to change before anything of it is sent again: which messages were accepted is not known.',
        ]
      : []),
    ...(outcome === 'partly_accepted' && counted === undefined
      ? ['Send again only what was refused, corrected; never what was accepted.']
      : []),
    ...(outcome === 'done' && /LISTINGS|INVENTORY|PRICE/.test(feedType)
      ? ['Accepted changes of listings appear minutes later: read them again before telling that they show.']
      : []),
  ];
}

function resultLine(
  { messageId, sku, outcome, issues }: MessageResult,
  clean: (text: string) => string,
): string {
  const name =
    sku === undefined ? `message ${messageId}` : `${showText(clean(sku), 100)} (message ${messageId})`;
  const label = { accepted: 'accepted', not_accepted: 'not accepted', unknown: 'not known' }[outcome];
  const why = issues.map(formatIssue).join('; ');
  return `${name}: ${label}${why === '' ? '' : `: ${clean(why)}`}`;
}

function formatIssue(issue: ReportIssue): string {
  const { severity, attributes = [] } = issue;
  const at = attributes.length === 0 ? '' : ` (${attributes.map((name) => showText(name, 60)).join(', ')})`;
  const head = { ERROR: '', WARNING: 'warning: ', INFO: 'info: ', UNKNOWN: 'how bad is not said: ' }[
    severity
  ];
  return `${head}${formatReason(issue)}${at}`;
}

function resultFact({ messageId, sku, outcome, issues }: MessageResult, clean: (text: string) => string) {
  const why = issues.map(formatIssue).join('; ');
  return {
    message: messageId,
    sku: sku === undefined ? undefined : clean(escapeText(sku)),
    outcome,
    why: why === '' ? undefined : clean(why),
  };
}

function reportFact({ noReport, beginning, reportDocumentId }: FeedFacts, clean: (text: string) => string) {
  if (noReport === undefined) return undefined;
  return {
    problem: escapeText(noReport),
    beginning: beginning && shortenToTokens(clean(escapeText(beginning)), 150),
    document_id: reportDocumentId && escapeText(reportDocumentId),
  };
}

function describeMissingReport(
  { noReport = '', beginning, reportDocumentId }: FeedFacts,
  clean: (text: string) => string,
): string {
  const beginningText = beginning === undefined ? '' : ` It begins: ${clean(delimit(beginning, 300))}`;
  const how =
    reportDocumentId === undefined
      ? ''
      : ` collect_data with document {"id": ${showText(reportDocumentId, 200)}, "of": "feed"} reads it.`;
  return `What its processing report says is not known: ${escapeText(noReport)}.${beginningText}${how}`;
}

// The functions below store the outcome of each message in a table of its own, for query_data.

const RESULTS_TABLE = 'feed_results';

/** The number of rows that are added at once. */
const ROWS_AT_ONCE = 2_000;

interface FeedResults {
  account: string;
  feed: StoredFeed;
  facts: FeedFacts;
  results: readonly MessageResult[];
}

/**
 * Returns the table's name; undefined where there are no results, or no table could be made, which does not
 * affect the answer.
 */
async function loadResults(
  { account, feed, facts, results }: FeedResults,
  { session }: ToolContext,
): Promise<string | undefined> {
  if (results.length === 0) return undefined;
  const { feedId, status, cut } = facts;
  // No operation of that name has these parameters, so the table is never mistaken for a collection.
  const source: CollectionSource = {
    kind: 'operation',
    operation: 'feeds/createFeed',
    parameters: { feedId },
  };
  try {
    const tables = await session.tables(account);
    const existing = (await tables.find(source))?.tables[0]?.name;
    if (existing !== undefined) return existing;
    const loader = await tables.openLoader(source);
    try {
      for (let at = 0; at < results.length; at += ROWS_AT_ONCE) {
        await loader.addItems(RESULTS_TABLE, results.slice(at, at + ROWS_AT_ONCE).map(toRow), 'message_id');
      }
      const notes = [`Feed ${feedId} (${feed.feedType}), ${status}: what became of each message.`];
      const info = await loader.finish({ source, complete: cut === 0, notes });
      return info.tables[0]?.name;
    } catch (error) {
      await loader.abandon();
      throw error;
    }
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

function toRow({ messageId, sku, outcome, issues }: MessageResult) {
  const [first] = issues;
  return {
    message_id: messageId,
    sku: sku ?? null,
    outcome,
    severity: first?.severity ?? null,
    code: first?.code ?? null,
    message: first?.message ?? null,
    attributes: first?.attributes?.join(', ') ?? null,
    issues: issues.length,
  };
}

// The functions below answer about a feed that has not ended, or that ended without being sent: its progress,
// and the next step.

function waitingAnswer(
  { info, account, operation }: FeedAnswerParts,
  feed: StoredFeed | undefined,
  { session }: ToolContext,
): ToolAnswer<WriteStructured> {
  const [item] = info.items;
  const { kind, why = info.why, journalId } = item?.outcome ?? {};
  const outcome = waitingOutcome(info, kind);
  const head = FEED_HEADS[outcome] ?? HEADS[outcome];
  const next = NEXT_STEPS[outcome];
  const what = `${feed?.feedType ?? 'feed'} for account ${account}`;
  const age = session.program.now() - info.createdAt;
  const stuck = outcome === 'under_way' || outcome === 'unfinished' ? describeDelay(age) : '';
  return {
    isError: isBad(outcome),
    text: [
      VALUES_NOTE,
      `${head}: ${escapeText(what)}.${why === undefined ? '' : ` ${escapeText(why)}`}${stuck === '' ? '' : ` It is not done${stuck}.`}`,
      next,
      `${journalId === undefined ? '' : `Journal entry ${journalId}. `}Batch ${info.id}.`,
    ].join('\n'),
    structured: dropUndefined({
      note: VALUES_NOTE,
      outcome,
      account,
      operation: operation.id,
      batch_id: info.id,
      why: why && escapeText(why),
      next_step: next,
      journal_id: journalId,
    }),
    links: [],
  };
}

type WaitingOutcome = Extract<
  WriteCallOutcome,
  'under_way' | 'unfinished' | 'stopped' | 'expired' | 'not_accepted' | 'unknown'
>;

function waitingOutcome({ state }: BatchInfo, kind: string | undefined): WaitingOutcome {
  // The batch does not know the outcome of a feed that was in flight then, but the service does.
  const isOpen = kind === undefined || kind === 'not_sent' || kind === 'unknown';
  if (isOpen && (state === 'stopped' || state === 'expired')) return state;
  if (kind === 'unknown') return 'unknown';
  if (kind !== undefined) return 'not_accepted';
  if (state === 'under_way' || state === 'elsewhere') return 'under_way';
  return state === 'unfinished' ? state : 'not_accepted';
}

const AGAIN = 'The same call, without a code, tells how far it is; it is never sent twice.';

const NEXT_STEPS: Readonly<Record<WaitingOutcome, string>> = {
  under_way: `Feeds take minutes, some hours. ${AGAIN}`,
  unfinished: 'The same call, without a code, goes on with it; it is never sent twice.',
  stopped:
    'What the service has of it goes on there: getFeed tells, cancelFeed ends what is still in the queue.',
  expired: 'Look at getFeeds before anything of it is sent again.',
  not_accepted: 'Nothing of it was processed. Correct what it names, then call again.',
  unknown: 'Look at getFeeds and at what it was to change before anything of it is sent again.',
};

/** Headings that are more precise than those of other batches. */
const FEED_HEADS: Partial<typeof HEADS> = {
  expired: 'NOT FINISHED WITHIN 24 HOURS',
  unknown: 'NOT KNOWN WHETHER THE SERVICE HAS IT',
};
