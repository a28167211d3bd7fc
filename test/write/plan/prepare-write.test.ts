/** Tests the warnings before a write: what cannot be undone, and where it may not be meant. */

import { expect, it, onTestFinished } from 'vitest';
import { prepareWrite } from '../../../src/write/plan/prepare-write.ts';
import { startToolRunner, toolContext } from '../../helpers/tool-runner.ts';

const US = 'ATVPDKIKX0DER';
const titled = (value: string) => ({
  item_name: [{ value, language_tag: 'en_US', marketplace_id: US }],
});

it.each([
  ['that is not there', 404, 'a new listing is only taken back by deleting it.'],
  ['that is there', 200, undefined],
])('a listing %s that is put whole', async (_what, status, cannotUndo) => {
  const summaries = [{ marketplaceId: US, productType: 'LAMP', itemName: 'Lamp' }];
  const body = status === 200 ? { sku: 'LAMP-1', summaries, attributes: titled('Lamp') } : {};
  const runner = await startToolRunner(() => ({ status, body }));
  onTestFinished(runner.close);
  const { session } = runner;
  const operation = (await session.program.registry()).find('listings-items/putListingsItem');
  const asked = {
    parameters: { sku: 'LAMP-1', marketplaceIds: [US] },
    body: { productType: 'LAMP', requirements: 'LISTING', attributes: titled('Desk lamp') },
  };
  const { change, shown } = await prepareWrite(
    { operation, account: 'default', asked },
    toolContext(session),
  );
  expect([change.cannotUndo, shown.change.cannotUndo]).toEqual([cannotUndo, cannotUndo]);
});

it.each([
  ['A9NEWMARKET01', true],
  [US, false],
])('that the marketplace %s may not be meant stands in the question: %s', async (marketplace, isDoubtful) => {
  const runner = await startToolRunner(() => ({ status: 404, body: {} }));
  onTestFinished(runner.close);
  const { session } = runner;
  const operation = (await session.program.registry()).find('listings-items/deleteListingsItem');
  const asked = { parameters: { sku: 'LAMP-1', marketplaceIds: [marketplace] } };
  const prepared = await prepareWrite({ operation, account: 'default', asked }, toolContext(session));
  for (const { warnings } of [prepared.change, prepared.shown.change]) {
    expect(warnings.some(({ segments: [name] }) => name === 'marketplaceIds')).toBe(isDoubtful);
  }
});

it.each(['seen', 'known', 'hidden'] as const)(
  'a buyer’s value that an answer held (%s) is hidden in what is shown',
  async (way) => {
    const runner = await startToolRunner(() => ({ body: { supplySourceId: 's-1', alias: 'One' } }));
    onTestFinished(runner.close);
    const { session } = runner;
    const registry = await session.program.registry();
    const name = 'Anna Ostler';
    const order = 'outbound-fulfilment/getFulfillmentOrder';
    const body = { payload: { fulfillmentOrder: { destinationAddress: { name } } } };
    const state = { supplySourceId: 's-1', alias: 'One' };
    const prepared = await prepareWrite(
      {
        operation: registry.find('supply-sources/updateSupplySource'),
        account: 'default',
        asked: { parameters: { supplySourceId: 's-1' }, body: { alias: name } },
        ...(way === 'seen' && { seen: [{ operation: order, body }] }),
        ...(way === 'known' && {
          known: { operation: order, answer: { body, bytes: 1 }, state: { state, numbersAsText: [] } },
        }),
        ...(way === 'hidden' && { hidden: [{ value: name, shown: '[NAME-1]' }] }),
      },
      toolContext(session),
    );
    expect(prepared.input.body).toEqual({ alias: name });
    expect(JSON.stringify(prepared.change)).toContain(name);
    expect(JSON.stringify(prepared.shown.change)).not.toContain(name);
  },
);
