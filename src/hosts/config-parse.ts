/** Checks that the text of a host's configuration is what the host can read, and says where it is not. */

import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { InputError } from '../errors.ts';
import type { Host } from './hosts.ts';

/** Where an entry stands. */
export interface Slot {
  host: Pick<Host, 'name' | 'serversKey' | 'readsComments'>;
  /** For messages. */
  file: string;
  /** Name of the entry. */
  name: string;
}

/** @returns undefined for an empty file. @throws InputError with file, line and reason. */
export function parseConfig(text: string, slot: Slot): Node | undefined {
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

/** Of two members with one name, readers disagree which counts. */
function refuseDoubles(object: Node, name: string, text: string, slot: Slot): void {
  const keys = (object.children ?? []).flatMap((member) => member.children?.[0] ?? []);
  const second = keys.filter((key) => getNodeValue(key) === name)[1];
  if (second !== undefined) throw malformed(slot, text, second.offset, `"${name}" stands there twice`);
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
