/** Tests what one process records, and how it reads back. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { sha256 } from '../../../../src/base/canonical-json.ts';
import { ConfigError } from '../../../../src/base/errors.ts';
import { select, sql } from '../../../../src/store/statement.ts';
import type { WriteIntent } from '../../../../src/write/records/journal/entry.ts';
import { lineSchema, MAX_LINE_BYTES } from '../../../../src/write/records/journal/entry.ts';
import { describeOutcome } from '../../../../src/write/records/journal/format-journal.ts';
import type { Journal } from '../../../../src/write/records/journal/journal.ts';
import { addLine } from '../../../../src/write/records/journal/journal-table.ts';
import { openStateStore } from '../../../../src/write/state-store.ts';
import { createFolder, openJournal, readEntries } from './helpers.ts';

const intent: WriteIntent = {
  account: 'default',
  operation: 'Supply Sources/updateSupplySource',
  parameters: { supplySourceId: 'ss-1' },
  body: {
    alias: 'North',
    contactDetails: { primary: { email: 'store@example.com', phone: '+49 30 1234567' } },
  },
};
/** Its records, as they lie there. */
async function recordsOf(folder: string): Promise<string[]> {
  const store = openStateStore(folder);
  const rows = await store.read(() =>
    select(
      sql`SELECT concat_ws(' ', id, time, account, operation, facts, request, outcome, ended_at, ending) AS text FROM writes`,
      z.object({ text: z.string() }),
    ),
  );
  store.close();
  return rows.map(({ text }) => text);
}

describe('createJournal', () => {
  it('of refusals a session records 200 an hour, since nothing trims it and who may only read could fill the disk', async () => {
    const folder = await createFolder();
    const { journal, clock } = openJournal(folder);
    for (let at = 0; at < 250; at++)
      expect(await journal.refuse(intent, 'You may only read.')).toBeUndefined();
    expect(await readEntries(folder)).toHaveLength(200);
    // A write that is sent is recorded all the same.
    await journal.end(await journal.begin(intent), { outcome: 'done', status: 204 });
    expect(await readEntries(folder)).toHaveLength(201);
    clock.now += 3_600_000;
    await journal.refuse(intent, 'You may only read.');
    expect(await readEntries(folder)).toHaveLength(202);
  });

  it('records the intent at once and the outcome after it, both by one id', async () => {
    const folder = await createFolder();
    const { journal } = openJournal(folder);
    const id = await journal.begin(intent);
    expect(await readEntries(folder)).toEqual([
      {
        id: 'w-1',
        time: '2026-11-20T12:00:01.000Z',
        account: 'default',
        operation: 'Supply Sources/updateSupplySource',
        parameters: { supplySourceId: 'ss-1' },
        bodySha256: 'hash-of-body',
        body: { alias: 'North', contactDetails: { primary: { email: '[masked]', phone: '[masked]' } } },
        outcome: 'unknown',
      },
    ]);

    const differences = [
      { path: 'alias', sent: 'North', found: 'NORTH' },
      { path: 'contactDetails.primary.phone', sent: '+49 30 1234567', found: '+49 30 7654321' },
    ];
    expect(
      await journal.end(id, { outcome: 'done', status: 204, requestId: 'r-1', differences }),
    ).toBeUndefined();
    expect(await readEntries(folder)).toMatchObject([
      {
        id: 'w-1',
        outcome: 'done',
        status: 204,
        requestId: 'r-1',
        endedAt: '2026-11-20T12:00:02.000Z',
        differences: [
          { path: 'alias', sent: 'North', found: 'NORTH' },
          { path: 'contactDetails.primary.phone', sent: '[masked]', found: '[masked]' },
        ],
      },
    ]);
    expect(await recordsOf(folder)).toHaveLength(1);
  });

  it('records a refusal at once', async () => {
    const folder = await createFolder();
    const { journal } = openJournal(folder);
    expect(await journal.refuse(intent, 'The person declined.')).toBeUndefined();
    expect(await readEntries(folder)).toMatchObject([
      {
        outcome: 'refused',
        error: 'The person declined.',
        endedAt: '2026-11-20T12:00:01.000Z',
        parameters: {},
      },
    ]);
  });

  it('a write that is told twice has not begun anew; one that is recorded again later has', async () => {
    const folder = await createFolder();
    const store = openStateStore(folder);
    const { journal } = openJournal(folder, { store });
    const messages: string[] = [];
    const others = openJournal(folder, {
      store,
      wrote: async (lines) => void messages.push(...lines),
    }).journal;
    await journal.end(await others.begin(intent), { outcome: 'done' });
    const line = lineSchema.parse(JSON.parse(messages[0] ?? ''));
    await store.run(() => addLine(line));
    expect(await readEntries(folder)).toMatchObject([{ id: 'w-1', outcome: 'done' }]);
    await store.run(() => addLine({ ...line, time: '2026-11-20T13:00:00.000Z' }));
    expect(await readEntries(folder)).toMatchObject([{ id: 'w-1', outcome: 'unknown' }]);
    await store.close();
  });

  it('takes the last outcome when a later look changes it', async () => {
    const folder = await createFolder();
    const { journal } = openJournal(folder);
    const id = await journal.begin(intent);
    await journal.end(id, { outcome: 'unknown', error: 'connection reset' });
    await journal.end(id, { outcome: 'done', differences: [] });
    expect(await readEntries(folder)).toMatchObject([{ outcome: 'done', differences: [] }]);
  });

  it('keeps every record under its stated size, whatever the write holds', async () => {
    const folder = await createFolder();
    const { journal } = openJournal(folder);
    const wide = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, at) => [`member${at}${'é'.repeat(400)}`, at]),
    );
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(190)}1${'}'.repeat(190)}`);
    const listed = Array.from({ length: 2_000 }, () => ({
      text: '\u202e'.repeat(900),
      list: [[['\u0000'.repeat(99)]]],
    }));
    const huge = 'x'.repeat(1_000_000);
    for (const body of [wide, deep, listed, huge]) {
      const id = await journal.begin({ account: huge, operation: huge, parameters: { wide, listed }, body });
      const differences = listed.map((found, at) => ({
        path: `list[${at}]${huge}`,
        sent: at === 0 ? wide : at,
        found,
      }));
      await journal.end(id, { outcome: 'failed', error: huge, requestId: huge, differences });
    }
    const records = await recordsOf(folder);
    expect(records).toHaveLength(4);
    // An intent and an outcome have that size each.
    expect(Math.max(...records.map((text) => Buffer.byteLength(text)))).toBeLessThanOrEqual(
      2 * MAX_LINE_BYTES,
    );
    expect((await readEntries(folder)).map(({ outcome }) => outcome)).toEqual(Array(4).fill('failed'));
  });

  it('sends nothing without a record: begin throws, and says how to go on', async () => {
    const file = join(await createFolder(), 'file');
    await writeFile(file, '');
    const { journal } = openJournal(join(file, 'sub'));
    const failure: unknown = await journal.begin(intent).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConfigError);
    expect(failure).toMatchObject({
      message: expect.stringMatching(/cannot be written: ENOTDIR/),
      hint: expect.stringMatching(/--state-dir/),
    });
  });

  it('never hides a result behind an outcome that cannot be recorded', async () => {
    const folder = await createFolder();
    await mkdir(join(folder, 'store.db'));
    const { journal } = openJournal(folder);
    expect(await journal.end('w-1', { outcome: 'done' })).toBeInstanceOf(ConfigError);
    expect(await journal.refuse(intent, 'denied')).toBeInstanceOf(ConfigError);
  });
});

describe('what must not be kept', () => {
  const secret = 'client-secret-in-use';
  const openRedacting = (folder: string) =>
    openJournal(folder, {
      digest: sha256,
      redact: (value) => JSON.parse(JSON.stringify(value).replaceAll(secret, '[redacted]')),
    }).journal;
  const holding = { account: 'a', operation: 'o', parameters: { note: `it is ${secret}` } };

  it('a secret in an intent without a body, and in its outcome', async () => {
    const folder = await createFolder();
    const journal = openRedacting(folder);
    const id = await journal.begin(holding);
    await journal.end(id, {
      outcome: 'failed',
      error: `refused: ${secret}`,
      differences: [{ path: 'note', found: secret }],
    });
    expect((await recordsOf(folder)).join()).not.toContain(secret);
    expect(await readEntries(folder)).toMatchObject([
      { parameters: { note: 'it is [redacted]' }, error: 'refused: [redacted]' },
    ]);
  });

  it('a secret in a body; its digest is that of the real one', async () => {
    const folder = await createFolder();
    const body = { note: secret };
    await openRedacting(folder).begin({ ...holding, body });
    expect((await recordsOf(folder)).join()).not.toContain(secret);
    expect(await readEntries(folder)).toMatchObject([
      { body: { note: '[redacted]' }, bodySha256: sha256(body) },
    ]);
  });

  it('a secret in a refusal, in its reason or in what was refused', async () => {
    const folder = await createFolder();
    await openRedacting(folder).refuse({ ...holding, body: [secret] }, `no ${secret}`);
    expect((await recordsOf(folder)).join()).not.toContain(secret);
    expect(await readEntries(folder)).toMatchObject([
      { error: 'no [redacted]', body: ['[redacted]'], outcome: 'refused' },
    ]);
  });
});

describe('the idempotency key', () => {
  it('is kept with the intent, so that a write that was cut off can be repeated', async () => {
    const folder = await createFolder();
    const { journal } = openJournal(folder);
    await journal.begin({ ...intent, idempotencyKey: 'key-1' });
    const cut = await journal.begin({ ...intent, idempotencyKey: 'key-2' });
    await journal.end(cut, { outcome: 'unknown', error: 'reset' });
    const sentWithAnother = await journal.begin({ ...intent, idempotencyKey: 'key-3' });
    await journal.end(sentWithAnother, { outcome: 'unknown', idempotencyKey: 'key-4' });
    const entries = await readEntries(folder);
    expect(entries.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['key-1', 'key-2', 'key-4']);
    expect(entries.map(describeOutcome)).toEqual([
      expect.stringMatching(/\nidempotency key key-1$/),
      'unknown\nreset\nidempotency key key-2',
      'unknown\nidempotency key key-4',
    ]);
  });

  it('is absent where none was sent, as in lines of earlier versions', async () => {
    const folder = await createFolder();
    const { journal } = openJournal(folder);
    await journal.end(await journal.begin(intent), { outcome: 'done' });
    const entries = await readEntries(folder);
    expect(Object.keys(entries[0] ?? {})).not.toContain('idempotencyKey');
    expect((await recordsOf(folder)).join()).not.toContain('idempotencyKey');
  });
});

describe('settled', () => {
  const track = (journal: Journal) => {
    const state = { settled: false };
    void journal.settled().then(() => {
      state.settled = true;
    });
    return state;
  };

  it('comes at once where nothing is under way', async () => {
    const { journal } = openJournal(await createFolder());
    await journal.settled();
    await journal.end(await journal.begin(intent), { outcome: 'done' });
    await journal.settled();
  });

  it('waits for the outcome of every write that was begun', async () => {
    const { journal } = openJournal(await createFolder());
    const begun = journal.begin(intent);
    const early = track(journal);
    const [one, two] = [await begun, await journal.begin(intent)];
    await journal.end(one, { outcome: 'done' });
    await new Promise(setImmediate);
    expect(early.settled).toBe(false);
    const late = track(journal);
    await journal.end(two, { outcome: 'done' });
    await new Promise(setImmediate);
    expect([early.settled, late.settled]).toEqual([true, true]);
  });

  it('waits for a refusal that is being written', async () => {
    const folder = await createFolder();
    const { journal } = openJournal(folder);
    void journal.refuse(intent, 'no');
    await journal.settled();
    expect(await readEntries(folder)).toHaveLength(1);
  });

  it('does not wait for what cannot be recorded', async () => {
    const file = join(await createFolder(), 'file');
    await writeFile(file, '');
    const { journal } = openJournal(join(file, 'sub'));
    await journal.begin(intent).catch(() => {});
    expect(await journal.end('w-1', { outcome: 'done' })).toBeInstanceOf(ConfigError);
    await journal.settled();
  });
});
