/**
 * Renders the content of a document: its totals, and as many of its items as there is room for, the unusual
 * ones first.
 */

import { byteLength } from '../../../../base/json.ts';
import { formatPath } from '../../../../base/json-difference.ts';
import { delimit, showText } from '../../../../base/text/escape-text.ts';
import { count } from '../../../../base/text/format-value.ts';
import { shortenToTokens } from '../../../../base/text/shorten.ts';
import { roomForEach } from '../../../model/format/fit-lines.ts';
import { describeValue } from '../../../model/format/value.ts';
import { attributeName } from '../../../model/listing/attribute-lines.ts';
import { describeSent } from '../../../model/listing/sent-attributes.ts';
import type {
  DocumentAmount,
  DocumentContent,
  DocumentForm,
  DocumentItem,
  DocumentItemPart,
  TotalAmount,
} from './content.ts';

/** A reader's view of a document. */
export interface ContentView {
  places: readonly string[];
  /** Masks each value before it is cut. */
  mask(value: unknown): unknown;
}

export interface ContentText {
  /** The count, such as `25 messages (20 PATCH, 5 DELETE)`; empty where the form is not understood. */
  count: string;
  /** The warnings that a reader must see before the items. */
  warnings: string[];
  /** One line for each item. */
  lines: string[];
  /** The totals over all items. */
  totals: string[];
  /** The number of items that are not shown, or not whole; 1 for a document that is not understood. */
  notShown: number;
}

const UNITS: Readonly<Record<DocumentForm, readonly [one: string, many: string]>> = {
  listings: ['message', 'messages'],
  json: ['item', 'items'],
  table: ['row', 'rows'],
  xml: ['message', 'messages'],
  text: ['line', 'lines'],
  unknown: ['line', 'lines'],
};

/** A name is cut to this many characters, and this many columns are named. */
const MAX_NAME = 60;
const MAX_COLUMNS = 20;
/** One of many items takes at most this many bytes. */
const MAX_ITEM_BYTES = 600;
/** A document with at most this many items lists all of them, each with its share of the room. */
const MAX_LISTED = 30;
/** The line on items that are not listed takes this many bytes. */
const REST_BYTES = 80;

/** @param bytes for the lines of all items */
export function describeContent(content: DocumentContent, view: ContentView, bytes: number): ContentText {
  const { form, total, items, why, header } = content;
  const warnings = [...content.warnings, ...describeDeletions(content), ...describeUnusual(content)];
  if (form === 'unknown') {
    const lines = content.beginning.map((line) =>
      delimit(textOf(line, view).replaceAll('\t', ' | '), MAX_LINE),
    );
    const notice = `WHAT THIS DOCUMENT HOLDS IS NOT UNDERSTOOD HERE: ${why ?? ''}.`;
    return { count: '', warnings: [notice, ...warnings], lines, totals: [], notShown: 1 };
  }
  const beside = header.flatMap((part) => formatPart(part, view)).join('; ');
  const besideCut = shortenToTokens(beside, MAX_ITEM_BYTES / 3);
  const totals = [...(beside === '' ? [] : [`Beside them: ${besideCut}.`]), ...amountTotals(content, view)];
  const rows = items.map((item) => describeItem(item, form, view));
  const fitted = fitItems(rows, total, bytes);
  const notShown = fitted.notShown + (besideCut === beside ? 0 : 1);
  return { ...fitted, count: formatContentCount(content, view), warnings, totals, notShown };
}

const MAX_LINE = 160;

const textOf = (text: string, { mask }: ContentView) => String(mask(text));

export const formatUnit = (form: DocumentForm, items: number): string => UNITS[form][items === 1 ? 0 : 1];

export function formatContentCount(
  { form, total, operations, columns }: DocumentContent,
  view: ContentView,
): string {
  const named = operations.filter(([operation]) => operation !== '');
  const none = operations.find(([operation]) => operation === '')?.[1] ?? 0;
  const kinds = [
    ...named.map(([operation, items]) => `${count(items)} ${showText(textOf(operation, view), MAX_NAME)}`),
    ...(named.length > 0 && none > 0 ? [`${count(none)} that name no operation`] : []),
  ];
  const names = columns.slice(0, MAX_COLUMNS).map((name) => showText(textOf(name, view), MAX_NAME));
  const more = columns.length - names.length;
  const with_ =
    names.length === 0 ? '' : ` with the columns ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `${count(total)} ${formatUnit(form, total)}${kinds.length === 0 ? '' : ` (${kinds.join(', ')})`}${with_}`;
}

/** Warns of deleted items, which do not come back, and of listings that are replaced whole. */
export function describeDeletions({ form, unusual }: DocumentContent): string[] {
  const numberOf = (kind: string) => unusual.find(([name]) => name === kind)?.[1] ?? 0;
  const [deleted, whole] = [numberOf('deleted'), numberOf('replaced whole')];
  const what = form === 'listings' ? ['LISTING IS', 'LISTINGS ARE'] : ['ITEM IS', 'ITEMS ARE'];
  return [
    ...(deleted === 0
      ? []
      : [`${count(deleted)} ${deleted === 1 ? what[0] : what[1]} DELETED; that does not come back.`]),
    ...(whole === 0
      ? []
      : [
          `${whole === 1 ? '1 listing is' : `${count(whole)} listings are`} replaced whole: what the message does not hold is removed.`,
        ]),
  ];
}

function describeUnusual({ unusual, total }: DocumentContent): string[] {
  if (total < 2 || unusual.length === 0) return [];
  return [`Out of the ordinary: ${unusual.map(([kind, items]) => `${count(items)} ${kind}`).join(', ')}.`];
}

function amountTotals({ amounts, total }: DocumentContent, view: ContentView): string[] {
  if (total < 2 || amounts.length === 0) return [];
  const listed = amounts.slice(0, MAX_AMOUNTS).map((one) => formatAmountTotal(one, view));
  const more = amounts.length - listed.length;
  return [`In all of them: ${listed.join('; ')}${more > 0 ? `; and ${more} more amounts` : ''}.`];
}

/** Amounts that are paid are added up, because no row shows their total. */
const PAID = /amount|refund|adjust|fee|charge/i;

function formatAmountTotal({ items, ...amount }: TotalAmount, view: ContentView): string {
  const sum = PAID.test(amount.what) ? `, ${plain(amount.sum)} together` : '';
  return `${formatAmount(amount, view)}${sum} (${count(items)})`;
}

function formatAmount({ what, min, max }: DocumentAmount, view: ContentView): string {
  const range = min === max ? plain(min) : `between ${plain(min)} and ${plain(max)}`;
  return `${textOf(what, view)} ${range}`;
}

/** Rounds off what floating-point arithmetic adds. */
const plain = (value: number) => String(Math.round(value * 1e6) / 1e6);

// The functions below render one item.

interface ItemText {
  name: string;
  /** Everything that is sent for the item. */
  change: string;
  unusual: string;
  /** The amounts of the item, which are shown where the rest is cut. */
  amounts: string;
  isCut: boolean;
}

/** A cut item, like the totals, shows at most this many amounts. */
const MAX_AMOUNTS = 12;

export function describeItem(item: DocumentItem, form: DocumentForm, view: ContentView): ItemText {
  const { operation, parts, amounts, unusual, isCut = false } = item;
  const done = operation === '' ? [] : [showText(textOf(operation, view), MAX_NAME)];
  const listed = amounts.slice(0, MAX_AMOUNTS).map((one) => formatAmount(one, view));
  const more = amounts.length - listed.length;
  return {
    name: nameOf(item, form, view),
    change: [...done, ...parts.flatMap((part) => formatPart(part, view))].join('; '),
    unusual: unusual.map(({ words }) => textOf(words, view)).join('; '),
    amounts: [...done, ...listed, ...(more > 0 ? [`${more} more amounts`] : [])].join('; '),
    isCut,
  };
}

function nameOf({ id, name }: DocumentItem, form: DocumentForm, view: ContentView): string {
  return name === undefined ? `${formatUnit(form, 1)} ${id}` : showText(textOf(name, view), MAX_NAME);
}

function formatPart(part: DocumentItemPart, view: ContentView): string[] {
  if ('label' in part) {
    const label = formatPath([textOf(part.label, view)], showText);
    const value = view.mask(part.value);
    if (typeof value === 'string') return [`${label}: ${value === '' ? '""' : showText(value)}`];
    return [`${label}: ${describeValue(value, [part.label], Number.POSITIVE_INFINITY)}`];
  }
  const { attribute, op } = part;
  const masked = view.mask(part.entries);
  const entries = Array.isArray(masked) ? masked : [];
  const name = attributeName(textOf(attribute, view));
  const entriesText = describeSent(textOf(attribute, view), entries, view.places).join('; ');
  if (op === 'delete') return [entries.length === 0 ? `${name} removed` : `${name} removed (${entriesText})`];
  return [PLAIN_OPS.has(op) ? entriesText : `${showText(textOf(op, view), MAX_NAME)} ${entriesText}`];
}

/**
 * These operations set the whole attribute, so they are not named; a merge keeps the members that it does not
 * name.
 */
const PLAIN_OPS: ReadonlySet<string> = new Set(['set', 'add', 'replace']);

/** Names the item and what it sets, without a value. */
export function outlineItem(item: DocumentItem, form: DocumentForm, view: ContentView): string {
  const { operation, parts } = item;
  const names = parts.flatMap((part) => {
    if ('attribute' in part) return [part.attribute];
    return part.label === 'productType' ? [] : [part.label];
  });
  const shown = [...new Set(names)].map((name) => showText(textOf(name, view), MAX_NAME));
  return `${nameOf(item, form, view)}: ${operation} ${shown.join(', ')}`.trimEnd();
}

function lineOf({ name, change, unusual }: ItemText): string {
  return `${name}: ${change}${unusual === '' ? '' : ` (${unusual})`}`;
}

/** Always shows the amounts and what is unusual, and as much of the rest as there is room for. */
function cutLineOf({ name, change, unusual, amounts }: ItemText, bytes: number): string {
  const odd = unusual === '' ? '' : ` (${shortenToTokens(unusual, MAX_ITEM_BYTES / 3)})`;
  const head = `${name}: ${shortenToTokens(amounts, MAX_ITEM_BYTES / 3)}${odd}`;
  const left = bytes - byteLength(head) - 4;
  return left < MIN_REST_BYTES ? `${head} ...` : `${head}; ${shortenToTokens(change, left / 3)}`;
}

/** A text that is cut to fewer bytes is of no use to the reader. */
const MIN_REST_BYTES = 120;

function fitItems(items: readonly ItemText[], total: number, bytes: number) {
  const maxBytes =
    total <= MAX_LISTED
      ? roomForEach(
          items.map((item) => byteLength(lineOf(item)) + 3),
          bytes,
        )
      : MAX_ITEM_BYTES;
  const lines: string[] = [];
  let left = bytes - (total > items.length ? REST_BYTES : 0);
  let cut = 0;
  for (const [at, item] of items.entries()) {
    const whole = lineOf(item);
    const isWhole = !item.isCut && byteLength(whole) + 3 <= Math.max(maxBytes, total === 1 ? bytes : 0);
    const line = isWhole ? whole : cutLineOf(item, maxBytes);
    const isLast = at === total - 1;
    if (total > MAX_LISTED && byteLength(line) + 3 > left - (isLast ? 0 : REST_BYTES)) break;
    left -= byteLength(line) + 3;
    if (!isWhole) cut += 1;
    lines.push(line);
  }
  const missing = total - lines.length;
  return {
    lines: missing === 0 ? lines : [...lines, `... and ${count(missing)} more`],
    notShown: missing + cut,
  };
}
