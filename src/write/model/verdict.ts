/**
 * Judges the body of a 2xx response: accepted, not accepted, or accepted in part, whatever its HTTP status.
 */

import { groupBy } from '../../base/group-by.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { delimit, showText } from '../../base/text/escape-text.ts';
import type { Operation, RefusalSign } from '../../service/facts/operation.ts';
import { own } from '../../service/facts/schema-parts.ts';

/** A reason in the service's own texts: untrusted text, to be escaped where it is shown. */
export interface Reason {
  code?: string;
  message?: string;
  details?: string;
}

/** One item of a batch. */
interface ItemVerdict {
  /** The index in the list that has it, from 0. */
  at: number;
  /** The service's name of it: a SKU or an id, if the item has one. */
  name?: string;
  accepted: boolean;
  reasons: readonly Reason[];
}

export interface Verdict {
  outcome: 'accepted' | 'not_accepted' | 'partly_accepted';
  /** The members of the response that say so: `status INVALID`, `errors`. */
  signs: readonly string[];
  /** The reasons for the response as a whole. */
  reasons: readonly Reason[];
  /** Each item of a batch, in the response's order; empty for anything else. */
  items: readonly ItemVerdict[];
}

const ACCEPTED: Verdict = { outcome: 'accepted', signs: [], reasons: [], items: [] };

/** Judges a response by the facts of the operation; a 207 that they do not cover is judged by its items. */
export function readVerdict(
  operation: Pick<Operation, 'refusals' | 'source'>,
  { status, body }: { status: number; body: unknown },
): Verdict {
  const known = operation.refusals ?? (operation.source === 'user' ? ERRORS : []);
  const refusals = [...known, ...(status === 207 ? partsRefusals(body) : [])];
  const whole = refusals.filter(({ member }) => !member.includes('[]'));
  const batch = judgeItems(
    refusals.filter(({ member }) => member.includes('[]')),
    body,
  );
  const fired = whole.flatMap((refusal) => firing(refusal, body));
  if (fired.length === 0) return batch ?? ACCEPTED;
  const beside = fired.length === 1 ? judgeLists(fired[0]?.member ?? '', body) : undefined;
  if (beside !== undefined) return beside;
  return {
    outcome: 'not_accepted',
    signs: fired.map(({ words }) => words),
    reasons: reasonsIn(body),
    items: batch?.items ?? [],
  };
}

const ERRORS: readonly RefusalSign[] = [{ member: 'errors', when: 'filled' }];

/** Returns where the items of a multi-status response have their results. */
function partsRefusals(body: unknown): RefusalSign[] {
  if (!isJsonObject(body)) return [];
  const lists = Object.keys(body).filter((name) => Array.isArray(body[name]) && /^\w+$/.test(name));
  return lists.flatMap((name): RefusalSign[] => [
    { member: `${name}[].status.statusCode`, when: 'status' },
    { member: `${name}[].statusCode`, when: 'status' },
    { member: `${name}[].status`, when: 'status' },
    { member: `${name}[].errors`, when: 'filled' },
  ]);
}

function firing({ member, when }: RefusalSign, body: unknown): { member: string; words: string }[] {
  const value = valuesAt(body, member.split('.')).find((one) => isRefusal(one, when));
  if (value === undefined) return [];
  return [{ member, words: typeof value === 'string' ? `${member} ${showText(value, 80)}` : member }];
}

function isRefusal(value: unknown, when: RefusalSign['when']): boolean {
  if (when === 'filled') return isFilled(value);
  if (when === 'status') return Number(value) >= 300;
  return typeof value === 'string' && when.includes(value);
}

function isFilled(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/**
 * Returns the values at a dotted path: `[]` selects every element of a list, and a number selects one index.
 */
export function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  const [head, ...rest] = path;
  if (head === undefined) return [value];
  const name = head.replace('[]', '');
  const member = Array.isArray(value) && /^\d+$/.test(name) ? value[Number(name)] : undefined;
  const inner = name === '' ? value : isJsonObject(value) ? own(value, name) : member;
  if (!head.endsWith('[]')) return inner === undefined ? [] : valuesAt(inner, rest);
  return Array.isArray(inner) ? inner.flatMap((one) => valuesAt(one, rest)) : [];
}

/** Judges items with results of their own; undefined if none of them is a rejection. */
function judgeItems(refusals: readonly RefusalSign[], body: unknown): Verdict | undefined {
  const lists = groupBy(refusals, ({ member }) => member.split('[]')[0] ?? '');
  const items = [...lists].flatMap(([list, signs]) => {
    const path = list === '' ? [] : list.split('.');
    const all = valuesAt(body, path).filter(Array.isArray).flat();
    return all.map((item, at) => judgeItem(item, at, signs));
  });
  return items.every(({ accepted }) => accepted) ? undefined : toVerdict(items);
}

function judgeItem(item: unknown, at: number, signs: readonly RefusalSign[]): ItemVerdict {
  const refused = signs.some(({ member, when }) => {
    const rest = member.slice(member.indexOf('[]') + 2).replace(/^\./, '');
    return valuesAt(item, rest.split('.')).some((value) => isRefusal(value, when));
  });
  return { at, ...nameOf(item), accepted: !refused, reasons: refused ? reasonsIn(item) : [] };
}

/** Judges rejected items in a list of their own, beside a list of accepted ones (`rejectedOrders`). */
function judgeLists(member: string, body: unknown): Verdict | undefined {
  const path = member.split('.');
  const last = path.pop() ?? '';
  const [holder] = valuesAt(body, path);
  const refused = isJsonObject(holder) ? own(holder, last) : undefined;
  if (!isJsonObject(holder) || !Array.isArray(refused)) return undefined;
  const others = Object.entries(holder).filter(([name]) => name !== last);
  const accepted = others.flatMap(([, value]) => (Array.isArray(value) ? value : []));
  if (accepted.length === 0) return undefined;
  return toVerdict([
    ...accepted.map((item, at) => ({ at, ...nameOf(item), accepted: true, reasons: [] })),
    ...refused.map((item, at) => ({ at, ...nameOf(item), accepted: false, reasons: reasonsIn(item) })),
  ]);
}

function toVerdict(items: readonly ItemVerdict[]): Verdict {
  const refused = items.filter(({ accepted }) => !accepted).length;
  const outcome = refused === items.length ? 'not_accepted' : 'partly_accepted';
  return { outcome, signs: [`${refused} of ${items.length} items`], reasons: [], items };
}

const MAX_NAME = 100;

/** Names an item by its SKU before any other id. */
function nameOf(item: unknown): { name?: string } {
  const holders = [item, ...(isJsonObject(item) ? [item.body, item.request] : [])].filter(isJsonObject);
  for (const pattern of [/sku$/i, /id$/i]) {
    for (const holder of holders) {
      const found = Object.entries(holder).find(
        ([name, value]) => pattern.test(name) && typeof value === 'string' && value !== '',
      );
      if (found !== undefined) return { name: String(found[1]).slice(0, MAX_NAME) };
    }
  }
  return {};
}

const MAX_DEPTH = 4;
/** The max number of reasons in one response, which can have thousands. */
const MAX_REASONS = 50;

/** Finds anything that looks like an error of the service, below members that have such. */
function reasonsIn(value: unknown, depth = 0): Reason[] {
  if (Array.isArray(value)) return value.flatMap((one) => reasonsIn(one, depth)).slice(0, MAX_REASONS);
  if (!isJsonObject(value) || depth > MAX_DEPTH) return [];
  const reason = toReason(value);
  if (reason !== undefined) return [reason];
  const inner = Object.entries(value).filter(([name]) =>
    /error|issue|reason|status|body|payload/i.test(name),
  );
  return inner.flatMap(([, member]) => reasonsIn(member, depth + 1)).slice(0, MAX_REASONS);
}

/** Reads a member that has only failures: a text, or errors in any form. */
export function reasonsOf(value: unknown): Reason[] {
  const all = [value].flat().slice(0, MAX_REASONS);
  return all.flatMap((one): Reason[] => {
    if (typeof one === 'string' && one !== '') return [{ message: one }];
    if (!isJsonObject(one)) return [];
    const known = reasonsIn(one);
    return known.length > 0 ? known : [{ message: JSON.stringify(one) }];
  });
}

function toReason(value: JsonObject): Reason | undefined {
  const text = (...names: string[]) =>
    names.map((name) => own(value, name)).find((one) => typeof one === 'string' && one !== '');
  const code = text('code', 'Code', 'errorCode');
  const message = text('message', 'Message', 'errorMessage', 'reasonPhrase');
  const details = text('details', 'Detail', 'detail');
  if (code === undefined && message === undefined) return undefined;
  const reason: Reason = {};
  if (typeof code === 'string') reason.code = code;
  if (typeof message === 'string') reason.message = message;
  if (typeof details === 'string') reason.details = details;
  return reason;
}

const MAX_REASON = 300;

/** Formats a reason: `90220: «'fabric_type' is required»`; the service's words are delimited. */
export function formatReason({ code, message, details }: Reason): string {
  const parts = [
    code === undefined ? '' : showText(code, 80),
    message === undefined ? '' : delimit(message, MAX_REASON),
  ].filter((part) => part !== '');
  return `${parts.join(': ')}${details === undefined ? '' : ` (${delimit(details, MAX_REASON)})`}`;
}

const MAX_LISTED = 5;

/** Formats the verdict as one sentence, for the journal. */
export function formatVerdict({ signs, reasons, items }: Verdict): string {
  const refused = items.filter(({ accepted }) => !accepted);
  const ofItems = refused.map(({ at, name, reasons: [first] }) => {
    const what = name === undefined ? `item ${at + 1}` : showText(name, MAX_NAME);
    return first === undefined ? what : `${what} (${formatReason(first)})`;
  });
  const parts = [...reasons.map(formatReason), ...ofItems];
  const more = parts.length > MAX_LISTED ? ` and ${parts.length - MAX_LISTED} more` : '';
  const why = parts.length === 0 ? '' : `: ${parts.slice(0, MAX_LISTED).join('; ')}${more}`;
  return `The service did not accept it, ${signs.join(', ')}${why}`;
}
