/**
 * Validates names from a file: they reach the assistant, so none may contain hidden characters, break a line
 * or be unlimited.
 */

import { escapeInJson, hasHidden } from '../../base/text/escape-text.ts';
import { DefinitionError } from '../definition-error.ts';
import { MAX_NAME } from '../limits.ts';

/**
 * Validates one name.
 * @param most characters
 * @throws DefinitionError
 */
export function checkName(name: string, pointer: string, most = MAX_NAME): void {
  const isLong = name.length > most;
  if (!isLong && !hasHidden(name)) return;
  const wrong = isLong
    ? `of ${name.length} characters (at most ${most} are taken)`
    : 'with hidden or control characters';
  const shown = escapeInJson(JSON.stringify(name.slice(0, LONGEST_SHOWN)));
  throw new DefinitionError(pointer, `holds a name ${wrong}: ${shown}`);
}

const LONGEST_SHOWN = 100;
