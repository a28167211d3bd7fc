/**
 * Withholds the originals of placeholders in a call that asks nobody: they appear only where the user sees
 * them before approval.
 */

import { InputError } from '../../base/errors.ts';
import { isJsonObject } from '../../base/json.ts';
import type { Client } from '../../call/client-types.ts';
import type { ToolContext } from '../session.ts';

/** Returns a context whose client sends no original of a placeholder that no user has seen. */
export function withholdPlaceholders(ctx: ToolContext, isPreview: boolean): ToolContext {
  const withheld = new Set<string>();
  const { session, person } = ctx;
  const client = async (): Promise<Client> => {
    const sending = await session.client();
    return {
      ...sending,
      async call(input, options) {
        if (containsAny({ parameters: input.parameters, body: input.body }, withheld))
          throw new InputError(NOT_SENT, PERSON_FIRST);
        return sending.call(input, options);
      },
    };
  };
  return {
    ...ctx,
    session: { ...session, client },
    // A preview asks nobody.
    person: isPreview ? { ...person, canConfirm: false, canOpenPage: false, isHere: false } : person,
    withheld,
  };
}

const NOT_SENT =
  'It holds what a mark of personal data stands for, and nobody is asked about it; nothing was sent.';
const PERSON_FIRST =
  'Where the person can be asked, the write itself (without dryRun) shows them the value first.';

/** Returns true if a withheld value occurs anywhere, also within a text or as a number. */
function containsAny(value: unknown, withheld: ReadonlySet<string>): boolean {
  if (withheld.size === 0) return false;
  if (typeof value === 'string' || typeof value === 'number') {
    const text = String(value);
    return [...withheld].some((one) => text.includes(one));
  }
  if (Array.isArray(value)) return value.some((item) => containsAny(item, withheld));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(
    ([name, member]) => containsAny(name, withheld) || containsAny(member, withheld),
  );
}
