/** The beginning of a batch: whose it is, and the list as it was confirmed. Parts that only the person may see are sealed. */

import { createHash } from 'node:crypto';
import * as z from 'zod';
import { jsonText, parseJson } from '../../../base/json.ts';
import type { Sealer } from '../../../privacy/sealed/sealer.ts';
import { authorSchema } from '../../keep/author.ts';
import type { BatchItem, KeptInMemory } from './batch.ts';

/** `sealed`: under the key of the keychain. `clear`: as it is. `memory`: in the process that began it alone. */
const keptSchema = z.enum(['sealed', 'clear', 'memory']);

export type Kept = z.output<typeof keptSchema>;

/** What only the person may see: sealed, or as it is. */
export const detailSchema = z.union([z.object({ x: z.string() }), z.object({ v: z.unknown() })]);

export type Detail = z.output<typeof detailSchema>;

const headSchema = z.object({
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

/** A batch as it is put into the store. */
export interface BatchContent {
  head: Head;
  /** The items in their order, some hundred in each; none where they are in memory alone. */
  values: readonly Detail[];
}

/** Undefined for what is none: damaged, or of a newer version. */
export const parseHead = (text: string | null): Head | undefined =>
  headSchema.safeParse(parseJson(text ?? '')).data;

export const parseDetail = (text: string): Detail | undefined => detailSchema.safeParse(parseJson(text)).data;

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

/** Items that are sealed together. */
const ITEMS_AT_ONCE = 500;

const someSchema = z.array(z.object({ key: z.string(), value: z.unknown() }));
/** Sealed ones say of which list they are; those of before do not, and lie in files of the person's own. */
const itemsSchema = z.union([z.object({ of: z.string(), items: someSchema }), someSchema]);

/** @throws what the sealer throws */
export async function makeContent(
  given: Omit<Head, 'check' | 'kept' | 'v' | 'total' | 'takenOut'>,
  { items, takenOut: out }: KeptInMemory,
  kept: Kept,
  sealer: Sealer,
): Promise<BatchContent> {
  const takenOut = await makeDetail(out, kept, sealer);
  const known = { ...given, total: items.length, check: checkOf(items), kept };
  const head: Head = { v: 1, ...known, ...(takenOut && { takenOut }) };
  const of = markOf(head);
  const values: Detail[] = [];
  for (let from = 0; from < items.length; from += ITEMS_AT_ONCE) {
    const some = items.slice(from, from + ITEMS_AT_ONCE);
    const detail = await makeDetail(kept === 'sealed' ? { of, items: some } : some, kept, sealer);
    if (detail !== undefined) values.push(detail);
  }
  return { head, values };
}

/** Undefined where they cannot be read any more, or are not what was confirmed. @throws what the sealer throws */
export async function openItems(
  head: Head,
  values: AsyncIterable<Detail | undefined>,
  sealer: Sealer,
): Promise<readonly BatchItem[] | undefined> {
  const items: BatchItem[] = [];
  for await (const detail of values) {
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
