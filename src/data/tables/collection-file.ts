/** What is written beside each collection's database, and read back without trust. */

import * as z from 'zod';
import { isJsonObject, jsonText, parseJson } from '../../base/json.ts';
import { PERSONAL_KINDS } from '../../privacy/personal/kinds.ts';
import type { CollectionInfo, CollectionSource } from './types.ts';

/** The first one did not say what is personal. */
const VERSION = 2;

const columnSchema = z.object({
  name: z.string(),
  type: z.enum(['text', 'number', 'date', 'json']),
  sample: z.object({ text: z.string(), marks: z.record(z.string(), z.string()) }).optional(),
  note: z.string().optional(),
  personal: z.enum([...PERSONAL_KINDS, 'free text']).optional(),
  members: z.array(z.string()).optional(),
});

const tableSchema = z.object({
  name: z.string(),
  rows: z.number(),
  columns: z.array(columnSchema),
  parent: z.string().optional(),
  currency: z.object({ column: z.string(), values: z.array(z.string()) }).optional(),
  notes: z.array(z.string()),
});

const sourceSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('operation'),
    operation: z.string(),
    parameters: z.record(z.string(), z.unknown()),
    body: z.unknown().optional(),
  }),
  z.object({
    kind: z.literal('report'),
    reportType: z.string(),
    reportId: z.string().optional(),
    marketplaces: z.array(z.string()),
    start: z.string().optional(),
    end: z.string().optional(),
    options: z.record(z.string(), z.string()).optional(),
  }),
  z.object({ kind: z.literal('document'), id: z.string(), of: z.enum(['report', 'feed', 'data-kiosk']) }),
]);

const infoSchema = z.object({
  v: z.literal(VERSION),
  id: z.string(),
  account: z.string(),
  source: sourceSchema,
  collectedAt: z.iso.datetime(),
  complete: z.boolean(),
  tables: z.array(tableSchema),
  notes: z.array(z.string()),
  bytes: z.number(),
  ends: z.union([z.object({ process: z.string() }), z.object({ hours: z.number() })]).optional(),
});

export function writeInfo(info: CollectionInfo): string {
  return `${jsonText({ v: VERSION, ...info })}\n`;
}

/** Undefined for a file that is damaged, or not ours. */
export function parseInfo(text: string): CollectionInfo | undefined {
  const parsed = infoSchema.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  const { v: _version, ...info } = parsed.data;
  return info;
}

/** True for what a later version of this program wrote: not damaged, but not to be understood here. */
export function isOfLaterVersion(text: string): boolean {
  const value = parseJson(text);
  return isJsonObject(value) && typeof value.v === 'number' && value.v > VERSION;
}

/** The same for sources that ask for the same; which report served it is no difference. */
export function sourceKey(source: CollectionSource): string {
  return jsonText(sorted(source.kind === 'report' ? { ...source, reportId: undefined } : source));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
}
