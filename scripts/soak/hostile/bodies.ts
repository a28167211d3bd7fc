/** Hostile answers of the service, within the limits of what is read: random shapes filled with hostile texts. */

import type { Chance } from './chance.ts';
import { NAMES, textOf, unitOf } from './texts.ts';

/** Stays under the 2 MB that one call reads. */
const MOST_BYTES = 1_950_000;
const LEAST_BYTES = 300;

const MOST_LEVELS = 60;

export interface Made<Value = unknown> {
  value: Value;
  /** How it was made, for the report of a case. */
  how: string;
}

/** @param most bytes; about so many come out, more where texts need escapes */
export function makeValue(chance: Chance, most: number): Made {
  const shape = chance.pick(SHAPES);
  const bytes = chance.size(Math.min(LEAST_BYTES, most), most);
  const { value, how } = MAKE[shape](chance, bytes);
  return { value, how: `${shape} (${how}), ${bytes} bytes` };
}

const SHAPES = [
  'records',
  'records',
  'members',
  'text',
  'repeats',
  'repeats',
  'deep',
  'leaves',
  'JSON',
  'several',
] as const;

type Make = (chance: Chance, bytes: number) => Made;

const MAKE: Readonly<Record<(typeof SHAPES)[number], Make>> = {
  records(chance, bytes) {
    const names = chance.some(NAMES, 8);
    const { text, how } = textOf(chance, chance.size(1, Math.max(2, Math.min(5_000, bytes / 4))));
    const record = (i: number) =>
      Object.fromEntries(names.map((name, at) => [name, at % 2 === 0 ? `${text}${i}` : `${i} ${text}`]));
    const each = JSON.stringify(record(100)).length;
    return {
      value: Array.from({ length: Math.ceil(bytes / each) }, (_, i) => record(i)),
      how: `${names.join(', ')}: ${how}`,
    };
  },
  members(chance, bytes) {
    const unit = unitOf(chance);
    const value = chance.percent(50) ? unitOf(chance) : chance.between(0, 1e6);
    const count = Math.ceil(bytes / (unit.length + String(value).length + 12));
    return {
      value: Object.fromEntries(Array.from({ length: count }, (_, i) => [`${unit}${i}`, value])),
      how: `names of ${JSON.stringify(unit)} with a number`,
    };
  },
  text(chance, bytes) {
    const { text, how } = textOf(chance, bytes);
    const name = chance.pick(NAMES);
    return { value: chance.percent(70) ? { [name]: text } : [text], how: `${name}: ${how}` };
  },
  /** Values that are masked, and a text in which they begin again and again. */
  repeats(chance, bytes) {
    const [begin, end] = [
      unitOf(chance).repeat(chance.between(1, 4)),
      chance.percent(50) ? '' : unitOf(chance),
    ];
    const count = Math.min(60_000, Math.ceil(bytes / 2 / (begin.length + 30)));
    const values = Array.from({ length: count }, (_, i) => `${begin}${i}${end}`);
    const name = chance.pick(NAMES);
    const text = chance.percent(50)
      ? begin.repeat(Math.ceil(bytes / 2 / begin.length))
      : values.join(chance.pick([' ', '', ', ', '%20']));
    return {
      value: { buyers: values.map((value) => ({ [name]: value })), [chance.pick(NAMES)]: text },
      how: `${count} ${name} that begin with ${JSON.stringify(begin)}, and a text of them`,
    };
  },
  deep(chance, bytes) {
    const levels = chance.between(2, MOST_LEVELS);
    const name = chance.percent(50) ? chance.pick(NAMES) : unitOf(chance).repeat(chance.size(1, 500));
    const nested = (inner: unknown) =>
      Array.from({ length: levels }).reduce((below: unknown) => ({ [name]: below }), inner);
    const each = JSON.stringify(nested(0)).length;
    return {
      value: Array.from({ length: Math.ceil(bytes / each) }, (_, i) => nested(i)),
      how: `${levels} levels of ${JSON.stringify(name.slice(0, 40))}`,
    };
  },
  leaves(chance, bytes) {
    const leaf = chance.pick<unknown>([
      0,
      1e-7,
      12345678901234567890n.toString(),
      null,
      {},
      [],
      '',
      [[]],
      true,
      { a: 0 },
    ]);
    const each = JSON.stringify(leaf).length + 1;
    return { value: Array(Math.ceil(bytes / each)).fill(leaf), how: JSON.stringify(leaf) };
  },
  /** Texts that are JSON again. */
  JSON(chance, bytes) {
    const { value, how } = makeValue(chance, bytes / 2);
    return { value: { [chance.pick(NAMES)]: JSON.stringify(value) }, how };
  },
  several(chance, bytes) {
    const parts = [1, 2, 3].map(() => makeValue(chance, bytes / 3));
    return {
      value: Object.fromEntries(parts.map(({ value }) => [chance.pick(NAMES), value])),
      how: parts.map(({ how }) => how).join(' + '),
    };
  },
};

/** As it may come: the answer itself, or around it what operations have around theirs. */
export function bodyOf(chance: Chance): { body: Buffer; how: string } {
  const { value, how } = makeValue(chance, MOST_BYTES);
  const around = chance.pick(['', '', 'payload', 'orders', 'items', 'errors', 'supplySources'] as const);
  const whole = around === '' ? value : { [around]: value, pagination: {} };
  const json = JSON.stringify(whole);
  const text = chance.percent(5) ? json.slice(0, -1) : json;
  return { body: Buffer.from(text), how: `${around === '' ? '' : `${around}: `}${how}` };
}
