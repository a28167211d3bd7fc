/** Batches in a real store: whole or not there, only added to, and worked on by one process at a time. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../../../src/disk/store.ts';
import { type BatchDisk, openBatchTable } from '../../../../src/write/run/batches/batch-table.ts';
import { openStateStore } from '../../../../src/write/state-store.ts';
import { batchesIn, onStore } from '../../../helpers/state-rows.ts';

let folder: string;
let stores: Store[];
let disk: BatchDisk;
let other: BatchDisk;

const ID = '00000001';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seller-batches-'));
  stores = [openStateStore(folder), openStateStore(folder)];
  [disk, other] = stores.map(openBatchTable) as [BatchDisk, BatchDisk];
});
afterEach(async () => {
  for (const store of stores) await store.close();
  await rm(folder, { recursive: true, force: true });
});

async function read(from = 0, id = ID) {
  const found: { line: string; next: number }[] = [];
  for await (const one of disk.read(id, from)) found.push(one);
  return found;
}
const linesOf = async (id = ID) => (await read(0, id)).map(({ line }) => line);
const idsOf = async (by: BatchDisk) => (await by.list()).map(({ id }) => id);
const begin = async (id: string, lines = 'one\n', by = disk) => by.create(id, lines, await idsOf(by));

describe('a batch in the store', () => {
  test('is made whole and only added to', async () => {
    expect(await disk.list()).toEqual([]);
    expect(await read()).toEqual([]);
    await begin(ID);
    await other.append(ID, 'two\nthree\n');
    expect(await linesOf()).toEqual(['one', 'two', 'three']);
    expect((await read(1)).map(({ line }) => line)).toEqual(['two', 'three']);
    await expect(disk.append('00000002', 'x\n')).rejects.toThrow('not in the store');
    await expect(disk.hold('00000002')).rejects.toThrow('not in the store');
  });

  test('long lines, many of them, and characters of several bytes come back as they were, from any place', async () => {
    const lines = [`${'ä€😀'.repeat(100_000)}`, ...Array.from({ length: 130 }, (_, i) => `ü${i}`)];
    await begin(ID, lines.map((line) => `${line}\n`).join(''));
    const found = await read();
    expect(found.map(({ line }) => line)).toEqual(lines);
    for (const at of [0, 1, 40, 41, 80, 129, 130])
      expect(await read(found[at]?.next)).toEqual(found.slice(at + 1));
  });

  test('lines of many at once never mix, and those of one call stay together', async () => {
    await begin(ID);
    const pairs = Array.from({ length: 50 }, (_, i) => [`${i}a`, `${i}b`]);
    const by = (at: number) => (at % 2 === 0 ? disk : other);
    await Promise.all(pairs.map((pair, at) => by(at).append(ID, `${pair.join('\n')}\n`)));
    const found = (await linesOf()).slice(1);
    const together = found.flatMap((line, at) => (at % 2 === 0 ? [[line, found[at + 1]]] : []));
    expect(together.sort()).toEqual([...pairs].sort());
  });

  test('of several that begin at once one is first, and each other one sees it before it begins', async () => {
    const seen = [disk, other, disk, other].map(async (by, at) => {
      for (;;) {
        const before = (await by.list()).length;
        if (await begin(`0000000${at}`, 'one\n', by)) return before;
      }
    });
    expect((await Promise.all(seen)).sort()).toEqual([0, 1, 2, 3]);
    expect(await disk.create('00000009', 'one\n', ['00000000'])).toBe(false);
  });

  test('is told once that is noted, and removed with its lines when nobody has written to it for long', async () => {
    await begin(ID);
    await begin('00000002');
    await disk.markTold(ID);
    expect((await other.list()).map(({ isTold }) => isTold)).toEqual([true, false]);
    onStore(folder, `UPDATE batches SET changed_at = changed_at - 10000 WHERE id = '${ID}'`);
    await disk.sweep(Date.now() - 5_000);
    expect(batchesIn(folder)).toEqual(['00000002']);
    expect(await linesOf()).toEqual([]);
    expect(await linesOf('00000002')).toEqual(['one']);
  });

  test('is worked on by one at a time; one that is silent loses it, and is named', async () => {
    await begin(ID);
    expect(await disk.isHeld(ID)).toBe(false);
    const hold = await disk.hold(ID);
    expect(await other.hold(ID)).toBeUndefined();
    expect(await other.isHeld(ID)).toBe(true);
    onStore(folder, 'UPDATE batches SET heard_at = heard_at - 120000');
    expect(await other.isHeld(ID)).toBe(false);
    expect(await hold?.isOurs()).toBe(true);
    const next = await other.hold(ID);
    expect(next?.silent).toBe(hold?.mark);
    expect([await hold?.isOurs(), await next?.isOurs()]).toEqual([false, true]);
    // A process does not release what is not its own any more.
    await hold?.release();
    expect(await disk.isHeld(ID)).toBe(true);
    // A process of this computer that has ended sends nothing any more.
    onStore(folder, 'UPDATE batches SET pid = 2147483646');
    const last = await disk.hold(ID);
    expect(last?.silent).toBeUndefined();
    await last?.release();
    await next?.release();
    expect(await disk.isHeld(ID)).toBe(false);
  });
});
