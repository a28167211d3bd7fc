/** A patch of `fulfillment_availability` changes the channels that it names; the others stay, as the preview, the read-back and undo say. */

import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { isJsonObject } from '../../src/base/json.ts';
import { applyPatches } from '../../src/write/model/listing/apply-patches.ts';
import { listingAdapter } from '../../src/write/model/listing/listing-adapter.ts';
import { changeListings } from '../../tools/change-listings.ts';
import { undoChange } from '../../tools/undo-change.ts';
import { writeOperation } from '../../tools/write-operation.ts';
import { type OfferedListing, offer, offeredListings, stock, US } from '../helpers/offered-listings.ts';
import { startToolRunner } from '../helpers/tool-runner.ts';

const channel = (code: string, quantity: number) => stock(quantity, { fulfillment_channel_code: code });
const CODES = ['DEFAULT', 'AMAZON_NA', 'AMAZON_EU', 'StoreID1234567'];

async function open(lamp: OfferedListing) {
  const runner = await startToolRunner(offeredListings({ 'LAMP-1': lamp }), { SELLER_WRITES: 'allow' });
  onTestFinished(runner.close);
  return runner;
}

const patchOf = (op: string, ...value: object[]) => ({
  op,
  path: '/attributes/fulfillment_availability',
  value,
});
const DOORS = {
  list: {
    tool: changeListings,
    args: (patches: object[]) => ({ items: [{ sku: 'LAMP-1', patches }] }),
    idOf: (structured: unknown) => z.object({ batch_id: z.string() }).parse(structured).batch_id,
  },
  operation: {
    tool: writeOperation,
    args: (patches: object[]) => ({
      operation: 'patchListingsItem',
      parameters: { sku: 'LAMP-1', marketplaceIds: [US] },
      body: { productType: 'LAMP', patches },
    }),
    idOf: (structured: unknown) => z.object({ journal_id: z.string() }).parse(structured).journal_id,
  },
};

const PAIRS = [
  ['add', 'DEFAULT', 'AMAZON_NA'],
  ['replace', 'DEFAULT', 'AMAZON_NA'],
  ['replace', 'AMAZON_EU', 'DEFAULT'],
  ['replace', 'StoreID1234567', 'AMAZON_NA'],
] as const;

describe.each(Object.entries(DOORS))('by %s', (_, { tool, args, idOf }) => {
  it.each(PAIRS)(
    '%s of a channel beside %s adds %s, and undo removes that one alone',
    async (op, there, sent) => {
      const lamp: OfferedListing = { attributes: { fulfillment_availability: [channel(there, 21)] } };
      const runner = await open(lamp);
      const wanted = args([patchOf(op, channel(sent, 4))]);
      const preview = await runner.run(tool, { ...wanted, dryRun: true });
      expect(preview.text).toMatch(/none -> 4/);
      expect(preview.text).not.toMatch(/-> none|\b21\b/);
      const done = await runner.run(tool, wanted);
      expect(done.text).toMatch(/read back[:,] the service has what was sent/i);
      expect(lamp.attributes.fulfillment_availability).toEqual(
        expect.arrayContaining([channel(there, 21), channel(sent, 4)]),
      );
      await runner.run(undoChange, { id: idOf(done.structured) });
      expect(lamp.attributes.fulfillment_availability).toEqual([channel(there, 21)]);
    },
  );
});

const entries = (codes: readonly string[], toEntry: (code: string, quantity: number) => object) =>
  fc
    .uniqueArray(fc.record({ code: fc.constantFrom(...codes), quantity: fc.integer({ min: 1, max: 9 }) }), {
      selector: ({ code }) => code,
      minLength: 1,
    })
    .map((all) => all.map(({ code, quantity }) => toEntry(code, quantity)));

it.each([
  ['fulfillment_availability', entries(CODES, channel)],
  ['purchasable_offer', entries(['ALL', 'B2B', 'B2X'], (audience, value) => offer(value, { audience }))],
])('the patches that undo a change of %s leave what was there before it', (name, some) => {
  fc.assert(
    fc.property(fc.option(some, { nil: [] }), some, (before, value) => {
      const attributes = before.length === 0 ? {} : { [name]: before };
      const made = applyPatches(attributes, [{ op: 'replace', path: `/attributes/${name}`, value }], [US]);
      if ('problem' in made) throw new Error(made.problem);
      const member = { segments: ['attributes', name], before: attributes[name], after: made.after[name] };
      const body = listingAdapter.undoBody({ productType: 'LAMP', members: [member] }, undefined);
      const undone = applyPatches(made.after, isJsonObject(body) ? body.patches : undefined, [US]);
      expect(undone).toMatchObject({ isOdd: false });
      const left = 'problem' in undone ? undone.problem : (undone.after[name] ?? []);
      expect(new Set(left)).toEqual(new Set(before));
    }),
  );
});

it('warns that an offer which no patch names may stay, since the service keeps what it is not told to delete', async () => {
  const runner = await open({
    attributes: { purchasable_offer: [offer(20), offer(18, { audience: 'B2B' })] },
  });
  const warningsOf = async (...patches: object[]) => {
    const items = [{ sku: 'LAMP-1', patches }];
    return (await runner.run(changeListings, { items, dryRun: true })).text.match(
      /may keep the offer .*B2B/g,
    );
  };
  const path = '/attributes/purchasable_offer';
  const selectors = { marketplace_id: US, audience: 'B2B', currency: 'USD' };
  expect(await warningsOf({ op: 'replace', path, value: [offer(19)] })).toHaveLength(1);
  expect(
    await warningsOf({ op: 'replace', path, value: [offer(19)] }, { op: 'delete', path, value: [selectors] }),
  ).toBeNull();
});
