/** The values before each write, kept for a while beside the journal, so that a write can be taken back. */

import * as z from 'zod';
import type { Change } from '../changes/change.ts';
import { AppError, ConfigError } from '../errors.ts';
import type { OutcomeKind } from '../journal/entry.ts';
import { maskAndShorten } from '../journal/mask.ts';
import { byteLength, parseJson } from '../json.ts';
import type { Segments } from '../json-difference.ts';
import type { Sealer } from '../sealed/sealer.ts';
import type { Operation } from '../service/facts/operation.ts';
import type { Keep } from '../writes/send-write.ts';
import { type HistoryLine, type KeptValues, openHistoryFiles } from './history-file.ts';
import { membersOf, valueAt } from './members.ts';
import { holdsPersonal, whyNotUndoable } from './undoable.ts';

/** One write before it is sent. */
export interface WriteToKeep {
  account: string;
  /** Mark of the account's owner: a name can become another seller's. */
  owner: string;
  operation: Pick<Operation, 'id' | 'effect' | 'group'>;
  /** As they are sent, those that the account fills in too. */
  parameters: Readonly<Record<string, unknown>>;
  body?: unknown;
  change: Change;
  /** The change as the assistant sees it: where it differs, `change` holds something personal. */
  shown: Change;
  /** What it writes was not there before. */
  isNew?: boolean;
  /** What changes, in short and without personal values. */
  what?: string;
  /** Id of the list that it is an item of. */
  batch?: string;
  /** Id of the entry that it takes back. */
  undoes?: string;
}

/** Is told what the read-back found, of what `change` is about. */
export type HeldWrite = Keep & { note(found: unknown): void };

const valuesSchema = z.object({
  parameters: z.record(z.string(), z.unknown()),
  productType: z.string().optional(),
  members: z.array(
    z.object({
      segments: z.array(z.union([z.string(), z.number()])),
      before: z.unknown().optional(),
      after: z.unknown().optional(),
    }),
  ),
});
export type WriteValues = z.infer<typeof valuesSchema>;
const foundSchema = z.array(z.object({ found: z.unknown().optional() }));

/** One write that was kept, with what is known of it now. */
export interface HistoryEntry {
  /** Of the journal's entry. */
  id: string;
  /** ISO 8601 in UTC. */
  time: string;
  account: string;
  owner: string;
  /** Operation id. */
  operation: string;
  what?: string;
  batch?: string;
  undoes?: string;
  /** Why it could not be taken back when it was made. */
  cannot?: string;
  /** `unknown` where none was recorded. */
  outcome: OutcomeKind;
  /** @returns undefined where they cannot be read any more @throws CredentialError when the keychain does not answer */
  open(): Promise<(WriteValues & { found?: readonly unknown[] }) | undefined>;
}

export interface History {
  /**
   * Why the write could not be taken back, in a sentence; undefined where it can. Tries whether there is room for what
   * has to be kept.
   */
  whyNot(write: Omit<WriteToKeep, 'owner' | 'account' | 'parameters'>): Promise<string | undefined>;
  /** @param cannot what `whyNot` said: nothing of the values is kept then */
  hold(write: WriteToKeep, cannot: string | undefined): HeldWrite;
  /** Everything that is kept, whoever's it is, oldest first. */
  list(): Promise<HistoryEntry[]>;
  /** The days that entries are kept. */
  keepDays: number;
}

export interface HistoryOptions {
  /** Of its own. */
  folder: string;
  keepDays: number;
  /** Milliseconds since the epoch. */
  now: () => number;
  sealer: () => Promise<Sealer>;
  userId?: number | undefined;
}

export function createHistory(options: HistoryOptions): History {
  const { sealer, now, keepDays, folder } = options;
  const files = openHistoryFiles(options);
  const stamp = () => ({ v: 1 as const, time: new Date(now()).toISOString() });

  /** Sealed wherever that is possible. */
  const keep = async (value: unknown): Promise<KeptValues> => {
    const seal = await sealer();
    return (await seal.canSeal()) ? { sealed: await seal.seal(JSON.stringify(value)) } : { clear: value };
  };
  const open = async (kept: KeptValues | undefined): Promise<unknown> => {
    if (kept === undefined) return undefined;
    if ('clear' in kept) return kept.clear;
    const text = await (await sealer()).open(kept.sealed);
    return text === undefined ? undefined : parseJson(text);
  };

  let tried: { bytes: number; at: number } | undefined;
  /** Many writes are prepared in one go. */
  const tryRoom = async (bytes: number): Promise<void> => {
    if (tried !== undefined && bytes <= tried.bytes && Math.abs(now() - tried.at) < TRY_AGAIN_MS) return;
    await files.tryRoom(bytes);
    tried = { bytes, at: now() };
  };

  const hold = (write: WriteToKeep, cannot: string | undefined): HeldWrite => {
    const { account, owner, operation, what, batch, undoes } = write;
    const named = {
      ...(what && { what: maskAndShorten(what, MAX_WHAT) }),
      ...(batch && { batch }),
      ...(undoes && { undoes }),
    };
    const values = cannot === undefined ? valuesOf(write) : undefined;
    let found: readonly { found?: unknown }[] | undefined;
    const add = async (line: HistoryLine) => {
      try {
        await files.add(line);
      } catch (error) {
        throw describeFailure(error, folder);
      }
    };
    return {
      ...named,
      async begin(id) {
        const known = {
          ...stamp(),
          kind: 'kept' as const,
          id,
          account,
          owner,
          operation: operation.id,
          ...named,
        };
        // That it cannot be undone was told before the yes.
        if (cannot !== undefined) return add({ ...known, cannot }).catch(() => undefined);
        const kept = await keep(valuesOf(write));
        if ('clear' in kept && isPersonal(write)) throw keychainGone();
        await add({ ...known, values: kept });
      },
      note(value) {
        const whole = write.change.subject.kind === 'listing' ? { attributes: value } : value;
        found = values?.members.map(({ segments }) => toFound(whole, segments));
      },
      async end(id, outcome) {
        try {
          const kept = found === undefined ? undefined : await keep(found);
          // What may not lie in clear is not kept.
          const isOpen = kept !== undefined && 'clear' in kept && isPersonal(write);
          await add({ ...stamp(), kind: 'ended', id, outcome, ...(isOpen || !kept ? {} : { found: kept }) });
          return undefined;
        } catch (error) {
          if (cannot !== undefined) return undefined;
          return error instanceof AppError ? error : describeFailure(error, folder);
        }
      },
    };
  };

  return {
    keepDays,
    hold,
    async whyNot(write) {
      const why = await whyNotUndoable(write, async () => (await sealer()).canSeal());
      if (why !== undefined) return why;
      try {
        await tryRoom(ROOM_FACTOR * byteLength(JSON.stringify(membersOf(write.change))) + ROOM_BESIDE);
        return undefined;
      } catch (error) {
        return `its earlier values cannot be kept in ${folder}: ${reasonOf(error)}.`;
      }
    },
    async list() {
      const entries = new Map<string, HistoryEntry>();
      try {
        for await (const line of files.read()) {
          if (line.kind === 'ended') {
            const known = entries.get(line.id);
            if (known !== undefined) entries.set(line.id, endedEntry(known, line, open));
          } else entries.set(line.id, toEntry(line, open));
        }
      } catch (error) {
        throw describeFailure(error, folder);
      }
      return [...entries.values()];
    },
  };
}

const MAX_WHAT = 500;

/** Sealed and as text, values take more room than they are long; before and after the write. */
const ROOM_FACTOR = 4;
const ROOM_BESIDE = 16_384;
const TRY_AGAIN_MS = 2_000;

type Open = (kept: KeptValues | undefined) => Promise<unknown>;

function toEntry(line: Extract<HistoryLine, { kind: 'kept' }>, open: Open): HistoryEntry {
  const { v: _version, kind: _kind, values, ...known } = line;
  const read = once(async () => valuesSchema.safeParse(await open(values)).data);
  return { ...known, outcome: 'unknown', open: read };
}

function endedEntry(
  entry: HistoryEntry,
  { outcome, found }: Extract<HistoryLine, { kind: 'ended' }>,
  open: Open,
): HistoryEntry {
  return {
    ...entry,
    outcome,
    open: once(async () => {
      const values = await entry.open();
      if (values === undefined || found === undefined) return values;
      const read = foundSchema.safeParse(await open(found)).data;
      return read?.length === values.members.length
        ? { ...values, found: read.map((one) => one.found) }
        : values;
    }),
  };
}

/** Of a list, each is looked at more than once. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= read();
    return made;
  };
}

/** What taking it back needs. */
function valuesOf({ parameters, body, change }: WriteToKeep): WriteValues {
  const productType = valueAt(body, ['productType']);
  return {
    parameters: { ...parameters },
    ...(typeof productType === 'string' && { productType }),
    members: membersOf(change).map(({ segments, ...values }) => ({ segments: [...segments], ...values })),
  };
}

function toFound(value: unknown, segments: Segments): { found?: unknown } {
  const found = valueAt(value, segments);
  return found === undefined ? {} : { found };
}

const isPersonal = ({ change, shown }: Pick<WriteToKeep, 'change' | 'shown'>) =>
  holdsPersonal(membersOf(change), membersOf(shown));

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function keychainGone(): ConfigError {
  return new ConfigError(
    'The keychain stopped answering, so the earlier values cannot be kept; nothing was sent.',
    'Call the tool again: it says then that this cannot be undone.',
  );
}

function describeFailure(error: unknown, folder: string): AppError {
  if (error instanceof AppError) return error;
  return new ConfigError(
    `The values before this write cannot be kept in ${folder}: ${reasonOf(error)}.`,
    'Nothing is sent that could not be undone although it was said to be. Free some space or make the folder writable, or choose another with --state-dir (SELLER_STATE_DIR).',
    { cause: error },
  );
}
