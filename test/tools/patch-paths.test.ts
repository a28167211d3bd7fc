/** Patches of a list are sent as they were approved, whatever form their paths have and whether or not their effect is known here. */

import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { changeListings } from '../../tools/change-listings.ts';
import { undoChange } from '../../tools/undo-change.ts';
import { writeOperation } from '../../tools/write-operation.ts';
import { type OfferedListing, offeredListings, US } from '../helpers/offered-listings.ts';
import { startToolRunner } from '../helpers/tool-runner.ts';

const text = (value: string) => [{ value, language_tag: 'en_US', marketplace_id: US }];
const listing = (): OfferedListing => ({
  attributes: {
    item_name: text('Old'),
    'size/color~1': text('Old'),
    bullet_point: [...text('a'), ...text('b')],
  },
});

async function open(writes: string) {
  const lamp = listing();
  const runner = await startToolRunner(offeredListings({ 'LAMP-1': lamp }), { SELLER_WRITES: writes });
  onTestFinished(runner.close);
  const sent = () =>
    runner
      .calls()
      .filter(({ method, path }) => method === 'PATCH' && !path.includes('VALIDATION_PREVIEW'))
      .map(({ json }) => json);
  return { lamp, runner, sent };
}

/** Both doors of a patch: a list of listings, and the operation itself. */
const DOORS = {
  list: { tool: changeListings, args: (patches: object[]) => ({ items: [{ sku: 'LAMP-1', patches }] }) },
  operation: {
    tool: writeOperation,
    args: (patches: object[]) => ({
      operation: 'patchListingsItem',
      parameters: { sku: 'LAMP-1', marketplaceIds: [US] },
      body: { productType: 'LAMP', patches },
    }),
  },
};
type Door = keyof typeof DOORS;
const doors: Door[] = ['list', 'operation'];
const codeSchema = z.object({ confirmation_code: z.string() });

async function approve(door: Door, patches: object[], { runner }: Awaited<ReturnType<typeof open>>) {
  const { tool, args } = DOORS[door];
  const preview = await runner.run(tool, args(patches));
  const { confirmation_code: confirmationCode } = codeSchema.parse(preview.structured);
  return { preview, done: await runner.run(tool, { ...args(patches), confirmationCode }) };
}

describe.each(doors)('by %s', (door) => {
  it.each([
    ['/attributes/item_name', 'item_name'],
    ['/item_name', 'item_name'],
    ['/attributes/size~1color~01', 'size/color~1'],
    ['/size~1color~01', 'size/color~1'],
  ])('shows, sends and reads back the attribute that %s names', async (path, name) => {
    const world = await open('code');
    const patches = [{ op: 'replace', path, value: text('New') }];
    const { preview, done } = await approve(door, patches, world);
    expect(preview.text).toMatch(/Old.* -> .*New/);
    expect(world.sent()).toEqual([{ productType: 'LAMP', patches }]);
    expect(world.lamp.attributes).toEqual({ ...listing().attributes, [name]: text('New') });
    expect(done.text).toMatch(/read back[:,] the service has what was sent/i);
  });

  it.each([
    { op: 'replace', path: '/attributes/purchasable_offer/0/our_price', value: [] },
    { op: 'replace', path: '/item_name/0/value', value: text('New') },
    { op: 'add', path: '/attributes', value: [{}] },
    { op: 'replace', path: 'item_name', value: text('New') },
    { op: 'merge', path: '/attributes/bullet_point', value: text('c') },
  ])('sends what was approved where its effect is not known here: %j', async (patch) => {
    const world = await open('code');
    const { preview } = await approve(door, [patch], world).catch((error: unknown) => ({ preview: error }));
    expect(world.sent()).toEqual([{ productType: 'LAMP', patches: [patch] }]);
    if (preview instanceof Error) expect(preview).toMatchObject({ name: 'ApiError', status: 400 });
  });
});

it('takes back a patch whose path has no group', async () => {
  const { lamp, runner } = await open('allow');
  const patches = [{ op: 'replace', path: '/item_name', value: text('New') }];
  const { structured } = await runner.run(changeListings, { items: [{ sku: 'LAMP-1', patches }] });
  expect(lamp.attributes.item_name).toEqual(text('New'));
  const { batch_id: batchId } = z.object({ batch_id: z.string() }).parse(structured);
  await runner.run(undoChange, { id: batchId });
  expect(lamp.attributes).toEqual(listing().attributes);
});
