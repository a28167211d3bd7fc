/** One write: a dry run is only shown, in no mode is anybody asked; and a yes is good for the state that was shown, and no other. */

import { afterEach, expect, it } from 'vitest';
import { writeOperation } from '../../tools/write-operation.ts';
import { nobody, startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';

const WRITE = {
  operation: 'updateSupplySource',
  parameters: { supplySourceId: 's-1' },
  body: { alias: 'Two' },
};
const REQUEST = {
  operation: 'createReport',
  body: { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: ['ATVPDKIKX0DER'] },
};

let runner: ToolRunner;
afterEach(() => runner.close());

it.each(
  ['ask', 'code', 'allow', 'deny'].flatMap(
    (mode) =>
      [
        [mode, WRITE],
        [mode, REQUEST],
      ] as const,
  ),
)('with writes: %s, of %o', async (mode, args) => {
  runner = await startToolRunner(() => ({ body: { supplySourceId: 's-1', alias: 'One' } }), {
    SELLER_WRITES: mode,
  });
  // One who could be asked, and is not.
  const person = { ...nobody, canConfirm: true };
  const { structured } = await runner.run(writeOperation, { ...args, dryRun: true }, { person });
  expect(structured).toMatchObject({ outcome: 'preview' });
  expect(structured).not.toHaveProperty('confirmation_code');
  expect(runner.calls().filter(({ method }) => method !== 'GET')).toEqual([]);
});

it('a code is good for the state that was shown: where it is another one by now, nothing is sent', async () => {
  let alias = 'One';
  runner = await startToolRunner(() => ({ body: { supplySourceId: 's-1', alias } }), {
    SELLER_WRITES: 'code',
  });
  const codeNow = async () => (await runner.run(writeOperation, WRITE)).structured.confirmation_code;
  const confirm = async (confirmationCode: unknown) =>
    runner.run(writeOperation, { ...WRITE, confirmationCode });
  const sent = () => runner.calls().filter(({ method }) => method !== 'GET').length;
  const code = await codeNow();
  alias = 'Three';
  await expect(confirm(code)).rejects.toThrow(/state/);
  expect(sent()).toBe(0);
  alias = 'One';
  await confirm(await codeNow());
  expect(sent()).toBe(1);
});

it('what is too long for the answer is told with where all of it is', async () => {
  const marketplaceIds = ['ATVPDKIKX0DER'];
  const summaries = [{ marketplaceId: marketplaceIds[0], productType: 'LAMP', itemName: 'Lamp' }];
  runner = await startToolRunner(() => ({ body: { sku: 'LAMP-1', summaries, attributes: {} } }));
  const value = Array.from({ length: 400 }, (_, at) => ({ value: `${at} ${'x'.repeat(300)}` }));
  const { text, structured } = await runner.run(writeOperation, {
    operation: 'patchListingsItem',
    parameters: { sku: 'LAMP-1', marketplaceIds },
    body: { productType: 'LAMP', patches: [{ op: 'replace', path: '/attributes/bullet_point', value }] },
    dryRun: true,
  });
  expect(structured.whole).toEqual(expect.any(String));
  expect(text).toContain(
    `It is too long to be shown whole; the resource ${structured.whole} holds all of it.`,
  );
});
