/** Names that a file gives: they reach the assistant, so none may hide anything, break a line or go on for ever. */

import { escapeInJson, hasHidden } from '../../base/text/escape-text.ts';
import { DefinitionError } from '../definition-error.ts';
import { MAX_NAME } from '../limits.ts';

/** @param most characters. @throws DefinitionError */
export function checkName(name: string, pointer: string, most = MAX_NAME): void {
  const wrong = problemWithName(name, most);
  if (wrong !== undefined) throw new DefinitionError(pointer, `holds a name ${wrong}: ${shown(name)}`);
}

export function problemWithName(name: string, most = MAX_NAME): string | undefined {
  if (name.length > most) return `of ${name.length} characters (at most ${most} are taken)`;
  return hasHidden(name) ? 'with hidden or control characters' : undefined;
}

const LONGEST_SHOWN = 100;

function shown(name: string): string {
  return escapeInJson(JSON.stringify(name.slice(0, LONGEST_SHOWN)));
}
