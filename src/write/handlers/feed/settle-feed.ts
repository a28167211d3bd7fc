/**
 * Reduces an ended feed to one outcome for the batch and the journal, because its creation was only the
 * beginning.
 */

import { showText } from '../../../base/text/escape-text.ts';
import { count } from '../../../base/text/format-value.ts';
import type { ItemEnd, WriteCallOutcome } from '../../model/outcome.ts';
import { formatReason } from '../../model/verdict.ts';
import type { ToolContext } from '../../session.ts';
import type { MessageCounts, MessageResult } from './feed.ts';
import type { FeedFacts } from './feed-item.ts';

/** Counts the results, with messages that the report counts but does not name. */
export function countResults(results: readonly MessageResult[], { unnamed }: FeedFacts): MessageCounts {
  const counts = { accepted: 0, not_accepted: 0, unknown: 0, ...unnamed };
  for (const { outcome } of results) counts[outcome] += 1;
  return counts;
}

export type FeedOutcome = Extract<WriteCallOutcome, 'done' | 'partly_accepted' | 'not_accepted' | 'unknown'>;

export function outcomeOf(
  { status, whole, unnamed, counted }: FeedFacts,
  { accepted, not_accepted, unknown }: MessageCounts,
): FeedOutcome {
  const total = accepted + not_accepted + unknown;
  if (status === 'CANCELLED') return 'not_accepted';
  // The report's counts show more than single messages do, but "all accepted" is not derived from a doubtful
  // count.
  if (counted !== undefined && status === 'DONE' && counted.accepted < counted.processed && unknown > 0)
    return counted.accepted === 0 ? 'not_accepted' : 'partly_accepted';
  if (unnamed === null) return 'unknown';
  if (total === 0) {
    const isRefused = status === 'DONE' && whole.some(({ severity }) => severity === 'ERROR');
    return isRefused ? 'not_accepted' : 'unknown';
  }
  if (accepted === total) return 'done';
  if (accepted > 0) return 'partly_accepted';
  return unknown > 0 ? 'unknown' : 'not_accepted';
}

const KINDS = {
  done: 'accepted',
  partly_accepted: 'not_accepted',
  not_accepted: 'not_accepted',
  unknown: 'unknown',
} as const satisfies Record<FeedOutcome, ItemEnd>;

/** The maximum number of reasons in the journal. */
const MAX_REASONS = 5;

/** Records the outcome in the journal, and returns it for the batch. */
export async function settleFeed(
  facts: FeedFacts,
  results: readonly MessageResult[],
  journalId: string | undefined,
  { session }: ToolContext,
): Promise<ItemEnd> {
  const counts = countResults(results, facts);
  const outcome = outcomeOf(facts, counts);
  if (journalId !== undefined) {
    const { maskText } = await session.personal();
    const message = `Feed ${facts.feedId}, ${facts.status}: ${formatReportedCounts(facts) ?? formatMessageCounts(counts)}${formatReasons(facts, results)}`;
    // A createFeed without an answer, whose feed was found, is done too.
    const ended = outcome === 'done' ? { outcome } : { outcome, error: maskText(message) };
    await (await session.writeGuard()).settle(journalId, ended);
  }
  return KINDS[outcome];
}

function formatReasons({ whole }: FeedFacts, results: readonly MessageResult[]): string {
  const refused = results.filter(({ outcome }) => outcome === 'not_accepted').slice(0, MAX_REASONS);
  const texts = [
    ...whole.slice(0, MAX_REASONS).map((issue) => formatReason(issue)),
    ...refused.flatMap(({ sku, messageId, issues: [first] }) =>
      first === undefined
        ? []
        : [`${sku === undefined ? `message ${messageId}` : showText(sku, 100)} (${formatReason(first)})`],
    ),
  ];
  return texts.length === 0 ? '' : `: ${texts.join('; ')}`;
}

/**
 * Returns for example `4 accepted, 10 in error; the report does not say which`; undefined where each message
 * is known.
 */
export function formatReportedCounts({ counted }: FeedFacts): string | undefined {
  if (counted === undefined) return undefined;
  const { processed, accepted } = counted;
  return `${count(accepted)} accepted, ${count(processed - accepted)} in error; the report does not say which`;
}

/** Returns for example `12 accepted, 2 not accepted, 1 not known`. */
export function formatMessageCounts({ accepted, not_accepted, unknown }: MessageCounts): string {
  const parts = [
    ...(accepted > 0 ? [`${count(accepted)} accepted`] : []),
    ...(not_accepted > 0 ? [`${count(not_accepted)} not accepted`] : []),
    ...(unknown > 0 ? [`${count(unknown)} not known whether they were`] : []),
  ];
  return parts.length === 0 ? 'what became of its messages is not known' : parts.join(', ');
}
