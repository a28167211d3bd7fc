/** Arguments for the service with the values that their marks stand for, and what of them the assistant gets to see again. */

import { isJsonObject, type JsonObject } from '../json.ts';
import type { Replaced } from '../personal/personal-data.ts';
import type { Session } from './session.ts';

export interface ServiceArguments {
  parameters?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

export interface ResolvedArguments {
  /** What is sent. */
  parameters: JsonObject;
  /** Undefined where there is none. */
  body: unknown;
  /** Empty where no mark was used. */
  replaced: readonly Replaced[];
}

/** @throws InputError for a mark that stands for nothing that is known of the account; nothing is sent then */
export async function resolveArguments(
  { parameters = {}, body }: ServiceArguments,
  account: string,
  session: Session,
): Promise<ResolvedArguments> {
  const { value, replaced } = (await session.personal()).resolve(account, { parameters, body });
  const resolved = isJsonObject(value) ? value : {};
  return {
    parameters: isJsonObject(resolved.parameters) ? resolved.parameters : {},
    body: resolved.body,
    replaced,
  };
}
