/** Replaces a message that is repeated with the same code, so that it is printed once. */

import { isJsonObject } from '../../base/json.ts';
import { copyTotal } from './select/part.ts';

/** Replaces a message that was printed before. */
export const SAME_MESSAGE = Symbol('same message');
export const SAME_MESSAGE_TEXT = '(same message as above)';

/** Shorter messages take less than the text that replaces them. */
const MIN_REPEATED_CHARACTERS = 30;

/**
 * Returns the value with each repeated message replaced by SAME_MESSAGE; the value itself if none repeats.
 */
export function replaceRepeats(value: unknown, seen: Set<string> = new Set()): unknown {
  if (Array.isArray(value)) {
    const folded = value.map((element) => replaceRepeats(element, seen));
    return folded.every((element, at) => element === value[at]) ? value : copyTotal(value, folded);
  }
  if (!isJsonObject(value)) return value;
  const repeated = repeatedMember(value, seen);
  let changed = false;
  const members = Object.entries(value).map(([name, member]) => {
    const folded = name === repeated ? SAME_MESSAGE : replaceRepeats(member, seen);
    changed ||= folded !== member;
    return [name, folded] as const;
  });
  return changed ? Object.fromEntries(members) : value;
}

/** Returns the name of the member whose message was printed for the same code before. */
function repeatedMember(value: Record<string, unknown>, seen: Set<string>): string | undefined {
  const names = Object.keys(value);
  const code = names.find((name) => /^(?:error)?code$/i.test(name));
  const message = names.find((name) => /^(?:error)?message$/i.test(name));
  if (code === undefined || message === undefined) return undefined;
  const text = value[message];
  if (typeof text !== 'string' || text.length < MIN_REPEATED_CHARACTERS) return undefined;
  const key = JSON.stringify([value[code], text]);
  if (seen.has(key)) return message;
  seen.add(key);
  return undefined;
}
