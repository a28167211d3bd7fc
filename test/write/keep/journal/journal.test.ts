/** What one process records, and how it reads back. */

import { appendFile, chmod, mkdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../src/base/canonical-json.ts';
import { ConfigError } from '../../../../src/base/errors.ts';
import type { Intent } from '../../../../src/write/keep/journal/entry.ts';
import { describeOutcome } from '../../../../src/write/keep/journal/format-journal.ts';
import { createJournal, type Journal } from '../../../../src/write/keep/journal/journal.ts';
import { MAX_LINE_BYTES } from '../../../../src/write/keep/journal/line.ts';
import { readJournal } from '../../../../src/write/keep/journal/read-journal.ts';
import { createFolder, openJournal } from './helpers.ts';

const intent: Intent = {
  account: 'default',
  operation: 'Supply Sources/updateSupplySource',
  parameters: { supplySourceId: 'ss-1' },
  body: {
    alias: 'North',
    contactDetails: { primary: { email: 'store@example.com', phone: '+49 30 1234567' } },
  },
};
const fileOf = (folder: string) => join(folder, 'writes.jsonl');

describe('createJournal', () => {
  it('of refusals a session records 200 an hour, since nothing trims it and who may only read could fill the disk', async () => {
    const folder = await createFolder();
    const { journal, clock } = openJournal(folder);
    for (let at = 0; at < 250; at++)
      expect(await journal.refuse(intent, 'You may only read.')).toBeUndefined();
    expect((await readJournal({ folder })).entries).toHaveLength(200);
    // What is sent is recorded all the same.
    await journal.end(await journal.begin(intent), { outcome: 'done', status: 204 });
    expect((await readJournal({ folder })).entries).toHaveLength(201);
    clock.now += 3_600_000;
    await journal.refuse(intent, 'You may only read.');
    expect((await readJournal({ folder })).entries).toHaveLength(202);
  });

  it('records the intent at once and the outcome after it, both by one id', async () => {
    const folder = await createFolder();
    const { journal } = openJournal(folder);
    const id = await journal.begin(intent);
    expect((await readJournal({ folder })).entries).toEqual([
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
    expect((await readJournal({ folder })).entries).toMatchObject([
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
    const lines = (await readFile(fileOf(folder), 'utf8')).split('\n');
    expect(lines.map((line) => line.includes('"id":"w-1"'))).toEqual([true, true, false]);
  });

  it('records a refusal in one line', async () => {
    const folder = await createFolder();
    const { journal } = openJournal(folder);
    expect(await journal.refuse(intent, 'The person declined.')).toBeUndefined();
    expect((await readFile(fileOf(folder), 'utf8')).split('\n')).toHaveLength(2);
    expect((await readJournal({ folder })).entries).toMatchObject([
      {
        outcome: 'refused',
        error: 'The person declined.',
        endedAt: '2026-11-20T12:00:01.000Z',
        parameters: {},
      },
    ]);
  });

  it('takes the last outcome when a later look changes it', async () => {
    const folder = await createFolder();
    const { journal } = openJournal(folder);
    const id = await journal.begin(intent);
    await journal.end(id, { outcome: 'unknown', error: 'connection reset' });
    await journal.end(id, { outcome: 'done', differences: [] });
    expect((await readJournal({ folder })).entries).toMatchObject([{ outcome: 'done', differences: [] }]);
  });

  it('keeps folder and file to their owner, and narrows a file that was opened wider', async () => {
    const folder = join(await createFolder(), 'state', 'app');
    const { journal } = openJournal(folder);
    await journal.begin(intent);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(fileOf(folder))).mode & 0o777).toBe(0o600);
    await chmod(fileOf(folder), 0o644);
    await journal.begin(intent);
    expect((await stat(fileOf(folder))).mode & 0o777).toBe(0o600);
  });

  it('keeps every line under its stated size, whatever the write holds', async () => {
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
    const lines = (await readFile(fileOf(folder), 'utf8')).split('\n');
    expect(lines).toHaveLength(9);
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line) + 1))).toBeLessThanOrEqual(MAX_LINE_BYTES);
    expect((await readJournal({ folder })).entries.map(({ outcome }) => outcome)).toEqual(
      Array(4).fill('failed'),
    );
  });

  it('writes nothing raw that a terminal would obey, and reads it back unchanged', async () => {
    const folder = await createFolder();
    const { journal } = openJournal(folder);
    const text = 'a\u001b[2Jb\u202ec\u2028d\u{e0041}e\u0085f\n';
    await journal.begin({ ...intent, parameters: { text } });
    expect(await readFile(fileOf(folder), 'utf8')).toMatch(/^[\x20-\x7e]+\n$/);
    expect((await readJournal({ folder })).entries).toMatchObject([{ parameters: { text } }]);
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
    await mkdir(fileOf(folder));
    const { journal } = openJournal(folder);
    expect(await journal.end('w-1', { outcome: 'done' })).toBeInstanceOf(ConfigError);
    expect(await journal.refuse(intent, 'denied')).toBeInstanceOf(ConfigError);
  });
});

describe('what must not be kept', () => {
  const secret = 'client-secret-in-use';
  const openRedacting = (folder: string) =>
    createJournal({
      folder,
      now: Date.now,
      randomId: () => 'w-1',
      digest: sha256,
      redact: (value) => JSON.parse(JSON.stringify(value).replaceAll(secret, '[redacted]')),
    });
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
    expect(await readFile(fileOf(folder), 'utf8')).not.toContain(secret);
    expect((await readJournal({ folder })).entries).toMatchObject([
      { parameters: { note: 'it is [redacted]' }, error: 'refused: [redacted]' },
    ]);
  });

  it('a secret in a body; its digest is that of the real one', async () => {
    const folder = await createFolder();
    const body = { note: secret };
    await openRedacting(folder).begin({ ...holding, body });
    expect(await readFile(fileOf(folder), 'utf8')).not.toContain(secret);
    expect((await readJournal({ folder })).entries).toMatchObject([
      { body: { note: '[redacted]' }, bodySha256: sha256(body) },
    ]);
  });

  it('a secret in a refusal, in its reason or in what was refused', async () => {
    const folder = await createFolder();
    await openRedacting(folder).refuse({ ...holding, body: [secret] }, `no ${secret}`);
    expect(await readFile(fileOf(folder), 'utf8')).not.toContain(secret);
    expect((await readJournal({ folder })).entries).toMatchObject([
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
    const { entries } = await readJournal({ folder });
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
    const { entries } = await readJournal({ folder });
    expect(Object.keys(entries[0] ?? {})).not.toContain('idempotencyKey');
    expect(await readFile(fileOf(folder), 'utf8')).not.toContain('idempotencyKey');
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
    expect((await readJournal({ folder })).entries).toHaveLength(1);
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

describe('a line that a killed process left half', () => {
  it('is skipped and counted, and swallows no line that follows, wherever it was cut', async () => {
    const folder = await createFolder();
    const { journal } = openJournal(folder);
    await journal.begin({ account: 'a', operation: 'o', parameters: {} });
    const { size: start } = await stat(fileOf(folder));
    await journal.begin({
      account: 'b',
      operation: 'o',
      parameters: { text: 'ü {"v":1, { "v":1,' },
      body: { v: 1 },
    });
    const whole = await readFile(fileOf(folder));
    for (let cut = start + 1; cut < whole.length; cut += cut < whole.length - 40 ? 3 : 1) {
      await writeFile(fileOf(folder), whole.subarray(0, cut));
      await journal.begin({ account: 'c', operation: 'o', parameters: {} });
      const { entries, damagedLines } = await readJournal({ folder });
      // Cut just before its newline, a line is whole.
      const expected = cut === whole.length - 1 ? ['a', 'b', 'c'] : ['a', 'c'];
      expect([cut, entries.map(({ account }) => account)]).toEqual([cut, expected]);
      expect(damagedLines).toBe(3 - expected.length);
      const [last = ''] = (await readFile(fileOf(folder), 'utf8')).trimEnd().split('\n').slice(-1);
      expect(JSON.parse(last)).toMatchObject({ account: 'c' });
    }
  });

  it('gives back the line behind it, when the kill came between the look and the write of another process', async () => {
    const folder = await createFolder();
    const { journal } = openJournal(folder);
    // A body that looks like a line of its own must not be taken for one.
    const forged = {
      v: 1,
      kind: 'refusal',
      id: 'x',
      time: '2026-01-01T00:00:00.000Z',
      account: 'forged',
      operation: 'o',
      parameters: {},
      outcome: 'done',
    };
    await journal.begin({ account: 'b', operation: 'o', parameters: {}, body: forged });
    const torn = await readFile(fileOf(folder));
    await truncate(fileOf(folder), 0);
    await journal.begin({ account: 'c', operation: 'o', parameters: {} });
    const next = await readFile(fileOf(folder));
    for (const between of ['', '\n']) {
      for (let cut = 1; cut < torn.length - 1; cut++) {
        await writeFile(fileOf(folder), Buffer.concat([torn.subarray(0, cut), Buffer.from(between), next]));
        const { entries, damagedLines } = await readJournal({ folder });
        expect([cut, entries.map(({ account }) => account), damagedLines]).toEqual([cut, ['c'], 1]);
      }
    }
  });
});

describe('putting a full file aside', () => {
  it('keeps every line, in order, over many files', async () => {
    const folder = await createFolder();
    const { journal } = openJournal(folder, 1_000);
    for (let number = 0; number < 40; number++) {
      const id = await journal.begin({ ...intent, parameters: { number } });
      await journal.end(id, { outcome: 'done' });
    }
    const { entries } = await readJournal({ folder });
    expect(entries.map(({ parameters, outcome }) => [parameters, outcome])).toEqual(
      Array.from({ length: 40 }, (_, number) => [{ number }, 'done']),
    );
    expect((await stat(fileOf(folder))).size).toBeLessThan(2_000);
  });

  it('reads what is there beside files that are not ours', async () => {
    const folder = await createFolder();
    const { journal } = openJournal(folder);
    await journal.begin(intent);
    await writeFile(join(folder, 'writes-garbage.jsonl'), Buffer.from([0xff, 0x00, 0x0a, 0x7b, 0x0a]));
    await writeFile(join(folder, 'other.jsonl'), 'nothing\n');
    await appendFile(fileOf(folder), '{"v":2}\nnull\n\n[]');
    const { entries, damagedLines } = await readJournal({ folder });
    expect([entries.length, damagedLines]).toEqual([1, 5]);
  });
});
