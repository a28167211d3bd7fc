/** What a JSON object is to the code that compares, merges and checks bodies. */

import { isJsonObject, type JsonObject } from '../json.ts';

/** A place inside a value: member names and list positions, outermost first. */
export type Segments = readonly (string | number)[];

/** `capabilities.outbound.sunday[0]`; a name that is not a plain word stands quoted in brackets. */
export function formatPath(segments: Segments, show: (text: string) => string = (text) => text): string {
  let text = '';
  for (const segment of segments) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else if (!/^[\w-]+$/.test(segment)) text += `["${show(segment)}"]`;
    else text += text === '' ? segment : `.${segment}`;
  }
  return text;
}

/** A copy without the members that are null, at every depth: null means absent to the service. */
export function dropNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropNulls);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, dropNulls(member)]));
}

/** A copy without the members that are undefined, at the top only. */
export function dropUndefined(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, member]) => member !== undefined));
}
