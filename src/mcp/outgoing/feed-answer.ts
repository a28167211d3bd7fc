/** What became of a feed, in both forms: how far it is, the counts, what was refused one by one, and where all of it stands. */

import type { BatchInfo } from '../../batches/types.ts';
import type { MessageResult, ReportIssue } from '../../feeds/types.ts';
import type { Operation } from '../../service/facts/operation.ts';
import { delimit, escapeText, showText, VALUES_NOTE } from '../../text/escape-text.ts';
import { shortenToTokens, takeLines, takeValues, tokensOf } from '../../text/shorten.ts';
import { reasonWords } from '../../writes/verdict.ts';
import type { ToolAnswer } from '../define-tool.ts';
import type { ToolContext } from '../session.ts';
import type { WriteStructured } from '../write-answer.ts';
import { type FeedFacts, messageResults, readFacts, restoreFeed, type StoredFeed } from './feed-item.ts';
import { loadResults } from './feed-table.ts';
import { countResults, countsWords, type FeedOutcome, outcomeOf } from './settle-feed.ts';
import { waitingAnswer } from './waiting-answer.ts';

export interface FeedAnswerParts {
  info: BatchInfo;
  account: string;
  operation: Operation;
  /** Sentences on other lists. */
  unfinished: readonly string[];
}

/** Room for the lines around those of the messages. */
const FRAME_TOKENS = 300;

const HEADS: Readonly<Record<FeedOutcome, string>> = {
  done: 'Done',
  partly_accepted: 'ACCEPTED IN PART',
  not_accepted: 'NOT ACCEPTED',
  unknown: 'NOT KNOWN WHETHER IT WAS APPLIED',
};

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
  const table = await loadResults({ account, feed, facts, results }, ctx);
  const clean = (text: string) => maskText(session.redactor.redact(text));
  const told = results
    .filter(({ outcome: one, issues }) => one !== 'accepted' || issues.length > 0)
    .sort(worstFirst);
  const next = nextSteps(outcome, facts, feed, table);
  const journalId = info.items[0]?.outcome?.journalId;
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
    ...(table === undefined ? {} : { table }),
    next_step: next.join(' '),
    batch_id: info.id,
    ...(journalId === undefined ? {} : { journal_id: journalId }),
    ...(facts.whole.length === 0
      ? {}
      : { of_the_whole: facts.whole.slice(0, 5).map((issue) => clean(issueWords(issue))) }),
    ...reportFacts(facts, clean),
  };
  const room = answerTokens - tokensOf(JSON.stringify(frame)) - 40;
  const rows = takeValues(
    told.map((result) => resultFact(result, clean)),
    room,
  );
  const lines = takeLines(
    [
      ...facts.whole.slice(0, 5).map((issue) => `  The feed as a whole: ${clean(issueWords(issue))}`),
      ...told.map((result) => `  ${resultLine(result, clean)}`),
    ],
    answerTokens - FRAME_TOKENS,
    (missing) => `  ... and ${missing} more that are not listed here`,
  );
  const isBad = outcome === 'not_accepted' || outcome === 'unknown';
  return {
    ...(isBad ? { isError: true } : {}),
    text: [
      VALUES_NOTE,
      `${HEADS[outcome]}: feed ${showText(facts.feedId, 60)} (${escapeText(feed.feedType)}) for account ${account} is ${facts.status}; of ${facts.unnamed === null ? 'its messages, whose number is not known' : `${messages.toLocaleString('en-US')} messages`}: ${countsWords(counts)}.`,
      ...lines,
      ...(facts.noReport === undefined ? [] : [noReportWords(facts, clean)]),
      ...next,
      `${journalId === undefined ? '' : `Journal entry ${journalId}. `}Batch ${info.id}.`,
    ].join('\n'),
    structured: {
      ...frame,
      ...(rows.length === 0 ? {} : { results: rows }),
      ...(rows.length < told.length ? { not_listed: told.length - rows.length } : {}),
    },
    links: [],
  };
}

const RANK = { not_accepted: 0, unknown: 1, accepted: 2 } as const;

const worstFirst = (one: MessageResult, other: MessageResult) =>
  RANK[one.outcome] - RANK[other.outcome] || one.messageId - other.messageId;

function nextSteps(
  outcome: FeedOutcome,
  { status, cut }: FeedFacts,
  { feedType }: StoredFeed,
  table: string | undefined,
): string[] {
  return [
    ...(table === undefined ? [] : [`Every message stands in the table ${table} (query_data).`]),
    ...(cut === 0
      ? []
      : [
          `${cut.toLocaleString('en-US')} remarks are only in the processing report: collect_data with document of a feed.`,
        ]),
    ...(status === 'FATAL'
      ? [
          'The service broke the feed off: some, none or all of it may have been done. Read what it was to change before anything is sent again.',
        ]
      : []),
    ...(status === 'CANCELLED'
      ? ['The feed was cancelled before the service began with it: nothing of it was done.']
      : []),
    ...(outcome === 'partly_accepted'
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
  const name = sku === undefined ? `message ${messageId}` : `${showText(sku, 100)} (message ${messageId})`;
  const words = { accepted: 'accepted', not_accepted: 'not accepted', unknown: 'not known' }[outcome];
  const why = issues.map(issueWords).join('; ');
  return `${clean(name)}: ${words}${why === '' ? '' : `: ${clean(why)}`}`;
}

function issueWords(issue: ReportIssue): string {
  const { severity, attributes = [] } = issue;
  const at = attributes.length === 0 ? '' : ` (${attributes.map((name) => showText(name, 60)).join(', ')})`;
  const head = { ERROR: '', WARNING: 'warning: ', INFO: 'info: ', UNKNOWN: 'how bad is not said: ' }[
    severity
  ];
  return `${head}${reasonWords(issue)}${at}`;
}

function resultFact({ messageId, sku, outcome, issues }: MessageResult, clean: (text: string) => string) {
  const why = issues.map(issueWords).join('; ');
  return {
    message: messageId,
    ...(sku === undefined ? {} : { sku: clean(escapeText(sku)) }),
    outcome,
    ...(why === '' ? {} : { why: clean(why) }),
  };
}

function reportFacts({ noReport, beginning, reportDocumentId }: FeedFacts, clean: (text: string) => string) {
  if (noReport === undefined) return {};
  return {
    report: {
      problem: escapeText(noReport),
      ...(beginning === undefined ? {} : { beginning: shortenToTokens(clean(escapeText(beginning)), 150) }),
      ...(reportDocumentId === undefined ? {} : { document_id: escapeText(reportDocumentId) }),
    },
  };
}

function noReportWords(
  { noReport = '', beginning, reportDocumentId }: FeedFacts,
  clean: (text: string) => string,
): string {
  const said = beginning === undefined ? '' : ` It begins: ${clean(delimit(beginning, 300))}`;
  const how =
    reportDocumentId === undefined
      ? ''
      : ` collect_data with document {"id": ${showText(reportDocumentId, 200)}, "of": "feed"} reads it.`;
  return `What its processing report says is not known: ${escapeText(noReport)}.${said}${how}`;
}
