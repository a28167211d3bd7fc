/** Whose account a list is for, before anything of it is prepared. */

import type { AccountProfile } from '../../accounts/account.ts';
import { ownerDigestOf } from '../../accounts/owner.ts';
import type { Session } from '../session.ts';

/** Takes no parameters and no marketplace. */
const ANY_OPERATION = 'getMarketplaceParticipations';

export interface BatchOwner {
  owner: AccountProfile;
  /** Of the owner, as lists are found by it. */
  ownerDigest: string;
}

/** @throws CredentialError where no account or no address is known */
export async function ownerOf(account: string, session: Session): Promise<BatchOwner> {
  const [client, registry] = await Promise.all([session.client(), session.program.registry()]);
  const operation = registry.find(ANY_OPERATION);
  const { owner } = await client.prepare({ operation, account, parameters: {} });
  return { owner, ownerDigest: ownerDigestOf(owner) };
}
