/**
 * Turns messages of a JSON feed into items: those of JSON_LISTINGS_FEED by their attributes, any other by its
 * members.
 */

import { isJsonObject, type JsonObject, toObject } from '../../../../base/json.ts';
import { quoteName } from '../../../../base/text/quote-name.ts';
import { attributeOfPatch } from '../../../model/listing/apply-patches.ts';
import { attributeName } from '../../../model/listing/attribute-lines.ts';
import { toList } from '../../../model/listing/entries.ts';
import {
  eachAmount,
  eachNumber,
  findOtherMarketplaces,
  unusualSent,
} from '../../../model/listing/sent-attributes.ts';
import { AmountCollector } from './collect-amounts.ts';
import type { DocumentItem, DocumentItemPart, UnusualTrait } from './content.ts';

/** Members of a message of JSON_LISTINGS_FEED. */
const MESSAGE_MEMBERS: ReadonlySet<string> = new Set([
  'messageId',
  'sku',
  'operationType',
  'productType',
  'requirements',
  'patches',
  'attributes',
]);
const PATCH_MEMBERS: ReadonlySet<string> = new Set(['op', 'path', 'value']);
const OPS: ReadonlySet<string> = new Set(['add', 'replace', 'merge', 'delete']);

/** @param places marketplaces of the feed */
export function toListingItem(message: unknown, at: number, places: readonly string[]): DocumentItem {
  const { messageId, sku, operationType, productType, requirements, patches, attributes, ...unknown } =
    toObject(message);
  const set = toList(patches).map((patch, index) => readPatch(patch, index));
  if (isJsonObject(attributes)) {
    for (const [attribute, value] of Object.entries(attributes))
      set.push(readEntries(attribute, 'set', value));
  } else if (attributes !== undefined) set.push(readOther('attributes', attributes));
  const amounts = new AmountCollector();
  for (const { addAmounts } of set) addAmounts(amounts.add);
  for (const [name, value] of Object.entries(unknown))
    eachNumber(quoteName(name), value, undefined, amounts.add);
  const given = { productType, requirements, ...unknown };
  const others = Object.entries(given).flatMap(([label, value]) =>
    value === undefined ? [] : [{ label, value }],
  );
  return {
    id: typeof messageId === 'number' ? messageId : at + 1,
    ...(sku === undefined ? {} : { name: String(sku) }),
    operation: typeof operationType === 'string' ? operationType : '',
    parts: [...set.flatMap(({ parts }) => parts), ...others],
    amounts: amounts.all(),
    unusual: [
      ...(operationType === 'DELETE' ? [{ kind: 'deleted', words: 'the listing is deleted' }] : []),
      ...(operationType === 'UPDATE'
        ? [{ kind: 'replaced whole', words: 'the listing is replaced whole' }]
        : []),
      ...set.flatMap(({ unusual }) => unusual),
      ...findOtherMarketplaces(message, places),
      ...Object.keys(unknown)
        .filter((name) => !MESSAGE_MEMBERS.has(name))
        .map((name) => ({ kind: 'unknown member', words: `unknown member ${quoteName(name)}` })),
    ],
  };
}

interface PatchReading {
  parts: DocumentItemPart[];
  unusual: UnusualTrait[];
  addAmounts(add: (what: string, value: number) => void): void;
}

function readPatch(patch: unknown, index: number): PatchReading {
  const attribute = attributeOfPatch(patch);
  const patchPath = `patches.${index}`;
  if (!isJsonObject(patch)) return readOther(patchPath, patch);
  const extra = Object.entries(patch).filter(([name]) => !PATCH_MEMBERS.has(name));
  const op = String(patch.op);
  const read =
    attribute === undefined
      ? readOther(`${patchPath} ${op} ${String(patch.path)}`, patch.value)
      : readEntries(attribute, op, patch.value);
  return {
    parts: [...read.parts, ...extra.map(([name, value]) => ({ label: `${patchPath}.${name}`, value }))],
    unusual: [
      ...(OPS.has(op) ? [] : [{ kind: 'unknown operation', words: `unknown operation ${quoteName(op)}` }]),
      ...read.unusual,
      ...extra.map(([name]) => ({ kind: 'unknown member', words: `unknown member ${quoteName(name)}` })),
    ],
    addAmounts(add) {
      read.addAmounts(add);
      for (const [name, value] of extra) eachNumber(quoteName(name), value, undefined, add);
    },
  };
}

function readEntries(attribute: string, op: string, value: unknown): PatchReading {
  const entries = toList(value);
  const isRemoval = op === 'delete';
  return {
    parts: [{ attribute, op, entries }],
    unusual: isRemoval
      ? [{ kind: 'attribute removed', words: `${attributeName(attribute)} removed` }]
      : unusualSent(attribute, entries),
    addAmounts: (add) => eachAmount(attribute, entries, add),
  };
}

function readOther(label: string, value: unknown): PatchReading {
  return {
    parts: [{ label, value }],
    unusual: [{ kind: 'of an unknown form', words: `${quoteName(label)} is of an unknown form` }],
    addAmounts: (add) => eachNumber(quoteName(label), value, undefined, add),
  };
}

const NAMES = /^(?:sku|seller_?sku|amazon_?order_?id|order_?id|asin|id)$/i;

/** Turns a message of any other feed into an item. */
export function toPlainItem(message: unknown, at: number): DocumentItem {
  const members: JsonObject = isJsonObject(message) ? message : { value: message };
  const amounts = new AmountCollector();
  for (const [name, value] of Object.entries(members))
    eachNumber(quoteName(name), value, undefined, amounts.add);
  const name = Object.entries(members).find(
    ([one, value]) => NAMES.test(one) && typeof value === 'string',
  )?.[1];
  return {
    id: at + 1,
    ...(typeof name === 'string' ? { name } : {}),
    operation: '',
    parts: Object.entries(members).map(([label, value]) => ({ label, value })),
    amounts: amounts.all(),
    unusual: amounts
      .all()
      .flatMap(({ what, min }) => (min < 0 ? [{ kind: 'amount below 0', words: `${what} below 0` }] : [])),
  };
}
