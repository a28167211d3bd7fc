/** Several documents as one: each row says where it is from, and columns find each other by name. */

import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { DocumentFormat } from '../../../src/data/documents/document.ts';
import { joinDocuments } from '../../../src/data/documents/join-documents.ts';
import { documentFolder } from '../../helpers/document-file.ts';

const folder = documentFolder();

async function join(contents: (string | Buffer)[], format: DocumentFormat) {
  const documents = contents.map((content, at) => ({ file: folder.write(content), label: `R${at + 1}` }));
  const reader = joinDocuments({ column: 'report_id', documents }, { format });
  const { columns } = await reader.head();
  const rows: string[][] = [];
  const items: unknown[] = [];
  const progress = [reader.progress()];
  for await (const batch of reader.batches()) {
    progress.push(reader.progress());
    if (batch.kind === 'rows') rows.push(...batch.rows);
    if (batch.kind === 'items') items.push(...batch.items);
  }
  progress.push(reader.progress());
  return { columns, rows, items, summary: reader.summary(), progress: progress.at(-1), told: progress };
}

test('columns in another order, missing, new or of one name twice', async () => {
  const all = await join(['a\tb\tb\n1\t2\t3\n', gzipSync('b\tc\ta\n4\t5\t6\n'), 'a\tb\n'], 'tab');
  expect(all.columns).toEqual(['report_id', 'a', 'b', 'b', 'c']);
  expect(all.rows).toEqual([
    ['R1', '1', '2', '3', ''],
    ['R2', '6', '4', '', '5'],
  ]);
  expect(all.progress).toMatchObject({ rows: 2, bytes: all.progress?.ofBytes });
});

test('how far it is only grows, from nothing to all rows and bytes of all documents', async () => {
  const contents = ['a\n1\n2\n', 'a\n3\n', 'a\n4\n5\n6\n'];
  const { told, summary } = await join(contents, 'tab');
  expect(told.map(({ rows }) => rows)).toEqual([0, 2, 3, 6, 6]);
  const sizes = contents.map((content) => content.length);
  const before = (count: number) => sizes.slice(0, count).reduce((sum, size) => sum + size, 0);
  expect(told.map(({ bytes }) => bytes)).toEqual([0, before(1), before(2), before(3), before(3)]);
  expect(told.map(({ ofBytes }) => ofBytes)).toEqual([0, before(1), before(2), before(3), before(3)]);
  expect(summary.unpackedBytes).toBe(before(3));
});

test('too many fields stay with their row, and what was unusual is told once', async () => {
  const all = await join(['a\n1\t2\n', 'a\n3\t4\n'], 'tab');
  expect(all.summary.notes).toEqual(['1 row has more fields than the header; none was dropped.']);
});

test('items and texts are marked too', async () => {
  expect((await join(['[{"a":1}]', '[{"a":2}]'], 'json')).items).toEqual([
    { report_id: 'R1', a: 1 },
    { report_id: 'R2', a: 2 },
  ]);
  expect((await join(['<a/>', '<b/>'], 'xml')).items).toEqual([
    { report_id: 'R1', content: '<a/>' },
    { report_id: 'R2', content: '<b/>' },
  ]);
});

test('rows and no rows make no table together', async () => {
  await expect(join(['a\tb\n1\t2\n', '<a><b/></a>'], 'tab')).rejects.toThrow(/no table together/);
});
