/** Calls the first of several versions of an operation that the account may call, with at most one refused request for each version. */

import type { AccountProfile } from '../accounts/account.ts';
import { ApiError } from '../base/errors.ts';
import { isMarketplaceName } from '../service/facts/marketplace-members.ts';
import { type AccessRecord, aboutOf, formatRefusal } from './access.ts';
import type { CallInput, CallResult } from './client-types.ts';

/** Returns the marketplace ids as they are sent, without filling in or looking up any. */
const marketplacesIn = ({ parameters }: CallInput) =>
  Object.entries(parameters)
    .filter(([name]) => isMarketplaceName(name))
    .flatMap(([, value]) => [value].flat().map((id) => ({ id: String(id) })));

export function createVersionCaller(access: AccessRecord) {
  /** The first call of a version, whose answer tells whether the account may call it: the others wait for it. */
  const firstCalls = new Map<string, Promise<unknown>>();

  /**
   * @param inputs the same question in each version, the preferred one first
   * @throws ApiError (403) without a request where each version was refused before; what `ask` throws
   */
  return async (
    inputs: readonly CallInput[],
    owner: AccountProfile,
    ask: (input: CallInput) => Promise<CallResult>,
  ): Promise<CallResult> => {
    let refused: ApiError | undefined;
    for (const input of inputs) {
      const { id } = input.operation;
      const key = `${owner.name}\n${id}`;
      while (firstCalls.has(key)) await firstCalls.get(key);
      const refusal = access.refusalOf(id, owner, aboutOf(marketplacesIn(input), input));
      if (refusal?.answeredBefore === 0) {
        refused ??= new ApiError({ status: 403 }, `${id} was ${formatRefusal(refusal)}.`);
        continue;
      }
      // An operation that was answered once is not called in another version, because their shapes differ.
      const isAnswered = access.answered(id, owner) > 0;
      const work = ask(input);
      if (!isAnswered) {
        const settled = work.catch(() => undefined).then(() => firstCalls.delete(key));
        firstCalls.set(key, settled);
      }
      try {
        return { ...(await work), answeredBy: id };
      } catch (error) {
        if (isAnswered || !(error instanceof ApiError) || error.status !== 403) throw error;
        refused ??= error;
      }
    }
    throw refused ?? new TypeError('No version was given.');
  };
}
