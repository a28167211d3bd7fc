/** Turns rows of a tabular feed into items: the name of its column says what a cell is. */

import { quoteName } from '../../../../base/text/quote-name.ts';
import { isWrapped } from '../../../../data/documents/quoting.ts';
import { amountOf, isAmountName, lowPrice } from '../../../model/listing/sent-attributes.ts';
import type { DocumentAmount, DocumentItem, DocumentItemPart, UnusualTrait } from './content.ts';

const SKU_COLUMN = /^(?:sku|seller-sku|item_sku|merchant-sku)$/i;
const ORDER_COLUMN = /^(?:amazon-?|merchant-?)?order-?(?:item-?)?(?:id|number)$/i;
const CURRENCY_COLUMN = /currency/i;
/** This column says what is done with the row. */
const OPERATION_COLUMN =
  /^(?:add-delete|add_delete|update_delete|update-delete|(?:::)?record_action|operation-?type)$/i;
const DELETES = /^(?:d|x|delete|remove)/i;

/** A template has its settings in the first line, and readable names in the second. */
const SETTINGS = /^"?(?:TemplateType|feedType|settings)=/i;

/** A template has fewer lines before its rows; more would hide rows. */
const MAX_HEAD_LINES = 12;

const ATTRIBUTE_ROW = /attributeRow=(\d{1,3})/i;
const DATA_ROW = /dataRow=(\d{1,3})/i;

/**
 * Finds the lines where columns and rows begin: a template names them in its first line, and other tables
 * have the columns there.
 */
export function headOf(first: string): { columns: number; rows: number } {
  if (!SETTINGS.test(first)) return { columns: 0, rows: 1 };
  const columns = Number(ATTRIBUTE_ROW.exec(first)?.[1] ?? 0);
  const rows = Number(DATA_ROW.exec(first)?.[1] ?? 0);
  return columns > 1 && rows > columns && rows <= MAX_HEAD_LINES
    ? { columns: columns - 1, rows: rows - 1 }
    : { columns: 2, rows: 3 };
}

/** Splits a line of a tab-separated feed, in which a quote is literal unless it encloses a whole cell. */
export function cellsOf(line: string): string[] {
  const cells = line.split('\t');
  // Most cells are plain, and there can be millions.
  if (!/[" \u00A0]/.test(line)) return cells;
  return cells.map((text) => {
    const cell = text.trim();
    return isWrapped(cell) ? cell.slice(1, -1) : cell;
  });
}

export interface TableReader {
  skuOf(cells: readonly string[]): string | undefined;
  /** The parts of the item are built only where they are shown. */
  toItem(
    cells: readonly string[],
    id: number,
  ): Omit<DocumentItem, 'parts'> & { parts: () => readonly DocumentItemPart[] };
}

export function openTable(columns: readonly string[]): TableReader {
  const columnIndex = (pattern: RegExp) => columns.findIndex((name) => pattern.test(name));
  const [sku, order, operation, currency] = [
    columnIndex(SKU_COLUMN),
    columnIndex(ORDER_COLUMN),
    columnIndex(OPERATION_COLUMN),
    columnIndex(CURRENCY_COLUMN),
  ];
  const amountColumns = columns.flatMap((name, at) =>
    isAmountName(name) && at !== currency ? [{ at, name, what: quoteName(name), judge: judgeOf(name) }] : [],
  );
  const cell = (cells: readonly string[], at: number) => (at < 0 ? '' : (cells[at] ?? ''));
  const skuOf = (cells: readonly string[]) => cell(cells, sku) || undefined;
  const nameOf = (cells: readonly string[]) => skuOf(cells) ?? (cell(cells, order) || undefined);
  return {
    skuOf,
    toItem(cells, id) {
      const amounts: DocumentAmount[] = [];
      const unusual: UnusualTrait[] = [];
      for (const { at, what, judge } of amountColumns) {
        const amount = amountOf(cell(cells, at));
        if (amount === undefined) continue;
        amounts.push({ what, min: amount, max: amount, sum: amount });
        const found = judge(amount, cell(cells, currency));
        if (found !== undefined) unusual.push(found);
      }
      const action = cell(cells, operation);
      if (DELETES.test(action)) unusual.unshift({ kind: 'deleted', words: 'the row deletes' });
      if (cells.length > columns.length) {
        unusual.push({ kind: 'more cells than columns', words: 'more cells than columns' });
      }
      const name = nameOf(cells);
      return {
        id,
        ...(name === undefined ? {} : { name }),
        operation: action,
        parts: () =>
          cells.flatMap((value, at) =>
            value === '' ? [] : [{ label: columns[at] ?? `column ${at + 1}`, value }],
          ),
        amounts,
        unusual,
      };
    },
  };
}

/** Judges an amount by the name of its column or element. */
export function judgeOf(name: string): (amount: number, currency: string) => UnusualTrait | undefined {
  const what = quoteName(name);
  const isQuantity = /quantity|(?:^|[^a-z])qty/i.test(name);
  const isPrice = /price/i.test(name) && !/min|max|type|step|lower|quantity/i.test(name);
  return (amount, currency) => {
    if (amount < 0) return { kind: 'amount below 0', words: `${what} below 0` };
    if (isQuantity) return amount === 0 ? { kind: 'quantity 0', words: 'quantity 0' } : undefined;
    return isPrice ? lowPrice(what, amount, currency) : undefined;
  };
}
