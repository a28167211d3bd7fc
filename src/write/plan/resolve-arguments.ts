/** Marks in the arguments of a call: the one place where they become values, and a client that sends none of these where nobody is asked. */

import { InputError } from '../../base/errors.ts';
import { letOthersRun } from '../../base/event-loop.ts';
import { isJsonObject, toObject } from '../../base/json.ts';
import type { Client } from '../../call/client.ts';
import type { Resolved } from '../../privacy/personal/personal-data.ts';
import type { ToolContext } from '../session.ts';

export interface ServiceArguments {
  parameters?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/** As for `resolveMarks`; no body where there is none. */
export async function resolveArguments(
  { parameters = {}, body }: ServiceArguments,
  account: string,
  ctx: ToolContext,
  options: { asksNobody?: boolean } = {},
) {
  const { value, replaced } = await resolveMarks({ parameters, body }, account, ctx, options);
  const resolved = toObject(value);
  return {
    parameters: toObject(resolved.parameters),
    body: resolved.body,
    replaced,
  };
}

/**
 * A copy with the values that the marks stand for. Unless the person is about to be asked, and sees them then, they serve
 * to show what would be sent, and the client of this call sends none of them; what is asked about is for the write guard
 * to say.
 * @param options.asksNobody it is sent without a question, whatever is set: a request
 * @throws InputError for a mark that stands for nothing that is known of the account; nothing is sent then
 */
export async function resolveMarks(
  given: unknown,
  account: string,
  { session, person, withheld }: ToolContext,
  { asksNobody = false }: { asksNobody?: boolean } = {},
): Promise<Resolved> {
  const personal = await session.personal();
  await letOthersRun();
  const resolved = personal.resolve(account, given);
  await letOthersRun();
  if (resolved.replaced.length === 0) return resolved;
  if (withheld === undefined) throw new Error('Marks are resolved in a call of a tool only');
  if (asksNobody || !(await session.writes()).asks(person))
    for (const { original } of resolved.replaced) withheld.add(original);
  return resolved;
}

/** The context of a call whose client sends nothing that a mark stands for in it and that nobody is shown. */
export function withholdMarks(ctx: ToolContext, isPreview: boolean): ToolContext {
  const withheld = new Set<string>();
  const { session, person } = ctx;
  const client = async (): Promise<Client> => {
    const sending = await session.client();
    return {
      ...sending,
      async call(input, options) {
        if (holdsAny({ parameters: input.parameters, body: input.body }, withheld))
          throw new InputError(NOT_SENT, PERSON_FIRST);
        return sending.call(input, options);
      },
    };
  };
  return {
    ...ctx,
    session: { ...session, client },
    // Nobody is asked about what is only shown.
    person: isPreview ? { ...person, canConfirm: false } : person,
    withheld,
  };
}

const NOT_SENT =
  'It holds what a mark of personal data stands for, and nobody is asked about it; nothing was sent.';
const PERSON_FIRST =
  'Where the person can be asked, the write itself (without dryRun) shows them the value first.';

/** Also where it stands within a text, or as a number. */
function holdsAny(value: unknown, withheld: ReadonlySet<string>): boolean {
  if (withheld.size === 0) return false;
  if (typeof value === 'string' || typeof value === 'number') {
    const text = String(value);
    return [...withheld].some((one) => text.includes(one));
  }
  if (Array.isArray(value)) return value.some((item) => holdsAny(item, withheld));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(
    ([name, member]) => holdsAny(name, withheld) || holdsAny(member, withheld),
  );
}
