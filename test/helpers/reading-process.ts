/** A process of its own that reads a document to its end and prints what came of it, with its peak of memory. */

import { readFileSync } from 'node:fs';
import type { DocumentFormat } from '../../src/data/documents/document.ts';
import { readDocument } from '../../src/data/documents/read-document.ts';

const FORMATS: readonly DocumentFormat[] = ['tab', 'csv', 'json', 'jsonl', 'xml', 'other'];

const [, , file = '', expected = ''] = process.argv;
const reader = readDocument(file, { format: FORMATS.find((format) => format === expected) ?? 'auto' });
let message = '';
try {
  for await (const _ of reader.batches());
} catch (error) {
  message = error instanceof Error ? error.message : String(error);
}
const { rows } = reader.progress();
const { unpackedBytes } = reader.summary();
process.stdout.write(JSON.stringify({ message, rows, unpackedBytes, peakMb: peakMegabytes() }));

/** Returns the peak memory. The `maxRSS` of Linux begins with what the parent held when it forked. */
function peakMegabytes(): number {
  const status = process.platform === 'linux' ? readFileSync('/proc/self/status', 'utf8') : '';
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
  return Number(kilobytes) / 1024;
}
