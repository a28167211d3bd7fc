/** Sends the items of a batch that are writes, one by one, each held against what was shown before and recorded by itself, and reads one that was cut off. */

import { InputError } from '../../../base/errors.ts';
import type { Client } from '../../../call/client-types.ts';
import type { PersonalData } from '../../../privacy/personal/personal-data.ts';
import type { Operation } from '../../../service/facts/operation.ts';
import type { Registry } from '../../../service/registry/registry.ts';
import type { IsChangedSinceShown } from '../../keep/undo/changed-since-shown.ts';
import type { WriteDiff } from '../../model/change.ts';
import type { Write } from '../../model/write.ts';
import { createWriteView } from '../../model/write-view.ts';
import { diffWrite } from '../../plan/write-diff.ts';
import type { Session } from '../../session.ts';
import type { BatchItem, ItemOutcome, Sender, SendParts, Sent } from '../batches/batch.ts';
import { sendPreparedWrite } from '../send-prepared-write.ts';
import { noteDispatch, parseDispatchSteps } from './dispatch-steps.ts';
import { outcomeOfError } from './error-outcome.ts';
import { type AnswerOfItem, itemOutcome } from './item-outcome.ts';
import { fromStoredItem, storedValues, type WhoseWrites } from './stored-write.ts';

/** What was sent, still what was there before, or something else. */
export type ShownAgain = 'same' | 'not_yet' | 'differs';

type WriteGuard = Awaited<ReturnType<Session['writeGuard']>>;

export interface WriteSenderParts extends WhoseWrites {
  session: Session;
  /** Id of the list. */
  batch: string;
  client: Client;
  registry: Registry;
  guard: WriteGuard;
  personal: PersonalData;
  /** Reads many at once, instead of each by itself. */
  checkMany?:
    | ((writes: readonly Write[], signal: AbortSignal) => Promise<ReadonlyMap<string, Found | ItemOutcome>>)
    | undefined;
  /** By whatever is no write of this list. */
  isChangedSince: IsChangedSinceShown;
  /** What of its answer is told with each item. */
  answerOf: AnswerOfItem;
}

/** How what is there now relates to what was shown. */
export type Found = 'as_shown' | 'changed' | 'unreadable';

/** Under way at the same time: enough for what the limit lets go within the usual time of an answer, and no queue. */
const MOST_AT_ONCE = 8;
const SECONDS_OF_ANSWERS = 2;

function atOnceOf({ rate }: Operation): number {
  const perSecond = rate?.requestsPerSecond ?? 1;
  return Math.min(MOST_AT_ONCE, Math.max(1, Math.ceil(perSecond * SECONDS_OF_ANSWERS)));
}

export function createWriteSender(parts: WriteSenderParts): Sender {
  const { account, checkMany, operation } = parts;
  const restore = (item: BatchItem) => fromStoredItem(item, parts);
  const inTurn = <T>(write: Write, work: () => Promise<T>) => {
    const { supplySourceId } = write.input.parameters;
    // As update_supply_source does: each edit of a store reads what the one before it wrote.
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
          // What is no write of the list is its own sender's affair.
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
        return lookAt(write, noted?.journal, { ...parts, signal });
      // It was claimed, and had not left.
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

/** @param isChanged returns whether something newer was written from here */
async function sendOne(
  write: Write,
  sending: SendParts,
  isChanged: () => Promise<boolean>,
  parts: WriteSenderParts,
): Promise<Sent> {
  const { account, owner, client, registry, personal, checkMany } = parts;
  const view = createWriteView({ personal, account, replaced: [] });
  const background = callUntil(sending);
  const call = background.options;
  const noted = noteDispatch(sending);
  let isOvertaken = false;
  const dispatchHooks = {
    ...noted.dispatchHooks,
    // It may have waited for its place under the limit, or the process stood still, while others wrote.
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
        ? await diffWrite(writtenOf(write), { client, registry, now, owner, seen: view.seen }, call)
        : undefined;
    if (planned !== undefined) {
      const refused = compareWithShown(planned, write);
      if (refused !== undefined) return refused;
    }
    const planning =
      planned?.readBack === undefined ? {} : { readBack: planned.readBack, change: planned.change };
    const result = await sendPreparedWrite(
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
        ? await tryToLook(write, journalId, { ...parts, signal: sending.signal })
        : undefined;
    return { ...outcome, journalId, ...found };
  } finally {
    background.end();
  }
}

/** Undefined where reading does not tell that it was applied: it may still be on its way. */
async function tryToLook(write: Write, journalId: string | undefined, parts: LookParts) {
  const found = await lookAt(write, journalId, parts).catch(() => 'unknown' as const);
  return typeof found === 'string' ? undefined : found;
}

/** Undefined where it is as it was shown. */
function compareWithShown(planned: WriteDiff, { stateDigest }: Write): ItemOutcome | undefined {
  if (planned.stateDigest === stateDigest) return undefined;
  return planned.stateDigest === undefined && planned.isAbsent !== true ? UNREADABLE : CHANGED;
}

// A call in the background that gives its place up when the list is to end, and is left alone once it has left.

/** A write may wait so long for its place under the limit; longer ones are sent another time. */
const MOST_WAIT_MS = 5 * 60_000;
/** What goes on this soon may have left already. */
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
      timeoutMs: MOST_WAIT_MS,
      onProgress: ({ ms }: { ms: number }) => {
        waitsUntil = performance.now() + ms;
        if (ending.aborted) leave();
      },
    },
    /** Nothing of it is listened to any more. */
    end: () => ending.removeEventListener('abort', leave),
  };
}

// Reads a write of a list that was sent without an answer: applied, certainly not, or not known. Never sends.

type LookParts = WriteSenderParts & { signal: AbortSignal };

/** As its state is read. */
const writtenOf = ({ input, request: { filledIn } }: Write) => ({
  ...input,
  parameters: { ...input.parameters, ...filledIn },
});

/** What is there now, held against what the write makes of it. Never sends. */
async function lookAt(write: Write, journalId: string | undefined, parts: LookParts) {
  const { client, registry, account, owner, personal, signal } = parts;
  const view = createWriteView({ personal, account, replaced: [] });
  const { operation } = write.input;
  const { now } = parts.session.program;
  const planned = await diffWrite(
    writtenOf(write),
    { client, registry, now, owner, seen: view.seen },
    { signal },
  );
  const { differences, sent = [] } = planned.change;
  const isThere =
    operation.effect === 'delete'
      ? planned.isAbsent === true || differences?.length === 0
      : differences?.length === 0 && sent.length === 0;
  // What read like this before it was sent says nothing.
  const { stateDigest } = planned;
  if (isThere && stateDigest !== undefined && stateDigest === write.stateDigest) return 'unknown';
  // An accepted change can be seen minutes later, so the value from before says nothing.
  if (!isThere) return 'unknown';
  if (journalId !== undefined) await parts.guard.settle(journalId, { outcome: 'done', differences: [] });
  const why = 'It was sent without an answer; read again, the service has what was sent.';
  return { kind: 'accepted', readBack: 'same', why, journalId } as const;
}
