/** Renders sorted issues, one block each, as far as the budget goes. */

import { byteLength, isJsonObject, jsonText } from '../../base/json.ts';
import { delimit, showText } from '../../base/text/escape-text.ts';
import { plural } from '../../base/text/format-value.ts';
import type { ListingIssue } from '../../service/shapes/listing-issue.ts';
import { formatRange, joinPath, runsOf } from '../value/select/path.ts';
import {
  formatExemption,
  formatInMarketplaces,
  formatList,
  MAX_CODE_CHARACTERS,
  type MarketplaceName,
} from './format-issue.ts';

/** The limit in characters of one message. */
const MAX_MESSAGE = 2_000;
const MAX_OTHER = 300;
/** A shorter message takes less than a reference to the block that has it. */
const MIN_REPEATED = 30;
/** The bytes reserved for the line that names the omitted issues. */
const RESERVE = 400;

interface BlockOptions {
  marketplaceName?: MarketplaceName;
  path?: string;
  maxTokens?: number;
  /** Text before the blocks, which counts toward the budget. */
  used: string;
}

/** Returns blocks in the given order, then one line naming the issues for which there was no room. */
export function issueBlocks(issues: readonly ListingIssue[], options: BlockOptions): string[] {
  const room = (options.maxTokens ?? Infinity) * 3 - byteLength(options.used) - RESERVE;
  const shown: string[] = [];
  let used = 0;
  /** The number of the block that has a message, by code and message. */
  const numbers = new Map<string, number>();
  for (const issue of issues) {
    const number = shown.length + 1;
    const key = `${issue.code.length} ${issue.code}${issue.message}`;
    const block = issueBlock(issue, number, numbers.get(key), options.marketplaceName);
    if (!numbers.has(key) && issue.message.length >= MIN_REPEATED) numbers.set(key, number);
    used += byteLength(block) + 1;
    if (used > room) break;
    shown.push(block);
  }
  const left = issues.slice(shown.length);
  return left.length === 0 ? shown : [...shown, leftOut(left, options.path ?? 'issues')];
}

/** @param same the number of the block that has the same code and message */
function issueBlock(
  issue: ListingIssue,
  number: number,
  same: number | undefined,
  name: MarketplaceName | undefined,
): string {
  const where = formatInMarketplaces(issue.marketplaceIds, name);
  const severity = issue.severity === '' ? 'no severity' : show(issue.severity);
  const code = issue.code === '' ? 'no code' : show(issue.code);
  const text = same === undefined ? formatMessage(issue.message) : `same message as ${same}.`;
  const head = `${number}. ${severity} ${code}${where === '' ? '' : ` ${where}`}\n   ${text}`;
  const details = detailsOf(issue);
  return details.length === 0 ? head : `${head}\n   ${details.join('; ')}`;
}

const show = (text: string) => showText(text, MAX_CODE_CHARACTERS);

function detailsOf(issue: ListingIssue): string[] {
  const { attributeNames, categories, actions, exemption, malformed, other } = issue;
  const details: string[] = [];
  if (attributeNames.length > 0) details.push(`attributes: ${formatList(attributeNames, show)}`);
  if (categories.length > 0) details.push(`categories: ${formatList(categories, show)}`);
  if (actions.length > 0) details.push(`enforcement: ${formatList(actions, show)}`);
  if (exemption !== undefined) details.push(formatExemption(exemption, true));
  for (const problem of malformed) details.push(`malformed: ${problem}`);
  if (Object.keys(other).length > 0) details.push(`other: ${formatOther(other)}`);
  return details;
}

function formatMessage(message: string): string {
  return message === '' ? 'no message' : delimit(message, MAX_MESSAGE);
}

/** The limit of members that no definition names; the rest are counted. */
const MAX_MEMBERS = 10;

function formatOther(other: Record<string, unknown>): string {
  const members = Object.entries(other);
  const more = members.length - MAX_MEMBERS;
  const shown = members.slice(0, MAX_MEMBERS).map(([name, value]) => {
    const plain = typeof value === 'string' ? showText(value, MAX_OTHER) : undefined;
    const scalar =
      isJsonObject(value) || Array.isArray(value) ? delimit(jsonText(value), MAX_OTHER) : String(value);
    return `${showText(name, MAX_CODE_CHARACTERS)} ${plain ?? scalar}`;
  });
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** Returns `12 more issues left out; select payload.issues.40-51`. */
function leftOut(issues: readonly ListingIssue[], path: string): string {
  const indexes = issues.map(({ index }) => index).sort((a, b) => a - b);
  const ranges = runsOf(indexes);
  const exact = ranges.length <= 8 ? ranges : [{ from: indexes[0] ?? 0, to: indexes.at(-1) ?? 0 }];
  const paths = exact.map(({ from, to }) => joinPath(path, formatRange(from, to)));
  return `${plural(issues.length, 'more issue')} left out to stay within the budget; select ${paths.join(', ')}`;
}
