/** A code alone: what is neither a code that was shown nor the id of a list stands for nothing, and nothing is called. */

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerCall } from '../../src/write/call-by-code.ts';
import { startToolRunner, type ToolRunner, toolContext } from '../helpers/tool-runner.ts';

let runner: ToolRunner;
beforeAll(async () => {
  runner = await startToolRunner(() => ({ body: {} }));
});
afterAll(() => runner.close());

const id = fc.stringMatching(/^[0-9a-f]{8}$/);
const beside = fc.stringMatching(/^[A-Z0-9a-f-]{0,6}$/);

it('the id of a list is taken for one where it stands alone', async () => {
  const called: unknown[] = [];
  const call = (confirmationCode: string) =>
    answerCall('change_listings', { confirmationCode }, toolContext(runner.session), async (args) => {
      called.push(args);
      return { text: '', structured: {} };
    });
  await fc.assert(
    fc.asyncProperty(beside, id, beside, async (before, list, after) => {
      const isId = before + after === '';
      const why = isId ? `There is no list ${list} of change_listings` : 'this confirmation code stands for';
      await expect(call(before + list + after)).rejects.toThrow(why);
    }),
    { examples: [['', '0a0b0c0d', '']], numRuns: 50 },
  );
  expect(called).toEqual([]);
});
