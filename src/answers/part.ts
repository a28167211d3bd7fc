/** A part of a JSON value that remembers where in the whole each of its pieces stands. */

import { byteLength, isJsonObject, jsonText } from '../json.ts';
import { type Measure, nameBytes } from './json.ts';

/** A stretch of a text: UTF-16 units `from` (included) to `to` (excluded) of `full`. */
export interface TextPart {
  kind: 'text';
  full: string;
  from: number;
  to: number;
  /** The text is the JSON of the value that stands here. */
  json: boolean;
  /** Chosen by range, not met on the way. */
  asked: boolean;
}

export interface Entry {
  /** Member name, or '' for an element. */
  name: string;
  /** Index, or the member's position in its object. */
  position: number;
  part: Part;
  /** Paths from here to what was selected; `['']` for everything. */
  tails: readonly string[];
}

interface List {
  entries: readonly Entry[];
  /** How many the whole value has. */
  total: number;
}

export type ListPart = ({ kind: 'elements' } & List) | ({ kind: 'members' } & List);

export type Part = { kind: 'whole'; value: unknown } | ListPart | TextPart;

/** The tails of what is wanted whole. */
export const EVERYTHING = [''] as const;

/** One level of a whole value taken apart; other parts, numbers, booleans and null are returned as they are. */
export function openPart(part: Part): Part {
  if (part.kind !== 'whole') return part;
  const { value } = part;
  if (typeof value === 'string') {
    return { kind: 'text', full: value, from: 0, to: value.length, json: false, asked: false };
  }
  if (Array.isArray(value)) {
    return { kind: 'elements', entries: value.map((v, i) => entry('', i, v)), total: value.length };
  }
  if (!isJsonObject(value)) return part;
  const entries = Object.keys(value).map((name, i) => entry(name, i, value[name]));
  return { kind: 'members', entries, total: entries.length };
}

function entry(name: string, position: number, value: unknown): Entry {
  return { name, position, part: { kind: 'whole', value }, tails: EVERYTHING };
}

/** The JSON value that a part shows. */
export function shownValue(part: Part): unknown {
  if (part.kind === 'whole') return part.value;
  if (part.kind === 'text') return part.full.slice(part.from, part.to);
  if (part.kind === 'elements') return part.entries.map((each) => shownValue(each.part));
  return Object.fromEntries(part.entries.map((each) => [each.name, shownValue(each.part)]));
}

/** Size of a part as JSON; see `createMeasure`. */
export function measurePart(part: Part, measure: (value: unknown) => Measure): Measure {
  if (part.kind === 'whole') return measure(part.value);
  if (part.kind === 'text') {
    return { bytes: byteLength(jsonText(part.full.slice(part.from, part.to))), height: 0 };
  }
  let bytes = 2;
  let height = 0;
  for (const each of part.entries) {
    const inner = measurePart(each.part, measure);
    bytes += inner.bytes + 1 + (part.kind === 'members' ? nameBytes(each.name) : 0);
    height = Math.max(height, inner.height);
  }
  return { bytes, height: height + 1 };
}
