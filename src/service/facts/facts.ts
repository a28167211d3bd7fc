/** Decodes the facts file into operations, each as far as it is looked at. */

import { type DocumentEntry, documentEntries, documentGroups } from '../document/document-groups.ts';
import { decodePaging, decodeReading, decodeRefusals } from './compact-readings.ts';
import { decodeSchema } from './compact-schema.ts';
import { definitionFiles } from './definition-files.ts';
import { effectOf } from './effects.ts';
import type { Facts, OperationFacts } from './facts-file.ts';
import { type FurtherGroup, furtherGroups } from './further-groups.ts';
import type { Operation, Parameter, PreviewMode } from './operation.ts';
import { idsOf, type Named } from './operation-ids.ts';
import { authOf } from './restricted.ts';
import { type Defs, pickDefs } from './schema-parts.ts';
import { successorOf } from './successors.ts';

/**
 * Every operation of the facts file, with ids, effects and tokens, and marked where the document names it. What an
 * operation takes is decoded when it is first looked at: a call needs one of hundreds.
 */
export function decodeFacts(facts: Facts): Operation[] {
  const drafts = draftsOf(facts);
  const ids = idsOf(drafts);
  const named = new Map(documentEntries().map((entry) => [`${entry.group.slug}/${entry.name}`, entry]));
  return drafts.map((draft, index) => {
    // The document names what was there when it was written: a later version of the same name is another operation.
    const entry = draft.edition === 1 ? named.get(`${draft.slug}/${draft.name}`) : undefined;
    return buildOperation(draft, ids[index] ?? '', entry);
  });
}

interface Draft extends Named {
  entry: OperationFacts;
  group: FurtherGroup;
  /** Shapes of the file, decoded on first use. */
  defs: () => Defs;
}

function draftsOf(facts: Facts): Draft[] {
  const groups = new Map<string, FurtherGroup>(
    [...documentGroups, ...furtherGroups].map((one) => [one.slug, one]),
  );
  return Object.entries(facts.files).flatMap(([file, content]) => {
    const place = definitionFiles[file];
    const group = groups.get(place?.group ?? '');
    if (place === undefined || group === undefined) throw new Error(`facts of an unknown file: ${file}`);
    const defs = once(() => mapValues(content.defs, decodeSchema));
    return content.operations.map((entry) => ({
      entry,
      group,
      defs,
      slug: group.slug,
      edition: place.edition,
      name: entry.name,
      method: entry.method,
      version: content.version,
    }));
  });
}

function buildOperation(draft: Draft, id: string, documented: DocumentEntry | undefined): Operation {
  const { entry, defs } = draft;
  const parameters = once(() => Object.entries(entry.parameters ?? {}).map(decodeParameter));
  const head = headOf(draft, id, documented);
  if (entry.body === undefined) {
    return {
      ...head,
      get parameters() {
        return parameters();
      },
    };
  }
  const body = once(() => ({ required: entry.bodyOptional !== true, schema: decodeSchema(entry.body) }));
  const picked = once(() => pickDefs(body().schema, defs()));
  return {
    ...head,
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
  const isDeprecated = entry.deprecated === true || documented?.deprecated === true;
  const source: Operation['source'] = documented === undefined ? 'definitions' : 'both';
  return {
    id,
    group: group.name,
    ...(group.audience && { audience: group.audience }),
    edition,
    name: entry.name,
    method: entry.method,
    path: entry.path,
    version,
    effect: effectOf(id, entry.method),
    auth: authOf(id),
    ...(entry.rate && { rate: { requestsPerSecond: entry.rate[0], burst: entry.rate[1] } }),
    ...(entry.key && { idempotencyKey: decodeKey(entry.key) }),
    ...readingsOf(entry),
    ...(isDeprecated && { deprecated: true }),
    ...(entry.sandboxOnly && { sandboxOnly: true }),
    ...successorOf(id),
    source,
  };
}

/** Works the value out when it is first asked for, and keeps it. */
function once<T extends object>(work: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= work();
    return value;
  };
}

function readingsOf({ page, state, progress, refuse, preview }: OperationFacts): Partial<Operation> {
  return {
    ...(page && { paging: decodePaging(page) }),
    ...(state && { state: decodeReading(state) }),
    ...(progress && { progress: decodeReading(progress) }),
    ...(refuse && { refusals: decodeRefusals(refuse) }),
    ...(preview && { previewMode: decodePreview(preview) }),
  };
}

function decodePreview(text: string): PreviewMode {
  const [parameter = '', value = ''] = text.split(' ');
  return { parameter, value };
}

const parameterKey = /^(path|query|header)(?: (multi|ssv|tsv|pipes))? (\S+?)(\*?)$/;
const joinings = { multi: 'multi', ssv: 'ssv', tsv: 'tsv', pipes: 'pipes', csv: 'csv' } as const;

function decodeParameter([key, shape]: [string, unknown]): Parameter {
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
