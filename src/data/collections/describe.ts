/** A collection in words: its tables with their columns, types and examples, what to know about them, and how to go on. */

import { dirname } from 'node:path';
import { inWords } from '../../base/text/duration.ts';
import { DATA_NOTE, escapeBlock, escapeText, showText, VALUES_NOTE } from '../../base/text/escape-text.ts';
import { shortenToCharacters, tokensOf } from '../../base/text/shorten.ts';
import { sizeWords } from '../../base/text/size.ts';
import { cutBetweenMarks } from '../../privacy/personal/between-marks.ts';
import type { CollectionInfo, ColumnInfo, TableInfo } from '../tables/types.ts';
import { ageWords } from './age-words.ts';
import type { Collected } from './collect.ts';
import type { RawFile, SavedRaw } from './save-raw.ts';

/** What one answer takes at most, in tokens: a question is answered in a few kilobytes. */
const MOST_TOKENS = 1_300;

/** Kept for notes and the next step. */
const WORDS_TOKENS = 220;

/** Characters of one note, and how many are told. */
const LONGEST_NOTE = 300;
const MOST_NOTES = 8;

/** From here on it is worth asking for less. */
const LONG_MS = 10 * 60_000;
/** For each further page, where nobody knows how many there are. */
const LONG_PAGE_MS = 20_000;

export interface DescribeOptions {
  account: string;
  /** Milliseconds since the epoch. */
  now: number;
  /** Of the settings. */
  answerTokens: number;
  redact(text: string): string;
}

export interface CollectionAnswer {
  text: string;
  structured: {
    note: string;
    state: 'done' | 'under way';
    account: string;
    next: string;
    tables?: DescribedTable[];
    collected_at?: string;
    complete?: boolean;
    kept_until?: string;
    notes?: string[];
    progress?: string;
    /** Seconds, about. */
    left_seconds?: number;
  } & SavedCollection['facts'];
  links?: SavedCollection['links'];
}

export function describeCollected(collected: Collected, options: DescribeOptions): CollectionAnswer {
  return collected.state === 'done'
    ? describeDone(collected, options)
    : describeUnderWay(collected.progress, options);
}

function describeUnderWay(
  { message, leftMs, isAtLeast = false }: Extract<Collected, { state: 'under way' }>['progress'],
  { account }: DescribeOptions,
): CollectionAnswer {
  const left =
    leftMs === undefined ? '' : `, ${isAtLeast ? 'at least' : 'about'} ${inWords(roundUp(leftMs))} more`;
  const long =
    (leftMs ?? 0) > LONG_MS || (isAtLeast && (leftMs ?? 0) > LONG_PAGE_MS)
      ? ' To have it sooner, narrow the arguments: the wider one ends where its place is needed.'
      : '';
  const next = `It goes on in the background: call again with the same arguments${left}.${long}`;
  return {
    text: `${message}. ${next}\n(account ${account})`,
    structured: {
      note: `${message}. ${next}`,
      state: 'under way',
      account,
      progress: message,
      next,
      ...(leftMs === undefined ? {} : { left_seconds: Math.ceil(leftMs / 1000) }),
    },
  };
}

const roundUp = (ms: number) => Math.max(1_000, Math.ceil(ms / 1_000) * 1_000);

function describeDone(
  { info, ageMs, replaced, saved, missedName }: Extract<Collected, { state: 'done' }>,
  options: DescribeOptions,
): CollectionAnswer {
  const { account, answerTokens, redact, now } = options;
  const clean = (text: string) => escapeBlock(redact(text));
  const [main] = info.tables;
  const collectedAt = `${new Date(info.collectedAt).toISOString().slice(0, 16)}Z`;
  const age =
    ageMs === undefined ? [] : [`It was collected ${ageWords(ageMs)} ago; fresh: true collects it anew.`];
  const gone =
    replaced === undefined || main === undefined
      ? []
      : [`Table ${replaced}, of the same source, is gone: ${main.name} took its place.`];
  const missed =
    missedName === undefined
      ? []
      : [
          `It was under way as ${main?.name ?? ''} already: as: "${missedName}" counts from the next call on.`,
        ];
  const notes = [
    ...age,
    ...gone,
    ...missed,
    ...notesOf(info).map((note) => shortenToCharacters(clean(note), LONGEST_NOTE)),
  ];
  const next = nextStep(info);
  const { lines: files, facts, links } = savedCollection(saved, clean);
  const head = `${main?.rows ?? 0} rows${info.complete ? ', all there are' : ', NOT ALL there are'}, collected ${collectedAt}`;
  const end = `(account ${account}; now ${new Date(now).toISOString().slice(0, 16)}Z${keptWords(info)})`;
  const savedTokens =
    Math.max(tokensOf(files.join(' ')), tokensOf(JSON.stringify(facts))) + tokensOf(JSON.stringify(links));
  const room = Math.min(answerTokens, MOST_TOKENS) - WORDS_TOKENS - tokensOf(notes.join(' ')) - savedTokens;
  const { tables, lines } = fitTables(info.tables, Math.max(60, room), clean);
  const body = [head, ...files, ...lines, ...notes, next].join('\n');
  return {
    text: [body.includes('«') ? DATA_NOTE : VALUES_NOTE, body, end].join('\n'),
    structured: {
      note: [VALUES_NOTE, `${head}.`].join(' '),
      state: 'done',
      account,
      ...facts,
      tables,
      collected_at: collectedAt,
      complete: info.complete,
      ...(info.until === undefined ? {} : { kept_until: keptUntil(info.until) }),
      ...(notes.length === 0 ? {} : { notes }),
      next,
    },
    ...(links.length === 0 ? {} : { links }),
  };
}

/** Personal data end with the process, unless the person says otherwise. */
const keptUntil = (until: string) =>
  until === 'process' ? 'the last server that uses it ends' : `${until.slice(0, 16)}Z`;

const keptWords = ({ until }: CollectionInfo) =>
  until === undefined ? '' : `; kept until ${keptUntil(until)}`;

/** Those of the tables are often those of the whole. */
function notesOf({ notes, tables }: CollectionInfo): string[] {
  const columns = tables.flatMap(({ name, columns: all }) =>
    all.flatMap(({ name: column, type, note }) =>
      note === undefined || type === 'json' || JOINING.has(column) || note === 'of the item'
        ? []
        : [`${name}.${column}: ${note}.`],
    ),
  );
  const all = [...new Set([...notes, ...tables.flatMap((table) => table.notes), ...columns])];
  const rest = all.length - MOST_NOTES;
  return rest > 0
    ? [
        ...all.slice(0, MOST_NOTES),
        `${rest} more notes: SELECT name, note FROM columns WHERE note IS NOT NULL`,
      ]
    : all;
}

/** A query that works, on these tables. */
function nextStep({ tables }: CollectionInfo): string {
  const [main] = tables;
  if (main === undefined || main.rows === 0) return 'There are no rows to query.';
  const child = tables.find(({ parent }) => parent === main.name);
  if (child !== undefined) {
    return `Next: query_data, such as SELECT count(*) FROM ${main.name} JOIN ${child.name} USING (item)`;
  }
  const column = main.columns.find(({ name }) => /status|state|channel|condition|type/.test(name));
  return column === undefined
    ? `Next: query_data, such as SELECT count(*) FROM ${main.name}`
    : `Next: query_data, such as SELECT ${column.name}, count(*) FROM ${main.name} GROUP BY 1 ORDER BY 2 DESC`;
}

// The tables of a collection in words, with their columns and examples of them: as much as an answer has room for.

/** How much of each table is told: the first that fits. */
const LEVELS = [
  { example: 30, columns: 80, tables: 12 },
  { example: 14, columns: 80, tables: 12 },
  { example: 0, columns: 80, tables: 12 },
  { example: 0, columns: 40, tables: 12 },
  { example: 0, columns: 20, tables: 12 },
  { example: 0, columns: 10, tables: 8 },
  { example: 0, columns: 4, tables: 4 },
  { example: 0, columns: 0, tables: 2 },
] as const;

interface DescribedTable {
  name: string;
  rows: number;
  parent?: string;
  /** How its rows find theirs in `parent`. */
  joined_by?: string;
  /** `price number 12.5`. */
  columns: string[];
  more_columns?: number;
  /** `price_currency: EUR, GBP`. */
  currency?: string;
}

/** Columns that only join the table of a nested list to the one that holds it, which its head says. */
const JOINING: ReadonlySet<string> = new Set(['item', 'n', 'parent_n']);

const columnsOf = ({ columns, parent }: TableInfo) =>
  parent === undefined ? columns : columns.filter(({ name }) => !JOINING.has(name));

/** A list inside a list has its rows numbered anew in each item: `item` alone would join every row with all of them. */
function joinWords({ columns, parent }: TableInfo): string {
  const isDeeper = columns.some(({ name }) => name === 'parent_n');
  return isDeeper ? `item and parent_n = ${parent}.n` : 'item';
}

/** Both forms of as many tables, columns and examples as `room` tokens hold. */
function fitTables(tables: readonly TableInfo[], room: number, clean: (text: string) => string) {
  let fitted: { tables: DescribedTable[]; lines: string[] } = { tables: [], lines: [] };
  for (const level of LEVELS) {
    const shown = tables.slice(0, level.tables);
    const described = shown.map((table) => describeTable(table, level, clean));
    const rest = tables.length - shown.length;
    const more = rest > 0 ? [`${rest} more tables: SELECT name, rows, parent FROM tables`] : [];
    const lines = [...shown.flatMap((table) => tableLines(table, level, clean)), ...more];
    fitted = { tables: described, lines };
    if (tokensOf(JSON.stringify(described)) <= room && tokensOf(lines.join('\n')) <= room) break;
  }
  return fitted;
}

type Level = (typeof LEVELS)[number];

function describeTable(table: TableInfo, level: Level, clean: (text: string) => string): DescribedTable {
  const { name, rows, parent, currency } = table;
  const columns = columnsOf(table);
  const shown = columns.slice(0, level.columns);
  const more = columns.length - shown.length;
  return {
    name,
    rows,
    ...(parent === undefined ? {} : { parent, joined_by: joinWords(table) }),
    columns: shown.map((column) => columnWords(column, exampleOf(column, level, clean))),
    ...(more === 0 ? {} : { more_columns: more }),
    ...(currency === undefined
      ? {}
      : { currency: clean(`${currency.column}: ${currency.values.join(', ')}`) }),
  };
}

function tableLines(table: TableInfo, level: Level, clean: (text: string) => string): string[] {
  const { name, rows, parent, currency } = table;
  const columns = columnsOf(table);
  const shown = columns.slice(0, level.columns);
  const words = shown.map((column) => {
    const example = exampleOf(column, level, clean);
    return columnWords(column, example === undefined ? undefined : showText(example));
  });
  const more = columns.length - shown.length;
  const all =
    more > 0 ? [...words, `${more} more: SELECT * FROM columns WHERE table_name = '${name}'`] : words;
  const joined = parent === undefined ? '' : `, of ${parent} by ${joinWords(table)}`;
  const money =
    currency === undefined || currency.values.length === 0
      ? ''
      : `; amounts in ${currency.column}: ${currency.values.map((value) => showText(clean(value))).join(', ')}`;
  return [`${name} (${rows} rows${joined}${money}): ${all.join(', ')}`];
}

const columnWords = ({ name, type }: ColumnInfo, example: string | undefined) =>
  example === undefined ? `${name} ${type}` : `${name} ${type} ${example}`;

function exampleOf({ example }: ColumnInfo, level: Level, clean: (text: string) => string) {
  if (example === undefined || level.example === 0) return undefined;
  const text = clean(example);
  const shown = cutBetweenMarks(text, level.example);
  return shown === text ? text : `${shown}...`;
}

// What was saved of a collection, in both forms: full paths, sizes and kinds.

/** Files that are named; of joined reports there can be a hundred. */
const MOST_NAMED = 10;

const LONGEST_REASON = 300;

interface SavedCollection {
  lines: string[];
  facts: {
    saved?: { path: string; kind: string; bytes: number; uri: string; report?: string }[];
    saved_files?: number;
    real_values?: string;
    not_saved?: string;
  };
  links: { uri: string; name: string; mimeType: string }[];
}

const REAL_VALUES = 'It holds the real values, those of buyers included.';

/** @param clean takes secrets out of what may hold some */
function savedCollection(saved: SavedRaw | undefined, clean: (text: string) => string): SavedCollection {
  if (saved === undefined) return { lines: [], facts: {}, links: [] };
  const { files, personal, problem } = saved;
  const named = files.slice(0, MOST_NAMED);
  const real = personal && files.length > 0 ? [REAL_VALUES] : [];
  const reason = problem && shortenToCharacters(clean(`${problem.message} ${problem.hint}`), LONGEST_REASON);
  return {
    lines: [
      ...(files.length === 0 ? [] : [[headWords(files), ...real].join(' ')]),
      ...(reason === undefined ? [] : [`NOT SAVED${files.length === 0 ? '' : ' whole'}: ${reason}`]),
    ],
    facts: {
      saved: named.map(({ path, kind, bytes, uri, label }) => ({
        path: escapeText(path),
        kind: kind.name,
        bytes,
        uri,
        ...(label === undefined ? {} : { report: clean(label) }),
      })),
      ...(files.length > named.length ? { saved_files: files.length } : {}),
      ...(real.length === 0 ? {} : { real_values: REAL_VALUES }),
      ...(reason === undefined ? {} : { not_saved: reason }),
    },
    links: named.slice(0, 1).map(({ uri, name, kind }) => ({ uri, name, mimeType: kind.mimeType })),
  };
}

function headWords(files: readonly RawFile[]): string {
  const [first] = files;
  if (first === undefined || files.length === 1) {
    return first === undefined
      ? ''
      : `Saved ${escapeText(first.path)} (${aboutOf(first)}), as the service sent it.`;
  }
  const names = files.slice(0, MOST_NAMED).map((file) => `${escapeText(file.name)} (${aboutOf(file)})`);
  const more = files.length > MOST_NAMED ? ` and ${files.length - MOST_NAMED} more` : '';
  return `Saved ${files.length} documents in ${escapeText(dirname(first.path))}, as the service sent them: ${names.join(', ')}${more}.`;
}

const aboutOf = ({ kind, bytes }: RawFile) => `${kind.name}, ${sizeWords(bytes)}`;
