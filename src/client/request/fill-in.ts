/** Required parameters that name the seller or marketplace are filled from the account where they are left out. */

import type { Operation, Parameter } from '../../service/facts/operation.ts';

/** The two values of an account that are not secret. */
export interface AccountDefaults {
  sellerId?: string | undefined;
  marketplaceId?: string | undefined;
}

export interface FilledIn {
  parameters: Readonly<Record<string, unknown>>;
  /** What was added, as text. */
  filledIn: Readonly<Record<string, string>>;
}

/** Optional ones stay out: beside a page token, for example, a service refuses any further filter. */
export function fillIn(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
  account: AccountDefaults,
): FilledIn {
  // Without a prototype: a parameter may be called `constructor`.
  const parameters: Record<string, unknown> = Object.assign(Object.create(null), given);
  const filledIn: Record<string, string> = {};
  for (const parameter of operation.parameters) {
    const value = defaultOf(parameter, account);
    if (!parameter.required || value === undefined || parameters[parameter.name] !== undefined) continue;
    parameters[parameter.name] = parameter.schema.type === 'array' ? [value] : value;
    filledIn[parameter.name] = value;
  }
  return { parameters, filledIn };
}

function defaultOf({ name }: Parameter, account: AccountDefaults): string | undefined {
  if (/^seller_?id$/i.test(name)) return account.sellerId;
  return /^marketplace_?ids?$/i.test(name) ? account.marketplaceId : undefined;
}
