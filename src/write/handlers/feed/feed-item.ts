/** Stores a feed as an item of a batch: its record on the disk, and the facts of its end. */

import * as z from 'zod';
import { shortenToTokens } from '../../../base/text/shorten.ts';
import { formatReason } from '../../model/verdict.ts';
import type { BatchItem, ItemOutcome } from '../../run/batches/batch.ts';
import type { BatchInfoItem } from '../../run/batches/summary.ts';
import {
  type EndedFeed,
  endedStatusSchema,
  type Feed,
  type MessageResult,
  messageOutcomeSchema,
  type ReportIssue,
  reportIssueSchema,
  type SentMessage,
} from './feed.ts';
import { countUnnamed, findWholeIssues } from './join-report.ts';

const messagesSchema = z.array(z.tuple([z.int(), z.string().nullable()]));
const itemSchema = z.object({
  kind: z.literal('feed'),
  feedType: z.string(),
  marketplaceIds: z.array(z.string()),
  feedOptions: z.record(z.string(), z.string()).optional(),
  document: z.object({
    contentType: z.string(),
    bytes: z.number(),
    sha256: z.string(),
    md5: z.string(),
  }),
  messages: messagesSchema,
});

export type StoredFeed = Omit<Feed, 'document'> & { document: Omit<Feed['document'], 'read'> };

/**
 * The maximum number of messages to store. The outcomes of a larger feed are only in its report, so that the
 * record stays small.
 */
const MAX_STORED_MESSAGES = 100_000;

export function storeFeed(key: string, feed: Feed) {
  const { feedType, marketplaceIds, feedOptions, document, messages } = feed;
  const { contentType, bytes, sha256, md5 } = document;
  const known = messages.length > MAX_STORED_MESSAGES ? [] : messages;
  const value: z.input<typeof itemSchema> = {
    kind: 'feed',
    feedType,
    marketplaceIds: [...marketplaceIds],
    ...(feedOptions === undefined ? {} : { feedOptions: { ...feedOptions } }),
    document: { contentType, bytes, sha256, md5 },
    messages: known.map(({ messageId, sku }) => [messageId, sku ?? null]),
  };
  return { key, value };
}

/** Returns undefined for an item that is no feed, or one of another version. */
export function restoreFeed({ value }: Pick<BatchItem, 'value'>): StoredFeed | undefined {
  const { data } = itemSchema.safeParse(value);
  if (data === undefined) return undefined;
  const messages = data.messages.map(([messageId, sku]) => ({ messageId, ...(sku === null ? {} : { sku }) }));
  return { ...data, messages };
}

const factsSchema = z.object({
  feedId: z.string(),
  status: endedStatusSchema,
  reportDocumentId: z.string().optional(),
  /** The reason why the report could not be read or understood. */
  noReport: z.string().optional(),
  /** The first characters of a report that is not understood. */
  beginning: z.string().optional(),
  whole: z.array(reportIssueSchema),
  told: z.array(z.tuple([z.int(), z.string().nullable(), messageOutcomeSchema, z.array(reportIssueSchema)])),
  /** The outcome of every message that is not in `told`. */
  rest: messageOutcomeSchema,
  /** Counts of messages that the report does not name; null where their number is unknown. */
  unnamed: z.record(messageOutcomeSchema, z.int()).nullable(),
  /**
   * The report's counts, where they cannot be assigned to single messages; `accepted` is part of `processed`.
   */
  counted: z.object({ processed: z.int(), accepted: z.int() }).optional(),
  /** The number of messages whose issues are left out. */
  cut: z.int(),
});

export type FeedFacts = z.output<typeof factsSchema>;

/** Maximum characters of all stored issues; the report itself has the others. */
const MAX_ISSUE_CHARACTERS = 4_000_000;
const MAX_ISSUES = 3;
const MAX_MESSAGE_CHARACTERS = 300;

export function feedFacts(
  ended: EndedFeed,
  messages: readonly SentMessage[],
  results: readonly MessageResult[],
): FeedFacts {
  const { feedId, status, report, reportDocumentId, reportProblem } = ended;
  const silent = results.find(({ issues }) => issues.length === 0);
  const rest = silent?.outcome ?? 'unknown';
  const all = results.filter(({ issues, outcome }) => issues.length > 0 || outcome !== rest);
  let left = MAX_ISSUE_CHARACTERS;
  let cut = 0;
  // Every outcome is stored. Where the issues are too many, those of the last messages are left out.
  const listed = [...all]
    .sort(refusedFirst)
    .map(({ messageId, sku, outcome, issues }): FeedFacts['told'][number] => {
      const shortened = issues.slice(0, MAX_ISSUES).map(shortenIssue);
      left -= JSON.stringify(shortened).length;
      if (left < 0) cut += 1;
      return [messageId, sku ?? null, outcome, left < 0 ? [] : shortened];
    });
  const isMissing = status === 'DONE' && report === undefined;
  const why = report?.form === 'unknown' ? report.why : isMissing ? 'the service names none' : undefined;
  const noReport = reportProblem?.message ?? why;
  return {
    feedId,
    status,
    rest,
    told: listed,
    cut,
    unnamed: countUnnamed(messages, ended) ?? null,
    reportDocumentId,
    noReport,
    ...(report?.form === 'unknown' ? { beginning: report.beginning } : {}),
    ...countedOf(ended, messages, results),
    whole: findWholeIssues(messages, ended).slice(0, 20).map(shortenIssue),
  };
}

/** Returns counts only where the report leaves the outcome of some message open. */
function countedOf(
  { report, status }: EndedFeed,
  messages: readonly SentMessage[],
  results: readonly MessageResult[],
) {
  if (report === undefined || report.form === 'unknown' || status === 'CANCELLED') return {};
  const { processed = messages.length, accepted } = report;
  const isOpen = results.length === 0 || results.some(({ outcome }) => outcome === 'unknown');
  // The answer says that all were accepted only where that is known of each message.
  if (accepted === undefined || accepted >= processed || !isOpen) return {};
  return { counted: { processed, accepted } };
}

const refusedFirst = (one: MessageResult, other: MessageResult) =>
  Number(one.outcome !== 'not_accepted') - Number(other.outcome !== 'not_accepted') ||
  one.messageId - other.messageId;

function shortenIssue({ message, attributes, ...issue }: ReportIssue): ReportIssue {
  return {
    ...issue,
    ...(message === undefined ? {} : { message: message.slice(0, MAX_MESSAGE_CHARACTERS) }),
    ...(attributes === undefined ? {} : { attributes: attributes.slice(0, 10) }),
  };
}

/** Returns undefined where the item ended without a feed. */
export function readFacts(outcome: ItemOutcome | undefined): FeedFacts | undefined {
  return factsSchema.safeParse(outcome?.facts).data;
}

/** Returns each message with its outcome; where not all messages are known, those that the report named. */
export function messageResults(messages: readonly SentMessage[], { told, rest }: FeedFacts): MessageResult[] {
  const known = new Map(told.map((one) => [one[0], one]));
  const all =
    messages.length > 0
      ? messages
      : told.map(([messageId, sku]) => ({ messageId, ...(sku === null ? {} : { sku }) }));
  return all.map((message) => {
    const [, , outcome = rest, issues = []] = known.get(message.messageId) ?? [];
    return { ...message, outcome, issues };
  });
}

/** Returns one entry for each listing of a feed, by its SKU; undefined for an item that is no feed. */
export function expandFeed(
  item: BatchInfoItem,
): { key: string; outcome?: ItemOutcome | undefined }[] | undefined {
  const feed = restoreFeed(item);
  if (feed === undefined) return undefined;
  const keyOf = ({ sku, messageId }: { sku?: string; messageId: number }) => sku ?? `message ${messageId}`;
  const { outcome } = item;
  const facts = readFacts(outcome);
  if (outcome === undefined || facts === undefined) {
    // The outcome of the feed as a whole applies to each of its messages.
    const { facts: _facts, ...whole } = outcome ?? {};
    return feed.messages.map((message) => ({
      key: keyOf(message),
      ...(outcome === undefined ? {} : { outcome: { ...whole, kind: outcome.kind } }),
    }));
  }
  return messageResults(feed.messages, facts).map((result) => ({
    key: keyOf(result),
    outcome: entryOf(result, facts, outcome),
  }));
}

/** Maximum tokens of one reason. */
const MAX_REASON_TOKENS = 150;

function entryOf(
  { outcome, issues }: MessageResult,
  { status, whole, noReport }: FeedFacts,
  { journalId }: ItemOutcome,
): ItemOutcome {
  const texts = (issues.length > 0 ? issues : outcome === 'accepted' ? [] : whole).map((issue) =>
    formatReason(issue),
  );
  const silence =
    status === 'DONE'
      ? 'the processing report does not say whether it was accepted'
      : `the feed ended ${status}`;
  const because = outcome === 'unknown' && texts.length === 0 ? (noReport ?? silence) : undefined;
  const cancelled =
    outcome === 'not_accepted' && texts.length === 0 ? `The feed was ${status} before it began.` : undefined;
  const why = texts.length > 0 ? texts.join('; ') : (because ?? cancelled);
  return {
    kind: outcome,
    ...(why === undefined ? {} : { why: shortenToTokens(why, MAX_REASON_TOKENS) }),
    journalId,
  };
}
