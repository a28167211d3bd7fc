/** Documents that are made to exhaust memory or time, with the real limits, each in a process of its own. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { documentFolder } from '../../helpers/document-file.ts';

const folder = documentFolder();
const PROGRAM = join(inject('programs'), 'reading-process.mjs');
const outcome = z.object({
  message: z.string(),
  rows: z.number(),
  unpackedBytes: z.number(),
  peakMb: z.number(),
});

/** The memory limit is that of the whole program. */
const MAX_MB = 300;

async function readApart(bytes: Uint8Array, format: string): Promise<z.infer<typeof outcome>> {
  // The program's threads have this bound (YOUNG_HEAP_MB); Node takes three times as much by itself.
  const args = ['--max-semi-space-size=10', PROGRAM, folder.write(bytes), format];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return outcome.parse(JSON.parse(stdout));
}

/** A packed document of many parts; each part of gzip is packed for itself, so that making it costs nothing. */
function packed(start: string, part: string, megabytes: number): Buffer {
  const member = gzipSync(part.repeat(Math.ceil(4_000_000 / part.length)), { level: 9 });
  return Buffer.concat([gzipSync(start), ...Array.from({ length: megabytes / 4 }, () => member)]);
}

describe('an open quote followed by 400 MB', () => {
  test.each([
    ['of one sign', 'x'],
    ['of rows', '1,2,3\n'],
    ['of rows with quotes', '1,"2",3\n'],
    ['of doubled quotes', '""'],
    ['of quotes where none are allowed', '"x'],
  ])('%s is refused with the limit, in bounded memory', { timeout: 60_000 }, async (_, part) => {
    const { message, peakMb } = await readApart(packed('a,b,c\n1,2,3\n1,2,"', part, 400), 'csv');
    expect(message).toMatch(/more than 1000000 characters|unpacks to more than 250 times|never closed/);
    expect(peakMb).toBeLessThan(MAX_MB);
  });
});

describe('4 GB in 4 MB', () => {
  test.each([
    ['zeros', 'other', '\0'],
    ['one line', 'tab', 'x'],
    ['rows', 'tab', 'LAMP\t1\n'],
    ['rows', 'csv', 'LAMP,1\n'],
    ['lines', 'jsonl', '{"a":1}\n'],
    ['text', 'xml', '<a/>'],
  ])(
    '%s (%s) is refused long before its end, in bounded memory',
    { timeout: 60_000 },
    async (_, format, part) => {
      const bytes = packed(format === 'xml' ? '<?xml version="1.0"?>' : '', part, 4_000);
      expect(bytes.length).toBeLessThan(8_000_000);
      const { message, unpackedBytes, peakMb } = await readApart(bytes, format);
      expect(message).toMatch(/unpacks to more than 250 times its size|more than 1000000 characters/);
      expect(unpackedBytes).toBeLessThan(20_000_000);
      expect(peakMb).toBeLessThan(MAX_MB);
    },
  );

  test('a JSON list of it', { timeout: 60_000 }, async () => {
    const { message, peakMb } = await readApart(packed('[1', ',{"a":1}', 4_000), 'json');
    expect(message).toContain('unpacks to more than 250 times its size');
    expect(peakMb).toBeLessThan(MAX_MB);
  });

  test('packed twice', { timeout: 60_000 }, async () => {
    const { message, peakMb } = await readApart(gzipSync(packed('', 'LAMP\t1\n', 4_000)), 'tab');
    expect(message).toContain('unpacks to more than 250 times its size');
    expect(peakMb).toBeLessThan(MAX_MB);
  });
});
