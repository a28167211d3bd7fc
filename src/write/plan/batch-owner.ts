/** Finds the seller that a batch is for, before anything of the batch is prepared. */

import type { AccountProfile } from '../../accounts/account.ts';
import { ownerDigestOf } from '../../accounts/owner.ts';
import type { Session } from '../session.ts';

/** An operation that takes no parameters and no marketplace. */
const ANY_OPERATION = 'getMarketplaceParticipations';

export interface BatchOwner {
  owner: AccountProfile;
  /** The digest of the owner, by which batches are found. */
  ownerDigest: string;
}

/** @throws CredentialError if no account or no address is known */
export async function ownerOf(account: string, session: Session): Promise<BatchOwner> {
  const [client, registry] = await Promise.all([session.client(), session.program.registry()]);
  const operation = registry.find(ANY_OPERATION);
  const { owner } = await client.prepare({ operation, account, parameters: {} });
  return { owner, ownerDigest: ownerDigestOf(owner) };
}
