/** Tests that buyers' data is removed from the service's refusal of a write before any of it is reported. */

import { expect, it, onTestFinished } from 'vitest';
import { prepareWrite } from '../../../src/write/plan/prepare-write.ts';
import { sendThroughGuard } from '../../../src/write/run/send-prepared-write.ts';
import { startToolRunner, toolContext } from '../../helpers/tool-runner.ts';

it.each([
  ['a no', 200, true],
  ['a yes', 204, false],
])('%s with %s is seen by the rules of its operation: %j', async (_what, status, isSeen) => {
  const errors = [{ code: 'InvalidInput', message: 'Kim Example is no name' }];
  const store = { supplySourceId: 's-1', supplySourceCode: 'c-1', alias: 'Old' };
  const runner = await startToolRunner(
    ({ method }) => {
      if (method === 'GET') return { body: store };
      return status === 204 ? { status } : { status, body: { errors } };
    },
    { SELLER_WRITES: 'allow' },
  );
  onTestFinished(runner.close);
  const { session } = runner;
  const ctx = toolContext(session);
  const operation = (await session.program.registry()).find('supply-sources/updateSupplySource');
  const asked = { parameters: { supplySourceId: 's-1' }, body: { alias: 'New' } };
  const prepared = await prepareWrite({ operation, account: 'default', asked }, ctx);
  const seen: unknown[] = [];
  const view: typeof prepared.view = {
    ...prepared.view,
    seen: async (id, { body }) => void seen.push([id, body]),
  };
  await sendThroughGuard({ ...prepared, view }, ctx.call, session);
  expect(seen).toEqual(isSeen ? [['supply-sources/updateSupplySource', { errors }]] : []);
});
