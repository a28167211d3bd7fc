import { describe, expect, test } from 'vitest';
import { nearestOperations } from '../../../src/service/registry/nearest-operations.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';

const registry = await loadRegistry();

describe('nearestOperations', () => {
  test.each([
    ['getListing', 'listings-items/getListingsItem'],
    ['getListings', 'listings-items/getListingsItem'],
    ['get_listing_item', 'listings-items/getListingsItem'],
    ['getListingItem', 'listings-items/getListingsItem'],
    ['patchListing', 'listings-items/patchListingsItem'],
    ['searchListings', 'listings-items/searchListingsItems'],
    ['getMarketplaces', 'sellers/getMarketplaceParticipations'],
    ['getOrderItms', 'orders/getOrderItems'],
    ['getInventory', 'fulfilment-inventory/getInventorySummaries'],
    ['updateSupplySources', 'supply-sources/updateSupplySource'],
    ['orders/getOrderItem', 'orders/getOrderItems'],
  ])('%s is answered with %s first', (wanted, first) => {
    const nearest = nearestOperations(registry.operations, wanted);
    expect(nearest[0]).toBe(first);
    expect(nearest).toHaveLength(5);
  });

  test('a long or an empty name is no trouble', () => {
    for (const wanted of ['x'.repeat(100_000), 'aB'.repeat(50_000), '', '/', '«»'])
      expect(nearestOperations(registry.operations, wanted)).toHaveLength(5);
  });
});
