/**
 * Turns messages of an XML feed into items: every element and attribute by its path, with order, type and
 * amounts.
 */

import { quoteName } from '../../../../base/text/quote-name.ts';
import { amountOf, inCurrency, isAmountName } from '../../../model/listing/sent-attributes.ts';
import { AmountCollector } from './collect-amounts.ts';
import type { DocumentItem, DocumentItemPart, UnusualTrait } from './content.ts';
import { judgeOf } from './table-items.ts';
import { readXmlText } from './xml-text.ts';

const ENVELOPE = 'AmazonEnvelope';
const MESSAGE = 'Message';

/** These elements name a message, the best first. */
const NAMES = [/^SKU$/i, /^(?:Amazon|Merchant)?OrderID$/i, /^(?:Amazon)?OrderItem(?:Code|ID)$/i];

export interface XmlContent {
  /** The parts beside the messages: the header, the type, and whether all else is removed. */
  header: DocumentItemPart[];
}

interface XmlLeaf {
  path: string[];
  text: string;
  attributes: readonly (readonly [string, string])[];
}

interface OpenElement {
  name: string;
  attributes: XmlLeaf['attributes'];
  text: string;
  hasChildren: boolean;
}

/**
 * Reads the messages of an envelope, or the children of the root of any other document.
 * @throws NoXmlError
 */
export function readXmlItems(
  text: string,
  each: (item: DocumentItem, sku: string | undefined) => void,
): XmlContent {
  const stack: OpenElement[] = [];
  const header: DocumentItemPart[] = [];
  let leaves: XmlLeaf[] = [];
  let count = 0;
  const isItem = (name: string) => stack.length === 1 && (stack[0]?.name !== ENVELOPE || name === MESSAGE);
  /** Returns true where the stack is inside an item: below the root and the item. */
  const isInItem = () => stack.length > 1 && isItemName(stack[0], stack[1]);
  const endItem = () => {
    const item = toItem(leaves, count);
    each(item, textOf(leaves, NAMES[0]));
    count += 1;
    leaves = [];
  };
  readXmlText(text, {
    open(name, attributes) {
      const holder = stack.at(-1);
      if (holder !== undefined) holder.hasChildren = true;
      stack.push({ name, attributes, text: '', hasChildren: false });
    },
    text(piece) {
      const holder = stack.at(-1);
      if (holder !== undefined) holder.text += piece;
    },
    close(name) {
      const isInside = isInItem();
      const path = stack.slice(isInside ? 2 : 1).map((one) => one.name);
      const {
        attributes,
        text: given,
        hasChildren,
      } = stack.pop() ?? { attributes: [], text: '', hasChildren: true };
      const leaf = { path: path.length === 0 ? [name] : path, text: given.trim(), attributes };
      const hasContent = !hasChildren || leaf.text !== '' || attributes.length > 0;
      if (isInside) {
        if (hasContent) leaves.push(leaf);
        if (isItem(name)) endItem();
      } else if (stack.length === 0 && count === 0 && !hasChildren) {
        leaves.push(leaf);
        endItem();
      } else if (hasContent && (stack.length > 0 || leaf.text !== '')) header.push(...partsOf(leaf));
    },
  });
  return { header };
}

const isItemName = (root: OpenElement | undefined, child: OpenElement | undefined) =>
  root?.name !== ENVELOPE || child?.name === MESSAGE;

const textOf = (leaves: readonly XmlLeaf[], pattern: RegExp | undefined) =>
  leaves.find(({ path, text }) => pattern?.test(path.at(-1) ?? '') === true && text !== '')?.text;

function toItem(leaves: readonly XmlLeaf[], at: number): DocumentItem {
  const id = leaves.find(({ path, text }) => path.join('.') === 'MessageID' && /^\d{1,9}$/.test(text));
  const action = leaves.find(({ path }) => path.join('.') === 'OperationType');
  const amounts = new AmountCollector();
  const unusual: UnusualTrait[] = [];
  if (/^delete/i.test(action?.text ?? '')) unusual.push({ kind: 'deleted', words: 'the message deletes' });
  for (const leaf of leaves) {
    const found = readAmount(leaf, amounts);
    if (found !== undefined) unusual.push(found);
  }
  const name = NAMES.map((pattern) => textOf(leaves, pattern)).find((found) => found !== undefined);
  return {
    id: id === undefined ? at + 1 : Number(id.text),
    ...(name === undefined ? {} : { name }),
    operation: action?.text ?? '',
    parts: leaves.filter((leaf) => leaf !== id && leaf !== action).flatMap(partsOf),
    amounts: amounts.all(),
    unusual,
  };
}

const currencyOf = ({ attributes }: XmlLeaf) => attributes.find(([name]) => /^currency$/i.test(name))?.[1];

function readAmount(leaf: XmlLeaf, amounts: AmountCollector): UnusualTrait | undefined {
  const name = leaf.path.at(-1) ?? '';
  const currency = currencyOf(leaf);
  const amount = currency !== undefined || isAmountName(name) ? amountOf(leaf.text) : undefined;
  if (amount === undefined) return undefined;
  amounts.add(inCurrency(quoteName(name), currency), amount);
  return judgeOf(name)(amount, currency ?? '');
}

/** Turns an amount with its currency into one value; any other attribute of an element follows its value. */
function partsOf(leaf: XmlLeaf): DocumentItemPart[] {
  const label = leaf.path.join('.');
  const currency = currencyOf(leaf);
  const others = leaf.attributes.filter(([name]) => !(currency !== undefined && /^currency$/i.test(name)));
  const value = currency === undefined ? leaf.text : { amount: leaf.text, currency };
  return [{ label, value }, ...others.map(([name, text]) => ({ label: `${label}@${name}`, value: text }))];
}
