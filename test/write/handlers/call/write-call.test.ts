/** A call that is refused before anything is read or sent: what only reads, what stands twice, and what stands beside a list. */

import { afterEach, expect, it } from 'vitest';
import { writeOperation } from '../../../../tools/write-operation.ts';
import { startToolRunner, type ToolRunner } from '../../../helpers/tool-runner.ts';

let runner: ToolRunner;
afterEach(() => runner.close());

const one = (supplySourceId: string) => ({ parameters: { supplySourceId }, body: { alias: 'Two' } });
const list = { operation: 'updateSupplySource', calls: [one('s-1'), one('s-2')] };

it.each<[object, string]>([
  [{ operation: 'getSupplySource', parameters: { supplySourceId: 's-1' } }, 'only reads; nothing was sent.'],
  [
    { ...list, calls: [one('s-1'), one('s-2'), one('s-3'), one('s-2')] },
    'Calls 2 and 4 are the same; nothing was sent.',
  ],
  [{ ...list, calls: [one('s-1'), one('s-1')] }, 'Calls 1 and 2 are the same; nothing was sent.'],
  [{ ...list, parameters: {} }, '"calls" and parameters were both given; nothing was sent.'],
  [{ ...list, body: {}, select: ['a'] }, '"calls" and body, select were both given; nothing was sent.'],
  [{ operation: 'updateSupplySource', ...one('s-1'), stop: true }, '"stop" ends a list of calls;'],
])('%j', async (args, words) => {
  runner = await startToolRunner(() => ({ body: {} }), { SELLER_WRITES: 'allow' });
  await expect(runner.run(writeOperation, args)).rejects.toThrow(words);
  expect(runner.calls()).toEqual([]);
});
