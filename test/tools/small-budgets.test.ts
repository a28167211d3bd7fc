/** Every tool that answers from memory keeps to the smallest budget too, and still leads to the rest. */

import { afterEach, expect, it } from 'vitest';
import type { ToolAnswer } from '../../src/render/tool-answer.ts';
import { describeOperation } from '../../tools/describe-operation.ts';
import { listKnownOperations } from '../../tools/list-known-operations.ts';
import { startToolRunner, type ToolRunner } from '../helpers/tool-runner.ts';

let runner: ToolRunner;
afterEach(() => runner.close());

const start = async (answerTokens: number) => {
  runner = await startToolRunner(() => ({ status: 500 }), { SELLER_ANSWER_TOKENS: String(answerTokens) });
};

function expectWithin({ text, structured }: ToolAnswer, tokens: number) {
  expect(Math.ceil(Buffer.byteLength(text) / 3)).toBeLessThanOrEqual(tokens);
  expect(Math.ceil(Buffer.byteLength(JSON.stringify(structured)) / 3)).toBeLessThanOrEqual(tokens);
}

it.each([500, 900, 1_500])('all groups in %i tokens', async (tokens) => {
  await start(tokens);
  const answer = await runner.run(listKnownOperations, {});
  expectWithin(answer, tokens);
  expect(answer.structured.groups).toMatchObject({ orders: expect.anything(), feeds: expect.anything() });
});

it.each([500, 2_000])('pages of %i tokens lead to every operation', async (tokens) => {
  await start(tokens);
  const ids = new Set<unknown>();
  let total = 0;
  for (let offset: unknown = 0; typeof offset === 'number'; ) {
    const answer = await runner.run(listKnownOperations, { search: 'get', limit: 100, offset });
    expectWithin(answer, tokens);
    const { operations, nextOffset, total: all } = listKnownOperations.output.parse(answer.structured);
    if (!Array.isArray(operations)) throw new Error('no operations');
    for (const { id } of operations) ids.add(id);
    total = Number(all);
    offset = nextOffset;
  }
  expect(ids.size).toBe(total);
});

it.each([500, 1_000])('any description in %i tokens', async (tokens) => {
  await start(tokens);
  for (const { id } of (await runner.session.program.registry()).operations) {
    const answer = await runner.run(describeOperation, { operation: id });
    expectWithin(answer, tokens);
    describeOperation.output.parse(answer.structured);
    expect(answer.structured.description).toBe(answer.text);
  }
});
