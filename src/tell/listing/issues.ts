/** Explains what is wrong with a listing: what stops sales first, one summary line, nothing dropped. */

import { isJsonObject, jsonText } from '../../base/json.ts';
import { showText } from '../../base/text/escape-text.ts';
import { plural } from '../../base/text/value-words.ts';
import { type ListingIssue, readIssue } from '../../service/shapes/listing-issue.ts';
import { formatRange, runsOf } from '../answer/select/path.ts';
import { issueBlocks } from './issue-blocks.ts';
import {
  enforcementWords,
  exemptionWords,
  inMarketplaces,
  LONGEST,
  listWords,
  type MarketplaceName,
  marketplaceWords,
  severityWords,
  sortIssues,
  worstAction,
} from './issue-words.ts';

/** Kinds of issue counted in the summary. */
const MOST_GROUPS = 6;
/** Lines of statuses, one for each summary. */
const MOST_STATUSES = 30;

export interface ExplainOptions {
  /** Now, as a date or in milliseconds since the epoch; days left are counted from it. */
  now: Date | number;
  marketplaceName?: MarketplaceName;
  /** Where `issues` stands in the answer: `payload.issues`. */
  path?: string;
  /** Most tokens of the text; the summary and what was left out are told in any case. */
  maxTokens?: number;
  /** Why the answer has no `issues`, where that is known: `includedData does not name them`. */
  whyAbsent?: string;
}

interface ListingStatus {
  marketplaceId?: string;
  /** As sent; undefined when no status was sent, empty when an empty one was. */
  status?: string[];
}

/**
 * Explains the `issues` of an item, the documented one (the `payload` of section 2.3) as well as the body of
 * `getListingsItem`. Never throws: what has not the documented shape is shown as it is.
 */
export function explainIssues(item: unknown, options: ExplainOptions) {
  const found = readItem(item, Number(options.now));
  const { issues, statuses, absent } = found;
  const summary = () => summarise(issues, statuses, options, absent);
  return {
    issues,
    statuses,
    /** One line: `3 issues: 1 suppresses the listing in US, exempt until 2026-12-01 (11 days left), 1 error, 1 warning`. */
    get summary() {
      return summary();
    },
    /** The same with the place of each issue in `issues`, and where the listing cannot be bought: for a reader of the JSON. */
    get ranking() {
      if (found.ranked?.options !== options)
        found.ranked = { options, text: summarise(issues, statuses, options, absent, true) };
      return found.ranked.text;
    },
    /** Summary, status of each marketplace, and one block for each issue. */
    get text() {
      const head = [summary(), ...statusLines(statuses, options.marketplaceName)];
      return [...head, ...issueBlocks(issues, { ...options, used: head.join('\n') })].join('\n');
    },
  };
}

interface ReadItem {
  now: number;
  /** Sorted by what hurts sales. */
  issues: readonly ListingIssue[];
  statuses: readonly ListingStatus[];
  absent: boolean;
  /** As it was ranked last. */
  ranked?: { options: ExplainOptions; text: string };
}

/** One answer ranks the same issues, and ranks them once more, and tells them. */
const read = new WeakMap<object, ReadItem>();

function readItem(item: unknown, now: number): ReadItem {
  const known = isJsonObject(item) ? read.get(item) : undefined;
  if (known?.now === now) return known;
  const sent = isJsonObject(item) ? item.issues : undefined;
  const absent = sent === undefined || sent === null;
  const list = absent ? [] : Array.isArray(sent) ? sent : [sent];
  const issues = sortIssues(list.map((value, index) => readIssue(value, index, now)));
  const found = { now, issues, statuses: readStatuses(item), absent };
  if (isJsonObject(item)) read.set(item, found);
  return found;
}

function summarise(
  issues: readonly ListingIssue[],
  statuses: readonly ListingStatus[],
  { marketplaceName: name, whyAbsent = 'the answer has no `issues`' }: ExplainOptions,
  absent: boolean,
  places = false,
): string {
  const stuck = statuses.filter(({ status }) => status !== undefined && !status.includes('BUYABLE'));
  // In the structured form the only summary stands beside it.
  const told = places && statuses.length === 1 ? [] : stuck;
  const where = inMarketplaces(
    told.flatMap(({ marketplaceId }) => marketplaceId ?? []),
    name,
  );
  const notBuyable = `not BUYABLE${where === '' ? '' : ` ${where}`}`;
  if (issues.length > 0) {
    const found = counts(issues, statuses, name, places).join('; ');
    if (!places) return `${plural(issues.length, 'issue')}: ${found}`;
    return `${plural(issues.length, 'issue')}: ${found}${stuck.length === 0 ? '' : `; ${notBuyable}`}`;
  }
  const none = absent ? `Whether there are issues is not known (${whyAbsent})` : 'No issues';
  if (stuck.length === 0) return none;
  return absent ? `${none}; the listing is ${notBuyable}` : `${none}, but the listing is ${notBuyable}`;
}

/** Enforced issues by what they do, where, and whether exempt; the others by severity. */
function counts(
  issues: readonly ListingIssue[],
  statuses: readonly ListingStatus[],
  name: MarketplaceName | undefined,
  places: boolean,
): string[] {
  const only =
    statuses.length === 1 && !places ? statuses.flatMap(({ marketplaceId }) => marketplaceId ?? []) : [];
  const groups = new Map<string, { indexes: number[]; words: (count: number) => string }>();
  for (const issue of issues) {
    const action = worstAction(issue);
    const where = inMarketplaces(issue.marketplaceIds.length > 0 ? issue.marketplaceIds : only, name);
    const exempt = issue.exemption === undefined ? '' : `, ${exemptionWords(issue.exemption)}`;
    const words = (count: number) =>
      action === undefined
        ? severityWords(issue.severity, count)
        : `${count} ${enforcementWords(action, count)}${where === '' ? '' : ` ${where}`}${exempt}`;
    const key = words(1);
    const indexes = groups.get(key)?.indexes ?? [];
    indexes.push(issue.index);
    groups.set(key, { indexes, words });
  }
  const placeWords = (indexes: readonly number[]) => (places ? ` [${rangeWords(indexes)}]` : '');
  const shown = [...groups].map(
    ([one, { indexes, words }]) =>
      `${indexes.length === 1 ? one : words(indexes.length)}${placeWords(indexes)}`,
  );
  if (shown.length <= MOST_GROUPS) return shown;
  const rest = [...groups.values()].slice(MOST_GROUPS).flatMap(({ indexes }) => indexes);
  return [...shown.slice(0, MOST_GROUPS), `and ${shown.length - MOST_GROUPS} more kinds${placeWords(rest)}`];
}

/** Runs told of one group. */
const MOST_RUNS = 12;

/** `0,3-5`: places in `issues`, those that follow each other together. */
function rangeWords(indexes: readonly number[]): string {
  const runs = runsOf(indexes).map(({ from, to }) => formatRange(from, to));
  const more = runs.length > MOST_RUNS ? [`and ${runs.length - MOST_RUNS} more`] : [];
  return [...runs.slice(0, MOST_RUNS), ...more].join(',');
}

/** One entry for each summary that is an object. */
export function readStatuses(item: unknown): ListingStatus[] {
  const summaries = isJsonObject(item) && Array.isArray(item.summaries) ? item.summaries : [];
  return summaries.filter(isJsonObject).map(({ marketplaceId, status }) => ({
    ...(typeof marketplaceId === 'string' ? { marketplaceId } : {}),
    ...readStatus(status),
  }));
}

function readStatus(status: unknown): { status?: string[] } {
  if (typeof status === 'string') return { status: [status] };
  if (!Array.isArray(status)) return {};
  return { status: status.map((each) => (typeof each === 'string' ? each : jsonText(each))) };
}

/** `Status in US: BUYABLE, DISCOVERABLE`, one line for each summary that tells a status. */
export function statusLines(statuses: readonly ListingStatus[], name: MarketplaceName | undefined): string[] {
  const lines = statuses.flatMap(({ marketplaceId, status }) => {
    if (status === undefined) return [];
    const where = marketplaceId === undefined ? '' : ` in ${marketplaceWords(marketplaceId, name)}`;
    return [`Status${where}: ${statusWords(status)}`];
  });
  const more = lines.length - MOST_STATUSES;
  return more > 0 ? [...lines.slice(0, MOST_STATUSES), `and the status of ${more} more summaries`] : lines;
}

function statusWords(status: readonly string[]): string {
  const shown = listWords(status, (each) => showText(each, LONGEST));
  if (status.length === 0) return 'neither BUYABLE nor DISCOVERABLE';
  return status.includes('BUYABLE') ? shown : `${shown} (not BUYABLE)`;
}
