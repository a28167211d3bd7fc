/** Answers on lists of writes stay within their budget in both forms, however much the caller and the service say. */

import { afterEach, describe, expect, it } from 'vitest';
import { tokensOf } from '../../src/base/text/shorten.ts';
import { writeOperation } from '../../tools/write-operation.ts';
import { RUNS_ALL } from '../helpers/launch.ts';
import { startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';

let runner: ToolRunner;
afterEach(() => runner.close());

const calls = Array.from({ length: 40 }, (_, at) => ({
  body: {
    supplySourceCode: `code-${at}`,
    alias: `Shop ${at} ${'Ä'.repeat(at * 20)}`,
    address: { name: 'Shop', addressLine1: '1 Road', countryCode: 'US', stateOrRegion: 'WA' },
  },
}));
const list = { operation: 'createSupplySource', calls };
/** Ends the waits for the limit that the operation has by its definition. */
const headers = { 'x-amzn-RateLimit-Limit': '1000' };
const refusal = [{ code: 'InvalidInput', message: 'é'.repeat(3_000) }];
const answers = [
  ['short answers', () => ({ headers, body: { supplySourceId: 's' } })],
  ['long answers', () => ({ headers, body: { supplySourceId: 's', more: 'Ö'.repeat(5_000) } })],
  ['refusals', () => ({ headers, status: 400, body: refusal })],
] as const;

describe.each(RUNS_ALL ? [500, 2_000, 10_000] : [500, 10_000])('%i tokens', (budget) => {
  it.each(answers)('with %s of the service', async (_what, handler) => {
    runner = await startToolRunner(handler, {
      SELLER_WRITES: 'code',
      SELLER_ANSWER_TOKENS: String(budget),
    });
    const first = await runner.run(writeOperation, list);
    const confirmationCode = first.structured.confirmation_code;
    const dry = await runner.run(writeOperation, { ...list, dryRun: true });
    const last = await runner.run(writeOperation, { ...list, confirmationCode });
    expect(last.structured).toMatchObject({ items: 40, batch_id: expect.any(String) });
    for (const { text, structured } of [first, dry, last]) {
      expect(tokensOf(text)).toBeLessThanOrEqual(budget);
      expect(tokensOf(JSON.stringify(structured))).toBeLessThanOrEqual(budget);
    }
    expect(first.text).toContain(String(confirmationCode));
    // The rest of the rows is one step away.
    if (budget === 500) {
      const [link] = first.links ?? [];
      const kept = (await runner.session.answers()).read(link?.uri ?? '');
      expect(JSON.parse(kept ?? '').rows).toHaveLength(40);
    }
  });
});
