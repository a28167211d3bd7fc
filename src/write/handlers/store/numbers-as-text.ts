/**
 * Rejects a number that was read as a text and would be written back, because JavaScript has no number with
 * so many digits.
 */

import { InputError, type Problem } from '../../../base/errors.ts';
import type { JsonObject } from '../../../base/json.ts';
import { formatPath, type Segments, valueAt } from '../../../base/json-difference.ts';
import { showText } from '../../../base/text/escape-text.ts';
import { shortenToCharacters } from '../../../base/text/shorten.ts';

/** The maximum number of paths in an error; there are rarely any. */
const MAX_NAMED = 10;

/**
 * A number that JavaScript cannot represent is read as a text (src/call/transport/lossless-numbers.ts), and
 * would be sent as one. That would change the value without showing it.
 * @throws InputError that names each such number still in the body
 */
export function refuseNumbersAsText(body: JsonObject, state: JsonObject, paths: readonly Segments[]): void {
  const left = paths.filter((path) => {
    const text = valueAt(state, path);
    return text !== undefined && valueAt(body, path) === text;
  });
  if (left.length === 0) return;
  const problems: Problem[] = left.slice(0, MAX_NAMED).map((path) => ({
    path: formatPath(path, showText),
    message: `is the number ${shortenToCharacters(String(valueAt(state, path)), 40)} at the service, and would be sent as a text`,
  }));
  const more = left.length - problems.length;
  throw new InputError(
    `The current state holds numbers with more digits than can be sent back unchanged: ${problems.map(({ path }) => path).join(', ')}${more > 0 ? ` and ${more} more` : ''}. Nothing was sent.`,
    'Give these members another value or remove them (null) in the same changes, if the person wants that; otherwise this edit cannot be made here.',
    problems,
  );
}
