/**
 * Declares the first part of a batch: its owner, and the items as they were confirmed. Parts that only the
 * user may see are sealed.
 */

import { createHash } from 'node:crypto';
import * as z from 'zod';
import { jsonText, parseJson } from '../../../base/json.ts';
import type { Sealer } from '../../../privacy/sealed/sealer.ts';
import { authorSchema } from '../../records/author.ts';
import type { BatchItem, InMemoryItems } from './batch.ts';

/**
 * How the items are stored: `sealed` with the key of the keychain, in `clear`, or only in the `memory` of the
 * process that began the batch.
 */
const storageSchema = z.enum(['sealed', 'clear', 'memory']);

export type StorageMode = z.output<typeof storageSchema>;

/** A value that only the user may see, sealed (`x`) or in clear (`v`). */
export const detailSchema = z.union([z.object({ x: z.string() }), z.object({ v: z.unknown() })]);

export type StoredDetail = z.output<typeof detailSchema>;

const headSchema = z.object({
  v: z.literal(1),
  id: z.string(),
  account: z.string(),
  owner: z.string(),
  /** The user who approved it, on a server with several users. */
  by: authorSchema.optional(),
  tool: z.string(),
  asked: z.string(),
  digest: z.string(),
  words: z.string(),
  /** The milliseconds since the epoch. */
  createdAt: z.number(),
  /** The time when the shown state was read. */
  shownAt: z.number().optional(),
  total: z.int().positive(),
  /** The SHA-256 of the items as they are stored. */
  check: z.string(),
  kept: storageSchema,
  /** The keys of the items that the user excluded. */
  takenOut: detailSchema.optional(),
});

export type BatchHead = z.output<typeof headSchema>;

export interface BatchContent {
  head: BatchHead;
  /** The items in their order, some hundred in each; none if they are only in memory. */
  values: readonly StoredDetail[];
}

/** Parses a head. @returns undefined if it is damaged, or of a newer version */
export const parseHead = (text: string | null): BatchHead | undefined =>
  headSchema.safeParse(parseJson(text ?? '')).data;

export const parseDetail = (text: string): StoredDetail | undefined =>
  detailSchema.safeParse(parseJson(text)).data;

/**
 * Makes the stored form of a value.
 * @returns undefined if nothing may be stored
 * @throws what the sealer throws
 */
export async function makeDetail(
  value: unknown,
  kept: StorageMode,
  sealer: Sealer,
): Promise<StoredDetail | undefined> {
  if (value === undefined) return undefined;
  if (kept === 'clear') return { v: value };
  return kept === 'memory' ? undefined : { x: await sealer.seal(jsonText(value)) };
}

/**
 * Opens a stored value.
 * @returns undefined if it was not stored, or can no longer be opened
 * @throws what the sealer throws
 */
export async function openDetail(detail: StoredDetail | undefined, sealer: Sealer): Promise<unknown> {
  if (detail === undefined || 'v' in detail) return detail?.v;
  const text = await sealer.open(detail.x);
  return text === undefined ? undefined : parseJson(text);
}

/** The number of items that are sealed together. */
const ITEMS_AT_ONCE = 500;

const someSchema = z.array(z.object({ key: z.string(), value: z.unknown() }));
/** Sealed items name their batch. Items of earlier versions do not; they are in the user's own files. */
const itemsSchema = z.union([z.object({ of: z.string(), items: someSchema }), someSchema]);

/** @throws what the sealer throws */
export async function makeContent(
  given: Omit<BatchHead, 'check' | 'kept' | 'v' | 'total' | 'takenOut'>,
  { items, takenOut: out }: InMemoryItems,
  kept: StorageMode,
  sealer: Sealer,
): Promise<BatchContent> {
  const takenOut = await makeDetail(out, kept, sealer);
  const known = { ...given, total: items.length, check: checkOf(items), kept };
  const head: BatchHead = { v: 1, ...known, ...(takenOut && { takenOut }) };
  const of = bindingOf(head);
  const values: StoredDetail[] = [];
  for (let from = 0; from < items.length; from += ITEMS_AT_ONCE) {
    const some = items.slice(from, from + ITEMS_AT_ONCE);
    const detail = await makeDetail(kept === 'sealed' ? { of, items: some } : some, kept, sealer);
    if (detail !== undefined) values.push(detail);
  }
  return { head, values };
}

/**
 * Opens the items.
 * @returns undefined if they can no longer be read, or differ from the confirmed ones
 * @throws what the sealer throws
 */
export async function openItems(
  head: BatchHead,
  values: AsyncIterable<StoredDetail | undefined>,
  sealer: Sealer,
): Promise<readonly BatchItem[] | undefined> {
  const items: BatchItem[] = [];
  for await (const detail of values) {
    const some = itemsSchema.safeParse(await openDetail(detail, sealer)).data;
    if (some === undefined) return undefined;
    if ('of' in some && some.of !== bindingOf(head)) return undefined;
    items.push(...('of' in some ? some.items : some));
  }
  // Only confirmed items may be sent.
  return items.length === head.total && checkOf(items) === head.check ? items : undefined;
}

/**
 * Binds sealed items to the confirmed batch, its owner and time. Somebody who can write to the store, but has
 * no key, cannot move them into another batch.
 */
function bindingOf({
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
}: BatchHead): string {
  const known = [id, account, owner, author?.id ?? null, tool, asked, digest, createdAt, total, check];
  return createHash('sha256').update(jsonText(known)).digest('hex');
}

function checkOf(items: readonly BatchItem[]): string {
  const hash = createHash('sha256');
  for (const { key, value } of items) hash.update(jsonText([key, value])).update('\n');
  return hash.digest('hex');
}
