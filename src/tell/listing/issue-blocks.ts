/** The text of sorted issues, one block each, as far as the budget goes. */

import { byteLength, isJsonObject, jsonText } from '../../base/json.ts';
import { delimit, showText } from '../../base/text/escape-text.ts';
import { plural } from '../../base/text/value-words.ts';
import type { ListingIssue } from '../../service/shapes/listing-issue.ts';
import { formatRange, joinPath, runsOf } from '../answer/select/path.ts';
import { exemptionWords, inMarketplaces, LONGEST, listWords, type MarketplaceName } from './issue-words.ts';

/** Characters shown of one message. */
const LONGEST_MESSAGE = 2_000;
const LONGEST_OTHER = 300;
/** A shorter message takes less than the words for the same one again. */
const SHORTEST_FOLDED = 30;
/** Bytes kept for the line that names what was left out. */
const RESERVE = 400;

interface BlockOptions {
  marketplaceName?: MarketplaceName;
  path?: string;
  maxTokens?: number;
  /** Text that stands before the blocks and counts into the budget. */
  used: string;
}

/** Blocks in the order given, then one line naming those for which there was no room. */
export function issueBlocks(issues: readonly ListingIssue[], options: BlockOptions): string[] {
  const room = (options.maxTokens ?? Infinity) * 3 - byteLength(options.used) - RESERVE;
  const shown: string[] = [];
  let used = 0;
  /** Where a message stands that was shown, by code and message. */
  const told = new Map<string, number>();
  for (const issue of issues) {
    const number = shown.length + 1;
    const key = `${issue.code.length} ${issue.code}${issue.message}`;
    const block = issueBlock(issue, number, told.get(key), options.marketplaceName);
    if (!told.has(key) && issue.message.length >= SHORTEST_FOLDED) told.set(key, number);
    used += byteLength(block) + 1;
    if (used > room) break;
    shown.push(block);
  }
  const left = issues.slice(shown.length);
  return left.length === 0 ? shown : [...shown, leftOut(left, options.path ?? 'issues')];
}

/** @param same the number of the block that has told this message for this code */
function issueBlock(
  issue: ListingIssue,
  number: number,
  same: number | undefined,
  name: MarketplaceName | undefined,
): string {
  const show = (text: string) => showText(text, LONGEST);
  const what = [
    issue.severity === '' ? 'no severity' : show(issue.severity),
    issue.code === '' ? 'no code' : show(issue.code),
    inMarketplaces(issue.marketplaceIds, name),
  ];
  const exempt = issue.exemption === undefined ? [] : [exemptionWords(issue.exemption, true)];
  const other = Object.keys(issue.other).length === 0 ? [] : [`other: ${otherWords(issue.other)}`];
  const details = [
    ...labelled('attributes', issue.attributeNames, show),
    ...labelled('categories', issue.categories, show),
    ...labelled('enforcement', issue.actions, show),
    ...exempt,
    ...issue.malformed.map((words) => `malformed: ${words}`),
    ...other,
  ];
  const lines = [
    `${number}. ${what.filter((word) => word !== '').join(' ')}`,
    same === undefined ? messageWords(issue.message) : `same message as ${same}.`,
    ...(details.length === 0 ? [] : [details.join('; ')]),
  ];
  return lines.join('\n   ');
}

function messageWords(message: string): string {
  return message === '' ? 'no message' : delimit(message, LONGEST_MESSAGE);
}

function labelled(label: string, texts: readonly string[], show: (text: string) => string): string[] {
  return texts.length === 0 ? [] : [`${label}: ${listWords(texts, show)}`];
}

/** Members shown that no definition names; the rest are counted. */
const MOST_OTHER = 10;

function otherWords(other: Record<string, unknown>): string {
  const members = Object.entries(other);
  const more = members.length - MOST_OTHER;
  const shown = members.slice(0, MOST_OTHER).map(([name, value]) => {
    const plain = typeof value === 'string' ? showText(value, LONGEST_OTHER) : undefined;
    const scalar =
      isJsonObject(value) || Array.isArray(value) ? delimit(jsonText(value), LONGEST_OTHER) : String(value);
    return `${showText(name, LONGEST)} ${plain ?? scalar}`;
  });
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** `12 more issues left out; select payload.issues.40-51`. */
function leftOut(issues: readonly ListingIssue[], path: string): string {
  const indexes = issues.map(({ index }) => index).sort((a, b) => a - b);
  const ranges = runsOf(indexes);
  const exact = ranges.length <= 8 ? ranges : [{ from: indexes[0] ?? 0, to: indexes.at(-1) ?? 0 }];
  const paths = exact.map(({ from, to }) => joinPath(path, formatRange(from, to)));
  return `${plural(issues.length, 'more issue')} left out to stay within the budget; select ${paths.join(', ')}`;
}
