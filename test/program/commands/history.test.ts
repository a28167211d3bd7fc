/** The command as a person and as a script see it. */

import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { settingsSchema } from '../../../src/base/settings.ts';
import { history, parseSince } from '../../../src/program/commands/history.ts';
import type { CommandArguments } from '../../../src/program/commands/line/command.ts';
import { createFolder, openJournal } from '../../write/records/journal/helpers.ts';

async function setUp() {
  const stateDir = await createFolder();
  const { journal } = openJournal(stateDir, { now: Date.now });
  const out = { stdout: '', stderr: '' };
  const io = {
    stdout: (text: string) => {
      out.stdout += text;
    },
    stderr: (text: string) => {
      out.stderr += text;
    },
    config: settingsSchema.parse({ stateDir }),
  };
  const run = (values: CommandArguments['values'] = {}) => history.run({ values }, io);
  return { stateDir, journal, out, run };
}

const intent = {
  account: 'default',
  operation: 'Supply Sources/updateSupplySource',
  parameters: { supplySourceId: 'ss-1' },
};

describe('history', () => {
  it('shows what happened, and nothing that moves a cursor', async () => {
    const { journal, out, run, stateDir } = await setUp();
    const id = await journal.begin(intent);
    await journal.end(id, {
      outcome: 'done',
      status: 204,
      requestId: 'req-1',
      differences: [{ path: 'alias', sent: 'a', found: 'b' }],
    });
    await journal.refuse(intent, 'hostile \u001b[2J\u202e text');
    await journal.begin(intent);
    expect(await run()).toBe(0);
    for (const part of [
      'updateSupplySource',
      'supplySourceId: ss-1',
      'done (204)',
      'read back: alias is b, sent a',
      'request id req-1',
      'refused',
      'hostile \\u001b[2J\\u202e text',
      'no outcome recorded',
    ]) {
      expect(out.stdout).toContain(part);
    }
    expect(out.stdout.replaceAll('\n', '')).toMatch(/^[^\p{Cc}\p{Cf}]+$/u);
    expect(out.stderr).toContain(stateDir);
  });

  it('tells the country of a marketplace beside its ID', async () => {
    const { journal, out, run } = await setUp();
    const parameters = { sku: 'A1PA6795UKMFR9', marketplaceIds: ['A1PA6795UKMFR9', 'X1'] };
    await journal.refuse({ ...intent, parameters }, 'no');
    await run();
    expect(out.stdout).toContain('marketplaceIds: ["A1PA6795UKMFR9","X1"] = Germany');
    expect(out.stdout).not.toMatch(/sku: A1PA6795UKMFR9 =/);
  });

  it('prints one JSON object with --json, filtered', async () => {
    const { journal, out, run, stateDir } = await setUp();
    await journal.refuse(intent, 'denied');
    await journal.refuse({ ...intent, account: 'other' }, 'denied');
    expect(await run({ json: true, account: 'other', since: '1h', outcome: 'refused' })).toBe(0);
    const view = z.object({
      entries: z.array(z.looseObject({ account: z.string() })),
      folder: z.string(),
    });
    const { entries, folder } = view.parse(JSON.parse(out.stdout));
    expect([entries.map(({ account }) => account), folder]).toEqual([['other'], stateDir]);
    expect(out.stderr).toBe('');
  });

  it('says so when there is nothing', async () => {
    const { out, run } = await setUp();
    expect(await run()).toBe(0);
    expect(out.stdout).toBe('No writes are recorded that match.\n');
  });

  it('shows the newest by default up to a limit, and tells how to see all', async () => {
    const { journal, out, run } = await setUp();
    for (let count = 0; count < 3; count++) await journal.refuse(intent, `reason ${count}`);
    await run({ limit: '2' });
    expect(out.stdout).not.toContain('reason 0');
    expect(out.stdout).toContain('reason 2');
    expect(out.stderr).toContain('--limit all');
  });

  it.each([
    [{ outcome: 'lost' }, /--outcome "lost" is not an outcome/],
    [{ limit: '0' }, /--limit "0" is not a count/],
    [{ limit: '-1' }, /--limit "-1" is not a count/],
    [{ since: 'yesterday' }, /--since "yesterday" is not a moment/],
    [{ since: '2026-13-40' }, /--since "2026-13-40" is not a moment/],
  ])('refuses %j by name', async (values, message) => {
    const { run } = await setUp();
    await expect(run(values)).rejects.toThrow(message);
  });
});

describe('parseSince', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  it.each([
    ['90s', '2026-11-20T11:58:30Z'],
    ['2h', '2026-11-20T10:00:00Z'],
    ['7d', '2026-11-13T12:00:00Z'],
    ['4w', '2026-10-23T12:00:00Z'],
    ['2026-11-20T11:00Z', '2026-11-20T11:00:00Z'],
    ['2026-11-20T11:00:30.5+01:00', '2026-11-20T10:00:30.5Z'],
  ])('%s is %s', (text, moment) => {
    expect(parseSince(text, now)).toBe(Date.parse(moment));
  });

  it('begins a bare date at local midnight', () => {
    expect(parseSince('2026-11-20', now)).toBe(new Date(2026, 10, 20).getTime());
  });
});
