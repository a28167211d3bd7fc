/**
 * Names the marketplaces of an account where a call needs one and the account has no default, and the
 * argument that takes a choice.
 */

import { howToAddIds } from '../../accounts/account-ids.ts';
import { AppError, InputError } from '../../base/errors.ts';
import { toObject } from '../../base/json.ts';
import { askParticipations } from '../../call/participations.ts';
import { isMarketplaceName } from '../../service/facts/marketplace-members.ts';
import { marketplaceById, marketplaceLabel } from '../../service/facts/marketplaces.ts';
import type { MarketplaceChoice } from '../../service/shapes/participations.ts';
import type { ToolContext } from '../session.ts';

/** The arguments of tools that take a choice themselves; other tools take the operation's parameter. */
const ARGUMENTS = ['marketplaces', 'marketplace', 'MarketplaceId'];

/**
 * Rewrites the error of a call that lacks only a marketplace; any other error is returned unchanged. The
 * service is asked within the call's own time.
 */
export async function askWhichMarketplace(
  error: InputError,
  { names, given }: { names: readonly string[]; given: unknown },
  { session, call }: ToolContext,
): Promise<InputError> {
  const isLacking = ({ path, message }: InputError['problems'][number]) =>
    isMarketplace(path) && message.startsWith('is required');
  const lacking = error.problems.filter(isLacking);
  const [first] = lacking;
  if (first === undefined) return error;
  const named = toObject(given).account;
  const account = session.accountOf(typeof named === 'string' ? named : undefined);
  const { marketplaceId: own } = await (await session.accounts()).profile(account);
  const argument = names.find((name) => ARGUMENTS.includes(name)) ?? first.path;
  // The account's marketplace is filled into parameters automatically, but into no body.
  if (own !== undefined) {
    const label = marketplaceLabel(own) ?? own;
    const code = marketplaceById(own)?.country ?? own;
    return error.withHintFirst(`The account's own marketplace is ${label}: ${snippet(argument, code)}.`);
  }
  const [{ find }, client] = await Promise.all([session.program.registry(), session.client()]);
  const asked = askParticipations(client, find, { account }, call).catch((failure: unknown) => {
    if (failure instanceof AppError) return undefined;
    throw failure;
  });
  const all = (await asked) ?? [];
  const where = all.length === 0 ? 'has no marketplace of its own' : `sells in ${formatMarketplaces(all)}`;
  const code = all[0] === undefined ? 'DE' : codeOf(all[0]);
  const question = `Which marketplace? Account ${account} ${where}.`;
  const next = [
    `Name ${all.length > 1 ? 'the one that is meant' : 'it'}${all.length === 0 ? ' by country, such as' : ':'} ${snippet(argument, code)}.`,
    `To be asked no more, ${howToAddIds(account, ['marketplaceId'])}.`,
  ];
  if (lacking.length < error.problems.length) return error.withHintFirst([question, ...next].join(' '));
  return new InputError(`${question} Nothing was sent.`, next.join(' '), error.problems);
}

const isMarketplace = (path: string) => {
  const name = path.split('.').at(-1) ?? '';
  return name === 'marketplaces' || isMarketplaceName(name);
};

const codeOf = ({ id }: MarketplaceChoice): string => marketplaceById(id)?.country ?? id;

function formatMarketplaces(own: readonly MarketplaceChoice[]): string {
  const words = own.map((one) => `${one.country} (${codeOf(one)})`);
  const last = words.pop() ?? '';
  return words.length === 0 ? last : `${words.join(', ')} and ${last}`;
}

/**
 * Spells the argument as the call has it, such as `parameters: {"MarketplaceIds": ["US"]}`, or its path in a
 * body.
 */
function snippet(path: string, code: string): string {
  const [name = '', ...outer] = path.split('.').reverse();
  const value = name.endsWith('s') ? [code] : code;
  const [top = ARGUMENTS.includes(name) ? name : 'parameters'] = outer;
  return top === name ? `${name}: ${JSON.stringify(value)}` : `${top}: {"${name}": ${JSON.stringify(value)}}`;
}
