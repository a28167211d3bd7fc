/** The history in the store: a row for each write, with its values for some days. */

import { statfs } from 'node:fs/promises';
import * as z from 'zod';
import { parseJson } from '../../../base/json.ts';
import { makeFolder } from '../../../disk/make-folder.ts';
import { type Step, select, sql } from '../../../disk/statement.ts';
import type { Store } from '../../../disk/store.ts';
import { RECORDED, type Recorded } from '../../model/outcome.ts';
import { authorSchema } from '../author.ts';
import type { WriteValues } from './values.ts';

const DAY_MS = 86_400_000;

/** Values as they are kept: sealed, or in clear where nothing of them is personal and there is no keychain. */
const keptSchema = z.union([z.object({ sealed: z.string() }), z.object({ clear: z.unknown() })]);
export type KeptValues = z.infer<typeof keptSchema>;

const common = {
  v: z.literal(1),
  /** Of the journal's entry; of an item of a list that went out as a whole, `entryIdOf`. */
  id: z.string(),
  /** ISO 8601 in UTC. */
  time: z.iso.datetime(),
};
const entrySchema = z.object({
  id: z.string(),
  time: z.iso.datetime(),
  account: z.string(),
  /** Mark of the account's owner. */
  owner: z.string(),
  /** Of a server that several people use. */
  by: authorSchema.optional(),
  /** Operation id. */
  operation: z.string(),
  /** What changes, in short and without personal values; of a list that went out as a whole, what the first does. */
  what: z.string().optional(),
  batch: z.string().optional(),
  undoes: z.string().optional(),
  /** The undo restores only what nobody else has changed; the rest can still be undone. */
  isPart: z.boolean().optional(),
  /** `thingDigest`, where that is known without opening it. */
  thing: z.string().optional(),
  /** Why it could not be taken back when it was made; nothing of its values is kept then. */
  cannot: z.string().optional(),
});
export const lineSchema = z.discriminatedUnion('kind', [
  z.object({
    ...common,
    kind: z.literal('kept'),
    ...entrySchema.shape,
    values: keptSchema.optional(),
  }),
  z.object({
    ...common,
    kind: z.literal('ended'),
    outcome: z.enum(RECORDED),
    /** What was read back of the same members. */
    found: keptSchema.optional(),
  }),
  // The write was read as sent after it had ended; earlier versions named several at once.
  z.object({ ...common, kind: z.literal('seen'), ids: z.array(z.string()).optional() }),
]);
export type HistoryLine = z.infer<typeof lineSchema>;
export type KeptLine = Extract<HistoryLine, { kind: 'kept' }>;

/** The same item has the same id, however often it is kept: the last counts. */
export const entryIdOf = (batch: string, n: number) => `${batch}-${n}`;

/** Adds one line. A write that is told twice has not begun anew; one that is kept again later takes the place of the first. */
export function* addHistoryLine(line: HistoryLine): Step<void> {
  const { id, time } = line;
  if (line.kind === 'kept') {
    const { v: _version, kind: _kind, values, ...entry } = line;
    yield sql`INSERT INTO history (id, time, entry, kept)
      VALUES (${id}, ${time}, ${JSON.stringify(entry)}, ${values && JSON.stringify(values)})
      ON CONFLICT (id) DO UPDATE SET time = excluded.time, entry = excluded.entry, kept = excluded.kept,
        outcome = NULL, ended_at = NULL, found = NULL, seen = 0 WHERE excluded.time > time`;
  } else if (line.kind === 'ended') {
    const found = line.found && JSON.stringify(line.found);
    yield sql`UPDATE history SET outcome = ${line.outcome}, ended_at = ${time}, found = coalesce(${found}, found),
      seen = seen * ${found === undefined ? 1 : 0} WHERE id = ${id}`;
  } else {
    for (const one of line.ids ?? [id]) yield sql`UPDATE history SET seen = 1 WHERE id = ${one}`;
  }
}

const json = z.string().transform((text) => parseJson(text));
const rowSchema = z.object({
  entry: json.pipe(entrySchema),
  outcome: z.enum(RECORDED).nullable(),
  ended_at: z.string().nullable(),
});
const valuesRowSchema = z.object({
  kept: json.pipe(keptSchema).nullable(),
  found: json.pipe(keptSchema).nullable(),
  seen: z.int().transform((seen) => seen === 1),
});

/** One write that was kept, with what is known of it now. */
export interface HistoryEntry extends z.output<typeof entrySchema> {
  /** `unknown` where none was recorded. */
  outcome: Recorded;
  /** Is absent where no outcome was recorded; ISO 8601 in UTC. */
  endedAt?: string | undefined;
  /** @returns undefined where they cannot be read any more @throws CredentialError when the keychain does not answer */
  open(): Promise<(WriteValues & { found?: readonly unknown[] }) | undefined>;
}

export interface HistoryRowsOptions {
  store: Store;
  keepDays: number;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Is told lines as JSON once they are on the disk, before anything is sent. */
  wrote?: ((lines: readonly string[]) => Promise<void>) | undefined;
}

/** @throws from each of these ConfigError, and what the database says (disk full ...) */
export function openHistoryRows({ store, keepDays, now, wrote }: HistoryRowsOptions) {
  const oldest = () => new Date(now() - keepDays * DAY_MS).toISOString();
  function* removeOld(): Step<boolean> {
    const removed = yield sql`DELETE FROM history WHERE time < ${oldest()} RETURNING n`;
    return removed.length > 0;
  }
  return {
    /** Resolves once all are on the disk, together. @param isBare the others are told of them without their values */
    async add(lines: readonly HistoryLine[], waitMs?: number, isBare = false): Promise<void> {
      const hasRemoved = await store.run(function* () {
        const removed = yield* removeOld();
        for (const line of lines) yield* addHistoryLine(line);
        return removed;
      }, waitMs);
      if (hasRemoved) await store.wipe();
      await wrote?.(lines.map((line) => JSON.stringify(isBare ? { ...line, values: undefined } : line)));
    },
    /** Undefined for an entry that is not there any more. */
    async readValues(id: string) {
      const rows = await store.read(() =>
        select(sql`SELECT kept, found, seen FROM history WHERE id = ${id}`, valuesRowSchema),
      );
      return rows[0];
    },
    /** Whether there is room for so many bytes. @throws where there is not */
    async tryRoom(bytes: number): Promise<void> {
      await makeFolder(store.folder, 0o700);
      const { bavail, bsize } = await statfs(store.folder);
      if (bavail * bsize < bytes) throw new Error('the disk is full');
    },
    /** Every entry that is not too old, without its values, oldest first. @param since milliseconds since the epoch: only from then on @param thing only those of which it is known that they are about another are left out */
    async list(since = 0, thing?: string): Promise<Omit<HistoryEntry, 'open'>[]> {
      const from = oldest();
      const wanted = new Date(Math.max(since, Date.parse(from))).toISOString();
      const { rows, old } = await store.read(function* () {
        const old = yield sql`SELECT n FROM history WHERE time < ${from} LIMIT 1`;
        return {
          old,
          rows: yield* select(
            thing === undefined
              ? sql`SELECT entry, outcome, ended_at FROM history WHERE time >= ${wanted} ORDER BY +n`
              : sql`SELECT entry, outcome, ended_at FROM history
                  WHERE (thing = ${thing} OR thing IS NULL) AND time >= ${wanted} ORDER BY n`,
            rowSchema,
          ),
        };
      });
      // They go also where nothing is written any more.
      if (old.length > 0) await store.run(removeOld).then(store.wipe, () => undefined);
      return rows.map(({ entry, outcome, ended_at: endedAt }) => ({
        ...entry,
        outcome: outcome ?? 'unknown',
        ...(endedAt !== null && { endedAt }),
      }));
    },
  };
}
