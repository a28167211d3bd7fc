/** What was sent, held against the processing report: of each message whether it was accepted, and if not, why. */

import type { EndedFeed, MessageResult, ProcessingReport, ReportIssue, SentMessage } from './types.ts';

/** One for each message that was sent, in their order; where none are known, for those that the report names. */
export function joinReport(messages: readonly SentMessage[], feed: EndedFeed): MessageResult[] {
  const { report } = feed;
  if (report === undefined || report.form === 'unknown') {
    // Before a cancelled feed was begun, nothing of it was done.
    const outcome = feed.status === 'CANCELLED' ? 'not_accepted' : 'unknown';
    return messages.map((message) => ({ ...message, outcome, issues: [] }));
  }
  const known = messages.length > 0 ? messages : namedIn(report);
  const { byMessage, bySku, whole } = sort(report, new Set(known.map(({ sku }) => sku)));
  const results = known.map((message): MessageResult => {
    const named = byMessage.get(message.messageId) ?? [];
    const issues = [...named, ...(message.sku === undefined ? [] : (bySku.get(message.sku) ?? []))];
    const isRefused = issues.some(({ severity }) => severity === 'ERROR');
    return { ...message, outcome: isRefused ? 'not_accepted' : 'accepted', issues: errorsFirst(issues) };
  });
  return doubt(results, report, feed, whole);
}

/** Errors of the feed as a whole, and of messages that nobody knows. */
export function wholeIssues(messages: readonly SentMessage[], { report }: EndedFeed): ReportIssue[] {
  if (report === undefined || report.form === 'unknown') return [];
  const ids = new Set(messages.map(({ messageId }) => messageId));
  const skus = new Set(messages.map(({ sku }) => sku));
  return report.issues.filter(({ messageId, sku }) => {
    if (messageId !== undefined) return messages.length > 0 && !ids.has(messageId);
    return sku === undefined || (messages.length > 0 && !skus.has(sku));
  });
}

/**
 * Silence of the report is a yes only where its counts agree: of a feed that was broken off, or of which fewer messages
 * were accepted than have no error, those without an error are not known.
 */
function doubt(
  results: readonly MessageResult[],
  { processed, accepted }: ProcessingReport,
  { status }: EndedFeed,
  whole: readonly ReportIssue[],
): MessageResult[] {
  const fine = results.filter(({ outcome }) => outcome === 'accepted').length;
  const isWholeRefused =
    accepted === 0 || (accepted === undefined && whole.some(({ severity }) => severity === 'ERROR'));
  const isKnown =
    status === 'DONE' &&
    (accepted === undefined || accepted >= fine) &&
    (processed === undefined || processed >= results.length);
  if (isKnown && !isWholeRefused) return [...results];
  return results.map((result) => {
    if (result.outcome !== 'accepted') return result;
    // Why stands in `wholeIssues`: once, not at each.
    if (isWholeRefused && status !== 'FATAL') return { ...result, outcome: 'not_accepted' };
    return { ...result, outcome: 'unknown' };
  });
}

/** @param known SKUs that were sent: in tables they tell better than a number which record is meant */
function sort({ form, issues }: ProcessingReport, known: ReadonlySet<string | undefined>) {
  const byMessage = new Map<number, ReportIssue[]>();
  const bySku = new Map<string, ReportIssue[]>();
  const whole: ReportIssue[] = [];
  for (const issue of issues) {
    const isBySku = form === 'table' && issue.sku !== undefined && known.has(issue.sku);
    if (issue.messageId !== undefined && !isBySku) append(byMessage, issue.messageId, issue);
    else if (issue.sku !== undefined) append(bySku, issue.sku, issue);
    else whole.push(issue);
  }
  return { byMessage, bySku, whole };
}

function append<Key>(map: Map<Key, ReportIssue[]>, key: Key, issue: ReportIssue): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [issue]);
  else list.push(issue);
}

function namedIn({ issues }: ProcessingReport): SentMessage[] {
  const named = new Map<number, SentMessage>();
  for (const { messageId, sku } of issues) {
    if (messageId !== undefined && !named.has(messageId)) {
      named.set(messageId, { messageId, ...(sku === undefined ? {} : { sku }) });
    }
  }
  return [...named.values()].sort((one, other) => one.messageId - other.messageId);
}

const RANK = { ERROR: 0, WARNING: 1, INFO: 2 } as const;

const errorsFirst = (issues: readonly ReportIssue[]) =>
  [...issues].sort((one, other) => RANK[one.severity] - RANK[other.severity]);
