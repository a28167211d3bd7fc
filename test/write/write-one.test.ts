/** A dry run of one write is only shown: in no mode is anybody asked, and nothing that it would send leaves. */

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
