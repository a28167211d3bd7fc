/**
 * Validates names from a file: they reach the assistant, so none may contain hidden characters, break a line
 * or be unlimited.
 */

import { escapeInJson, hasHidden } from '../../base/text/escape-text.ts';
import { DefinitionError } from '../definition-error.ts';
import { MAX_NAME } from '../limits.ts';

/**
 * Validates one name.
 * @param maxLength characters
 * @throws DefinitionError
 */
export function checkName(name: string, pointer: string, maxLength = MAX_NAME): void {
  const isLong = name.length > maxLength;
  if (!isLong && !hasHidden(name)) return;
  const wrong = isLong
    ? `of ${name.length} characters (at most ${maxLength} are taken)`
    : 'with hidden or control characters';
  const shown = escapeInJson(JSON.stringify(name.slice(0, MAX_SHOWN_LENGTH)));
  throw new DefinitionError(pointer, `holds a name ${wrong}: ${shown}`);
}

const MAX_SHOWN_LENGTH = 100;
