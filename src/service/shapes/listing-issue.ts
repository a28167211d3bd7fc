/**
 * The single type of a listing's issue, read from whatever the service sent (section 2.3, and
 * `getListingsItem`).
 */

import { isJsonObject, type JsonObject, jsonText } from '../../base/json.ts';
import { describeKind } from '../../base/text/format-value.ts';

export interface Exemption {
  /** The status as sent: `EXEMPT`, `EXEMPT_UNTIL_EXPIRY_DATE`, `NOT_EXEMPT`, or an undocumented one. */
  status: string;
  /** The date as sent. */
  expiryDate?: string;
  /** Whole days from now until `expiryDate`, rounded down; negative once it has passed. */
  daysLeft?: number;
}

export interface ListingIssue {
  /** The index in `issues` as sent. */
  index: number;
  code: string;
  message: string;
  /** The severity as sent; empty when not sent. */
  severity: string;
  attributeNames: string[];
  categories: string[];
  marketplaceIds: string[];
  /** The enforcement actions as sent. */
  actions: string[];
  exemption?: Exemption;
  /** Descriptions of the members that do not have the documented shape. */
  malformed: string[];
  /** Undocumented members as sent. */
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

/**
 * Reads an issue. Never throws; a member of an undocumented type is shown as JSON and named in `malformed`.
 */
export function readIssue(value: unknown, index: number, now: number): ListingIssue {
  const malformed: string[] = [];
  if (!isJsonObject(value)) note(malformed, 'the issue', value);
  const issue = isJsonObject(value) ? value : {};
  // The order of reading determines the order in `malformed`.
  const exemption = readExemption(issue.enforcements, now, malformed);
  return {
    index,
    code: asText(issue.code, 'code', malformed),
    message: isJsonObject(value)
      ? asText(value.message, 'message', malformed)
      : typeof value === 'string'
        ? value
        : jsonText(value),
    severity: asText(issue.severity, 'severity', malformed),
    attributeNames: asTexts(issue.attributeNames, 'attributeNames', malformed),
    categories: asTexts(issue.categories, 'categories', malformed),
    marketplaceIds: asTexts(issue.marketplaceIds, 'marketplaceIds', malformed),
    actions: readActions(issue.enforcements, malformed),
    exemption,
    malformed,
    other: othersOf(issue),
  };
}

function othersOf(issue: JsonObject): JsonObject {
  const names = Object.keys(issue).filter((name) => !KNOWN.includes(name));
  return names.length === 0 ? {} : Object.fromEntries(names.map((name) => [name, issue[name]]));
}

function note(malformed: string[], where: string, found: unknown): void {
  malformed.push(`${where} is ${found === null ? 'null' : describeKind(found)}`);
}

function asText(value: unknown, where: string, malformed: string[]): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  note(malformed, where, value);
  return jsonText(value);
}

function asTexts(value: unknown, where: string, malformed: string[]): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value))
    return value.map((each) => asText(each, where, malformed)).filter((each) => each !== '');
  note(malformed, where, value);
  return [typeof value === 'string' ? value : jsonText(value)];
}

function readActions(enforcements: unknown, malformed: string[]): string[] {
  if (enforcements === undefined || enforcements === null) return [];
  if (!isJsonObject(enforcements)) {
    note(malformed, 'enforcements', enforcements);
    return [jsonText(enforcements)];
  }
  const { actions } = enforcements;
  if (actions === undefined || actions === null) return [];
  if (!Array.isArray(actions)) note(malformed, 'enforcements.actions', actions);
  return (Array.isArray(actions) ? actions : [actions]).map((each) => {
    if (isJsonObject(each) && typeof each.action === 'string') return each.action;
    note(malformed, 'an enforcement action', each);
    return typeof each === 'string' ? each : jsonText(each);
  });
}

function readExemption(enforcements: unknown, now: number, malformed: string[]): Exemption | undefined {
  const exemption = isJsonObject(enforcements) ? enforcements.exemption : undefined;
  if (exemption === undefined || exemption === null) return undefined;
  if (!isJsonObject(exemption)) {
    note(malformed, 'enforcements.exemption', exemption);
    return { status: typeof exemption === 'string' ? exemption : jsonText(exemption) };
  }
  const status = asText(exemption.status, 'exemption.status', malformed);
  const expiryDate = asText(exemption.expiryDate, 'exemption.expiryDate', malformed);
  if (expiryDate === '') return { status };
  const at = parseDate(expiryDate);
  return at === undefined
    ? { status, expiryDate }
    : { status, expiryDate, daysLeft: Math.floor((at - now) / DAY_MS) };
}

/** Returns milliseconds since the epoch of an ISO 8601 date; other notations are not guessed. */
function parseDate(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d|$)/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}

/** Returns true when an exemption prevents the enforcement now; unknown statuses prevent nothing. */
export function isExempt({ exemption }: ListingIssue): boolean {
  const isExemptStatus = exemption?.status === 'EXEMPT' || exemption?.status === 'EXEMPT_UNTIL_EXPIRY_DATE';
  return isExemptStatus && (exemption.daysLeft ?? 0) >= 0;
}
