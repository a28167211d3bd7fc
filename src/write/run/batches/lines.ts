/** The lines of a batch: the list, then what happened to its items. */

import { createHash } from 'node:crypto';
import * as z from 'zod';
import { jsonText, parseJson } from '../../../base/json.ts';
import type { Sealer } from '../../../privacy/sealed/sealer.ts';
import { authorSchema } from '../../keep/author.ts';
import { ENDS } from '../../model/outcome.ts';
import type { BatchItem, KeptInMemory } from './batch.ts';

/** `sealed`: under the key of the keychain. `clear`: as it is. `memory`: in the process that began it alone. */
const keptSchema = z.enum(['sealed', 'clear', 'memory']);

export type Kept = z.output<typeof keptSchema>;

/** What only the person may see: sealed, or as it is. */
const detailSchema = z.union([z.object({ x: z.string() }), z.object({ v: z.unknown() })]);

export type Detail = z.output<typeof detailSchema>;

const headSchema = z.object({
  t: z.literal('list'),
  v: z.literal(1),
  id: z.string(),
  account: z.string(),
  owner: z.string(),
  /** Of a server that several people use: who said yes to it. */
  by: authorSchema.optional(),
  tool: z.string(),
  asked: z.string(),
  digest: z.string(),
  words: z.string(),
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
  /** When what was shown was read. */
  shownAt: z.number().optional(),
  total: z.int().positive(),
  /** SHA-256 of the items as they are written. */
  check: z.string(),
  kept: keptSchema,
  /** Keys of what the person took out of it. */
  takenOut: detailSchema.optional(),
});

export type Head = z.output<typeof headSchema>;

const i = z.int().nonnegative();
/** Mark of the run that writes the line. */
const by = z.string();

const lineSchema = z.discriminatedUnion('t', [
  headSchema,
  z.object({ t: z.literal('items'), d: detailSchema }),
  /** It is about to be sent. */
  z.object({ t: z.literal('sending'), i, by, at: z.number() }),
  /** Another run looks what has become of it. */
  z.object({ t: z.literal('looking'), i, by, at: z.number() }),
  z.object({ t: z.literal('step'), i, by, d: detailSchema.optional() }),
  z.object({ t: z.literal('later'), i, by }),
  /** It was sent, and its outcome takes longer than its run had: `why`. */
  z.object({ t: z.literal('left'), i, by, d: detailSchema.optional() }),
  z.object({
    t: z.literal('end'),
    i,
    by,
    at: z.number(),
    kind: z.enum(ENDS),
    journalId: z.string().optional(),
    /** `why` and `facts`. */
    d: detailSchema.optional(),
  }),
  z.object({ t: z.literal('stop'), at: z.number() }),
  /** Ended between two items by what is no fault of it, such as a person who may no longer use the account. */
  z.object({ t: z.literal('halted'), at: z.number(), why: z.string() }),
  /** What it lies in may have lost lines: what has no outcome may have been sent, and nothing more is sent. */
  z.object({ t: z.literal('doubt'), at: z.number(), why: z.string() }),
  /** Taken back, and never sent from here on: these items, or the whole list. */
  z.object({ t: z.literal('withdrawn'), at: z.number(), items: z.array(i).optional() }),
  /**
   * The batch was taken from a run that was silent and may only be suspended: what it was about to send may
   * still leave.
   */
  z.object({ t: z.literal('silent'), at: z.number(), mark: z.string() }),
  /**
   * Nothing of the batch is sent before `until`, in milliseconds since the epoch, unless the same mark
   * resumes it.
   */
  z.object({ t: z.literal('paused'), at: z.number(), mark: z.string(), until: z.number() }),
  z.object({ t: z.literal('resumed'), at: z.number(), mark: z.string() }),
]);

export type Line = z.output<typeof lineSchema>;

/** Undefined for what is none: damaged, or of a newer version. */
export function parseLine(text: string): Line | undefined {
  return lineSchema.safeParse(parseJson(text)).data;
}

export const jsonLine = (line: Line): string => jsonText(line);

// What of a line only the person may see: sealed, in the clear, or not written at all.

/** Undefined where nothing of it may be written. @throws what the sealer throws */
export async function makeDetail(value: unknown, kept: Kept, sealer: Sealer): Promise<Detail | undefined> {
  if (value === undefined) return undefined;
  if (kept === 'clear') return { v: value };
  return kept === 'memory' ? undefined : { x: await sealer.seal(jsonText(value)) };
}

/** Undefined for what was not written, or cannot be opened any more. @throws what the sealer throws */
export async function openDetail(detail: Detail | undefined, sealer: Sealer): Promise<unknown> {
  if (detail === undefined || 'v' in detail) return detail?.v;
  const text = await sealer.open(detail.x);
  return text === undefined ? undefined : parseJson(text);
}

// The list itself: as it was confirmed, or not at all.

/** Items in one line. */
const ITEMS_AT_ONCE = 500;

const someSchema = z.array(z.object({ key: z.string(), value: z.unknown() }));
/** Sealed ones say of which list they are; those of before do not, and lie in files of the person's own. */
const itemsSchema = z.union([z.object({ of: z.string(), items: someSchema }), someSchema]);

/** The lines of a list, as it is begun. */
export async function buildLines(
  head: Omit<Head, 'check' | 'kept' | 't' | 'v' | 'total' | 'takenOut'>,
  { items, takenOut: out }: KeptInMemory,
  kept: Kept,
  sealer: Sealer,
): Promise<string[]> {
  const known = { ...head, total: items.length, check: checkOf(items), kept };
  const takenOut = await makeDetail(out, kept, sealer);
  const first = { t: 'list', v: 1, ...known, ...(takenOut && { takenOut }) } as const;
  const lines: Line[] = [first];
  const of = markOf(first);
  for (let from = 0; from < items.length; from += ITEMS_AT_ONCE) {
    const some = items.slice(from, from + ITEMS_AT_ONCE);
    const d = await makeDetail(kept === 'sealed' ? { of, items: some } : some, kept, sealer);
    if (d !== undefined) lines.push({ t: 'items', d });
  }
  return lines.map(jsonLine);
}

/** Undefined where they cannot be read any more, or are not what was confirmed. @throws what the sealer throws */
export async function openItems(
  head: Head,
  details: readonly Detail[],
  sealer: Sealer,
): Promise<readonly BatchItem[] | undefined> {
  const items: BatchItem[] = [];
  for (const detail of details) {
    const some = itemsSchema.safeParse(await openDetail(detail, sealer)).data;
    if (some === undefined) return undefined;
    if ('of' in some && some.of !== markOf(head)) return undefined;
    items.push(...('of' in some ? some.items : some));
  }
  // Nothing is sent that is not what was confirmed.
  return items.length === head.total && checkOf(items) === head.check ? items : undefined;
}

/** Of what was confirmed, for whom and when: whoever can write where it lies, and has no key, makes no other list of it. */
function markOf({
  id,
  account,
  owner,
  by: author,
  tool,
  asked,
  digest,
  createdAt,
  total,
  check,
}: Head): string {
  const known = [id, account, owner, author?.id ?? null, tool, asked, digest, createdAt, total, check];
  return createHash('sha256').update(jsonText(known)).digest('hex');
}

function checkOf(items: readonly BatchItem[]): string {
  const hash = createHash('sha256');
  for (const { key, value } of items) hash.update(jsonText([key, value])).update('\n');
  return hash.digest('hex');
}
