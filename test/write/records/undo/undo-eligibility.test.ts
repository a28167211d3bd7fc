/**
 * Tests the reasons why a change cannot be undone: each is given before the approval, where it holds and
 * nowhere else.
 */

import { expect, it } from 'vitest';
import { type Change, unknownChange } from '../../../../src/write/model/change.ts';
import { undoOperationOf } from '../../../../src/write/model/find-adapter.ts';
import { type Undoable, whyNotUndoable } from '../../../../src/write/records/undo/undo-eligibility.ts';

const PATCH = 'listings-items/patchListingsItem';
const PUT = 'listings-items/putListingsItem';
const title = (value: string) => [{ value }];
const changeOf = (after: string, more: Partial<Change> = {}): Change => ({
  ...unknownChange(),
  subject: { kind: 'listing', sku: 'S1' },
  before: { item_name: title('A') },
  after: { item_name: title(after) },
  differences: [{ path: 'item_name', segments: ['attributes', 'item_name'], kind: 'changed' }],
  ...more,
});
const operation = (id: string, effect: Undoable['operation']['effect'] = 'write') => ({
  id,
  effect,
  group: id.split('/')[0] ?? '',
});
const why = (given: Partial<Undoable>, canSeal = true) => {
  const change = given.change ?? changeOf('B');
  return whyNotUndoable(
    { operation: operation(PATCH), change, shown: change, ...given },
    async () => canSeal,
  );
};
const sent = (...segments: string[]) => ({ sent: [{ segments, value: 1 }] });

it.each<[string, Partial<Undoable>, string | undefined]>([
  ['a patch', {}, undefined],
  [
    'what is deleted',
    { operation: operation('listings-items/deleteListingsItem', 'delete') },
    'what is deleted stays deleted.',
  ],
  ['a request', { operation: operation('x/y', 'request') }, 'it changes nothing.'],
  [
    'a message',
    { operation: operation('messaging/confirmOrderDetails') },
    'a message that was sent stays sent.',
  ],
  ['a solicitation', { operation: operation('solicitations/create') }, 'a message that was sent stays sent.'],
  ['a feed', { operation: operation('feeds/createFeed') }, 'what feeds of this type change is not compared.'],
  ['any other', { operation: operation('orders/update') }, 'only changes of listings and of stores are.'],
  [
    'unknown values',
    { change: changeOf('B', { differences: undefined }) },
    'the values before it are not known.',
  ],
  ['its own reason', { change: changeOf('B', { cannotUndo: 'why' }) }, 'why'],
  ['a new listing', { isNew: true }, 'a new listing is only taken back by deleting it.'],
  [
    'a whole listing with more than was read',
    { operation: operation(PUT), change: changeOf('B', sent('productType')) },
    'it also sends members whose values before it are not known.',
  ],
  [
    'a whole listing with its requirements',
    { operation: operation(PUT), change: changeOf('B', sent('requirements')) },
    undefined,
  ],
  ['a patch with more', { change: changeOf('B', sent('productType')) }, undefined],
  [
    'nothing of what was read',
    { change: changeOf('B', { differences: [], ...sent('productType') }) },
    'nothing of what was read changes by it.',
  ],
  ['nothing at all', { change: changeOf('B', { differences: [] }) }, undefined],
  [
    'more than is kept',
    { change: changeOf('x'.repeat(400_000)) },
    'the values before and after it are larger than 400 kB, and are not kept.',
  ],
  ['as much as is kept', { change: changeOf('x'.repeat(399_000)) }, undefined],
])('%s', async (_what, given, reason) => {
  expect(await why(given)).toBe(reason);
});

it('what is personal is kept sealed, or not at all', async () => {
  const marked = { change: changeOf('Ada'), shown: changeOf('«buyer name 3f2ak9xq»') };
  expect(await why(marked, true)).toBeUndefined();
  expect(await why(marked, false)).toMatch(/^it holds personal data, and without a keychain/);
  expect(await why({}, false)).toBeUndefined();
});

it('what an operation writes is written back with its own, a whole listing by patches', () => {
  expect([PATCH, PUT, 'supply-sources/updateSupplySource', 'x/y', 'toString'].map(undoOperationOf)).toEqual([
    PATCH,
    PATCH,
    'supply-sources/updateSupplySource',
    undefined,
    undefined,
  ]);
});
