/** Renders templates: data in which `=path:format` stands for a value of the made-up world, and `{path:format}` for one in a text. */

import { isJsonObject, toObject } from '../src/base/json.ts';
import type { Market } from './world/markets.ts';
import { dayOf } from './world/periods.ts';
import { amountText, HOUR_MS, isoSeconds } from './world/plain-values.ts';

/**
 * An object can begin with what decides about it:
 * `$if: path` leaves it out unless the value (of several paths, each) is there and neither false nor an empty list;
 * `$each: path` renders it for every item of a list, in which names are looked up first;
 * `$use: name` has the members of a named shape too; `$case: path` is the member with the value's name, or `else`.
 */
export type Template =
  | string
  | number
  | boolean
  | null
  | readonly Template[]
  | { readonly [member: string]: Template | undefined };

type Members = Readonly<Record<string, Template | undefined>>;

export type Shapes = Readonly<Record<string, Template>>;

/** Names are looked up in these objects, the first that has one counts. */
export type Scopes = readonly object[];

type Format = (value: number, market: () => Pick<Market, 'currency' | 'step' | 'decimalSign'>) => unknown;

/** Names an amount and its currency as one of the operations does; amounts are in hundredths. */
const money =
  (code: string, amount: string, isText = false): Format =>
  (cents, market) => ({
    [code]: market().currency,
    [amount]: isText ? amountText(cents, market()) : cents / 100,
  });

const instant = (ms: number): string => new Date(ms).toISOString().slice(0, 19);

/** Moments are in milliseconds, amounts in hundredths of the currency of the `market` in scope. */
const FORMATS: Readonly<Record<string, Format>> = {
  time: isoSeconds,
  day: dayOf,
  month: (ms) => dayOf(ms).slice(0, 7),
  /** `2026-11-21T08:00:00+00:00` */
  offsetTime: (ms) => `${instant(ms)}+00:00`,
  /** `2026-11-21T08:00:00+0000` */
  basicOffsetTime: (ms) => `${instant(ms)}+0000`,
  /** `2026-11-21 08:00:00 UTC` */
  utcTime: (ms) => `${instant(ms).replace('T', ' ')} UTC`,
  /** `11/21/2026` */
  usDay: (ms) => dayOf(ms).replace(/^(\d+)-(\d+)-(\d+)$/, '$2/$3/$1'),
  /** `21-Nov-2026` */
  wordDay: (ms) => new Date(ms).toUTCString().slice(5, 16).replaceAll(' ', '-'),
  amount: (cents, market) => amountText(cents, market()),
  amountIfAny: (cents, market) => (cents === 0 ? '' : amountText(cents, market())),
  localAmount: (cents, market) => amountText(cents, market()).replace('.', market().decimalSign),
  MoneyText: money('CurrencyCode', 'Amount', true),
  moneyText: money('currencyCode', 'amount', true),
  Money: money('CurrencyCode', 'Amount'),
  money: money('currencyCode', 'amount'),
  CurrencyAmount: money('CurrencyCode', 'CurrencyAmount'),
  currencyAmount: money('currencyCode', 'currencyAmount'),
};

const VALUE = /^=([\w.?-]+)(?::(\w+))?$/;
const INSIDE = /\{([\w.?-]+)(?::(\w+))?\}/g;
const HOURS_FROM_NOW = /^@(-?\d+)h$/;

/** Members and items without a value are left out. */
export function render(template: Template | undefined, scopes: Scopes, shapes: Shapes = {}): unknown {
  if (typeof template === 'string') return renderText(template, scopes);
  if (Array.isArray(template)) return template.map((one) => render(one, scopes, shapes)).filter(isThere);
  return isJsonObject(template) ? renderObject(template, scopes, shapes) : template;
}

function renderObject(template: Members, scopes: Scopes, shapes: Shapes): unknown {
  const { $if, $each, $use, $case, ...members } = template;
  if ([$if ?? []].flat().some((path) => !holds(findValue(String(path), scopes)))) return undefined;
  if (typeof $case === 'string') {
    return render(members[String(findValue($case, scopes))] ?? members.else, scopes, shapes);
  }
  const rest = $use === undefined ? members : { $use, ...members };
  if (typeof $each === 'string') {
    const items = findValue($each, scopes);
    if (!Array.isArray(items)) throw new RangeError(`${$each} is no list`);
    return items.map((item) => render(rest, [toObject(item), ...scopes], shapes)).filter(isThere);
  }
  const shown = Object.entries(members).map(
    ([name, value]) => [name, render(value, scopes, shapes)] as const,
  );
  const own = Object.fromEntries(shown.filter(([, value]) => isThere(value)));
  if (typeof $use !== 'string') return own;
  const used = render(shapes[$use], scopes, shapes);
  return isJsonObject(used) ? { ...used, ...own } : used;
}

const isThere = (value: unknown): boolean => value !== undefined;

const holds = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false && value !== '';

type Read = (scopes: Scopes) => unknown;

/** Texts are read once: a table has thousands of rows. */
const readers = new Map<string, Read>();

function renderText(text: string, scopes: Scopes): unknown {
  const known = readers.get(text) ?? readText(text);
  readers.set(text, known);
  return known(scopes);
}

function readText(text: string): Read {
  const [, path, format] = VALUE.exec(text) ?? [];
  if (path !== undefined) return readValue(path, format);
  const hours = HOURS_FROM_NOW.exec(text)?.[1];
  if (hours !== undefined) {
    return (scopes) => isoSeconds(Number(findValue('now', scopes)) + Number(hours) * HOUR_MS);
  }
  if (text.search(INSIDE) < 0) return () => text;
  return (scopes) =>
    text.replace(INSIDE, (_whole, inner: string, how?: string) =>
      String(readValue(inner, how)(scopes) ?? ''),
    );
}

function readValue(path: string, format?: string): Read {
  const find = readPath(path);
  if (format === undefined) return find;
  const write = FORMATS[format];
  if (write === undefined) throw new RangeError(`there is no format ${format}`);
  return (scopes) => {
    const value = find(scopes);
    if (value === undefined) return undefined;
    if (typeof value !== 'number') throw new RangeError(`${path} is no number`);
    return write(value, () => marketIn(scopes));
  };
}

function marketIn(scopes: Scopes) {
  const { currency, step, decimalSign } = toObject(findValue('market', scopes));
  return { currency: String(currency), step: Number(step), decimalSign: String(decimalSign) };
}

const findValue = (path: string, scopes: Scopes): unknown => readPath(path)(scopes);

/** A member that can be absent is written with a question mark: `order?.id`. Any other one is a mistake, and throws a RangeError. */
export function readPath(path: string): Read {
  const members = path
    .split('.')
    .map((text) => ({ name: text.replace('?', ''), isNeeded: !text.endsWith('?') }));
  return (scopes) => {
    let value: unknown = scopes.find((scope) => members[0] !== undefined && members[0].name in scope) ?? {};
    for (const { name, isNeeded } of members) {
      if (typeof value !== 'object' || value === null) return undefined;
      if (isNeeded && !(name in value)) throw new RangeError(`nothing is called ${name} here: ${path}`);
      value = Reflect.get(value, name);
    }
    return value;
  };
}
