/** SDK clients write the id behind the arguments: a message that is too long to read has to be answered all the same. */

import { once } from 'node:events';
import { expect, it } from 'vitest';
import { createLineAssembler, findRequestId } from '../../src/protocol/line-assembler.ts';

async function idsOf(lines: readonly string[], chunkBytes: number) {
  const ids: unknown[] = [];
  const stream = createLineAssembler({
    maxLineBytes: 10_000,
    onDropped: ({ head, tail }) => ids.push(findRequestId(head, tail)),
  });
  stream.resume();
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  for (let at = 0; at < bytes.length; at += chunkBytes) stream.write(bytes.subarray(at, at + chunkBytes));
  stream.end();
  await once(stream, 'end');
  return ids;
}

const long = 'x'.repeat(20_000);
const call = { method: 'tools/call', params: { name: 'n', arguments: { id: 'inner', long } } };

it.each([1_000_000, 4_096, 777])('finds the id at either end, in pieces of %i bytes', async (chunkBytes) => {
  const lines = [
    { ...call, jsonrpc: '2.0', id: 41 },
    { jsonrpc: '2.0', id: 'first', ...call },
    { ...call, id: 43, jsonrpc: '2.0' },
  ];
  expect(
    await idsOf(
      lines.map((line) => JSON.stringify(line)),
      chunkBytes,
    ),
  ).toEqual([41, 'first', 43]);
});

it('takes no id from inside the arguments', async () => {
  const inner = [
    { method: 'm', params: { id: 7, long } },
    { method: 'm', params: { long, id: 7 } },
    { method: 'm', params: { long: `${long}"id":7}` } },
  ];
  expect(
    await idsOf(
      inner.map((line) => JSON.stringify(line)),
      4_096,
    ),
  ).toEqual([undefined, undefined, undefined]);
});
