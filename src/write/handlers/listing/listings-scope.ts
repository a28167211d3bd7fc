/** Determines the marketplace and the owner of the listings in a call, and how they are read there. */

import { ownerDigestOf } from '../../../accounts/owner.ts';
import { InputError } from '../../../base/errors.ts';
import type { CallOptions } from '../../../call/client-types.ts';
import { findMarketplace } from '../../../service/facts/find-marketplace.ts';
import { marketplaceById, marketplaceName } from '../../../service/facts/marketplaces.ts';
import type { BatchOwner } from '../../plan/batch-owner.ts';
import type { Session } from '../../session.ts';
import type { ListingsReader } from './read-listings.ts';

export interface ListingsScope extends BatchOwner {
  account: string;
  /** The id of the marketplace. */
  id: string;
  /** The name within a sentence: `Germany`, `the United States`. */
  name: string;
}

/** @throws InputError for an unknown marketplace, or one of another region; nothing is sent */
export async function findListingsScope(
  account: string,
  marketplace: string | undefined,
  session: Session,
): Promise<ListingsScope> {
  const [client, registry] = await Promise.all([session.client(), session.program.registry()]);
  const operation = registry.find('listings-items/searchListingsItems');
  const named = marketplace === undefined ? undefined : findMarketplace(marketplace);
  if (named?.kind === 'refused') {
    throw new InputError('The marketplace is not known; nothing was sent.', '', [
      { path: 'marketplace', message: named.problem },
    ]);
  }
  const parameters = marketplace === undefined ? {} : { marketplaceIds: [marketplace] };
  const { marketplaces, owner } = await client.prepare({ operation, account, parameters });
  const [first] = marketplaces;
  if (first === undefined) {
    throw new InputError(
      'No marketplace is given; nothing was sent.',
      'Give marketplace: an ID or a country (DE).',
    );
  }
  if (first.warning !== undefined && marketplaceById(first.id) !== undefined) {
    throw new InputError(`marketplace: ${first.warning} Nothing was sent.`);
  }
  const { id } = first;
  return { account, owner, ownerDigest: ownerDigestOf(owner), id, name: marketplaceName(id) ?? id };
}

export async function createReader(
  { account, owner, id }: ListingsScope,
  call: CallOptions,
  session: Session,
): Promise<ListingsReader> {
  const [client, registry] = await Promise.all([session.client(), session.program.registry()]);
  return { client, find: registry.find, account, owner, marketplaceId: id, call };
}
