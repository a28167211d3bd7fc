/** Marks in the arguments of a call: the one place where they become values. */

import { letOthersRun } from '../../base/event-loop.ts';
import { toObject } from '../../base/json.ts';
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
  if (asksNobody || !(await session.writeGuard()).asks(person, account))
    for (const { original } of resolved.replaced) withheld.add(original);
  return resolved;
}
