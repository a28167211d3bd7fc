/** Decodes the facts file into operations, each only as far as it is used. */

import { decodeReading, decodeRefusals } from './compact-readings.ts';
import { decodeSchema } from './compact-schema.ts';
import { effectOf } from './effects.ts';
import { endingOf } from './endings.ts';
import type { Facts, OperationFacts } from './facts-file.ts';
import { reviewed } from './generated/reviewed.ts';
import { type DocumentEntry, definitionFiles, documentEntries, type OperationGroup } from './groups.ts';
import { type Operation, type Parameter, parameterSchema } from './operation.ts';
import { type IdParts, idsOf } from './operation-ids.ts';
import { pickDefs, type SchemaDefs } from './schema-parts.ts';

/**
 * Returns every operation of the facts file, with ID, effect and token, and whether the document names it.
 * Inputs are decoded on first use, because a call needs one of hundreds.
 */
export function decodeFacts(facts: Facts): Operation[] {
  const drafts = draftsOf(facts);
  const ids = idsOf(drafts);
  const named = new Map(documentEntries.map((entry) => [`${entry.group.slug}/${entry.name}`, entry]));
  return drafts.map((draft, index) => {
    // The document names only operations that existed when it was written; a later version of the same name
    // is another operation.
    const entry = draft.edition === 1 ? named.get(`${draft.slug}/${draft.name}`) : undefined;
    return buildOperation(draft, ids[index] ?? '', entry);
  });
}

interface Draft extends IdParts {
  entry: OperationFacts;
  group: OperationGroup;
  /** Returns the shapes of the file, decoded on first use. */
  defs: () => SchemaDefs;
}

function draftsOf(facts: Facts): Draft[] {
  return Object.entries(facts.files).flatMap(([file, content]) => {
    const definition = definitionFiles[file];
    if (definition === undefined) throw new Error(`facts of an unknown file: ${file}`);
    const { group, edition } = definition;
    const defs = once(() => mapValues(content.defs, decodeSchema));
    return content.operations.map((entry) => ({
      entry,
      group,
      defs,
      slug: group.slug,
      edition,
      name: entry.name,
      method: entry.method,
      version: content.version,
    }));
  });
}

function buildOperation(draft: Draft, id: string, documented: DocumentEntry | undefined): Operation {
  const { entry, defs } = draft;
  const parameters = once(() => Object.entries(entry.parameters ?? {}).map(decodeParameter));
  const body = once(() =>
    entry.body === undefined
      ? undefined
      : { required: entry.bodyOptional !== true, schema: decodeSchema(entry.body) },
  );
  const picked = once(() => body() && pickDefs(body()?.schema ?? {}, defs()));
  return {
    ...headOf(draft, id, documented),
    get parameters() {
      return parameters();
    },
    get body() {
      return body();
    },
    get defs() {
      return picked();
    },
  };
}

function headOf(
  { entry, group, edition, version }: Draft,
  id: string,
  documented: DocumentEntry | undefined,
) {
  const { name, method, path, idempotencyKey, sandboxOnly, rate, paging, previewMode } = entry;
  const isDeprecated = entry.deprecated === true || documented?.deprecated === true;
  const ending = endingOf(id) ?? (isDeprecated ? {} : undefined);
  const source: Operation['source'] = documented === undefined ? 'definitions' : 'both';
  return {
    id,
    group: group.name,
    ...(group.audience && { audience: group.audience }),
    edition,
    name,
    method,
    path,
    version,
    effect: effectOf(id, method),
    auth: authOf(id),
    ...(rate && { rate: { requestsPerSecond: rate[0], burst: rate[1] } }),
    ...(idempotencyKey && { idempotencyKey }),
    ...(paging && { paging }),
    ...(entry.state && { state: decodeReading(entry.state) }),
    ...(entry.progress && { progress: decodeReading(entry.progress) }),
    ...(entry.refuse && { refusals: decodeRefusals(entry.refuse) }),
    ...(previewMode && { previewMode }),
    ...(isDeprecated && { deprecated: true }),
    ...(sandboxOnly && { sandboxOnly }),
    ...(ending && { ending }),
    source,
  };
}

/** Returns the token that the operation requires. */
function authOf(id: string): Operation['auth'] {
  const { scope, token } = reviewed[id] ?? {};
  if (scope !== undefined) return { kind: 'grantless', scope };
  return { kind: token ?? 'seller' };
}

/** Computes the value on first use and caches it. */
function once<T extends object | undefined>(work: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= work();
    return value;
  };
}

const parameterKey = /^(path|query|header)(?: (multi|ssv|tsv|pipes))? (\S+?)(\*?)$/;
const headSchema = parameterSchema.omit({ schema: true });

function decodeParameter([key, shape]: [string, unknown]): Parameter {
  const [, place, joining = 'csv', name, star] = parameterKey.exec(key) ?? [];
  const schema = decodeSchema(shape);
  const { success, data } = headSchema.safeParse({
    name,
    in: place,
    required: star === '*',
    ...(schema.type === 'array' && { collectionFormat: joining }),
  });
  if (!success) throw new Error(`not a parameter of the facts file: ${key}`);
  return { ...data, schema };
}

function mapValues<A, B>(record: Record<string, A>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
