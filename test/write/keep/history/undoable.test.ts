/** What cannot be taken back says why before the yes, each reason where it holds and nowhere else. */

import { describe, expect, it } from 'vitest';
import {
  holdsPersonal,
  maskMember,
  type Undoable,
  whyNotUndoable,
  withoutPersonal,
} from '../../../../src/write/keep/history/undoable.ts';
import { type Change, unknownChange } from '../../../../src/write/model/change.ts';
import { undoneWith } from '../../../../src/write/model/find-adapter.ts';

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
  expect([PATCH, PUT, 'supply-sources/updateSupplySource', 'x/y', 'toString'].map(undoneWith)).toEqual([
    PATCH,
    PATCH,
    'supply-sources/updateSupplySource',
    undefined,
    undefined,
  ]);
});

describe('personal is', () => {
  const member = (segments: string[], before: unknown, after?: unknown) => [{ segments, before, after }];
  it.each<[string, ReturnType<typeof member>, boolean]>([
    ['nothing of a title', member(['attributes', 'item_name'], title('A'), title('B')), false],
    ['an address in the value before', member(['note'], 'to li@example.com', 'x'), true],
    ['an address in the value after', member(['note'], 'x', 'to li@example.com'), true],
    ['what stands under such a name', member(['contact', 'email'], 'x', 'y'), true],
    ['such a name further in', member(['details'], { list: [{ email: 'x' }] }), true],
    ['such a value further in', member(['details'], { list: [{ note: 'li@example.com' }] }), true],
    ['nothing of numbers', member(['details'], { list: [5, null, true] }), false],
  ])('%s', (_what, members, is) => {
    expect(holdsPersonal(members, members)).toBe(is);
  });

  it('what is shown as another value', () => {
    const one = member(['note'], 'x', 'y');
    expect(holdsPersonal(one, member(['note'], 'x', 'z'))).toBe(true);
  });
});

it('a change without what is personal has its other differences, and says that it is not whole', () => {
  const difference = (path: string, before: unknown, after: unknown) => ({
    path,
    segments: [path],
    kind: 'changed' as const,
    before,
    after,
  });
  const differences = [
    difference('title', 'A', 'B'),
    difference('email', 'A', 'B'),
    difference('note', 'li@example.com', 'B'),
    difference('remark', 'A', 'li@example.com'),
  ];
  const change = changeOf('B', { differences, isWhole: true });
  const kept = withoutPersonal(change);
  expect(kept.differences).toEqual(differences.slice(0, 1));
  expect(kept).toMatchObject({ isWhole: false, subject: change.subject });
  expect(withoutPersonal(changeOf('B', { differences: undefined })).differences).toEqual([]);
});

it('a member that is shown again is masked by its name and by its value', () => {
  expect(maskMember(['title'], 'A')).toBe('A');
  expect(maskMember(['title'], undefined)).toBeUndefined();
  expect(JSON.stringify(maskMember(['contact', 'email'], 'anybody'))).not.toContain('anybody');
  expect(JSON.stringify(maskMember(['note'], 'to li@example.com'))).not.toContain('li@');
  expect(String(maskMember(['title'], 'x'.repeat(1_900)))).toHaveLength(1_900);
});
