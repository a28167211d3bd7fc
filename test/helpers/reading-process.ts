/** A process of its own that reads a document to its end and prints what came of it, with its peak of memory. */

import { readDocument } from '../../src/documents/read-document.ts';
import type { DocumentFormat } from '../../src/documents/types.ts';

const FORMATS: readonly DocumentFormat[] = ['tab', 'csv', 'json', 'jsonl', 'xml', 'other'];

const [, , file = '', expected = ''] = process.argv;
const reader = readDocument(file, { format: FORMATS.find((format) => format === expected) ?? 'auto' });
let message = '';
try {
  for await (const _ of reader.batches());
} catch (error) {
  message = error instanceof Error ? error.message : String(error);
}
const { rows, unpackedBytes } = reader.summary();
process.stdout.write(
  JSON.stringify({ message, rows, unpackedBytes, peakMb: process.resourceUsage().maxRSS / 1024 }),
);
