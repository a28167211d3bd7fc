/** A report type of the sandbox says how it is asked for and made; most of them are tables, whose columns are data. */

import { render, type Template } from '../template.ts';
import type { Market } from '../world/markets.ts';
import { DAY_MS } from '../world/plain-values.ts';
import type { World } from '../world/world.ts';

/** The request of a caller, with the moments filled in (milliseconds). */
export interface ReportRequest {
  type: string;
  markets: readonly Market[];
  start: number;
  end: number;
  options: Readonly<Record<string, string>>;
}

export interface ReportType {
  contentType: string;
  isCompressed: boolean;
  /** Its document holds personal data: the address is given out for a restricted data token only. */
  isRestricted?: true;
  /** False: the service makes it by itself, and refuses to be asked. */
  canBeRequested?: false;
  /** A second one of the same marketplaces within this time is cancelled. */
  minPauseMinutes?: number;
  /** Why the service cannot make it, told in the document of a report that is FATAL. */
  failure?(request: ReportRequest, world: World): string | undefined;
  /** The text; undefined where there is no data, so that the report is cancelled. */
  build(world: World, request: ReportRequest): string | undefined;
}

/** The reason why a longer time fails; the service takes such a request and ends the report as FATAL. */
export const longerThan =
  (days: number) =>
  ({ start, end }: ReportRequest): string | undefined =>
    end - start > days * DAY_MS ? `The requested time is longer than ${days} days.` : undefined;

export const isInTime = ({ start, end }: ReportRequest, ms: number): boolean => ms >= start && ms < end;

/** Lists what a table has a line for each of. */
export type Rows = (world: World, request: ReportRequest) => readonly object[];

/** A table of report-tables.yaml: its columns, beside which the code makes the rows. */
export interface TableFacts extends Pick<ReportType, 'isRestricted' | 'canBeRequested' | 'minPauseMinutes'> {
  /** Tab-separated where absent. */
  format?: 'csv';
  charset?: 'Cp1252';
  isCompressed?: true;
  /** Its head is written in the marketplace's language. */
  isLocalized?: true;
  /** The template under each heading; null leaves the column empty. */
  columns?: Readonly<Record<string, Template>>;
}

/** The tab-separated form quotes no value and cannot hold a tab or a line end, like the service's. */
const FORMATS = {
  tab: {
    mediaType: 'text/plain',
    mark: '',
    write: (line: readonly string[]) => line.map((value) => value.replace(/[\t\r\n]/g, ' ')).join('\t'),
  },
  /** The form with commas has a byte order mark for spreadsheet programs. Every value is quoted, and quotes inside are doubled. */
  csv: {
    mediaType: 'text/csv',
    mark: '\ufeff',
    write: (line: readonly string[]) => line.map((value) => `"${value.replaceAll('"', '""')}"`).join(),
  },
};

export function buildTable(
  { format, charset, isLocalized, columns = {}, isCompressed, ...more }: TableFacts,
  rows: Rows,
): ReportType {
  const { mediaType, mark, write } = FORMATS[format ?? 'tab'];
  return {
    contentType: `${mediaType};charset=${charset ?? 'UTF-8'}`,
    isCompressed: isCompressed ?? false,
    ...more,
    build(world, request) {
      const found = rows(world, request);
      const headings = (isLocalized && request.markets[0]?.headings) || {};
      const head = Object.keys(columns).map((name) => headings[name] ?? name);
      const lines = found.map((row) =>
        Object.values(columns).map((column) => String(render(column, [row]) ?? '')),
      );
      return found.length === 0
        ? undefined
        : mark + [head, ...lines].map((line) => `${write(line)}\r\n`).join('');
    },
  };
}

/** Which charset a marketplace writes its tables in, where that is another one than the report's own. */
export const localContentType = (contentType: string, market: Market | undefined): string =>
  market?.charset === undefined || !contentType.startsWith('text/plain')
    ? contentType
    : contentType.replace(/charset=.*/, `charset=${market.charset}`);

/** Encodes a text; a character that the charset lacks becomes a question mark, as the service does it. */
export function encode(text: string, contentType: string): Buffer {
  if (contentType.endsWith('Cp1252')) return encodeBy(bytesOf('windows-1252', SINGLE), text);
  if (contentType.endsWith('Shift_JIS')) return encodeBy(bytesOf('shift_jis', [...SINGLE, ...pairs()]), text);
  return Buffer.from(text, 'utf8');
}

const SINGLE: readonly (readonly number[])[] = Array.from({ length: 256 }, (_, byte) => [byte]);

/** A lead byte of Shift_JIS, and one behind it. */
function* pairs(): Generator<readonly number[]> {
  for (let lead = 0x81; lead <= 0xfc; lead += 1) {
    if (lead >= 0xa0 && lead < 0xe0) continue;
    for (let trail = 0x40; trail <= 0xfc; trail += 1) yield [lead, trail];
  }
}

/** Found by decoding, which Node knows for every charset; encoding it knows for none of them. */
function bytesOf(charset: string, candidates: Iterable<readonly number[]>): Map<string, readonly number[]> {
  const decoder = new TextDecoder(charset);
  const found = new Map<string, readonly number[]>();
  for (const bytes of candidates) {
    const char = decoder.decode(Uint8Array.from(bytes));
    // Two may stand for one character: the first is written.
    if ([...char].length === 1 && char !== '\ufffd' && !found.has(char)) found.set(char, bytes);
  }
  return found;
}

const encodeBy = (bytes: ReadonlyMap<string, readonly number[]>, text: string): Buffer =>
  Buffer.from([...text].flatMap((char) => bytes.get(char) ?? [0x3f]));
