/**
 * Validates the text of a host's configuration as the host reads it, and edits it with jsonc-parser. The edit
 * preserves everything except comments next to a removed member.
 */

import {
  applyEdits,
  type FormattingOptions,
  findNodeAtLocation,
  getNodeValue,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import * as z from 'zod';
import { InputError } from '../../base/errors.ts';
import type { ServerEntry } from './entry.ts';
import type { Host } from './hosts.ts';

/** The location of an entry. */
export interface Slot {
  host: Pick<Host, 'name' | 'serversKey' | 'readsComments'>;
  /** The file name for messages. */
  file: string;
  /** The name of the entry. */
  name: string;
}

const entryShape = z.object({
  command: z.string().catch(''),
  args: z.array(z.string()).catch([]),
  env: z.record(z.string(), z.unknown()).default({}),
});

/** An existing entry with its full value, because hosts and users add members that are unknown here. */
export type FoundEntry = z.infer<typeof entryShape> & { value: unknown };

/**
 * Finds the entry.
 * @throws InputError with file, line and reason when the host cannot read the text.
 */
export function findEntry(text: string, slot: Slot): FoundEntry | undefined {
  const root = parseConfig(text, slot);
  const node = root && findNodeAtLocation(root, [slot.host.serversKey, slot.name]);
  if (node === undefined) return undefined;
  const value: unknown = getNodeValue(node);
  return { value, ...(entryShape.safeParse(value).data ?? { command: '', args: [], env: {} }) };
}

/** Writes the whole entry, replacing any other. */
export function setEntry(text: string, slot: Slot, entry: ServerEntry): string {
  const { env, ownMembers, ...start } = entry;
  const value = { ...start, ...ownMembers, ...(Object.keys(env).length > 0 && { env }) };
  const { serversKey } = slot.host;
  if (readTree(text) === undefined)
    return `${text}${JSON.stringify({ [serversKey]: { [slot.name]: value } }, null, 2)}\n`;
  return setMember(text, [serversKey, slot.name], value);
}

/**
 * Changes only the differing members of our entry. Variables that `entry` lacks, and additions of a host or
 * user, stay.
 */
export function updateEntry(text: string, slot: Slot, entry: ServerEntry): string {
  const path = [slot.host.serversKey, slot.name];
  const wanted: [readonly string[], unknown][] = [
    ...(entry.type === undefined ? [] : [[['type'], entry.type] satisfies [string[], string]]),
    [['command'], entry.command],
    [['args'], entry.args],
  ];
  for (const [name, value] of Object.entries(entry.env)) wanted.push([['env', name], value]);
  const known = Object.keys(Object(findEntry(text, slot)?.value));
  for (const [name, value] of Object.entries(entry.ownMembers ?? {})) {
    if (!known.includes(name)) wanted.push([[name], value]);
  }
  return wanted.reduce((current, [member, value]) => putMember(current, [...path, ...member], value), text);
}

export const removeEntry = (text: string, slot: Slot): string =>
  setMember(text, [slot.host.serversKey, slot.name], undefined);

/** Sets one member of our entry, or one variable of its `env`; an `env` that is no object is replaced. */
function putMember(text: string, path: readonly string[], value: unknown): string {
  const root = readTree(text);
  const existing = root && findNodeAtLocation(root, [...path]);
  if (existing !== undefined && JSON.stringify(getNodeValue(existing)) === JSON.stringify(value)) return text;
  const parent = root && findNodeAtLocation(root, path.slice(0, -1));
  if (parent === undefined || parent.type === 'object') return setMember(text, path, value);
  return setMember(text, path.slice(0, -1), { [path.at(-1) ?? '']: value });
}

/** Sets a member, or removes it when the value is undefined. */
function setMember(text: string, path: readonly string[], value: unknown): string {
  const formattingOptions = value === undefined ? undefined : layoutOf(text);
  const options = formattingOptions === undefined ? {} : { formattingOptions };
  return applyEdits(text, modify(text, [...path], value, options));
}

/** Returns the file's own indentation and ends of lines; a file on one line has none, and stays on it. */
function layoutOf(text: string): FormattingOptions | undefined {
  if (!text.trim().includes('\n') && text.trim().length > 2) return undefined;
  const indent = /^([ \t]+)["}]/m.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

/** Parses a text that is validated already. */
function readTree(text: string): Node | undefined {
  return parseTree(text, [], { allowTrailingComma: true, allowEmptyContent: true });
}

/**
 * Parses and validates the text.
 * @returns undefined for an empty file
 * @throws InputError with file, line and reason
 */
function parseConfig(text: string, slot: Slot): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, {
    disallowComments: !slot.host.readsComments,
    allowTrailingComma: slot.host.readsComments,
    allowEmptyContent: true,
  });
  const [error] = errors;
  if (error !== undefined) throw malformed(slot, text, error.offset, reasonOf(error, slot));
  if (root === undefined) return undefined;
  if (root.type !== 'object') throw malformed(slot, text, root.offset, 'an object { } was expected');
  refuseDoubles(root, slot.host.serversKey, text, slot);
  const servers = findNodeAtLocation(root, [slot.host.serversKey]);
  if (servers === undefined) return root;
  if (servers.type !== 'object') {
    throw malformed(slot, text, servers.offset, `"${slot.host.serversKey}" is not an object { }`);
  }
  refuseDoubles(servers, slot.name, text, slot);
  return root;
}

/** Refuses two members of one name, because readers disagree on which counts. */
function refuseDoubles(object: Node, name: string, text: string, slot: Slot): void {
  const keys = (object.children ?? []).flatMap((member) => member.children?.[0] ?? []);
  const second = keys.filter((key) => getNodeValue(key) === name)[1];
  if (second !== undefined) throw malformed(slot, text, second.offset, `"${name}" occurs twice`);
}

function reasonOf(error: ParseError, slot: Slot): string {
  const code = printParseErrorCode(error.error);
  if (code === 'InvalidCommentToken') return `${slot.host.name} does not read comments`;
  const words = code.replace(
    /([a-z])([A-Z])/g,
    (_all, end: string, start: string) => `${end} ${start.toLowerCase()}`,
  );
  return words.charAt(0).toLowerCase() + words.slice(1);
}

function malformed(slot: Slot, text: string, offset: number, reason: string): InputError {
  const line = text.slice(0, offset).split('\n').length;
  return new InputError(
    `${slot.file}, line ${line}: ${reason}. Nothing was changed.`,
    'Correct the file in an editor, then run the command again.',
  );
}
