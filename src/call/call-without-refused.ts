/** A reading call over several marketplaces, some of which refuse it: the others are read all the same. */

import type { AppError } from '../base/errors.ts';
import { isRefusal } from '../base/failure-of-one.ts';
import { findMarketplace } from '../service/facts/find-marketplace.ts';
import { isMarketplaceName } from '../service/facts/marketplace-members.ts';
import type { Operation } from '../service/facts/operation.ts';
import { own } from '../service/facts/schema-parts.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** Marketplaces that are asked for one by one: more calls would wait for the limit of the service too long. */
const MAX_ASKED = 25;

/**
 * Makes the call of all of them first; where that is refused, each is asked for alone, and those that answer together.
 * @param work the call, which refuses before it keeps anything
 * @param ask the same in its cheapest form
 * @returns why each of the others is missing, by its name
 * @throws what the call throws where none of them, or all of them, refuse
 */
export async function callWithoutRefused<Result>(
  { operation, parameters }: { operation: Operation; parameters: Parameters },
  work: (parameters: Parameters) => Promise<Result>,
  ask: (parameters: Parameters) => Promise<unknown>,
): Promise<{ result: Result; refused: readonly (readonly [name: string, error: AppError])[] }> {
  try {
    return { result: await work(parameters), refused: [] };
  } catch (error) {
    const several = marketplacesOf(operation, parameters);
    if (several === undefined || !isRefusal(error) || error.status === 401) throw error;
    const allowed: unknown[] = [];
    const refused: (readonly [string, AppError])[] = [];
    for (const one of several.given) {
      try {
        await ask({ ...parameters, [several.name]: [one] });
        allowed.push(one);
      } catch (cause) {
        if (!isRefusal(cause)) throw cause;
        refused.push([nameOf(one), cause]);
      }
    }
    if (refused.length === 0 || allowed.length === 0) throw error;
    return { result: await work({ ...parameters, [several.name]: allowed }), refused };
  }
}

/** The parameter that names several; undefined where none does. */
function marketplacesOf({ parameters }: Operation, values: Parameters) {
  for (const { name } of parameters) {
    const given = isMarketplaceName(name) ? own(values, name) : undefined;
    if (Array.isArray(given) && given.length > 1 && given.length <= MAX_ASKED) return { name, given };
  }
  return undefined;
}

function nameOf(given: unknown): string {
  const found = findMarketplace(String(given));
  return found.kind === 'known' ? found.marketplace.name : String(given);
}
