/**
 * Sends the writes of a batch one by one. Each is compared with the shown state and recorded by itself; a
 * write that was cut off is read.
 */

import { InputError } from '../../../base/errors.ts';
import type { Client } from '../../../call/client-types.ts';
import type { PersonalData } from '../../../privacy/personal/personal-data.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import type { Registry } from '../../../service/registry/registry.ts';
import type { WriteDiff } from '../../model/change.ts';
import type { Write } from '../../model/write.ts';
import { createWriteView } from '../../model/write-view.ts';
import { readStateAndDiff } from '../../plan/write-diff.ts';
import type { IsChangedSinceShown } from '../../records/undo/changed-since-shown.ts';
import type { Session } from '../../session.ts';
import type { BatchItem, ItemOutcome, Sender, SendOutcome, SendParts } from '../batches/batch.ts';
import { sendThroughGuard } from '../send-prepared-write.ts';
import { noteDispatch, parseDispatchSteps } from './dispatch-steps.ts';
import { outcomeOfError } from './error-outcome.ts';
import { type ItemAnswer, itemOutcome } from './item-outcome.ts';
import { fromStoredItem, storedValues, type WriteOwner } from './stored-write.ts';

/** The state after sending: the sent values, still the old ones, or others. */
export type ReadBackState = 'same' | 'not_yet' | 'differs';

type SendingGuard = Awaited<ReturnType<Session['writeGuard']>>;

export interface WriteSenderParts extends WriteOwner {
  session: Session;
  /** The id of the batch. */
  batch: string;
  client: Client;
  registry: Registry;
  guard: SendingGuard;
  personal: PersonalData;
  /** Reads many items at once, instead of each by itself. */
  checkMany?:
    | ((
        writes: readonly Write[],
        signal: AbortSignal,
      ) => Promise<ReadonlyMap<string, ComparedState | ItemOutcome>>)
    | undefined;
  /** Returns true if the values were changed by anything that is no write of this batch. */
  isChangedSince: IsChangedSinceShown;
  /** Returns the part of the response that each item shows. */
  answerOf: ItemAnswer;
}

/** The relation of the current state to the shown one. */
export type ComparedState = 'as_shown' | 'changed' | 'unreadable';

/**
 * The max number in flight at the same time: it covers what the rate limit allows within the usual response
 * time, and avoids a queue.
 */
const MAX_AT_ONCE = 8;
const SECONDS_OF_ANSWERS = 2;

function atOnceOf({ rate }: Operation): number {
  const perSecond = rate?.requestsPerSecond ?? 1;
  return Math.min(MAX_AT_ONCE, Math.max(1, Math.ceil(perSecond * SECONDS_OF_ANSWERS)));
}

export function createWriteSender(parts: WriteSenderParts): Sender {
  const { account, checkMany, operation } = parts;
  const restore = (item: BatchItem) => fromStoredItem(item, parts);
  const inTurn = <T>(write: Write, work: () => Promise<T>) => {
    const { supplySourceId } = write.input.parameters;
    // Each edit of a store reads the result of the one before, as in update_supply_source.
    return parts.guard.inTurn(JSON.stringify([account, supplySourceId ?? `${write.key} of a list`]), work);
  };
  return {
    atOnce: atOnceOf(operation),
    async send(item, sending) {
      const write = restore(item);
      if (write === undefined) return NOT_KNOWN;
      return inTurn(write, async () => {
        const [values] = storedValues(item);
        const isChanged = async () => values !== undefined && (await parts.isChangedSince(values));
        return (await isChanged()) ? CHANGED : sendOne(write, sending, isChanged, parts);
      });
    },
    ...(checkMany === undefined
      ? {}
      : {
          // Items that are no writes are checked by their own sender.
          check: async (items: readonly BatchItem[], signal: AbortSignal) => {
            const restored = items.map((item) => ({ key: item.key, write: restore(item) }));
            const found = await checkMany(
              restored.flatMap(({ write }) => write ?? []),
              signal,
            );
            const others = restored.flatMap(({ key, write }) => (write === undefined ? [key] : []));
            return new Map([...found, ...others.map((key) => [key, 'as_shown'] as const)]);
          },
        }),
    async look(item, steps, { signal, mayHaveLeft }) {
      const write = restore(item);
      if (write === undefined) return 'unknown';
      const noted = parseDispatchSteps(steps);
      if (noted?.sent === true || mayHaveLeft === true)
        return checkWrite(write, noted?.journal, { ...parts, signal });
      // The item was claimed, but had not left.
      if (noted?.journal !== undefined)
        await parts.guard.settle(noted.journal, { outcome: 'refused', error: CUT_OFF });
      return { kind: 'later', why: CUT_OFF, afterMs: 0 };
    },
  };
}

const CUT_OFF = 'It was cut off before it was sent.';

const NOT_KNOWN: ItemOutcome = {
  kind: 'not_sent',
  why: 'This version of the program does not know what the file of the list holds.',
};

const CHANGED: ItemOutcome = { kind: 'changed_since' };
const UNREADABLE: ItemOutcome = {
  kind: 'not_sent',
  why: 'What is there could not be read again just before sending.',
};

/** @param isChanged returns true if something newer was written from here */
async function sendOne(
  write: Write,
  sending: SendParts,
  isChanged: () => Promise<boolean>,
  parts: WriteSenderParts,
): Promise<SendOutcome> {
  const { account, owner, client, registry, personal, checkMany } = parts;
  const view = createWriteView({ personal, account, replaced: [] });
  const background = callUntil(sending);
  const call = background.options;
  const noted = noteDispatch(sending);
  let isOvertaken = false;
  const dispatchHooks = {
    ...noted.dispatchHooks,
    // While the item waited for its slot under the rate limit, or the process was suspended, others may have
    // written.
    async beforeDispatch() {
      isOvertaken = await isChanged();
      if (isOvertaken) throw new InputError('Something newer was written from here; it was not sent.');
      await noted.dispatchHooks.beforeDispatch();
    },
  };
  try {
    const { now } = parts.session.program;
    const planned =
      checkMany === undefined && write.stateDigest !== undefined
        ? await readStateAndDiff(writtenOf(write), { client, registry, now, owner, seen: view.seen }, call)
        : undefined;
    if (planned !== undefined) {
      const refused = compareWithShown(planned, write);
      if (refused !== undefined) return refused;
    }
    const planning =
      planned?.readBack === undefined ? {} : { readBack: planned.readBack, change: planned.change };
    const result = await sendThroughGuard(
      {
        ...write,
        view,
        planned: planning,
        dispatchHooks,
        onRecorded: noted.onRecorded,
        batch: parts.batch,
      },
      call,
      parts.session,
    );
    return await itemOutcome(result, { write, view, personal, answerOf: parts.answerOf });
  } catch (error) {
    if (isOvertaken) return CHANGED;
    const outcome = outcomeOfError(error, personal);
    if (outcome.kind === 'later' || outcome.kind === 'left') return outcome;
    const journalId = noted.journal();
    const found =
      outcome.kind === 'unknown'
        ? await tryToCheck(write, journalId, { ...parts, signal: sending.signal })
        : undefined;
    return { ...outcome, journalId, ...found };
  } finally {
    background.end();
  }
}

/**
 * Checks the write.
 * @returns undefined if the read does not show that it was applied, because it may still be in flight
 */
async function tryToCheck(write: Write, journalId: string | undefined, parts: CheckParts) {
  const found = await checkWrite(write, journalId, parts).catch(() => 'unknown' as const);
  return typeof found === 'string' ? undefined : found;
}

/** Compares the current state with the shown one. @returns undefined if they are the same */
function compareWithShown(planned: WriteDiff, { stateDigest }: Write): ItemOutcome | undefined {
  if (planned.stateDigest === stateDigest) return undefined;
  return planned.stateDigest === undefined && planned.isAbsent !== true ? UNREADABLE : CHANGED;
}

// A background call leaves the queue of the rate limit when the batch has to end, but is not interrupted once
// it has been sent.

/** The max time that a write waits for its slot under the rate limit; after that it is sent another time. */
const MAX_WAIT_MS = 5 * 60_000;
/** A call that continues this soon may have left already. */
const ABOUT_TO_LEAVE_MS = 100;

function callUntil({ signal, ending }: Pick<SendParts, 'signal' | 'ending'>) {
  const leaving = new AbortController();
  let waitsUntil = 0;
  const leave = () => {
    if (performance.now() < waitsUntil - ABOUT_TO_LEAVE_MS) leaving.abort();
  };
  ending.addEventListener('abort', leave);
  return {
    options: {
      signal: AbortSignal.any([signal, leaving.signal]),
      timeoutMs: MAX_WAIT_MS,
      onProgress: ({ ms }: { ms: number }) => {
        waitsUntil = performance.now() + ms;
        if (ending.aborted) leave();
      },
    },
    end: () => ending.removeEventListener('abort', leave),
  };
}

// A write of a batch that was sent without an answer is read: it was applied, was not, or is unknown. It is
// never sent again.

type CheckParts = WriteSenderParts & { signal: AbortSignal };

/** Returns the call for reading its state. */
const writtenOf = ({ input, request: { filledIn } }: Write) => ({
  ...input,
  parameters: { ...input.parameters, ...filledIn },
});

/** Compares the current state with the result of the write. It never sends. */
async function checkWrite(write: Write, journalId: string | undefined, parts: CheckParts) {
  const { client, registry, account, owner, personal, signal } = parts;
  const view = createWriteView({ personal, account, replaced: [] });
  const { operation } = write.input;
  const { now } = parts.session.program;
  const planned = await readStateAndDiff(
    writtenOf(write),
    { client, registry, now, owner, seen: view.seen },
    { signal },
  );
  const { differences, sent = [] } = planned.change;
  const isThere =
    operation.effect === 'delete'
      ? planned.isAbsent === true || differences?.length === 0
      : differences?.length === 0 && sent.length === 0;
  // If the state was the same before sending, it proves nothing.
  const { stateDigest } = planned;
  if (isThere && stateDigest !== undefined && stateDigest === write.stateDigest) return 'unknown';
  // An accepted change can take minutes to appear, so an old value proves nothing.
  if (!isThere) return 'unknown';
  if (journalId !== undefined) await parts.guard.settle(journalId, { outcome: 'done', differences: [] });
  const why = 'It was sent without an answer; read again, the service has what was sent.';
  return { kind: 'accepted', readBack: 'same', why, journalId } as const;
}
