/** The question about a list leaves none of a short list out, hides no date of a long one, and names only arguments that the tool has. */

import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { changeListings } from '../../tools/change-listings.ts';
import { undoChange } from '../../tools/undo-change.ts';
import { writeOperation } from '../../tools/write-operation.ts';
import { type OfferedListing, offer, offeredListings, US } from '../helpers/offered-listings.ts';
import { startToolRunner } from '../helpers/tool-runner.ts';

async function start(total: number, attributes: (at: number) => OfferedListing['attributes']) {
  const entries = Array.from({ length: total }, (_, at) => [`SKU-${at}`, { attributes: attributes(at) }]);
  const runner = await startToolRunner(offeredListings(Object.fromEntries(entries)), {
    SELLER_WRITES: 'allow',
  });
  onTestFinished(runner.close);
  return runner;
}

const price = (at: number) => ({ purchasable_offer: [offer(20 + at)] });

it.each([15, 30])('lists every one of %i items, however long they are', async (total) => {
  const runner = await start(total, price);
  const items = Array.from({ length: total }, (_, at) => ({
    sku: `SKU-${at}`,
    patches: [
      {
        op: 'replace',
        path: '/attributes/product_description',
        value: [{ marketplace_id: US, value: `Lamp ${at}. ${'It shines. '.repeat(120)}` }],
      },
    ],
  }));
  const { text } = await runner.run(changeListings, { items, dryRun: true });
  const lines = text.split('\n');
  for (const { sku } of items) {
    const line = lines.find((one) => new RegExp(`^\\s+${sku}\\b`).test(one));
    expect(line, sku).toBeDefined();
  }
});

it.each([['sale_from'], ['sale_to']])('tells the outermost %s of those that are summed up', async (word) => {
  const total = 60;
  const runner = await start(total, () => price(0));
  const planted = word === 'sale_from' ? '2031-01-02' : '2039-11-22';
  // All items change by the same share, so that none of them comes before the others.
  const items = Array.from({ length: total }, (_, at) => ({
    sku: `SKU-${at}`,
    set: {
      sale_price: 18,
      sale_from: '2031-03-01',
      sale_to: '2031-04-01',
      ...(at === 40 ? { [word]: planted } : {}),
    },
  }));
  const { text } = await runner.run(changeListings, { items, dryRun: true });
  expect(text).toContain(planted);
});

/** Matches arguments of the tools wherever a text names them. */
const ARGUMENTS = /\b(?:save_as|dryRun|skus|query|items|supplySourceIds|confirmationCode|stop)\b/g;

it('names only arguments that the tool has, for a long list too', async () => {
  const total = 60;
  const runner = await start(total, price);
  const items = Array.from({ length: total }, (_, at) => ({
    sku: `SKU-${at}`,
    set: { price: 19 + (at % 7) },
  }));
  const { structured } = await runner.run(changeListings, { items });
  const { batch_id: id } = z.object({ batch_id: z.string() }).parse(structured);
  const asked = await runner.run(changeListings, {
    items: items.map((one) => ({ ...one, set: { price: 90 } })),
    dryRun: true,
  });
  const undo = await runner.run(undoChange, { id, dryRun: true });
  for (const [tool, text] of [
    [changeListings, asked.text],
    [undoChange, undo.text],
  ] as const) {
    const [first = ''] = text.split('\n').filter((line) => /^[^a-z]*SUMMED/.test(line));
    expect(first).not.toBe('');
    const named = [...first.matchAll(ARGUMENTS)].map(([name]) => name);
    expect(named.filter((name) => !Object.hasOwn(tool.input.shape, name))).toEqual([]);
  }
});

it('says of a new store how it is put away, not that changes of stores can be undone', async () => {
  const runner = await startToolRunner(() => ({ body: {} }));
  onTestFinished(runner.close);
  const { text } = await runner.run(writeOperation, {
    operation: 'createSupplySource',
    body: {
      supplySourceCode: 'hh02',
      alias: 'Hamburg',
      address: { name: 'Store', addressLine1: 'Street 1', countryCode: 'DE', stateOrRegion: 'HH' },
    },
    dryRun: true,
  });
  expect(text).toContain('archiveSupplySource');
});
