/** Formats the effect of an issue on a listing, and ranks issues by the harm to sales. */

import { showText } from '../../base/text/escape-text.ts';
import { plural } from '../../base/text/format-value.ts';
import { type Exemption, isExempt, type ListingIssue } from '../../service/shapes/listing-issue.ts';

/** Returns the name of a marketplace (`US`); undefined when it is not known. */
export type MarketplaceName = (id: string) => string | undefined;

interface Enforcement {
  action: string;
  /** The texts for one issue and for several: `1 suppresses the listing`, `2 suppress the listing`. */
  one: string;
  many: string;
}

/** Actions that stop sales come first. */
const ENFORCEMENTS: readonly Enforcement[] = [
  { action: 'CATALOG_ITEM_REMOVED', one: 'removes the catalog item', many: 'remove the catalog item' },
  { action: 'LISTING_SUPPRESSED', one: 'suppresses the listing', many: 'suppress the listing' },
  { action: 'SEARCH_SUPPRESSED', one: 'hides the item from search', many: 'hide the item from search' },
  { action: 'ATTRIBUTE_SUPPRESSED', one: 'suppresses attribute values', many: 'suppress attribute values' },
];
/** The limit in characters of a code, a status or an identifier. */
export const MAX_CODE_CHARACTERS = 100;
const SEVERITIES = ['ERROR', '', 'WARNING', 'INFO'];

/** Returns the rank of an action, most harmful first; unknown actions come last. */
function harmOf(action: string): number {
  const rank = ENFORCEMENTS.findIndex((each) => each.action === action);
  return rank === -1 ? ENFORCEMENTS.length : rank;
}

/** Returns the most harmful action of an issue. */
export function worstAction({ actions }: ListingIssue): string | undefined {
  let worst = actions[0];
  for (const action of actions) if (harmOf(action) < harmOf(worst ?? '')) worst = action;
  return worst;
}

/**
 * Sorts enforced issues first (in force before exempt), then errors, unknown severities, warnings, info; then
 * as sent.
 */
export function sortIssues(issues: readonly ListingIssue[]): ListingIssue[] {
  const ranked = issues.map((issue) => ({ issue, rank: rankOf(issue) }));
  return ranked.sort((a, b) => compareRanks(a.rank, b.rank)).map(({ issue }) => issue);
}

type Rank = readonly [enforced: number, harm: number, daysLeft: number, severity: number, index: number];

function compareRanks(a: Rank, b: Rank): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || a[3] - b[3] || a[4] - b[4];
}

function rankOf(issue: ListingIssue): Rank {
  const action = worstAction(issue);
  const severity = SEVERITIES.indexOf(issue.severity);
  const rest = [severity === -1 ? 1 : severity, issue.index] as const;
  if (action === undefined) return [2, 0, 0, ...rest];
  return isExempt(issue)
    ? [1, harmOf(action), issue.exemption?.daysLeft ?? 1e9, ...rest]
    : [0, harmOf(action), 0, ...rest];
}

/** Returns `suppresses the listing`; an unknown action by its name. */
export function formatEnforcement(action: string, count: number): string {
  const known = ENFORCEMENTS.find((each) => each.action === action);
  if (known === undefined)
    return `${count === 1 ? 'enforces' : 'enforce'} ${showText(action, MAX_CODE_CHARACTERS)}`;
  return count === 1 ? known.one : known.many;
}

/** Returns `exempt until 2026-12-01 (11 days left)`; `asSent` preserves the time of day. */
export function formatExemption({ status, expiryDate, daysLeft }: Exemption, asSent = false): string {
  const date =
    expiryDate === undefined ? undefined : formatDate(expiryDate, daysLeft === undefined || asSent);
  const ended = daysLeft !== undefined && daysLeft < 0;
  if (status === 'EXEMPT' || status === 'EXEMPT_UNTIL_EXPIRY_DATE') {
    if (date === undefined) return 'exempt';
    return ended
      ? `exemption ended ${date} (${formatAgo(-daysLeft)})`
      : `exempt until ${date}${formatLeft(daysLeft)}`;
  }
  const what =
    status === 'NOT_EXEMPT'
      ? 'not exempt'
      : `exemption status ${status === '' ? 'not sent' : showText(status, MAX_CODE_CHARACTERS)}`;
  return date === undefined
    ? what
    : `${what}, date ${date}${ended ? ` (${formatAgo(-daysLeft)})` : formatLeft(daysLeft)}`;
}

function formatDate(sent: string, asSent: boolean): string {
  return asSent ? showText(sent, MAX_CODE_CHARACTERS) : sent.slice(0, 10);
}

function formatLeft(days: number | undefined): string {
  if (days === undefined) return '';
  return days === 0 ? ' (less than a day left)' : ` (${plural(days, 'day')} left)`;
}

function formatAgo(days: number): string {
  return days === 1 ? 'less than a day ago' : `${plural(days - 1, 'day')} ago`;
}

/** Returns `in US, CA`; empty if there are no marketplaces. */
export function formatInMarketplaces(ids: readonly string[], name: MarketplaceName | undefined): string {
  return ids.length === 0 ? '' : `in ${formatList(ids, (id) => formatMarketplace(id, name))}`;
}

export function formatMarketplace(id: string, name: MarketplaceName | undefined): string {
  return name?.(id) ?? showText(id, MAX_CODE_CHARACTERS);
}

/** Returns the first 30 texts of a list, and the number of the others. */
export function formatList(texts: readonly string[], show: (text: string) => string): string {
  const shown = texts.slice(0, 30).map(show).join(', ');
  return texts.length > 30 ? `${shown}, and ${texts.length - 30} more` : shown;
}

const SEVERITY_NOUNS: Readonly<Record<string, string>> = { ERROR: 'error', WARNING: 'warning', INFO: 'info' };

/** Returns `1 error` or `2 of severity CRITICAL`. */
export function formatSeverity(severity: string, count: number): string {
  if (severity === '') return `${count} without severity`;
  const noun = Object.hasOwn(SEVERITY_NOUNS, severity) ? SEVERITY_NOUNS[severity] : undefined;
  if (noun === undefined) return `${count} of severity ${showText(severity, MAX_CODE_CHARACTERS)}`;
  return noun === 'info' ? `${count} info` : plural(count, noun);
}
