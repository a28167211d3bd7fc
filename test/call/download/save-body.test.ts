/** A body that becomes a file: as many bytes as were announced, room for them first, and nothing beyond the limit. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SaveOptions, saveBody } from '../../../src/call/download/save-body.ts';

let folder: string;
let handle: FileHandle;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'save-body-'));
  handle = await open(join(folder, 'document'), 'w');
});
afterEach(async () => {
  await handle.close();
  rmSync(folder, { recursive: true });
});

async function* bodyOf(pieces: readonly unknown[]) {
  yield* pieces;
}

const save = (pieces: readonly unknown[], options: Partial<SaveOptions> = {}) =>
  saveBody(bodyOf(pieces), handle, {
    ofBytes: undefined,
    limit: 1_000,
    freeBytes: () => Promise.resolve(Number.POSITIVE_INFINITY),
    ...options,
  });
const written = () => readFileSync(join(folder, 'document'));

it('writes every piece behind the one before, and tells how far it has come', async () => {
  const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 9 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(pieces, fc.boolean(), async (list, isAnnounced) => {
      await handle.truncate();
      const whole = Buffer.concat(list);
      const ofBytes = isAnnounced ? whole.length : undefined;
      const reports: unknown[] = [];
      const onProgress = (progress: unknown) => reports.push(progress);
      expect(await save(list, { ofBytes, limit: whole.length, onProgress })).toBe(whole.length);
      expect(written()).toEqual(whole);
      const sums = list.map((_, i) => Buffer.concat(list.slice(0, i + 1)).length);
      expect(reports).toEqual(sums.map((bytes) => ({ bytes, ofBytes })));
    }),
  );
});

it('takes nothing but bytes', async () => {
  expect(await save([Buffer.from('a'), 'text', null, Buffer.from('b')])).toBe(2);
  expect(String(written())).toBe('ab');
});

describe('too many bytes', () => {
  const TOO_LARGE = { code: 'BODY_TOO_LARGE', fate: 'unknown' };

  it('are refused when they are announced, and at the first piece beyond the limit', async () => {
    await expect(save([Buffer.alloc(3)], { ofBytes: 4, limit: 3 })).rejects.toMatchObject(TOO_LARGE);
    expect(written()).toHaveLength(0);
    const pieces = [Buffer.alloc(2), Buffer.alloc(1), Buffer.alloc(1)];
    await expect(save(pieces, { limit: 3 })).rejects.toMatchObject(TOO_LARGE);
    expect(written()).toHaveLength(3);
  });

  it.each([2, 4])('or fewer than the 3 that were announced (%i) are told', async (count) => {
    await expect(save([Buffer.alloc(count)], { ofBytes: 3 })).rejects.toMatchObject({
      code: 'BODY_CUT_SHORT',
      message: `${count} of 3 bytes of the document arrived.`,
    });
  });
});

describe('room on the disk', () => {
  it.each([
    ['packed', [0x1f, 0x8b, 0, 0], 12],
    ['not packed', [0x1f, 0, 0, 0], 3],
    ['not packed', [0, 0x8b, 0, 0], 3],
    ['not packed', [0x50, 0x4b, 0, 0], 3],
  ])('is wanted for what is %s: %j', async (_what, start, times) => {
    const first = Uint8Array.from(start);
    for (const ofBytes of [undefined, 1_000_000]) {
      const needed = (ofBytes ?? first.length) * times;
      const saveWith = (free: number) => save([first], { ofBytes, limit: 2e6, freeBytes: async () => free });
      await expect(saveWith(needed - 1)).rejects.toMatchObject({
        code: 'DISK_FULL',
        message: expect.stringMatching(/^The document needs about \d+ MB of disk, and \d+ MB are free\.$/),
        hint: 'Nothing was kept. Free some space, then collect again.',
      });
      expect(written()).toHaveLength(0);
      const enough = saveWith(needed);
      if (ofBytes === undefined) expect(await enough).toBe(4);
      else await expect(enough).rejects.toMatchObject({ code: 'BODY_CUT_SHORT' });
      await handle.truncate();
    }
  });

  it('is looked for once, and not for an empty body', async () => {
    let looks = 0;
    const freeBytes = async () => {
      looks += 1;
      return 1e9;
    };
    await save([], { freeBytes });
    expect(looks).toBe(0);
    await save([Buffer.alloc(1), Buffer.alloc(1), Buffer.alloc(1)], { freeBytes });
    expect(looks).toBe(1);
  });
});

it('a file that cannot be written is told with the code of the system', async () => {
  const reading = await open(join(folder, 'document'), 'r');
  const options = { ofBytes: 1, limit: 10, freeBytes: async () => 100 };
  await expect(saveBody(bodyOf([Buffer.alloc(1)]), reading, options)).rejects.toMatchObject({
    code: 'NOT_WRITTEN',
    fate: 'unknown',
    message: expect.stringMatching(/^The document could not be written to the disk \([A-Z]+\)\.$/),
    cause: expect.objectContaining({ code: expect.any(String) }),
  });
  await reading.close();
});
