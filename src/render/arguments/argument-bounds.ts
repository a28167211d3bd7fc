/** Bounds the arguments of a call of any tool, because later steps walk, copy and list them. */

import { InputError } from '../../base/errors.ts';
import { isJsonObject, MAX_DEPTH } from '../../base/json.ts';

/** The limit of values and member names: several times the service's largest request. */
export const MAX_VALUES = 50_000;
/** The limit of characters of one member name. */
export const MAX_NAME_CHARACTERS = 200;

/**
 * @param instead how the tool takes more
 * @returns the approximate number of bytes as JSON
 * @throws InputError naming the bound
 */
export function checkBounds(args: unknown, instead = 'Send less in one call, or flatter.'): number {
  const count = { values: 0, characters: 0 };
  const wrong = findExcess(args, MAX_DEPTH, count);
  if (wrong === undefined) return count.values * BYTES_EACH + count.characters;
  throw new InputError(`The arguments ${wrong}; nothing was sent.`, instead);
}

/** The cost of a value or name besides its own characters. */
const BYTES_EACH = 32;

function findExcess(
  value: unknown,
  levels: number,
  count: { values: number; characters: number },
): string | undefined {
  if (++count.values > MAX_VALUES) return `hold more than ${MAX_VALUES} values and member names`;
  if (typeof value === 'string') count.characters += value.length;
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return `are nested deeper than ${MAX_DEPTH} levels`;
  if (Array.isArray(value)) {
    for (const member of value) {
      const wrong = findExcess(member, levels - 1, count);
      if (wrong !== undefined) return wrong;
    }
  } else if (isJsonObject(value)) {
    for (const name of Object.keys(value)) {
      if (name.length > MAX_NAME_CHARACTERS)
        return `have a member name of more than ${MAX_NAME_CHARACTERS} characters`;
      count.values++;
      const wrong = findExcess(value[name], levels - 1, count);
      if (wrong !== undefined) return wrong;
    }
  }
  return undefined;
}
