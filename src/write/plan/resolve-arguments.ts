/** Resolves placeholders in the arguments of a call; no other module turns them into values. */

import { yieldToEventLoop } from '../../base/event-loop.ts';
import { toObject } from '../../base/json.ts';
import type { UnmaskedValue } from '../../privacy/personal/personal-data.ts';
import type { ToolContext } from '../session.ts';

export interface ServiceArguments {
  parameters?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/** Resolves them as `resolveMarks` does; the body is undefined if there is none. */
export async function resolveArguments(
  { parameters = {}, body }: ServiceArguments,
  account: string,
  ctx: ToolContext,
  options: { asksNobody?: boolean } = {},
) {
  const { value, replaced } = await resolvePlaceholders({ parameters, body }, account, ctx, options);
  const resolved = toObject(value);
  return {
    parameters: toObject(resolved.parameters),
    body: resolved.body,
    replaced,
  };
}

/**
 * Returns a copy with the originals of the placeholders. Unless the user is about to see and approve them,
 * they serve only the preview, and this call's client sends none of them. The write guard decides what needs
 * approval.
 * @param options.asksNobody true for a request, which is sent without a question whatever the settings
 * @throws InputError for a placeholder that is unknown for the account; nothing is sent then
 */
export async function resolvePlaceholders(
  given: unknown,
  account: string,
  { session, person, withheld }: ToolContext,
  { asksNobody = false }: { asksNobody?: boolean } = {},
): Promise<UnmaskedValue> {
  const personal = await session.personal();
  await yieldToEventLoop();
  const resolved = personal.resolve(account, given);
  await yieldToEventLoop();
  if (resolved.replaced.length === 0) return resolved;
  if (withheld === undefined) throw new Error('Marks are resolved in a call of a tool only');
  if (asksNobody || !(await session.writeGuard()).asks(person, account))
    for (const { original } of resolved.replaced) withheld.add(original);
  return resolved;
}
