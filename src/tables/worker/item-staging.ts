/** Items of pages, kept in a file until all are there: only then is known which columns they have. */

import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'node-sqlite3-wasm';
import type { ValueSource } from '../../personal/kinds.ts';
import { dateReader } from '../dates.ts';
import type { TableInfo } from '../types.ts';
import { layOut } from './item-layout.ts';
import { createShapeReader, isObject } from './item-shape.ts';
import { writeItems } from './load-items.ts';

export interface Staging {
  add(items: readonly unknown[]): { rows: number; repeated: number };
  /**
   * Writes the tables; the file is gone afterwards.
   * @param name of the top one
   * @param used names that are taken; those of nested lists are added
   */
  load(database: Database, name: string, used: Set<string>): TableInfo[];
}

export interface StagedItems {
  /** Dotted path of what tells items apart; without one all are kept. */
  key: string | undefined;
  source: ValueSource;
  /** Path of their list within the answer. */
  at: readonly string[];
}

export function createStaging(table: string, folder: string, { key, source, at }: StagedItems): Staging {
  const file = join(folder, `${table}.items`);
  const descriptor = openSync(file, 'w+', 0o600);
  const readDate = dateReader(undefined);
  const shape = createShapeReader(readDate);
  const keys = new Set<string>();
  return {
    add(items) {
      let repeated = 0;
      const lines: string[] = [];
      for (const item of items) {
        const id = key === undefined ? undefined : keyOf(item, key);
        if (id !== undefined && keys.has(id)) {
          repeated += 1;
          continue;
        }
        if (id !== undefined) keys.add(id);
        shape.see(item);
        lines.push(`${JSON.stringify(item) ?? 'null'}\n`);
      }
      writeWhole(descriptor, lines.join(''));
      return { rows: lines.length, repeated };
    },
    load(database, name, used) {
      const writer = writeItems(database, layOut(name, shape.root, { key, tables: used, source, at }), {
        key,
        readDate,
        source,
      });
      for (const line of readLines(descriptor)) writer.add(JSON.parse(line));
      closeSync(descriptor);
      rmSync(file);
      return writer.finish();
    },
  };
}

function keyOf(item: unknown, key: string): string | undefined {
  let found = item;
  for (const name of key.split('.')) {
    found = isObject(found) ? Object.getOwnPropertyDescriptor(found, name)?.value : undefined;
  }
  return found === undefined || found === null ? undefined : JSON.stringify(found);
}

/** A full disk may take a part of it. */
function writeWhole(descriptor: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

const PIECE_BYTES = 1_000_000;

function* readLines(descriptor: number): Generator<string> {
  const piece = Buffer.alloc(PIECE_BYTES);
  let rest: Buffer[] = [];
  for (let place = 0; ; ) {
    const read = readSync(descriptor, piece, 0, PIECE_BYTES, place);
    if (read === 0) return;
    place += read;
    let start = 0;
    for (let end = piece.indexOf(10); end >= 0 && end < read; end = piece.indexOf(10, start)) {
      yield Buffer.concat([...rest, piece.subarray(start, end)]).toString('utf8');
      rest = [];
      start = end + 1;
    }
    if (start < read) rest.push(Buffer.from(piece.subarray(start, read)));
  }
}
