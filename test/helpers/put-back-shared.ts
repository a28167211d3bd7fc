/** An answer put together again from its value and the members that all elements of a list share. */

import { isJsonObject } from '../../src/base/json.ts';
import type { SharedMembers } from '../../src/render/value/same-in-all.ts';
import { parsePath } from '../../src/render/value/select/path.ts';

/** Merges the shared members into the elements, as any reader of an answer could. */
export function putBackShared(value: unknown, shared: readonly SharedMembers[]): unknown {
  return shared.reduceRight<unknown>(
    (whole, { list, members }) =>
      mergeAt(
        whole,
        (parsePath(list) ?? []).map(({ text }) => text),
        members,
      ),
    value,
  );
}

function mergeAt(value: unknown, names: readonly string[], members: Record<string, unknown>): unknown {
  if (Array.isArray(value))
    return value.map((element) =>
      names.length === 0 && isJsonObject(element)
        ? merge(members, element)
        : mergeAt(element, names, members),
    );
  const [name, ...rest] = names;
  if (name === undefined || !isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === name ? mergeAt(member, rest, members) : member,
    ]),
  );
}

function merge(members: Record<string, unknown>, own: Record<string, unknown>): Record<string, unknown> {
  const names = new Set([...Object.keys(members), ...Object.keys(own)]);
  return Object.fromEntries(
    [...names].map((name) => {
      const [shared, mine] = [members, own].map((of) => (Object.hasOwn(of, name) ? of[name] : undefined));
      return [
        name,
        isJsonObject(shared) && isJsonObject(mine)
          ? merge(shared, mine)
          : Object.hasOwn(own, name)
            ? mine
            : shared,
      ];
    }),
  );
}
