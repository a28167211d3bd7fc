/** Describes a collection: its tables with columns, types and examples, its notes, and the next step. */

import { dirname } from 'node:path';
import * as z from 'zod';
import { formatAge, formatDuration } from '../../base/text/duration.ts';
import { DATA_NOTE, escapeBlock, escapeText, showText, VALUES_NOTE } from '../../base/text/escape-text.ts';
import { utcMinute } from '../../base/text/local-time.ts';
import { fitLevel, shortenToCharacters, tokensOf } from '../../base/text/shorten.ts';
import { formatSize } from '../../base/text/size.ts';
import { cutOutsidePlaceholders } from '../../privacy/personal/outside-placeholders.ts';
import { OF_THE_ITEM, PERSONAL_END, TRUTHS } from '../tables/personal-tables.ts';
import { viewsOf } from '../tables/report-views.ts';
import type { CollectionInfo, ColumnInfo, TableInfo } from '../tables/table-types.ts';
import type { Collected } from './collection-jobs.ts';
import { contentNotes, marketplacesIn } from './contents.ts';
import { coverageNotes } from './coverage.ts';
import { isAnswered } from './omitted-parts.ts';
import type { RawFile, SavedRaw } from './save-raw.ts';

/** Max tokens of one answer: a question is answered in a few kilobytes. */
const MAX_TOKENS = 1_300;

/** The tokens reserved for notes and the next step. */
const NOTES_TOKENS = 220;

/** Max characters of one note, and the max number of notes. */
export const MAX_NOTE_CHARACTERS = 300;
export const MAX_NOTES = 8;

/** Max characters of the comparison with the last collection of its kind. */
const MAX_COMPARISON_CHARACTERS = 700;

/** Max tables that are named before the rows of a statement. */
const MAX_SUMMARIZED_TABLES = 12;

/** The notes get this part of the answer at most, because the rows need most of it. */
const SUMMARY_PART = 5;

/** A younger collection counts as new. */
const MIN_REPORTED_AGE_MS = 60_000;

/** A run with more time left than this gets the suggestion to ask for less data. */
const LONG_MS = 10 * 60_000;
/** The time for each further page if their number is unknown. */
const LONG_PAGE_MS = 20_000;

/** The advertised schema of an answer about a collection. */
export const collectedOutput = z.looseObject({
  note: z.string(),
  state: z.enum(['done', 'under way']),
  next: z.string(),
  complete: z.boolean().optional().describe('False: not all there is was read'),
});

export interface DescribeOptions {
  account: string;
  /** The current time in milliseconds since the epoch. */
  now: number;
  /** The answer size from the settings. */
  answerTokens: number;
  redact(text: string): string;
  /** The facts that the session was already given, for facts that are reported once. */
  told: Set<string>;
}

type Done = Extract<Collected, { state: 'done' }>;

export function describeCollected(collected: Collected, options: DescribeOptions) {
  return collected.state === 'done'
    ? describeDone(collected, options)
    : describeUnderWay(collected.progress, options);
}

function describeUnderWay(
  { message, leftMs, isAtLeast = false }: Extract<Collected, { state: 'under way' }>['progress'],
  { account }: DescribeOptions,
) {
  const left =
    leftMs === undefined
      ? ''
      : `, ${isAtLeast ? 'at least' : 'about'} ${formatDuration(roundUp(leftMs))} more`;
  const long =
    (leftMs ?? 0) > LONG_MS || (isAtLeast && (leftMs ?? 0) > LONG_PAGE_MS)
      ? ' To have it sooner, narrow the arguments: the wider one ends where its place is needed.'
      : '';
  const next = `It goes on in the background: call again with the same arguments${left}.${long}`;
  return {
    text: `${message}. ${next}\n(account ${account})`,
    structured: {
      note: `${message}. ${next}`,
      state: 'under way' as const,
      account,
      progress: message,
      next,
      ...(leftMs === undefined ? {} : { left_seconds: Math.ceil(leftMs / 1000) }),
    },
  };
}

const roundUp = (ms: number) => Math.max(1_000, Math.ceil(ms / 1_000) * 1_000);

/** The notes that follow give the reason. */
export const INCOMPLETE = ', INCOMPLETE (the notes say what is missing)';

/** This text is needed because the examples would otherwise read as one row. */
const EXAMPLES = '; the examples below are of different rows';

function describeDone({ info, ageMs, replaced, saved, missedName }: Done, options: DescribeOptions) {
  const { account, answerTokens, redact, now, told } = options;
  const clean = (text: string) => escapeBlock(redact(text));
  const [main] = info.tables;
  const collectedAt = utcMinute(info.collectedAt);
  const notes = [...comparisonNotes(info, clean), ...renamedNotes(info)];
  if (ageMs !== undefined) {
    notes.push(`It was collected ${formatAge(ageMs)} ago; fresh: true collects it anew.`);
  }
  if (replaced !== undefined && main !== undefined) {
    notes.push(`Table ${replaced}, of the same source, is gone: ${main.name} took its place.`);
  }
  if (missedName !== undefined) {
    notes.push(
      `It was under way as ${main?.name ?? ''} already: as: "${missedName}" counts from the next call on.`,
    );
  }
  notes.push(...notesOf(info, told).map((note) => shortenToCharacters(clean(note), MAX_NOTE_CHARACTERS)));
  rememberReported(notes, told);
  const next = nextStep(info);
  const { lines: files, facts, links } = savedCollection(saved, clean);
  const isDoubted = (main?.rows ?? 0) === 0 && info.comparison !== undefined;
  const end = `(account ${account}; now ${utcMinute(now)}${formatRetention(info)})`;
  const savedTokens =
    Math.max(tokensOf(files.join(' ')), tokensOf(JSON.stringify(facts))) + tokensOf(JSON.stringify(links));
  const room = Math.min(answerTokens, MAX_TOKENS) - NOTES_TOKENS - tokensOf(notes.join(' ')) - savedTokens;
  const { data: tables, lines, hasExamples } = fitTables(withRows(info), Math.max(60, room), clean);
  const head = `${main?.rows ?? 0} rows${isDoubted ? ' answered' : info.complete ? ', all there are' : INCOMPLETE}, collected ${collectedAt}${hasExamples && (main?.rows ?? 0) > 1 ? EXAMPLES : ''}`;
  const body = [head, ...files, ...lines, ...notes, next].join('\n');
  return {
    text: withNote(body, end),
    structured: {
      note: [VALUES_NOTE, `${head}.`].join(' '),
      state: 'done' as const,
      account,
      ...facts,
      tables,
      ...factsOf(info, notes, clean),
      next,
    },
    ...(links.length === 0 ? {} : { links }),
  };
}

/** Describes a collection before the rows of its statement: a line for each table, and the notes. */
export function summarizeCollected(
  { info, ageMs }: Done,
  { answerTokens, redact, told }: Pick<DescribeOptions, 'answerTokens' | 'redact' | 'told'>,
) {
  const clean = (text: string) => escapeBlock(redact(text));
  const filled = withRows(info);
  const collected = filled.slice(0, MAX_SUMMARIZED_TABLES).map(({ name, rows }) => ({ name, rows }));
  const rest = filled.length - collected.length;
  const named = collected.map(({ name, rows }) => `${name} (${rows} rows)`);
  const when =
    (ageMs ?? 0) < MIN_REPORTED_AGE_MS ? '' : ` ${formatAge(ageMs ?? 0)} ago (fresh: true collects anew)`;
  const head = `Collected${when}: ${named.join(', ')}${rest > 0 ? ` and ${rest} more tables` : ''}${info.complete ? '' : INCOMPLETE}${formatRetention(info)}.`;
  const notes = comparisonNotes(info, clean);
  for (const note of notesOf(info, told).map((each) =>
    shortenToCharacters(clean(each), MAX_NOTE_CHARACTERS),
  )) {
    if (tokensOf([...notes, note].join(' ')) <= answerTokens / SUMMARY_PART) notes.push(note);
  }
  rememberReported(notes, told);
  return {
    lines: [head, ...notes],
    facts: {
      state: 'done' as const,
      collected,
      ...factsOf(info, notes, clean),
      next: 'query_data asks these tables for more.',
    },
  };
}

const factsOf = (info: CollectionInfo, notes: readonly string[], clean: (text: string) => string) => ({
  ...marketplacesIn(info, clean),
  collected_at: utcMinute(info.collectedAt),
  complete: info.complete,
  ...(info.until === undefined ? {} : { kept_until: formatEnd(info.until) }),
  ...(notes.length === 0 ? {} : { notes }),
});

/** Returns figures that cannot be true, which come before all other notes and are not counted among them. */
const comparisonNotes = ({ comparison }: CollectionInfo, clean: (text: string) => string) =>
  comparison === undefined ? [] : [shortenToCharacters(clean(comparison), MAX_COMPARISON_CHARACTERS)];

/** Returns notes on renamed tables, because a caller who uses the requested name would query other data. */
const renamedNotes = ({ renamed = {} }: CollectionInfo) =>
  Object.entries(renamed).map(
    ([asked, name]) => `${asked} is the table of other data: these are in ${name}.`,
  );

/** Returns the tables to describe: empty nested lists can be queried but are not mentioned. */
const withRows = ({ tables }: CollectionInfo) =>
  tables.filter(({ rows, parent }) => rows > 0 || parent === undefined);

/** Builds the text of an answer with the note about its values. */
export const withNote = (body: string, end: string) =>
  [body.includes('«') ? DATA_NOTE : VALUES_NOTE, body, end].join('\n');

/** Formats the end of storage: personal data end with the process unless the user decides otherwise. */
const formatEnd = (until: string) => (until === 'process' ? PERSONAL_END : `${until.slice(0, 16)}Z`);

const formatRetention = ({ until }: CollectionInfo) =>
  until === undefined ? '' : `; kept until ${formatEnd(until)}`;

/** This note applies to every table, so it is given once a session. */
const TRUTHS_NOTE = `In all tables ${TRUTHS}.`;

function rememberReported(notes: readonly string[], told: Set<string>): void {
  if (notes.includes(TRUTHS_NOTE)) told.add(TRUTHS_NOTE);
}

/** Merges the notes, because those of the tables are often those of the whole. */
function notesOf(info: CollectionInfo, told: ReadonlySet<string>): string[] {
  const { notes, tables } = info;
  // A note that many columns share is given once.
  const byNote = new Map<string, string[]>();
  for (const { name, rows, columns } of tables) {
    if (rows === 0) continue;
    for (const { name: column, type, note } of columns) {
      if (note === undefined || type === 'json' || JOINING.has(column) || note === OF_THE_ITEM) continue;
      byNote.set(note, [...(byNote.get(note) ?? []), `${name}.${column}`]);
    }
  }
  const noted = [...byNote].map(([note, names]) =>
    note === TRUTHS ? TRUTHS_NOTE : `${someOf(names)}: ${note}.`,
  );
  const all = [
    ...new Set([
      // The reason for missing data is never among the notes that are cut.
      ...(info.complete ? [] : notes),
      ...contentNotes(info),
      ...tables.flatMap((table) => table.notes),
      ...noted.filter((note) => note !== TRUTHS_NOTE),
      ...coverageNotes(info),
      ...notes,
      ...noted,
    ]),
  ].filter(
    (note) => (note !== TRUTHS_NOTE || !told.has(note)) && !isAnswered(note, tables[0]?.columns ?? []),
  );
  const rest = all.length - MAX_NOTES;
  return rest > 1
    ? [
        ...all.slice(0, MAX_NOTES),
        `${rest} more notes: SELECT name, note FROM columns WHERE note IS NOT NULL`,
      ]
    : all;
}

/** Max columns that are named for a shared note. */
const MAX_NOTED_COLUMNS = 3;

function someOf(names: readonly string[]): string {
  const rest = names.length - MAX_NOTED_COLUMNS;
  return rest < 2 ? names.join(', ') : `${names.slice(0, MAX_NOTED_COLUMNS).join(', ')} and ${rest} more`;
}

/** Returns a query that works on these tables. */
function nextStep(info: CollectionInfo): string {
  const { tables, comparison } = info;
  const [main] = tables;
  const [view] = viewsOf(info);
  if (comparison !== undefined && (main === undefined || main.rows === 0))
    return 'Collect again with fresh: true before you conclude that there is nothing.';
  if (main === undefined || main.rows === 0) return 'There are no rows to query.';
  if (view !== undefined) return `Next: query_data, also with the view ${view}`;
  const child = tables.find(({ parent, rows }) => parent === main.name && rows > 0);
  if (child !== undefined) {
    return `Next: query_data, such as SELECT count(*) FROM ${main.name} JOIN ${child.name} USING (item)`;
  }
  const column = main.columns.find(({ name }) => /status|state|channel|condition|type/.test(name));
  return column === undefined
    ? `Next: query_data, such as SELECT count(*) FROM ${main.name}`
    : `Next: query_data, such as SELECT ${column.name}, count(*) FROM ${main.name} GROUP BY 1 ORDER BY 2 DESC`;
}

// Describes the tables of a collection with columns and examples, as far as the answer has room.

/** The levels of detail of the tables: the first level that fits is used. */
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

/** Columns that only join the table of a nested list to its parent, which its heading states. */
const JOINING: ReadonlySet<string> = new Set(['item', 'n', 'parent_n']);

const columnsOf = ({ columns, parent }: TableInfo) =>
  parent === undefined ? columns : columns.filter(({ name }) => !JOINING.has(name));

/**
 * Returns the join columns. A list inside a list numbers its rows anew in each item: `item` alone would join
 * every row with all of them.
 */
function formatJoinColumns({ columns, parent }: TableInfo): string {
  const isDeeper = columns.some(({ name }) => name === 'parent_n');
  return isDeeper ? `item and parent_n = ${parent}.n` : 'item';
}

/** Returns both forms of as many tables, columns and examples as fit into `room` tokens. */
const fitTables = (tables: readonly TableInfo[], room: number, clean: (text: string) => string) =>
  fitLevel(LEVELS, room, (level) => {
    const shown = tables.slice(0, level.tables).map((table) => describeTable(table, level, clean));
    const rest = tables.length - shown.length;
    const more = rest > 0 ? [`${rest} more tables: SELECT name, rows, parent FROM tables`] : [];
    return {
      data: shown.map(({ data }) => data),
      lines: [...shown.map(({ line }) => line), ...more],
      hasExamples: level.example > 0,
    };
  });

type TableDetailLevel = (typeof LEVELS)[number];

/** Describes a table in both forms. */
function describeTable(table: TableInfo, level: TableDetailLevel, clean: (text: string) => string) {
  const { name, rows, parent, currency } = table;
  const columns = columnsOf(table);
  const shown = columns.slice(0, level.columns).map((column) => describeColumn(column, level, clean));
  const more = columns.length - shown.length;
  const words = shown.map(({ line }) => line);
  if (more > 0) words.push(`${more} more: SELECT * FROM columns WHERE table_name = '${name}'`);
  const joined = parent === undefined ? '' : `, of ${parent} by ${formatJoinColumns(table)}`;
  const money =
    currency === undefined || currency.values.length === 0
      ? ''
      : `; amounts in ${currency.column}: ${currency.values.map((value) => showText(clean(value))).join(', ')}`;
  return {
    line: `${name} (${rows} rows${joined}${money}): ${words.join(', ')}`,
    data: {
      name,
      rows,
      // The columns that join its rows to those of the parent.
      ...(parent === undefined ? {} : { parent, joined_by: formatJoinColumns(table) }),
      columns: shown.map(({ data }) => data),
      ...(more === 0 ? {} : { more_columns: more }),
      ...(currency === undefined
        ? {}
        : { currency: clean(`${currency.column}: ${currency.values.join(', ')}`) }),
    },
  };
}

/** Returns `price number 12.5`. */
function describeColumn(column: ColumnInfo, level: TableDetailLevel, clean: (text: string) => string) {
  const about = `${column.name} ${column.type}`;
  const example = exampleOf(column, level, clean);
  if (example === undefined) return { line: about, data: about };
  return { line: `${about} ${showText(example)}`, data: `${about} ${example}` };
}

function exampleOf({ example }: ColumnInfo, level: TableDetailLevel, clean: (text: string) => string) {
  if (example === undefined || level.example === 0) return undefined;
  const text = clean(example);
  const shown = cutOutsidePlaceholders(text, level.example);
  return shown === text ? text : `${shown}...`;
}

// Describes the saved files of a collection in both forms: full paths, sizes and kinds.

/** Max files that are named; joined reports can have a hundred. */
const MAX_NAMED_FILES = 10;

const MAX_REASON = 300;

const REAL_VALUES = 'It holds the real values, those of buyers included.';

/** @param clean removes secrets from text */
function savedCollection(saved: SavedRaw | undefined, clean: (text: string) => string) {
  if (saved === undefined) return { lines: [], facts: {}, links: [] };
  const { files, personal, problem } = saved;
  const named = files.slice(0, MAX_NAMED_FILES);
  const real = personal && files.length > 0 ? [REAL_VALUES] : [];
  const reason = problem && shortenToCharacters(clean(`${problem.message} ${problem.hint}`), MAX_REASON);
  return {
    lines: [
      ...(files.length === 0 ? [] : [[formatSavedHeading(files), ...real].join(' ')]),
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

function formatSavedHeading(files: readonly RawFile[]): string {
  const [first] = files;
  if (first === undefined || files.length === 1) {
    return first === undefined
      ? ''
      : `Saved ${escapeText(first.path)} (${aboutOf(first)}), as the service sent it.`;
  }
  const names = files.slice(0, MAX_NAMED_FILES).map((file) => `${escapeText(file.name)} (${aboutOf(file)})`);
  const more = files.length > MAX_NAMED_FILES ? ` and ${files.length - MAX_NAMED_FILES} more` : '';
  return `Saved ${files.length} documents in ${escapeText(dirname(first.path))}, as the service sent them: ${names.join(', ')}${more}.`;
}

const aboutOf = ({ kind, bytes }: RawFile) => `${kind.name}, ${formatSize(bytes)}`;
