import { once } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createLineAssembler,
  type DroppedLine,
  findRequestId,
  MAX_LINE_VALUES,
} from '../../src/protocol/line-assembler.ts';

/** Returns what leaves, chunk by chunk, and the heads of what was dropped. */
async function pass(chunks: readonly (string | Buffer)[], maxLineBytes = 50) {
  const dropped: string[] = [];
  const passed: string[] = [];
  const stream = createLineAssembler({ maxLineBytes, onDropped: ({ head }) => dropped.push(head) });
  stream.on('data', (chunk: Buffer) => passed.push(chunk.toString('utf8')));
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await once(stream, 'end');
  return { passed, dropped };
}

describe('createLineAssembler', () => {
  it('lets each line leave whole, however it came in', async () => {
    expect(await pass(['{"a"', ':1}\n{"b":', '2}\n{"c":3}\n'])).toEqual({
      passed: ['{"a":1}\n', '{"b":2}\n', '{"c":3}\n'],
      dropped: [],
    });
  });

  it('does not cut characters that arrive in pieces', async () => {
    const bytes = Buffer.from('{"é":"🙂"}\n');
    const { passed } = await pass([...bytes].map((byte) => Buffer.from([byte])));
    expect(passed).toEqual(['{"é":"🙂"}\n']);
  });

  it('drops a line that is too long once, with its head, and goes on with the next', async () => {
    const { passed, dropped } = await pass(['a\n', 'x'.repeat(30), 'x'.repeat(30), 'x'.repeat(90), '\nb\n']);
    expect(passed).toEqual(['a\n', 'b\n']);
    expect(dropped).toEqual(['x'.repeat(60)]);
  });

  it('drops a line of too many values, told apart from one that is too long', async () => {
    const dropped: DroppedLine[] = [];
    const stream = createLineAssembler({ onDropped: (line) => dropped.push(line) });
    const passed: string[] = [];
    stream.on('data', (line: Buffer) => passed.push(line.toString()));
    const message = (values: number) => `{"id":7,"params":[${Array(values).fill('{}').join()}]}\n`;
    // Five more: the message, two names, the id and the list.
    for (const values of [MAX_LINE_VALUES - 5, MAX_LINE_VALUES - 4]) stream.write(message(values));
    stream.end('b\n');
    await once(stream, 'end');
    expect(passed).toEqual([message(MAX_LINE_VALUES - 5), 'b\n']);
    expect(dropped.map(({ reason, head, tail }) => [reason, findRequestId(head, tail)])).toEqual([
      ['values', 7],
    ]);
  });

  it('drops a line that is too long in one piece', async () => {
    const { passed, dropped } = await pass([`${'x'.repeat(60)}\nb\n${'y'.repeat(60)}\nc\n`]);
    expect(passed).toEqual(['b\n', 'c\n']);
    expect(dropped.map((head) => head[0])).toEqual(['x', 'y']);
  });

  it('keeps no more of a dropped line than its head', async () => {
    const { dropped } = await pass(['x'.repeat(100_000), 'x'.repeat(100_000), '\n'], 150_000);
    expect(dropped.map(({ length }) => length)).toEqual([4_096]);
  });

  it('lets the last line leave without its end', async () => {
    expect((await pass(['a\n', 'half'])).passed).toEqual(['a\n', 'half']);
  });

  it('neither loses nor adds a byte of lines within the limit', async () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll('\n', ''));
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1 }),
        fc.infiniteStream(fc.nat(9)),
        async (lines, cuts) => {
          const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
          const chunks: Buffer[] = [];
          for (let at = 0; at < bytes.length; ) {
            const end = at + 1 + (cuts.next().value ?? 0);
            chunks.push(bytes.subarray(at, end));
            at = end;
          }
          const { passed, dropped } = await pass(chunks, 1_000);
          expect(passed).toEqual(lines.map((text) => `${text}\n`));
          expect(dropped).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('findRequestId', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":7,"method":"x"', 7],
    ['{"id" : "abc-é", "method":"x"', 'abc-é'],
    ['{"jsonrpc":"2.0","method":"notifications/x","params":', undefined],
    ['{"id":null,"method":"x"', undefined],
    ['{"id":1.5e3', undefined],
    ['{"id":1.5e3,"method":"x"', 1_500],
    ['{"id":1.5,"method":"x"', undefined],
    ['{"id":-1,"method":"x"', -1],
    ['{"id":1234567890123456,"method":"x"', 1_234_567_890_123_456],
    ['{"id":9007199254740993,"method":"x"', undefined],
    ['{"id":12345678901234567890,"method":"x"', undefined],
    ['{"id":12', undefined],
    [String.raw`{"id":"a\"b\u00e9\\","method":"x"`, 'a"bé\\'],
    [`{"id":"${'x'.repeat(1_000)}","method":"x"`, 'x'.repeat(1_000)],
    ['{"id":"","method":"x"', ''],
    ['{"id":"cut', undefined],
    ['xxxxxxxx', undefined],
  ])('%s', (head, id) => {
    expect(findRequestId(head)).toBe(id);
  });
});

it.each([
  ['"params":{}},"id":-1}', -1],
  ['"x":1},"id":9007199254740993}', undefined],
  [String.raw`"x":1},"id":"a\"b","jsonrpc":"2.0"}`, 'a"b'],
])('findRequestId at the end: %s', (tail, id) => {
  expect(findRequestId('{"params":{', tail)).toBe(id);
});
