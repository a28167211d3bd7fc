/** Reads and edits the text of a host's configuration so that all else in it stays as it was, comments too. */

import { applyEdits, findNodeAtLocation, getNodeValue, modify, type Node, parseTree } from 'jsonc-parser';
import * as z from 'zod';
import { parseConfig, type Slot } from './config-parse.ts';
import type { ServerEntry } from './entry.ts';
import { insertMember, layoutOf, removeMember } from './json-member.ts';

/** An entry that a file holds already; hosts and people put in more than we know. */
export interface FoundEntry {
  /** The value as it stands. */
  value: unknown;
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, unknown>>;
}

const entryShape = z.object({
  command: z.string().catch(''),
  args: z.array(z.string()).catch([]),
  env: z.record(z.string(), z.unknown()).default({}),
});

/** @throws InputError with file, line and reason when the text is not a configuration that the host can read. */
export function findEntry(text: string, slot: Slot): FoundEntry | undefined {
  const root = parseConfig(text, slot);
  const node = root && findNodeAtLocation(root, [slot.host.serversKey, slot.name]);
  if (node === undefined) return undefined;
  const value: unknown = getNodeValue(node);
  return { value, ...(entryShape.safeParse(value).data ?? { command: '', args: [], env: {} }) };
}

/** Puts the entry in whole, whatever stood there. */
export function setEntry(text: string, slot: Slot, entry: ServerEntry): string {
  const { env, ...start } = entry;
  const value = Object.keys(env).length === 0 ? start : { ...start, env };
  const { serversKey } = slot.host;
  const root = readTree(text);
  if (root === undefined)
    return `${text}${JSON.stringify({ [serversKey]: { [slot.name]: value } }, null, 2)}\n`;
  const servers = findNodeAtLocation(root, [serversKey]);
  if (servers === undefined) return insertMember(text, root, serversKey, { [slot.name]: value });
  if (findNodeAtLocation(servers, [slot.name]) === undefined)
    return insertMember(text, servers, slot.name, value);
  return edit(text, [serversKey, slot.name], value);
}

/**
 * Changes only what differs in an entry of ours: members that a host or a person added stay.
 * @param managed names of variables that are ours to set and to take out.
 */
export function updateEntry(
  text: string,
  slot: Slot,
  found: FoundEntry,
  entry: ServerEntry,
  managed: ReadonlySet<string>,
): string {
  const path = [slot.host.serversKey, slot.name];
  const wanted: [readonly string[], unknown][] = [
    ...(entry.type === undefined ? [] : [[['type'], entry.type] satisfies [string[], string]]),
    [['command'], entry.command],
    [['args'], entry.args],
  ];
  const stale = Object.keys(found.env).filter((name) => managed.has(name) && !(name in entry.env));
  for (const name of stale) wanted.push([['env', name], undefined]);
  for (const [name, value] of Object.entries(entry.env)) wanted.push([['env', name], value]);
  return wanted.reduce((current, [member, value]) => {
    const root = readTree(current);
    const node = root && findNodeAtLocation(root, [...path, ...member]);
    const existing: unknown = node && getNodeValue(node);
    const same = JSON.stringify(existing) === JSON.stringify(value);
    return same ? current : edit(current, [...path, ...member], value);
  }, text);
}

export function removeEntry(text: string, slot: Slot): string {
  const path = [slot.host.serversKey, slot.name];
  const root = readTree(text);
  const servers = root && findNodeAtLocation(root, [slot.host.serversKey]);
  const member = root && findNodeAtLocation(root, path)?.parent;
  return servers && member ? removeMember(text, servers, member, path) : text;
}

/** Changes inside our own entry, where the layout is ours as well. */
function edit(text: string, path: string[], value: unknown): string {
  const { indent, eol } = layoutOf(text);
  const insertSpaces = !indent.startsWith('\t');
  const formattingOptions = { insertSpaces, tabSize: insertSpaces ? indent.length : 4, eol };
  return applyEdits(text, modify(text, path, value, { formattingOptions }));
}

/** Of a text that was checked already. */
function readTree(text: string): Node | undefined {
  return parseTree(text, [], { allowTrailingComma: true, allowEmptyContent: true });
}
