/** One shape for a listing's issue, read from whatever the service sent (section 2.3, and `getListingsItem`). */

import { isJsonObject, type JsonObject, jsonText } from '../../base/json.ts';
import { describeValue } from '../../base/text/value-words.ts';

export interface Exemption {
  /** As sent: `EXEMPT`, `EXEMPT_UNTIL_EXPIRY_DATE`, `NOT_EXEMPT`, or one that nobody has documented. */
  status: string;
  /** As sent. */
  expiryDate?: string;
  /** Whole days from now until `expiryDate`, rounded down; negative once it has passed. */
  daysLeft?: number;
}

export interface ListingIssue {
  /** Place in `issues` as sent. */
  index: number;
  code: string;
  message: string;
  /** As sent; empty when not sent. */
  severity: string;
  attributeNames: string[];
  categories: string[];
  marketplaceIds: string[];
  /** Enforcement actions, as sent. */
  actions: string[];
  exemption?: Exemption;
  /** What did not have the documented shape, in words. */
  malformed: string[];
  /** Members that the document does not know, as sent. */
  other: Record<string, unknown>;
}

const DAY_MS = 86_400_000;
const KNOWN = [
  'code',
  'message',
  'severity',
  'attributeNames',
  'categories',
  'marketplaceIds',
  'enforcements',
];

/** Never throws: what has another type than documented is shown as JSON and named in `malformed`. */
export function readIssue(value: unknown, index: number, now: number): ListingIssue {
  const malformed: string[] = [];
  const wrong: Wrong = (where, found) => {
    malformed.push(`${where} is ${found === null ? 'null' : describeValue(found)}`);
  };
  if (!isJsonObject(value)) wrong('the issue', value);
  const issue = isJsonObject(value) ? value : {};
  const text = (name: string) => asText(issue[name], name, wrong);
  const texts = (name: string) => asTexts(issue[name], name, wrong);
  const exemption = readExemption(issue.enforcements, now, wrong);
  return {
    index,
    code: text('code'),
    message: isJsonObject(value) ? text('message') : typeof value === 'string' ? value : jsonText(value),
    severity: text('severity'),
    attributeNames: texts('attributeNames'),
    categories: texts('categories'),
    marketplaceIds: texts('marketplaceIds'),
    actions: readActions(issue.enforcements, wrong),
    exemption,
    malformed,
    other: othersOf(issue),
  };
}

function othersOf(issue: JsonObject): JsonObject {
  const names = Object.keys(issue).filter((name) => !KNOWN.includes(name));
  return names.length === 0 ? {} : Object.fromEntries(names.map((name) => [name, issue[name]]));
}

type Wrong = (where: string, found: unknown) => void;

function asText(value: unknown, where: string, wrong: Wrong): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  wrong(where, value);
  return jsonText(value);
}

function asTexts(value: unknown, where: string, wrong: Wrong): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value))
    return value.map((each) => asText(each, where, wrong)).filter((each) => each !== '');
  wrong(where, value);
  return [typeof value === 'string' ? value : jsonText(value)];
}

function readActions(enforcements: unknown, wrong: Wrong): string[] {
  if (enforcements === undefined || enforcements === null) return [];
  if (!isJsonObject(enforcements)) {
    wrong('enforcements', enforcements);
    return [jsonText(enforcements)];
  }
  const { actions } = enforcements;
  if (actions === undefined || actions === null) return [];
  if (!Array.isArray(actions)) wrong('enforcements.actions', actions);
  return (Array.isArray(actions) ? actions : [actions]).map((each) => {
    if (isJsonObject(each) && typeof each.action === 'string') return each.action;
    wrong('an enforcement action', each);
    return typeof each === 'string' ? each : jsonText(each);
  });
}

function readExemption(enforcements: unknown, now: number, wrong: Wrong): Exemption | undefined {
  const exemption = isJsonObject(enforcements) ? enforcements.exemption : undefined;
  if (exemption === undefined || exemption === null) return undefined;
  if (!isJsonObject(exemption)) {
    wrong('enforcements.exemption', exemption);
    return { status: typeof exemption === 'string' ? exemption : jsonText(exemption) };
  }
  const status = asText(exemption.status, 'exemption.status', wrong);
  const expiryDate = asText(exemption.expiryDate, 'exemption.expiryDate', wrong);
  if (expiryDate === '') return { status };
  const at = parseDate(expiryDate);
  return { status, expiryDate, ...(at === undefined ? {} : { daysLeft: Math.floor((at - now) / DAY_MS) }) };
}

/** Milliseconds since the epoch of an ISO 8601 date; other notations are not guessed at. */
function parseDate(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d|$)/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}

/** True where an exemption keeps the enforcement from being applied now. Unknown statuses keep nothing off. */
export function isExempt({ exemption }: ListingIssue): boolean {
  const says = exemption?.status === 'EXEMPT' || exemption?.status === 'EXEMPT_UNTIL_EXPIRY_DATE';
  return says && (exemption.daysLeft ?? 0) >= 0;
}
