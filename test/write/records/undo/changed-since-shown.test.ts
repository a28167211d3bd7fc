/** Whether something was changed from here since a list was shown, by this process or another. */

import { describe, expect, it } from 'vitest';
import type { RecordedWrite } from '../../../../src/write/records/journal/entry.ts';
import { changedSinceShown } from '../../../../src/write/records/undo/changed-since-shown.ts';
import { thingDigest, type WriteValues } from '../../../../src/write/records/undo/write-values.ts';

const SHOWN = Date.parse('2026-11-22T10:00:00.000Z');
const at = (ms: number) => new Date(SHOWN + ms).toISOString();
const valuesOf = (sku: string, name: string): WriteValues => ({
  parameters: { sku, marketplaceIds: ['M1'] },
  members: [{ segments: ['attributes', name], before: 1, after: 2 }],
});
const ASKED = valuesOf('S1', 'item_name');
const WHAT = { owner: 'owner-1', batch: 'this list', since: SHOWN };

interface Written {
  entry?: Partial<RecordedWrite>;
  values?: WriteValues;
}

const entryOf = ({ entry = {} }: Written) => ({
  owner: 'owner-1',
  batch: 'another list',
  time: at(1),
  outcome: 'done' as const,
  ...entry,
});
/** Makes an entry as the store tells it. */
function kept(written: Written, canOpen = true): RecordedWrite {
  const { values = ASKED } = written;
  return {
    id: 'id-1',
    account: 'default',
    operation: 'listings-items/patchListingsItem',
    ...entryOf(written),
    thing: thingDigest(values),
    open: async () => (canOpen ? values : undefined),
  };
}
const among = (entries: readonly RecordedWrite[]) =>
  changedSinceShown(async (thing) => entries.filter((entry) => entry.thing === thing), WHAT);

describe.each<[string, Written, boolean]>([
  ['a write of the same member', {}, true],
  ['one at the very moment when it was shown', { entry: { time: at(0) } }, true],
  ['one whose outcome is not known', { entry: { outcome: 'unknown' } }, true],
  ['one from before it was shown', { entry: { time: at(-1) } }, false],
  ['one of the list itself', { entry: { batch: 'this list' } }, false],
  ["one of another owner's account", { entry: { owner: 'owner-2' } }, false],
  ['one that was refused', { entry: { outcome: 'not_accepted' } }, false],
  ['one of another member', { values: valuesOf('S1', 'color') }, false],
  ['one of another listing', { values: valuesOf('S2', 'item_name') }, false],
])('%s', (_what, written, isChanged) => {
  it('counts or not', async () => {
    expect(await among([kept(written)])(ASKED)).toBe(isChanged);
  });
});

it('what can no longer be read, or cannot be taken back, may be of the same member', async () => {
  expect(await among([kept({}, false)])(ASKED)).toBe(true);
});

describe('a write that was in flight when the list was shown', () => {
  const offer = (price: number, minimum: number) => [{ price, minimum }];
  const write = (before: unknown, after: unknown): WriteValues => ({
    parameters: { sku: 'S1', marketplaceIds: ['M1'] },
    members: [{ segments: ['attributes', 'purchasable_offer'], before, after }],
  });
  const isChanged = async (endedAt: string | undefined, later: WriteValues) => {
    const values = write(offer(20, 5), offer(30, 5));
    const entry = { ...kept({ entry: { time: at(-1_000), outcome: 'unknown' }, values }), endedAt };
    return among([entry])(later);
  };
  // Somebody else has set a price of 86 before the write arrived, and that was what was read.
  const unaware = write(offer(86, 5), offer(86, 7));

  it.each([at(1), undefined])(
    'changes it where what is sent would overwrite it (ended %s)',
    async (endedAt) => {
      expect(await isChanged(endedAt, unaware)).toBe(true);
    },
  );

  it('changes nothing where its process was killed, and its list has sent the same anew', async () => {
    const values = write(offer(20, 5), offer(30, 5));
    const cut = kept({ entry: { time: at(-2_000), outcome: 'unknown' }, values });
    const again = { ...kept({ entry: { time: at(-1_000) }, values }), endedAt: at(-900) };
    const ask = (...entries: RecordedWrite[]) => among(entries)(unaware);
    expect(await ask(cut)).toBe(true);
    expect(await ask(cut, again)).toBe(false);
    expect(await ask(cut, { ...again, batch: 'a third list' })).toBe(true);
  });

  it.each([
    ['it ended before', at(-1), unaware],
    ['its value is sent along', at(1), write(offer(30, 5), offer(30, 7))],
    ['the same is sent', at(1), write(offer(20, 5), offer(30, 5))],
  ])('changes nothing where %s', async (_what, endedAt, later) => {
    expect(await isChanged(endedAt, later)).toBe(false);
  });
});
