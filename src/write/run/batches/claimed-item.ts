/** One item of a batch, sent at most once: claimed on the disk first, and where its outcome is missing looked at, never sent again. */

import { InputError } from '../../../base/errors.ts';
import { BatchEndedError } from './batch-ended.ts';
import { type BatchRecord, TAKEN_BACK } from './record.ts';
import type { BatchItem, Later, Left, Sender, SendParts, Sent } from './types.ts';

/** What a run works with. */
export interface RunParts {
  record: BatchRecord;
  items: readonly BatchItem[];
  sender: Sender;
  /** Of this run alone: its lines in the file carry it. */
  run: string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** As `SendParts`. */
  signal: AbortSignal;
  ending: AbortSignal;
}

/** `ended`: it has an outcome, whoever wrote it; `lost`: it is another run's. */
export type Settled = 'ended' | 'lost' | Later | Left;

/** The words where the service cannot tell whether it was applied. */
const NOT_TOLD =
  'It was sent without an answer, and what can be read does not tell whether it was applied. It was not sent again.';
const NOT_APPLIED =
  'It was cut off while it was sent; what can be read shows that it was not applied. It was not sent again.';
const NOT_READ = 'An item was sent without an answer, and could not be read yet.';

/** @throws the system's error when the disk takes nothing more: then nothing was sent */
export async function claimAndSend(i: number, parts: RunParts): Promise<Settled> {
  const { record, run, now, sender, ending } = parts;
  const item = parts.items[i];
  if (item === undefined) return 'lost';
  await record.write({ t: 'sending', i, by: run, at: now() });
  // In the order of the file: had another process written this line before, or the word to stop, it would stand there.
  if (!record.fold.isOf(i, run)) return record.fold.phaseOf(i) === 'ended' ? 'ended' : 'lost';
  if (record.fold.isStopped() || ending.aborted) {
    await record.write({ t: 'later', i, by: run });
    return { kind: 'later', why: 'It was ended between two items.', endsRun: true };
  }
  let sent: Sent;
  try {
    sent = await sender.send(item, await sendParts(i, parts));
  } catch {
    if (!record.fold.isOf(i, run)) return 'lost';
    return parts.signal.aborted ? { kind: 'left', why: NOT_READ } : lookAtClaimed(i, parts);
  }
  return settle(i, sent, parts);
}

/** @throws as `claimAndSend` */
export async function lookAtClaimed(i: number, parts: RunParts): Promise<Settled> {
  const { record, run, now, sender } = parts;
  const item = parts.items[i];
  if (item === undefined) return 'lost';
  if (!record.fold.isOf(i, run)) await record.write({ t: 'looking', i, by: run, at: now() });
  if (!record.fold.isOf(i, run)) return record.fold.phaseOf(i) === 'ended' ? 'ended' : 'lost';
  let found: Awaited<ReturnType<Sender['look']>>;
  try {
    const known = await sendParts(i, parts);
    found = await sender.look(item, known.steps, known);
  } catch {
    return { kind: 'left', why: NOT_READ };
  }
  if (found === 'unknown') return settle(i, { kind: 'unknown', why: NOT_TOLD }, parts);
  if (found === 'not_applied') return settle(i, { kind: 'failed', why: NOT_APPLIED }, parts);
  return settle(i, found, parts);
}

async function settle(i: number, sent: Sent, { record, run, now }: RunParts): Promise<Settled> {
  if (sent.kind === 'left') {
    await record.leave(i, run, sent.why);
    return sent;
  }
  if (sent.kind === 'later') {
    await record.write({ t: 'later', i, by: run });
    return sent;
  }
  await record.end(i, run, sent, now());
  return 'ended';
}

async function sendParts(i: number, { record, run, signal, ending }: RunParts): Promise<SendParts> {
  return {
    signal,
    ending,
    steps: await record.stepsOf(i),
    async note(step) {
      try {
        await record.step(i, run, step);
      } catch (cause) {
        throw new BatchEndedError('How far it is could not be written to the disk.', '', { cause });
      }
      if (!record.fold.isOf(i, run)) throw new BatchEndedError('Another process has it now.');
      if (record.fold.isItemWithdrawn(i)) throw new InputError(TAKEN_BACK);
    },
  };
}
