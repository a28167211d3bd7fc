/** A collection in words: its tables with their columns, types and examples, what to know about them, and how to go on. */

import type { CollectionInfo } from '../tables/types.ts';
import { inWords } from '../text/duration.ts';
import { DATA_NOTE, escapeBlock, VALUES_NOTE } from '../text/escape-text.ts';
import { shortenToCharacters, tokensOf } from '../text/shorten.ts';
import { ageWords } from './age-words.ts';
import type { Collected } from './collect.ts';
import { type DescribedTable, fitTables, JOINING } from './describe-tables.ts';
import { type SavedCollection, savedCollection } from './saved-words.ts';

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
