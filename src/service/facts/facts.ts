/** Reads the committed facts file (generated/facts.json, made by scripts/build-facts.ts) into operations. */

import * as z from 'zod';
import { documentGroups } from '../document/document-groups.ts';
import { decodeSchema } from './compact-schema.ts';
import { definitionFiles } from './definition-files.ts';
import { effectOf } from './effects.ts';
import type { JsonSchema, Operation, Parameter } from './operation.ts';
import { authOf } from './restricted.ts';
import { pickDefs } from './schema-parts.ts';

const operationFacts = z.strictObject({
  name: z.string(),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string(),
  /** `<place> [<how an array is joined>] <name>`, ending in `*` when required -> shape. */
  parameters: z.record(z.string(), z.unknown()).optional(),
  body: z.unknown().optional(),
  bodyOptional: z.literal(true).optional(),
  /** Requests per second, burst. */
  rate: z.tuple([z.number(), z.number()]).optional(),
  /** `header <name>` or `body <name>`. */
  key: z.string().optional(),
  deprecated: z.literal(true).optional(),
  sandboxOnly: z.literal(true).optional(),
});

/** The whole file: provenance, then the facts of one definition file after the other. */
export const factsSchema = z.strictObject({
  provenance: z.strictObject({
    repository: z.string(),
    commit: z.string(),
    licence: z.string(),
    note: z.string(),
  }),
  files: z.record(
    z.string(),
    z.strictObject({
      version: z.string(),
      defs: z.record(z.string(), z.unknown()),
      operations: z.array(operationFacts),
    }),
  ),
});
export type Facts = z.infer<typeof factsSchema>;
export type OperationFacts = z.infer<typeof operationFacts>;

/** Every operation of the facts file, with ids, effects and tokens; `source` is left at `definitions`. */
export function decodeFacts(facts: Facts): Operation[] {
  const operations = Object.entries(facts.files).flatMap(([file, content]) => {
    const slug = definitionFiles[file];
    const group = documentGroups.find((candidate) => candidate.slug === slug);
    if (slug === undefined || group === undefined) throw new Error(`facts of an unknown file: ${file}`);
    const defs = mapValues(content.defs, decodeSchema);
    return content.operations.map((entry) => ({
      entry,
      slug,
      group: group.name,
      version: content.version,
      defs,
    }));
  });
  return operations.map((draft) => {
    const twins = operations.filter(
      (other) => other.slug === draft.slug && other.entry.name === draft.entry.name,
    );
    return buildOperation(draft, twins);
  });
}

interface Draft {
  entry: OperationFacts;
  slug: string;
  group: string;
  version: string;
  defs: Record<string, JsonSchema>;
}

/** `<group>/<name>`, with `@<version>` where the group holds the name twice, and the method where even that is not unique. */
function idOf(draft: Draft, twins: readonly Draft[]): string {
  const bare = `${draft.slug}/${draft.entry.name}`;
  if (twins.length === 1) return bare;
  const sameVersion = twins.filter((twin) => twin.version === draft.version);
  return sameVersion.length === 1
    ? `${bare}@${draft.version}`
    : `${bare}@${draft.version}-${draft.entry.method}`;
}

function buildOperation(draft: Draft, twins: readonly Draft[]): Operation {
  const { entry } = draft;
  const id = idOf(draft, twins);
  return {
    id,
    group: draft.group,
    name: entry.name,
    method: entry.method,
    path: entry.path,
    version: draft.version,
    parameters: Object.entries(entry.parameters ?? {}).map(([key, shape]) => decodeParameter(key, shape)),
    ...(entry.body === undefined ? {} : bodyOf(entry, draft.defs)),
    effect: effectOf(id, entry.method),
    auth: authOf(id),
    ...(entry.rate && { rate: { requestsPerSecond: entry.rate[0], burst: entry.rate[1] } }),
    ...(entry.key && { idempotencyKey: decodeKey(entry.key) }),
    ...(entry.deprecated && { deprecated: true }),
    ...(entry.sandboxOnly && { sandboxOnly: true }),
    source: 'definitions',
  };
}

function bodyOf(entry: OperationFacts, defs: Record<string, JsonSchema>): Pick<Operation, 'body' | 'defs'> {
  const schema = decodeSchema(entry.body);
  return { body: { required: entry.bodyOptional !== true, schema }, defs: pickDefs(schema, defs) };
}

const parameterKey = /^(path|query|header)(?: (multi|ssv|tsv|pipes))? (\S+?)(\*?)$/;
const joinings = { multi: 'multi', ssv: 'ssv', tsv: 'tsv', pipes: 'pipes', csv: 'csv' } as const;

function decodeParameter(key: string, shape: unknown): Parameter {
  const [, place, joining, name, star] = parameterKey.exec(key) ?? [];
  if ((place !== 'path' && place !== 'query' && place !== 'header') || name === undefined) {
    throw new Error(`not a parameter of the facts file: ${key}`);
  }
  const schema = decodeSchema(shape);
  const parameter: Parameter = { name, in: place, required: star === '*', schema };
  return schema.type === 'array' ? { ...parameter, collectionFormat: joiningOf(joining) } : parameter;
}

function joiningOf(text: string | undefined): Parameter['collectionFormat'] {
  if (text === 'multi' || text === 'ssv' || text === 'tsv' || text === 'pipes') return joinings[text];
  return 'csv';
}

function decodeKey(text: string): Operation['idempotencyKey'] {
  const [place, name = ''] = text.split(' ');
  return { in: place === 'body' ? 'body' : 'header', name };
}

function mapValues<A, B>(record: Record<string, A>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
