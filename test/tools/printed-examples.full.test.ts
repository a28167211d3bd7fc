/** The example that describe_operation prints is what an assistant copies: the tool that it names takes it as it stands. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { describeOperation } from '../../tools/describe-operation.ts';
import { readOperation } from '../../tools/read-operation.ts';
import { writeOperation } from '../../tools/write-operation.ts';
import { startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';

let runner: ToolRunner;
beforeAll(async () => {
  runner = await startToolRunner(
    ({ path }) =>
      path === '/tokens/2021-03-01/restrictedDataToken'
        ? { body: { restrictedDataToken: 'Atz.sprdt|restricted-1', expiresIn: 3600 } }
        : { body: {} },
    // While they are masked, what would answer with nothing else is refused.
    { SELLER_PERSONAL_DATA: 'show' },
  );
});
afterAll(() => runner.close());

const example = z.looseObject({ operation: z.string() });
const tools = { read_operation: readOperation, write_operation: writeOperation };

it('every read is sent, every write is previewed, and no argument is refused', async () => {
  const { operations } = await runner.session.program.registry();
  const refused: string[] = [];
  for (const { id, effect } of operations) {
    const { text } = await runner.run(describeOperation, { operation: id });
    const [, tool, json] = /^Example: (\w+) (\{.*\})$/m.exec(text) ?? [];
    if (tool !== 'read_operation' && tool !== 'write_operation') throw new Error(`${id} has no example`);
    const call = example.parse(JSON.parse(json ?? ''));
    expect(call.operation).toBe(id);
    const args = tool === 'read_operation' ? call : { ...call, dryRun: true };
    await runner.run(tools[tool], args).catch((error: unknown) => {
      refused.push(`${id} (${effect}): ${error instanceof Error ? error.message : error}`);
    });
  }
  expect(refused).toEqual([]);
  expect(runner.calls().length).toBeGreaterThan(100);
}, 60_000);

it('a report type that is not known is sent, with a warning in both forms', async () => {
  const call = {
    operation: 'reports/createReport',
    body: { reportType: 'GET_SALES_TRAFFIC_REPORT', marketplaceIds: ['ATVPDKIKX0DER'] },
  };
  const before = runner.calls().length;
  const { text, structured } = await runner.run(writeOperation, call);
  expect(runner.calls().slice(before)).toHaveLength(1);
  for (const form of [text, JSON.stringify(structured)]) {
    expect(form).toContain('is not known here; it is sent as it is');
    expect(form).toContain('GET_SALES_AND_TRAFFIC_REPORT');
  }
});
