/** Documents as files in a temporary folder, and everything that a reader makes of one. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type {
  DocumentBatch,
  DocumentHead,
  DocumentReadOptions,
  DocumentSummary,
} from '../../src/data/documents/document.ts';
import { readDocument } from '../../src/data/documents/read-document.ts';

export interface ReadWhole extends DocumentHead {
  rows: string[][];
  /** Extra fields by the row's place in the document. */
  extra: Record<number, string[]>;
  /** Items by their list. */
  items: Record<string, unknown[]>;
  text: string;
  bytes: Buffer;
  summary: DocumentSummary;
}

/** Call in the body of a test file: the folder goes when its tests are through. */
export function documentFolder(): { write(bytes: Uint8Array | string): string } {
  const folder = mkdtempSync(join(tmpdir(), 'document-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let count = 0;
  return {
    write(bytes) {
      count += 1;
      const file = join(folder, `document-${count}`);
      writeFileSync(file, bytes);
      return file;
    },
  };
}

export async function readWhole(
  file: string,
  options: Partial<DocumentReadOptions> = {},
): Promise<ReadWhole> {
  const reader = readDocument(file, { format: 'auto', ...options });
  const head = await reader.head();
  const all: ReadWhole = {
    ...head,
    rows: [],
    extra: {},
    items: {},
    text: '',
    bytes: Buffer.alloc(0),
    summary: reader.summary(),
  };
  for await (const batch of reader.batches()) add(all, batch);
  return { ...all, summary: reader.summary() };
}

function add(all: ReadWhole, batch: DocumentBatch): void {
  if (batch.kind === 'rows') {
    for (const { row, fields } of batch.extra) all.extra[all.rows.length + row] = fields;
    all.rows.push(...batch.rows);
  } else if (batch.kind === 'items')
    all.items[batch.list] = [...(all.items[batch.list] ?? []), ...batch.items];
  else if (batch.kind === 'text') all.text += batch.text;
  else all.bytes = Buffer.concat([all.bytes, batch.bytes]);
}
