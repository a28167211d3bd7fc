/**
 * Compares the sent messages with the processing report, and decides for each whether it was accepted, and if
 * not, why.
 */

import { groupBy } from '../../../base/group-by.ts';
import type {
  EndedFeed,
  MessageCounts,
  MessageResult,
  ProcessingReport,
  ReportIssue,
  SentMessage,
} from './feed.ts';

/**
 * Returns one result for each sent message, in their order; where none are known, for those that the report
 * names.
 */
export function joinReport(messages: readonly SentMessage[], feed: EndedFeed): MessageResult[] {
  const assigned = assignIssues(messages, feed);
  const silent = outcomeOfSilent(messages, assigned, feed);
  return assigned.results.map((result) => {
    if (silent === 'not_accepted') return { ...result, outcome: silent };
    return result.outcome === 'accepted' ? { ...result, outcome: silent } : result;
  });
}

/** Returns the issues of the feed as a whole, and of unknown messages. */
export function findWholeIssues(messages: readonly SentMessage[], feed: EndedFeed): ReportIssue[] {
  return assignIssues(messages, feed).whole;
}

/**
 * Counts the messages that the report does not name, in a feed whose messages are not known. Returns
 * undefined where the report does not show how many there are.
 */
export function countUnnamed(messages: readonly SentMessage[], feed: EndedFeed): MessageCounts | undefined {
  const none = { accepted: 0, not_accepted: 0, unknown: 0 };
  if (messages.length > 0) return none;
  const assigned = assignIssues(messages, feed);
  const unnamed = (understood(feed)?.processed ?? -1) - assigned.results.length;
  return unnamed < 0 ? undefined : { ...none, [outcomeOfSilent(messages, assigned, feed)]: unnamed };
}

const understood = ({ report }: EndedFeed): ProcessingReport | undefined =>
  report?.form === 'unknown' ? undefined : report;

function assignIssues(messages: readonly SentMessage[], feed: EndedFeed) {
  const report = understood(feed);
  const known = messages.length > 0 || report === undefined ? messages : namedIn(report);
  const issuesOf = known.map((): ReportIssue[] => []);
  const [refused, doubtful] = [new Set<number>(), new Set<number>()];
  const whole: ReportIssue[] = [];
  const find = matcher(known, report?.form === 'table');
  for (const issue of report?.issues ?? []) {
    const indexes = find(issue);
    if (indexes.length === 0) whole.push(issue);
    for (const at of indexes) {
      issuesOf[at]?.push(issue);
      if (issue.severity === 'ERROR' && indexes.length === 1) refused.add(at);
      // The severity is unknown, or it is unknown which of several messages is meant.
      else if (issue.severity === 'ERROR' || issue.severity === 'UNKNOWN') doubtful.add(at);
    }
  }
  const results = known.map((message, at): MessageResult => {
    const outcome = refused.has(at) ? 'not_accepted' : doubtful.has(at) ? 'unknown' : 'accepted';
    return { ...message, outcome, issues: errorsFirst(issuesOf[at] ?? []) };
  });
  return {
    /** The outcomes by the issues that name a message; `accepted` means that no error names it. */
    results,
    whole,
  };
}

/**
 * Finds the indexes of the messages that an issue may be about; several where a SKU was sent more than once.
 * @param isTable true where a SKU identifies a record better than a number does
 */
function matcher(known: readonly SentMessage[], isTable: boolean): (issue: ReportIssue) => readonly number[] {
  const byMessage = new Map(known.map(({ messageId }, at) => [messageId, at]));
  const bySku = groupBy([...known.keys()], (at) => known[at]?.sku);
  return ({ messageId, sku }) => {
    const numbered = messageId === undefined ? undefined : byMessage.get(messageId);
    const named: readonly number[] = sku === undefined ? [] : (bySku.get(sku) ?? []);
    if (numbered === undefined) return messageId === undefined || isTable ? named : [];
    if (sku === undefined || known[numbered]?.sku === undefined || named.includes(numbered))
      return [numbered];
    // The number belongs to one message, the SKU to another.
    return isTable ? named : [];
  };
}

/**
 * Returns the outcome of messages without errors. They count as accepted only where the report counts
 * messages, and its counts match what was sent and what it names. Any other report proves nothing.
 */
function outcomeOfSilent(
  messages: readonly SentMessage[],
  { results, whole }: ReturnType<typeof assignIssues>,
  feed: EndedFeed,
): MessageResult['outcome'] {
  const { status } = feed;
  const { processed, accepted } = understood(feed) ?? {};
  // A cancelled feed was never begun, so none of it was done.
  if (understood(feed) === undefined && status === 'CANCELLED') return 'not_accepted';
  const total = messages.length > 0 ? messages.length : processed;
  if (total === undefined || accepted === undefined) return 'unknown';
  const isWholeRefused = whole.some(({ severity }) => severity === 'ERROR');
  const isCounted = processed === undefined || processed === total;
  if (accepted === 0 && status !== 'FATAL' && (isCounted || (processed === 0 && isWholeRefused))) {
    return 'not_accepted';
  }
  if (status !== 'DONE' || !isCounted || isWholeRefused) return 'unknown';
  const count = (outcome: MessageResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length;
  const maxAccepted = total - count('not_accepted');
  // The rejected messages must be certain, because an issue of unknown severity may be the rejection of any
  // message.
  const isPlain = processed === total && whole.every(({ severity }) => severity !== 'UNKNOWN');
  const minAccepted = isPlain ? maxAccepted - count('unknown') : maxAccepted;
  return accepted <= maxAccepted && accepted >= minAccepted ? 'accepted' : 'unknown';
}

function namedIn({ issues }: ProcessingReport): SentMessage[] {
  const named = new Map<number, SentMessage>();
  for (const { messageId, sku } of issues) {
    if (messageId !== undefined && !named.has(messageId)) {
      named.set(messageId, { messageId, sku });
    }
  }
  return [...named.values()].sort((one, other) => one.messageId - other.messageId);
}

const RANK = { ERROR: 0, UNKNOWN: 1, WARNING: 2, INFO: 3 } as const;

const errorsFirst = (issues: readonly ReportIssue[]) =>
  [...issues].sort((one, other) => RANK[one.severity] - RANK[other.severity]);
