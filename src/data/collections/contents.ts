/** Reports from which marketplaces the rows of a report are, if these may differ from the requested ones. */

import { showText } from '../../base/text/escape-text.ts';
import { marketplaceById, marketplaceName } from '../../service/facts/marketplaces.ts';
import { traitsOfReport } from '../../service/facts/report-traits.ts';
import type { CollectionInfo, TableInfo } from '../tables/table-types.ts';

/** Max sales channels that a sentence names. */
const MAX_NAMED = 8;

/** Columns of datasets that contain the marketplace id of a row. */
const NAMES_MARKETPLACE: ReadonlySet<string> = new Set(['marketplace_id', 'marketplace']);

/** Returns the notes as sentences; empty for a source that is no report. */
export function contentNotes({ source, tables }: CollectionInfo): string[] {
  const counted = tables.flatMap((table) => {
    const words = formatChannels(table);
    return words === undefined ? [] : [words];
  });
  if (source.kind !== 'report') return counted;
  const { reportType, marketplaces } = source;
  const named = marketplaces.map((id) => marketplaceName(id) ?? showText(id)).join(', ');
  const [main] = tables;
  const { scope = 'not known' } = traitsOfReport(reportType) ?? {};
  const selected = main === undefined ? undefined : formatSelection(main, marketplaces);
  if (scope === 'account') {
    return [
      ...counted,
      'Account-wide: its rows are the same whichever marketplace of the region is asked for, so it is not collected again for another one. Do not add it up over marketplaces.',
    ];
  }
  if (counted.length > 0) {
    const missing = main === undefined || scope !== 'marketplace' ? [] : formatMissing(main, marketplaces);
    return [...counted, ...(selected === undefined ? [] : [selected]), ...missing];
  }
  if (main === undefined || main.rows === 0 || main.columns.some(({ name }) => NAMES_MARKETPLACE.has(name)))
    return [];
  if (scope === 'region') {
    return [
      `It holds the whole region, whichever marketplace is asked for (${named} here), and no column of it names the marketplace of a row.`,
    ];
  }
  if (scope === 'marketplace' && marketplaces.length > 1) {
    return [
      `No row says whether it is of ${named}, and the service is known to answer this type for one marketplace only: collect them one by one.`,
    ];
  }
  return scope === 'not known' && traitsOfReport(reportType) !== undefined
    ? [
        `No column is known to name the marketplace of a row (a country may be that of a buyer or a warehouse): whether rows of others than ${named} are among them is not known, so do not add it up over marketplaces.`,
      ]
    : [];
}

/** Returns `orders, rows by sales_channel: Amazon.de 2, Non-Amazon 1 (column marketplace: NULL in 1 row).` */
function formatChannels({ name, channels }: TableInfo): string | undefined {
  if (channels === undefined) return undefined;
  const { column, added, values } = channels;
  const lines = values
    .slice(0, MAX_NAMED)
    .map(({ value, rows }) => `${value === null ? 'empty' : showText(value)} ${rows}`);
  const rest = sumRows(values.slice(MAX_NAMED));
  if (rest > 0) lines.push(`${values.length - MAX_NAMED} others ${rest}`);
  const unknown = values.filter(({ marketplace }) => marketplace === null);
  const nulls = sumRows(unknown);
  const none = nulls === 0 ? '' : `, NULL in ${nulls} ${nulls === 1 ? 'row' : 'rows'}`;
  return `${name}, rows by ${column}: ${lines.join(', ')}. Column ${added} holds the country${none}.`;
}

const sumRows = (values: readonly { rows: number }[]): number =>
  values.reduce((sum, { rows }) => sum + rows, 0);

/** Returns the condition to select by if there are rows of marketplaces that were not requested. */
function formatSelection({ channels }: TableInfo, marketplaces: readonly string[]): string | undefined {
  if (channels === undefined) return undefined;
  const asked = marketplaces.flatMap((id) => marketplaceById(id)?.name ?? []);
  if (asked.length === 0) return undefined;
  const isAsked = (marketplace: string | null) => marketplace !== null && asked.includes(marketplace);
  if (channels.values.every(({ marketplace }) => isAsked(marketplace))) return undefined;
  const total = sumRows(channels.values);
  const own = sumRows(channels.values.filter(({ marketplace }) => isAsked(marketplace)));
  const list = asked.map((country) => `'${country}'`).join(', ');
  const none = sumRows(channels.values.filter(({ marketplace }) => marketplace === null));
  const others = total - own - none;
  const lines = [
    ...(others > 0 ? [`${others} of ${total} rows are of other marketplaces`] : []),
    ...(none > 0 ? [`${none} of ${total} rows name none`] : []),
  ];
  return `${lines.join(', ')}: WHERE ${channels.added} IN (${list}) leaves the ${own} of ${asked.join(', ')}.`;
}

/** Returns a note if requested marketplaces have no row, because the service may have left them out. */
function formatMissing({ channels, rows }: TableInfo, marketplaces: readonly string[]): string[] {
  const found = new Set(channels?.values.map(({ marketplace }) => marketplace));
  const asked = marketplaces.flatMap((id) => marketplaceById(id)?.name ?? []);
  const missing = asked.filter((country) => !found.has(country));
  if (rows === 0 || marketplaces.length < 2 || missing.length === 0) return [];
  return [
    `No row is of ${missing.join(', ')}: the service is known to answer this type for one marketplace only, so collect each by itself.`,
  ];
}

/** Returns the same as structured data. @param clean removes secrets from text */
export function marketplacesIn({ tables }: CollectionInfo, clean: (text: string) => string) {
  const rows = tables.flatMap(({ name, channels }) =>
    (channels?.values ?? []).map(({ value, marketplace, rows: count }) => ({
      table: name,
      channel: value === null ? null : clean(value),
      marketplace,
      rows: count,
    })),
  );
  return rows.length === 0 ? {} : { rows_by_marketplace: rows };
}
