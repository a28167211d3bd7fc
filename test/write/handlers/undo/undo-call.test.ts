/** The call that takes a change of a listing back, where an attribute was not there before. */

import { expect, it } from 'vitest';
import { buildUndoCall } from '../../../../src/write/handlers/undo/prepare-undo.ts';

const undo = (after: unknown) =>
  buildUndoCall(
    { operation: 'listings-items/patchListingsItem' },
    {
      parameters: { sku: 'S1', sellerId: 'A1', marketplaceIds: ['M1'], issueLocale: 'en_US' },
      productType: 'LAMP',
      members: [{ segments: ['attributes', 'a/b~c'], after }],
    },
  );

it.each<[string, unknown, object]>([
  [
    'is deleted by what tells its entries apart, once each',
    [
      { value: 'A', marketplace_id: 'M1', language_tag: 'en_US' },
      { value: 'B', marketplace_id: 'M1', language_tag: 'en_US' },
      { value: 'C', marketplace_id: 'M2' },
    ],
    {
      value: [{ marketplace_id: 'M1', language_tag: 'en_US' }, { marketplace_id: 'M2' }],
    },
  ],
  ['of entries that nothing tells apart is deleted whole', [{ value: 'A' }], {}],
  // Naming the others alone would leave that entry.
  [
    'of which one entry has nothing is deleted whole',
    [{ value: 'A', marketplace_id: 'M1' }, { value: 'B' }],
    {},
  ],
  ['that is no list is deleted whole', 'A', {}],
])('an attribute %s', (_what, after, expected) => {
  const call = undo(after);
  expect(call?.body).toEqual({
    productType: 'LAMP',
    patches: [{ op: 'delete', path: '/attributes/a~1b~0c', ...expected }],
  });
  expect(call?.parameters).toEqual({ sku: 'S1', sellerId: 'A1', marketplaceIds: ['M1'] });
});
