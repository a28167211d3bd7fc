/** A write guard over a client of the test's own, with a real journal in a temporary folder. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { AccountProfile } from '../../../src/accounts/account.ts';
import { sha256 } from '../../../src/base/canonical-json.ts';
import type { Config } from '../../../src/base/config.ts';
import type { CallInput, CallOptions, CallResult, Client } from '../../../src/call/client-types.ts';
import { supplySourceWrite } from '../../../src/service/facts/documented-operations.ts';
import { createConfirmations, createIssuedCodes } from '../../../src/write/approval/confirmation.ts';
import { type ShownOutcome, toShownOutcome } from '../../../src/write/model/outcome.ts';
import type { JournalEntry } from '../../../src/write/records/journal/entry.ts';
import type { Journal } from '../../../src/write/records/journal/journal.ts';
import { contentOf, type WriteRequest, type WriteResult } from '../../../src/write/run/send-write.ts';
import { type ApprovalRequest, createWriteGuard, type WriteGuard } from '../../../src/write/write-guard.ts';
import { openJournal, readEntries } from '../records/journal/helpers.ts';

export interface GuardForTest {
  guard: WriteGuard;
  journal: Journal;
  clock: { now: number };
  /** The requests to the client, oldest first. */
  sent: { input: CallInput; options: CallOptions | undefined }[];
  entries(): Promise<JournalEntry[]>;
}

export const OWNER: AccountProfile = {
  name: 'a',
  baseUrl: 'https://service.example',
  authUrl: 'https://identity.example',
  sellerId: 'A1SELLER',
  login: { clientId: 'client-1', grant: 'grant-1' },
};

export const ANSWER: CallResult = {
  owner: OWNER,
  status: 204,
  headers: {},
  body: undefined,
  bytes: 0,
  filledIn: {},
};

export async function openGuard(
  mode: Config['writes'] | (() => Config['writes']),
  call: (input: CallInput) => Promise<CallResult> = async () => ANSWER,
  denied?: (account: string) => readonly [string, string],
  more: Parameters<typeof openJournal>[1] = {},
): Promise<GuardForTest> {
  const folder = await mkdtemp(join(tmpdir(), 'seller-guard-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const sent: GuardForTest['sent'] = [];
  const client: Client = {
    call: (input, options) => {
      sent.push({ input, options });
      return call(input);
    },
    prepare: never,
    exchangeToken: never,
    rememberRestrictedToken: never,
    close: async () => {},
  };
  const clock = { now: 1_000 };
  const now = () => clock.now;
  const { journal } = openJournal(folder, { now: Date.now, digest: sha256, ...more });
  const codes = {
    codes: createConfirmations(createIssuedCodes(now)),
    questions: createConfirmations(createIssuedCodes(now)),
  };
  const guard = createWriteGuard({
    mode: () => (typeof mode === 'string' ? mode : mode()),
    denied,
    client,
    journal,
    now,
    ...codes,
  });
  return { guard, journal, clock, sent, entries: async () => await readEntries(folder) };
}

export function never(): never {
  throw new Error('not in this test');
}

export const nobody: ApprovalRequest['person'] = {
  canConfirm: false,
  answer: () => undefined,
  confirm: never,
};

/** A write, and how approval for it is requested. */
export type RequestedWrite = WriteRequest &
  Pick<ApprovalRequest, 'preview' | 'person' | 'confirmationCode' | 'mustAsk'>;

/** A yes, or a code, and then what was agreed to. */
export async function runWrite(
  guard: WriteGuard,
  { preview, person, confirmationCode, mustAsk, ...write }: RequestedWrite,
): Promise<ShownOutcome | WriteResult> {
  const { marked } = write;
  const approval = { content: contentOf(write), preview, person, confirmationCode, mustAsk, marked };
  const code = await guard.requestApproval(approval, [write]);
  return code === undefined ? guard.sendApproved(write) : toShownOutcome(code);
}

export function buildWrite(more: Partial<RequestedWrite> = {}): RequestedWrite {
  return {
    input: { operation: supplySourceWrite(), account: 'a', parameters: { supplySourceId: 's' }, body: {} },
    prepared: { filledIn: {}, owner: OWNER },
    preview: 'what is written',
    person: nobody,
    call: {},
    ...more,
  };
}
