/** Reads a workbook as its format says it is read, with nothing of what wrote it: cells by type, widths, what is frozen. */

import { strFromU8, unzipSync } from 'fflate';

interface Cell {
  type: 'text' | 'number' | 'formula';
  /** A number as it stands there, also of a date. */
  value: string | number;
  /** How a number is shown: `yyyy-mm-dd`. */
  format: string;
}

export interface Workbook {
  sheets: string[];
  /** The rows of the first sheet, the header first; undefined where there is no cell. */
  rows: (Cell | undefined)[][];
  widths: number[];
  /** Rows that stay when one scrolls. */
  frozen: number;
}

export function readWorkbook(bytes: Uint8Array): Workbook {
  const parts = unzipSync(bytes);
  const part = (name: string) => strFromU8(parts[name] ?? new Uint8Array());
  const sheet = part('xl/worksheets/sheet1.xml');
  const formats = readFormats(part('xl/styles.xml'));
  return {
    sheets: [...part('xl/workbook.xml').matchAll(/<sheet name="([^"]*)"/g)].map(([, name = '']) =>
      unescaped(name),
    ),
    rows: [...sheet.matchAll(/<row r="(\d+)">(.*?)<\/row>/gs)].reduce<Workbook['rows']>((rows, found) => {
      rows[Number(found[1]) - 1] = readRow(found[2] ?? '', formats);
      return rows;
    }, []),
    widths: [...sheet.matchAll(/<col [^>]*width="([^"]*)"/g)].map(([, width]) => Number(width)),
    frozen: Number(/<pane [^>]*ySplit="(\d+)"[^>]*state="frozen"/.exec(sheet)?.[1] ?? 0),
  };
}

/** The day and time that a number is shown as, like `toISOString`. */
export function momentOf(serial: number): string {
  return new Date(Math.round(serial * 86_400_000) + Date.UTC(1899, 11, 30)).toISOString();
}

function readRow(xml: string, formats: readonly string[]): (Cell | undefined)[] {
  const row: (Cell | undefined)[] = [];
  for (const [, attributes = '', content = ''] of xml.matchAll(/<c ([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)) {
    const of = (name: string) => new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1];
    const cell = readCell(content, of('t'), formats[Number(of('s') ?? 0)] ?? '');
    row[columnOf(of('r') ?? '')] = cell;
  }
  return Array.from(row);
}

function readCell(content: string, type: string | undefined, format: string): Cell | undefined {
  if (content === '') return undefined;
  if (content.includes('<f')) return { type: 'formula', value: content, format };
  if (type === 'inlineStr') {
    const text = /<t(?: [^>]*)?>(.*)<\/t>/s.exec(content)?.[1] ?? '';
    return { type: 'text', value: unescaped(text), format };
  }
  return { type: 'number', value: Number(/<v>(.*)<\/v>/.exec(content)?.[1]), format };
}

/** `AB12` is column 27. */
function columnOf(reference: string): number {
  const letters = reference.replace(/\d/g, '');
  return [...letters].reduce((at, letter) => at * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function readFormats(styles: string): string[] {
  const named = new Map(
    [...styles.matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g)].map(([, id = '', code = '']) => [
      id,
      unescaped(code),
    ]),
  );
  const cells = /<cellXfs[^>]*>(.*?)<\/cellXfs>/s.exec(styles)?.[1] ?? '';
  return [...cells.matchAll(/<xf [^>]*numFmtId="(\d+)"/g)].map(([, id = '']) => named.get(id) ?? '');
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Entities of XML, and then the characters that XML cannot hold. */
function unescaped(text: string): string {
  return text
    .replace(/&(\w+);/g, (all, name: string) => ENTITIES[name] ?? all)
    .replace(/_x([0-9A-Fa-f]{4})_/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
