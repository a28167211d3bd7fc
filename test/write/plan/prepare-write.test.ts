/** What is told of a write before anybody is asked: of one that makes something new, that nothing takes it back. */

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
