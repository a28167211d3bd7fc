/** What a confirmation is bound to, and what the journal keeps of it. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CallOptions, Client } from '../../src/client/client.ts';
import { createJournal } from '../../src/journal/journal.ts';
import { readJournal } from '../../src/journal/read-journal.ts';
import { supplySourceWrite } from '../../src/service/facts/documented-operations.ts';
import { sha256 } from '../../src/writes/canonical-json.ts';
import { createConfirmations } from '../../src/writes/confirmation.ts';
import type { WriteRequest } from '../../src/writes/send-write.ts';
import { createWriteGuard } from '../../src/writes/write-guard.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seller-guard-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const never = (): never => {
  throw new Error('not in this test');
};
const person = { canConfirm: false, answer: () => undefined, confirm: never };

function start() {
  let sent = 0;
  let given: CallOptions | undefined;
  const client: Client = {
    call: async (_input, options) => {
      sent += 1;
      given = options;
      return { status: 200, headers: {}, body: undefined, bytes: 0, filledIn: {} };
    },
    prepare: never,
    exchangeToken: never,
    rememberRestrictedToken: never,
    close: async () => {},
  };
  const clock = { now: () => 1_000 };
  let id = 0;
  const journal = createJournal({
    folder,
    now: Date.now,
    randomId: () => `id-${++id}`,
    digest: sha256,
    redact: (value) => value,
  });
  const codes = { codes: createConfirmations(clock), questions: createConfirmations(clock) };
  const guard = createWriteGuard({ mode: 'code', client, journal, ...clock, ...codes });
  return { guard, sent: () => sent, options: () => given };
}

const request = (sellerId: string, confirmationCode?: string): WriteRequest => ({
  input: { operation: supplySourceWrite(), account: 'a', parameters: { supplySourceId: 's' }, body: {} },
  filledIn: { sellerId },
  dryRun: false,
  confirmationCode,
  preview: '',
  person,
  call: {},
});

it('what the account fills in is confirmed too: a code for one seller does not write to another', async () => {
  const { guard, sent } = start();
  const preview = await guard.run(request('SELLER-1'));
  if (preview.outcome !== 'needs_confirmation') throw new Error(preview.outcome);
  await expect(guard.run(request('SELLER-2', preview.code))).rejects.toThrow('belongs to another content');
  expect(sent()).toBe(0);
  expect(await guard.run(request('SELLER-1', preview.code))).toMatchObject({ outcome: 'done' });
  expect(sent()).toBe(1);
});

it('the journal records it with the other parameters', async () => {
  const { guard } = start();
  const preview = await guard.run(request('SELLER-1'));
  if (preview.outcome !== 'needs_confirmation') throw new Error(preview.outcome);
  await guard.run(request('SELLER-1', preview.code));
  const { entries } = await readJournal({ folder });
  expect(entries).toMatchObject([
    { outcome: 'done', parameters: { supplySourceId: 's', sellerId: 'SELLER-1' } },
  ]);
});

it.each([
  ['leaves a fifth of the time to read it back', async () => [], 41_000],
  ['takes all of it where nothing can be read back', undefined, 51_000],
])('a write %s', async (_case, readBack, deadline) => {
  const { guard, options } = start();
  const timed = { ...request('SELLER-1'), call: { deadline: 51_000 }, readBack };
  const preview = await guard.run(timed);
  if (preview.outcome !== 'needs_confirmation') throw new Error(preview.outcome);
  await guard.run({ ...timed, confirmationCode: preview.code });
  expect(options()).toMatchObject({ deadline });
});
