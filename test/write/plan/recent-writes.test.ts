/** Tests which recent writes may not be visible yet: where that is unknown, no value is taken for unchanged. */

import { expect, it, onTestFinished } from 'vitest';
import { identityDigest, identityOf } from '../../../src/accounts/owner.ts';
import { ConfigError } from '../../../src/base/errors.ts';
import { prepareWrite } from '../../../src/write/plan/prepare-write.ts';
import { findRecent } from '../../../src/write/plan/recent-writes.ts';
import { unchangedAnswer } from '../../../src/write/render/no-change.ts';
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
  const journal = await session.journal();
  if (!isReadable) {
    journal.list = async () => {
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

it.each([
  [
    'of one login, another account is the same seller',
    { clientId: 'c', grant: 'g' },
    ['ours', 'other account'],
  ],
  ['without a login, another account may be anybody', undefined, ['ours']],
])('what another owner wrote is nothing that may still come; %s', async (_what, login, ids) => {
  const runner = await startToolRunner(() => ({ body: {} }));
  onTestFinished(runner.close);
  const { session } = runner;
  const journal = await session.journal();
  const { owner: found } = await (await session.client()).prepare({
    operation: (await session.program.registry()).find('sellers/getMarketplaceParticipations'),
    account: 'default',
    parameters: {},
  });
  const owner = { ...found, login };
  const mark = identityDigest(identityOf(owner));
  const entry = (id: string, account: string, of: string) => ({
    id,
    time: new Date(session.program.now()).toISOString(),
    account,
    owner: of,
    operation: 'listings-items/patchListingsItem',
    outcome: 'done' as const,
    open: async () => ({ parameters: { sku: 'LAMP-1' }, members: [] }),
  });
  journal.list = async () => [
    entry('other account', 'shop 2', mark),
    entry('ours', 'default', mark),
    entry('theirs', 'default', 'another'),
  ];
  const recent = await findRecent('default', session, owner);
  expect(recent?.of({ sku: 'LAMP-1' }).map(({ id }) => id)).toEqual(ids);
});
