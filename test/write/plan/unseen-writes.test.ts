/** What was written from here lately and may not be visible yet: where that cannot be known, nothing is taken for unchanged. */

import { expect, it, onTestFinished } from 'vitest';
import { ConfigError } from '../../../src/base/errors.ts';
import { prepareWrite } from '../../../src/write/plan/prepare-write.ts';
import { unchangedAnswer } from '../../../src/write/plan/unseen-writes.ts';
import { startToolRunner, toolContext } from '../../helpers/tool-runner.ts';

const US = 'ATVPDKIKX0DER';
const title = [{ value: 'Lamp', language_tag: 'en_US', marketplace_id: US }];

it.each([
  ['reads as it is wanted is not sent again', true],
  [
    'reads as it is wanted may hold a change that is not visible yet, where what was changed from here cannot be read',
    false,
  ],
])('a listing that %s', async (_what, isReadable) => {
  const runner = await startToolRunner(() => ({
    body: {
      sku: 'LAMP-1',
      summaries: [{ marketplaceId: US, productType: 'LAMP', itemName: 'Lamp' }],
      attributes: { item_name: title },
    },
  }));
  onTestFinished(runner.close);
  const { session } = runner;
  const history = await session.history();
  if (!isReadable) {
    history.list = async () => {
      throw new ConfigError('What was changed from here cannot be read.', '');
    };
  }
  const operation = (await session.program.registry()).find('listings-items/patchListingsItem');
  const asked = {
    parameters: { sku: 'LAMP-1', marketplaceIds: [US] },
    body: { productType: 'LAMP', patches: [{ op: 'replace', path: '/attributes/item_name', value: title }] },
  };
  const prepared = await prepareWrite({ operation, account: 'default', asked }, toolContext(session));
  const warnings = prepared.change.warnings.map(({ message }) => message);
  expect(warnings.some((message) => message.includes('not visible yet'))).toBe(!isReadable);
  expect(unchangedAnswer(prepared, session) !== undefined).toBe(isReadable);
});
