/** Asks the service in which marketplaces an account sells. */

import type { Operation } from '../service/facts/operation.ts';
import { type MarketplaceChoice, parseParticipations } from '../service/shapes/participations.ts';
import type { CallInput, CallOptions, Client } from './client-types.ts';

/**
 * Makes the one call that every application may make.
 * @returns undefined where the answer names no marketplaces
 * @throws AppError as every call
 */
export async function askParticipations(
  client: Pick<Client, 'call'>,
  find: (name: string) => Operation,
  input: Pick<CallInput, 'account' | 'owner'>,
  options: CallOptions,
): Promise<MarketplaceChoice[] | undefined> {
  const operation = find('sellers/getMarketplaceParticipations');
  const { body } = await client.call({ ...input, operation, parameters: {} }, options);
  return parseParticipations(body);
}
