/** Whose account a list is for, before anything of it is prepared. */

import type { AccountProfile } from '../../accounts/types.ts';
import type { Session } from '../tool-context.ts';

/** Takes no parameters and no marketplace. */
const ANY_OPERATION = 'getMarketplaceParticipations';

/** @throws CredentialError where no account or no address is known */
export async function ownerOf(account: string, session: Session): Promise<AccountProfile> {
  const [client, registry] = await Promise.all([session.client(), session.program.registry()]);
  const operation = registry.find(ANY_OPERATION);
  return (await client.prepare({ operation, account, parameters: {} })).owner;
}
