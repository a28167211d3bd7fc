/**
 * Parses what a question shows and an answer reports into values, so that only this module knows how either
 * is written.
 */

import * as z from 'zod';
import type { Answer } from './program.ts';
import { type Member, SKUS, STORES, type Value } from './service.ts';

/** Holds the value that a question shows for a member now, and the one that it becomes. */
interface Shown {
  /** Is undefined in a feed, which is not compared with what is there. */
  now: Value | undefined;
  next: Value;
  /** Is true where an earlier write of ours set the value, which this one only sends along. */
  isCarried: boolean;
}
/** Maps each thing (SKU or store) and member to its values. */
export type Rows = ReadonlyMap<string, ReadonlyMap<Member, Shown>>;

const MEMBERS: Readonly<Record<string, Member>> = {
  price: 'price',
  'minimum price': 'minimum_price',
  quantity: 'quantity',
  'handling time': 'handling_time',
  alias: 'alias',
  'time zone': 'timezone',
};
const VALUE = String.raw`"[^"]*"|[\d.,]+`;
const PART = new RegExp(
  [
    `(?<sku>[A-L]) "Lamp [A-L]"`,
    String.raw`\((?<store>s\d)\)`,
    `(?<member>${Object.keys(MEMBERS).toReversed().join('|')}): (?<now>${VALUE})(?: USD| days?)?(?<besides>[^;>]*?) -> (?<then>${VALUE})(?: USD| days?)?(?: \\(set from here, not visible yet: (?<pending>${VALUE}))?`,
  ].join('|'),
  'g',
);
const parseValue = (words: string): Value =>
  words.startsWith('"') ? words.slice(1, -1) : Number(words.replaceAll(',', ''));

/** Rows stand indented, below a line that may name their thing; or one stands in a line by itself. Other lines tell the past. */
const IS_ROW = /^ {2}|now -> then:$|Nothing else changes/;
/** Matches an earlier change, which stands in parentheses after a row. */
const PAST = / \((?=[^)]*->).*\)$/;

export function readQuestion(question: string): Rows {
  if (question.startsWith('Feed ')) return readFeed(question);
  const rows = new Map<string, Map<Member, Shown>>();
  const lines = question
    .split('\n')
    .filter((line) => IS_ROW.test(line))
    .map((line) => line.replace(PAST, ''));
  let thing = '';
  for (const { groups = {} } of lines.join('\n').matchAll(PART)) {
    const { sku, store, member, now, then, pending } = groups;
    if (sku !== undefined || store !== undefined) thing = sku ?? String(store).toUpperCase();
    const known = MEMBERS[member ?? ''];
    if (known === undefined || now === undefined || then === undefined) continue;
    const row = rows.get(thing) ?? new Map();
    const isCarried = pending === then;
    rows.set(thing, row.set(known, { now: parseValue(now), next: parseValue(then), isCarried }));
  }
  return rows;
}

/** Reads a feed, of which each message is a line. */
function readFeed(question: string): Rows {
  const lines = [...question.matchAll(/^ {2}([A-L]): PATCH;(.*)$/gm)];
  return new Map(
    lines.map(([, sku = '', line = '']) => {
      const set = line.matchAll(/(minimum price|price): ([\d.,]+) USD/g);
      const row = [...set].flatMap(([, name = '', value = '']) => {
        const member = MEMBERS[name];
        const shown = { now: undefined, next: parseValue(value), isCarried: false };
        return member === undefined ? [] : [[member, shown] as const];
      });
      return [sku, new Map(row)];
    }),
  );
}

/** Tells whether a line that is no row names the thing, because such a line says why it is left alone. */
export const isLeftOut = (thing: string, question: string): boolean =>
  question.split('\n').some((line) => !IS_ROW.test(line) && new RegExp(`\\b${thing}\\b`, 'i').test(line));

const factsSchema = z.looseObject({
  outcome: z.string().optional(),
  batch_id: z.string().optional(),
  journal_id: z.string().optional(),
  counts: z.record(z.string(), z.number()).optional(),
  items: z.number().optional(),
  results: z
    .array(z.looseObject({ key: z.string().optional(), sku: z.string().optional(), outcome: z.string() }))
    .optional(),
  accepted: z.array(z.string()).optional(),
  table: z.object({ columns: z.array(z.string()), rows: z.array(z.array(z.unknown())) }).optional(),
  left_out: z.array(z.string()).optional(),
});

/** Holds what an answer about writes reports. */
export interface ReportedAnswer {
  outcome: string | undefined;
  /** Identifies the list, or the entry of a single write. */
  id: string | undefined;
  isList: boolean;
  /** Maps each thing to its reported outcomes: one in a correct answer, however many members it has. */
  outcomes: Map<string, string[]>;
  counted: number;
  /** Lists the things that the answer names as left alone. */
  leftOut: string[];
  text: string;
}

export function readAnswer({ facts, text }: Answer): ReportedAnswer {
  const {
    outcome,
    batch_id,
    journal_id,
    counts = {},
    results = [],
    accepted = [],
    table,
    left_out = [],
  } = factsSchema.parse(facts);
  const outcomes = new Map<string, string[]>();
  const record = (key: string, end: string) => {
    const thing = thingOf(key);
    outcomes.set(thing, [...(outcomes.get(thing) ?? []), end]);
  };
  for (const { key, sku = '', outcome: end } of results) record(key ?? sku, end);
  for (const key of accepted) record(key, 'accepted');
  const columnIndex = (name: string) => table?.columns.indexOf(name) ?? -1;
  // The table gives the values of each member, in addition to the results or instead of them.
  const tabled = new Map(
    (table?.rows ?? []).map((row) => [
      thingOf(String(row[columnIndex('item')])),
      row[columnIndex('outcome')],
    ]),
  );
  for (const [thing, end] of tabled) if (!outcomes.has(thing)) record(thing, String(end));
  const things = [...SKUS, ...STORES];
  return {
    outcome,
    id: batch_id ?? journal_id,
    isList: batch_id !== undefined,
    outcomes,
    counted: Object.values(counts).reduce((sum, one) => sum + one, 0),
    leftOut: things.filter((thing) => left_out.some((line) => new RegExp(`\\b${thing}\\b`).test(line))),
    text,
  };
}

/** Returns the thing that a key names: `A` for `A "Lamp A"`, and `S1` for `S1: Store S1 (s1)`. */
const thingOf = (key: string) => key.split(/[ :]/)[0] ?? key;
