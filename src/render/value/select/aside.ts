/** Sets aside members that are large and rarely needed: the answer lists their names and size instead. */

import { isJsonObject, toObject } from '../../../base/json.ts';
import { describeKind } from '../../../base/text/format-value.ts';
import type { Omission } from '../omission.ts';
import { type Measure, openPart, type ValuePart, wholePart } from './part.ts';

/** The limit in bytes of the names listed for one member that was set aside. */
const MAX_NAMES_BYTES = 2_000;
const MAX_NAME_CHARACTERS = 80;

/** An omission that also lists the names of its members, as far as they are short. */
export interface Aside extends Omission {
  names: string[];
}

/** Removes the members at these paths (plain names joined by dots) and describes them. */
export function setAside(
  value: unknown,
  paths: readonly string[],
  measure: Measure,
): { part: ValuePart; aside: Aside[] } {
  const aside: Aside[] = [];
  let part = wholePart(value);
  for (const path of paths) {
    part = without(part, path.split('.'), (found) => {
      aside.push({
        select: [path],
        what: describeKind(found),
        bytes: measure(wholePart(found)),
        names: isJsonObject(found) ? shortNames(Object.keys(found)) : [],
      });
    });
  }
  return { part, aside };
}

function without(part: ValuePart, names: readonly string[], onFound: (found: unknown) => void): ValuePart {
  const [name = '', ...rest] = names;
  // The member is nearly always absent, and the part need not be opened.
  if (part.kind === 'whole' && !Object.hasOwn(toObject(part.value), name)) return part;
  const open = openPart(part);
  if (open.kind !== 'members') return part;
  const found = open.entries.find((entry) => entry.key === name);
  if (found === undefined) return part;
  if (rest.length > 0) {
    const inner = without(found.part, rest, onFound);
    if (inner === found.part) return part;
    return {
      ...open,
      entries: open.entries.map((each) => (each === found ? { ...each, part: inner } : each)),
    };
  }
  if (found.part.kind === 'whole') onFound(found.part.value);
  return { ...open, entries: open.entries.filter((entry) => entry !== found) };
}

function shortNames(names: readonly string[]): string[] {
  let used = 0;
  return names.filter((name) => {
    if (name.length > MAX_NAME_CHARACTERS) return false;
    used += name.length + 3;
    return used <= MAX_NAMES_BYTES;
  });
}
