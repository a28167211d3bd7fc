import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../src/data/documents/read-document.ts';
import { documentFolder, readWhole } from '../../helpers/document-file.ts';

const folder = documentFolder();

describe('packing', () => {
  const table = 'sku\tprice\nLAMP\t12,50\n';

  test.each([
    ['not at all', Buffer.from(table)],
    ['once', gzipSync(table)],
    ['twice', gzipSync(gzipSync(table))],
    ['in two members', Buffer.concat([gzipSync('sku\tprice\n'), gzipSync('LAMP\t12,50\n')])],
  ])('packed %s, the same rows come out', async (_, bytes) => {
    const read = await readWhole(folder.write(bytes));
    expect(read).toMatchObject({ format: 'tab', columns: ['sku', 'price'], rows: [['LAMP', '12,50']] });
  });

  test('packed three times, it is refused with the limit', async () => {
    const file = folder.write(gzipSync(gzipSync(gzipSync(table))));
    await expect(readWhole(file)).rejects.toMatchObject({
      fault: 'too-large',
      message: 'The document is packed with gzip more than 2 times, which no report is.',
    });
  });

  test.each([
    ['once', (bytes: Buffer) => bytes],
    ['twice', (bytes: Buffer) => gzipSync(bytes)],
  ])('packed %s and cut anywhere, it is told as truncated and never read as whole', async (_, pack) => {
    const whole = gzipSync(table);
    for (let length = 2; length < whole.length; length++) {
      const file = folder.write(pack(whole.subarray(0, length)));
      await expect(readWhole(file), `${length} bytes`).rejects.toMatchObject({ fault: 'truncated' });
    }
  });

  test('a flipped bit in the packed bytes is told as damage', async () => {
    const bytes = gzipSync(table.repeat(100));
    bytes[bytes.length - 6] = (bytes[bytes.length - 6] ?? 0) ^ 1;
    await expect(readWhole(folder.write(bytes))).rejects.toMatchObject({ fault: 'damaged' });
  });

  test('more unpacked bytes than the limit are refused with the limit', async () => {
    const file = folder.write(gzipSync(`sku\n${'LAMP\n'.repeat(500_000)}`));
    await expect(readWhole(file, { limits: { unpackedBytes: 2_000_000 } })).rejects.toMatchObject({
      fault: 'too-large',
      message: 'The document has more than 2 MB unpacked, which is the limit.',
    });
  });

  test('what unpacks to hundreds of times its size is refused long before it is unpacked', async () => {
    const file = folder.write(gzipSync(`a\tb\n${'1\t2\n'.repeat(2_000_000)}`));
    const reader = readDocument(file, { format: 'tab', limits: { ratioFromBytes: 1_000_000 } });
    const read = async () => {
      for await (const _ of reader.batches());
    };
    await expect(read()).rejects.toThrow('unpacks to more than 250 times its size');
    expect(reader.summary().unpackedBytes).toBeLessThan(2_000_000);
  });
});

describe('what it is', () => {
  test.each([
    ['tab', 'a\tb,c\n1\t2,3'],
    ['tab', 'only\n1\n2'],
    ['csv', 'a,b\n1,2'],
    ['csv', 'a;b\n1,5;2'],
    ['json', '{"a": 1}'],
    ['json', '[\n{"a": 1}]'],
    ['json', '{"a": 1,\n"b": 2}\n'],
    ['jsonl', '{"a": 1}\n{"a": 2}'],
    ['xml', '<?xml version="1.0"?><report/>'],
    ['other', 'PK\u0003\u0004\0\0'],
  ] as const)('%s is told from %j', async (format, text) => {
    const read = await readWhole(folder.write(text));
    expect(read.format).toBe(format);
    expect(read.summary.notes).toEqual([]);
  });

  test.each([
    ['tab', '{"errors": [{"code": "X"}]}', 'json', 'tab-separated but is JSON'],
    ['tab', '<?xml version="1.0"?><a/>', 'xml', 'tab-separated but is XML'],
    ['tab', 'a,b\n1,2', 'csv', 'tab-separated but is CSV'],
    ['csv', 'a\tb\n1\t2', 'tab', 'CSV but is tab-separated'],
    ['json', '{"a":1}\n{"a":2}', 'jsonl', 'JSON but is JSON lines'],
    ['jsonl', '[{"a":1}]', 'json', 'JSON lines but is JSON'],
    ['json', 'a\tb\n1\t2', 'tab', 'JSON but is tab-separated'],
  ] as const)('expected %s, but %j is read as %s, which is told', async (expected, text, format, note) => {
    const read = await readWhole(folder.write(text), { format: expected });
    expect(read.format).toBe(format);
    expect(read.summary.notes.join(' ')).toContain(note);
  });

  test('a first line of many pieces is looked at whole', async () => {
    const read = await readWhole(folder.write(`a,b${'x'.repeat(300_000)}\tc\n1\t2\n`));
    expect(read).toMatchObject({ format: 'tab', columns: { length: 2 }, rows: [['1', '2']] });
  });

  test('one JSON line is lines where lines are expected', async () => {
    const read = await readWhole(folder.write('{"rows":[{"a":1}]}'), { format: 'jsonl' });
    expect(read.items).toEqual({ '': [{ rows: [{ a: 1 }] }] });
  });

  test('text without rows comes as text, bytes as bytes', async () => {
    const xml = `<?xml version="1.0"?><a>${'Gr\u00fcn '.repeat(100_000)}</a>`;
    expect((await readWhole(folder.write(gzipSync(xml)))).text).toBe(xml);
    const bytes = Buffer.concat([Buffer.from('%PDF-1.4\n\0'), Buffer.alloc(300_000, 0xe9)]);
    const read = await readWhole(folder.write(bytes));
    expect(read.bytes.equals(bytes)).toBe(true);
    expect(read.summary.notes).toEqual([]);
  });

  test.each(['tab', 'csv', 'json', 'jsonl', 'auto'] as const)(
    'nothing at all, as %s: no rows, no error',
    async (format) => {
      for (const bytes of [Buffer.alloc(0), gzipSync('')]) {
        const read = await readWhole(folder.write(bytes), { format });
        expect(read).toMatchObject({ columns: [], rows: [], items: {} });
        expect(read.summary.notes).toEqual([]);
      }
    },
  );
});

test('any text without a tab or a line break is a field as it is', async () => {
  const field = fc.string({ unit: fc.constantFrom('a', 'ü', '漢', '🙂', '"', ',', ' ', '.'), maxLength: 12 });
  const row = fc.tuple(field, field, field).map((fields) => ['x', ...fields]);
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 40 }), async (rows) => {
      const text = ['x\ta\tb\tc', ...rows.map((fields) => fields.join('\t'))].join('\n');
      const read = await readWhole(folder.write(text), { format: 'tab' });
      expect(read.rows).toEqual(rows);
    }),
    { numRuns: 50 },
  );
});

test('progress counts the packed bytes, up to the size of the file', async () => {
  const bytes = gzipSync(
    Array.from({ length: 200_000 }, (_, i) => `${i}\t${(i * 7919) % 99_991}`).join('\n'),
  );
  const reader = readDocument(folder.write(bytes), { format: 'tab' });
  const seen: number[] = [];
  for await (const _ of reader.batches()) seen.push(reader.progress().bytes);
  expect(seen.length).toBeGreaterThan(5);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect(reader.progress()).toEqual({ rows: 199_999, bytes: bytes.length, ofBytes: bytes.length });
});

test('leaving early, or never beginning, leaves no file open', async () => {
  const file = folder.write(`a\tb\n${'1\t2\n'.repeat(500_000)}`);
  const opened = await openFiles(file);
  for await (const _ of readDocument(file, { format: 'tab' }).batches()) break;
  const reader = readDocument(file, { format: 'tab' });
  await reader.head();
  await reader.close();
  await readDocument(file, { format: 'tab' }).close();
  const closed = readDocument(file, { format: 'tab' });
  const opening = closed.head();
  await closed.close();
  await opening;
  await expect.poll(() => openFiles(file)).toBe(opened);
});

/** How many descriptors of this process lead to the file; 0 where the system does not tell. */
async function openFiles(file: string): Promise<number> {
  const { readdir, readlink } = await import('node:fs/promises');
  const names = await readdir('/proc/self/fd').catch(() => []);
  const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return targets.filter((target) => target === file).length;
}

test('a file that is not there is the error of the system', async () => {
  await expect(readWhole(join(tmpdir(), 'no-such-document'))).rejects.toMatchObject({ code: 'ENOENT' });
});
