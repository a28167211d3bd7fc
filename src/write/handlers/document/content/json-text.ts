/**
 * Reads a JSON text without losing anything. It finds repeated members, keeps long numbers as written, and
 * passes items of an array on one by one.
 */

import { visit } from 'jsonc-parser';
import { isSafeNumber } from 'lossless-json';

export interface JsonReading {
  /**
   * Receives each item of the array under this member of the root, or of the root itself; that array stays
   * empty in the value.
   */
  items?: { member: string; each(item: unknown, at: number): void };
}

/** The text is not JSON. */
export class InvalidJsonError extends Error {
  override readonly name = 'NoJsonError';
}

interface ReadJson {
  value: unknown;
  /** The first hundred paths of members that an object has twice. */
  repeated: readonly string[];
}

const MAX_REPEATED = 100;

/** An object or an array that is not closed yet. */
interface OpenJsonValue {
  /** The names that an object has so far, and the one whose value comes next. */
  members?: { names: Set<string>; name: string };
  add(value: unknown): void;
  value(): unknown;
}

/** @param text nests no deeper than `MAX_DEPTH` @throws NoJsonError */
export function readJsonText(text: string, { items }: JsonReading = {}): ReadJson {
  const repeated: string[] = [];
  const open: OpenJsonValue[] = [];
  let root: unknown;
  const put = (value: unknown) => {
    const holder = open.at(-1);
    if (holder === undefined) root = value;
    else holder.add(value);
  };
  const close = () => put(open.pop()?.value());
  visit(
    text,
    {
      onObjectBegin: () => void open.push(openObject()),
      onObjectProperty(name, _offset, _length, _line, _character, pathOf) {
        const members = open.at(-1)?.members;
        if (members === undefined) return;
        if (members.names.has(name) && repeated.length < MAX_REPEATED)
          repeated.push([...pathOf(), name].join('.'));
        members.names.add(name);
        members.name = name;
      },
      onObjectEnd: close,
      onArrayBegin(_offset, _length, _line, _character, pathOf) {
        const path = pathOf();
        const isItems = path.length === 0 || (path.length === 1 && path[0] === items?.member);
        open.push(openList(isItems ? items?.each : undefined));
      },
      onArrayEnd: close,
      onLiteralValue(value: unknown, offset, length) {
        const written = text.slice(offset, offset + length);
        // A number with more digits than JavaScript can represent is shown as it is sent.
        put(typeof value === 'number' && !isSafeNumber(written) ? written : value);
      },
      onError() {
        throw new InvalidJsonError('The text is no JSON');
      },
    },
    { disallowComments: true },
  );
  return { value: root, repeated };
}

function openObject(): OpenJsonValue {
  const entries: [string, unknown][] = [];
  const members = { names: new Set<string>(), name: '' };
  return {
    members,
    add: (value) => void entries.push([members.name, value]),
    value: () => Object.fromEntries(entries),
  };
}

/** @param each receives the items, which the array then does not collect */
function openList(each: ((item: unknown, at: number) => void) | undefined): OpenJsonValue {
  const all: unknown[] = [];
  let count = 0;
  return {
    add(value) {
      if (each === undefined) all.push(value);
      else each(value, count);
      count += 1;
    },
    value: () => all,
  };
}
