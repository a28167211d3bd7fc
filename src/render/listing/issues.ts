/** Explains what is wrong with a listing: the worst for sales first, with a summary line and all issues. */

import { isJsonObject, jsonText } from '../../base/json.ts';
import { showText } from '../../base/text/escape-text.ts';
import { plural } from '../../base/text/format-value.ts';
import { isExempt, type ListingIssue, readIssue } from '../../service/shapes/listing-issue.ts';
import { formatRange, runsOf } from '../value/select/path.ts';
import {
  formatEnforcement,
  formatExemption,
  formatInMarketplaces,
  formatList,
  formatMarketplace,
  formatSeverity,
  MAX_CODE_CHARACTERS,
  type MarketplaceName,
  sortIssues,
  worstAction,
} from './format-issue.ts';
import { issueBlocks } from './issue-blocks.ts';

/** The limit of kinds of issue in the summary. */
const MAX_GROUPS = 6;
/** The limit of status lines, one for each summary. */
const MAX_STATUS_LINES = 30;

export interface ExplainOptions {
  /** The current time, as a date or in milliseconds since the epoch; remaining days are counted from it. */
  now: Date | number;
  marketplaceName?: MarketplaceName;
  /** The path of `issues` in the answer: `payload.issues`. */
  path?: string;
  /** The limit of the text in tokens; the summary and the omissions are always included. */
  maxTokens?: number;
  /** The reason why the answer has no `issues`, if known: `includedData does not name them`. */
  whyAbsent?: string;
}

interface ListingStatus {
  marketplaceId?: string;
  /** The status as sent; undefined when none was sent, empty when an empty one was. */
  status?: string[];
}

/**
 * Explains the `issues` of an item: of the documented one (the `payload` of section 2.3) and of the body of
 * `getListingsItem`. Never throws: values without the documented shape are shown as they are.
 */
export function explainIssues(item: unknown, options: ExplainOptions) {
  const read = readItem(item, Number(options.now));
  const { issues, statuses } = read;
  // Each form is made on demand.
  return {
    issues,
    statuses,
    /**
     * One line: `3 issues: 1 suppresses the listing in US, exempt until 2026-12-01 (11 days left), 1 error, 1
     * warning`.
     */
    get summary(): string {
      return summarise(read, options, false);
    },
    /**
     * The same with the index of each issue in `issues`, and the marketplaces where the listing cannot be
     * bought, for a reader of the JSON.
     */
    get ranking(): string {
      return summarise(read, options, true);
    },
    /** The summary, the status of each marketplace, and one block for each issue. */
    get text(): string {
      const head = [summarise(read, options, false), ...statusLines(statuses, options.marketplaceName)];
      return [...head, ...issueBlocks(issues, { used: head.join('\n'), ...options })].join('\n');
    },
  };
}

interface ReadItem {
  /** The issues, sorted by harm to sales. */
  issues: readonly ListingIssue[];
  statuses: readonly ListingStatus[];
  absent: boolean;
}

function readItem(item: unknown, now: number): ReadItem {
  const sent = isJsonObject(item) ? item.issues : undefined;
  const absent = sent === undefined || sent === null;
  const list = absent ? [] : Array.isArray(sent) ? sent : [sent];
  const issues = sortIssues(list.map((value, index) => readIssue(value, index, now)));
  return { issues, statuses: readStatuses(item), absent };
}

/** @param withIndexes adds the index of each issue, for a reader of the JSON */
function summarise(
  { issues, statuses, absent }: ReadItem,
  { marketplaceName: name, whyAbsent = 'the answer has no `issues`' }: ExplainOptions,
  withIndexes: boolean,
): string {
  if (issues.length > 0) {
    const found = `${plural(issues.length, 'issue')}: ${counts(issues, statuses, name, withIndexes).join('; ')}`;
    const notBuyable = withIndexes ? formatNotBuyable(statuses, name, withIndexes) : '';
    return notBuyable === '' ? found : `${found}; ${notBuyable}`;
  }
  const notBuyable = formatNotBuyable(statuses, name, withIndexes);
  const none = absent ? `Whether there are issues is not known (${whyAbsent})` : 'No issues';
  if (notBuyable === '') return none;
  return absent ? `${none}; the listing is ${notBuyable}` : `${none}, but the listing is ${notBuyable}`;
}

/** Returns `not BUYABLE in US`; empty if it is buyable, or no status was sent. */
function formatNotBuyable(
  statuses: readonly ListingStatus[],
  name: MarketplaceName | undefined,
  withIndexes: boolean,
): string {
  const stuck = statuses.filter(({ status }) => status !== undefined && !status.includes('BUYABLE'));
  if (stuck.length === 0) return '';
  // The only summary is beside it in the structured form and names the marketplace.
  const namedStatuses = withIndexes && statuses.length === 1 ? [] : stuck;
  const where = formatInMarketplaces(listMarketplaceIds(namedStatuses), name);
  return where === '' ? 'not BUYABLE' : `not BUYABLE ${where}`;
}

function listMarketplaceIds(statuses: readonly ListingStatus[]): string[] {
  return statuses.map(({ marketplaceId }) => marketplaceId).filter((id) => id !== undefined);
}

/** Counts enforced issues by effect, marketplace and exemption; the others by severity. */
function counts(
  issues: readonly ListingIssue[],
  statuses: readonly ListingStatus[],
  name: MarketplaceName | undefined,
  withIndexes: boolean,
): string[] {
  const only = statuses.length === 1 && !withIndexes ? listMarketplaceIds(statuses) : [];
  const formatCount = (issue: ListingIssue, count: number) => formatIssueCount(issue, count, only, name);
  const groups = new Map<string, { first: ListingIssue; indexes: number[] }>();
  for (const issue of issues) {
    const key = formatCount(issue, 1);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { first: issue, indexes: [issue.index] });
    else group.indexes.push(issue.index);
  }
  const formatIndexes = (indexes: readonly number[]) => (withIndexes ? ` [${formatRanges(indexes)}]` : '');
  const shown: string[] = [];
  for (const [one, { first, indexes }] of groups)
    shown.push(`${indexes.length === 1 ? one : formatCount(first, indexes.length)}${formatIndexes(indexes)}`);
  if (shown.length <= MAX_GROUPS) return shown;
  const rest = [...groups.values()].slice(MAX_GROUPS).flatMap(({ indexes }) => indexes);
  return [...shown.slice(0, MAX_GROUPS), `and ${shown.length - MAX_GROUPS} more kinds${formatIndexes(rest)}`];
}

/**
 * Returns `1 suppresses the listing in US, not exempt`.
 * @param only the marketplaces of an issue that names none
 */
function formatIssueCount(
  issue: ListingIssue,
  count: number,
  only: readonly string[],
  name: MarketplaceName | undefined,
): string {
  const action = worstAction(issue);
  if (action === undefined) return formatSeverity(issue.severity, count);
  const where = formatInMarketplaces(issue.marketplaceIds.length > 0 ? issue.marketplaceIds : only, name);
  const exempt = issue.exemption === undefined ? '' : `, ${formatExemption(issue.exemption)}`;
  // After "would", the verb has the plural form.
  const does = isExempt(issue) ? `would ${formatEnforcement(action, 2)}` : formatEnforcement(action, count);
  return `${count} ${does}${where === '' ? '' : ` ${where}`}${exempt}`;
}

/** The limit of ranges of one group. */
const MAX_RANGES = 12;

/** Returns `0,3-5`: the indexes in `issues`, consecutive ones as a range. */
function formatRanges(indexes: readonly number[]): string {
  const runs = runsOf(indexes).map(({ from, to }) => formatRange(from, to));
  const more = runs.length > MAX_RANGES ? [`and ${runs.length - MAX_RANGES} more`] : [];
  return [...runs.slice(0, MAX_RANGES), ...more].join(',');
}

/** Returns one entry for each summary that is an object. */
export function readStatuses(item: unknown): ListingStatus[] {
  const summaries = isJsonObject(item) && Array.isArray(item.summaries) ? item.summaries : [];
  return summaries.filter(isJsonObject).map(({ marketplaceId, status }) => ({
    marketplaceId: typeof marketplaceId === 'string' ? marketplaceId : undefined,
    status: readStatus(status),
  }));
}

function readStatus(status: unknown): string[] | undefined {
  if (typeof status === 'string') return [status];
  if (!Array.isArray(status)) return undefined;
  return status.map((each) => (typeof each === 'string' ? each : jsonText(each)));
}

/** Returns `Status in US: BUYABLE, DISCOVERABLE`, one line for each summary with a status. */
export function statusLines(statuses: readonly ListingStatus[], name: MarketplaceName | undefined): string[] {
  const lines: string[] = [];
  for (const { marketplaceId, status } of statuses) {
    if (status === undefined) continue;
    const where = marketplaceId === undefined ? '' : ` in ${formatMarketplace(marketplaceId, name)}`;
    lines.push(`Status${where}: ${formatStatus(status)}`);
  }
  const more = lines.length - MAX_STATUS_LINES;
  return more > 0 ? [...lines.slice(0, MAX_STATUS_LINES), `and the status of ${more} more summaries`] : lines;
}

function formatStatus(status: readonly string[]): string {
  const shown = formatList(status, (each) => showText(each, MAX_CODE_CHARACTERS));
  if (status.length === 0) return 'neither BUYABLE nor DISCOVERABLE';
  return status.includes('BUYABLE') ? shown : `${shown} (not BUYABLE)`;
}
