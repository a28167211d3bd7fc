/** Builds the operations of all added files under unique IDs that no built-in operation has. */

import { groupBy } from '../../base/group-by.ts';
import { trimBothOf } from '../../base/text/trim-character.ts';
import { groups } from '../../service/facts/generated/groups.ts';
import { endpointOf } from '../../service/facts/merge.ts';
import type { Method, Operation, OperationEffect } from '../../service/facts/operation.ts';
import { pickDefs } from '../../service/facts/schema-parts.ts';
import type { OperationDraft } from '../read/operation-draft.ts';
import type { CompiledDefinition } from './compiled.ts';

interface DefinedOperation {
  file: CompiledDefinition;
  draft: OperationDraft;
}

/** Builds the operations. The file that was added last wins when two describe the same endpoint. */
export function buildUserOperations(files: readonly CompiledDefinition[]): Operation[] {
  const latest = new Map<string, DefinedOperation>();
  for (const file of files.toSorted((a, b) => a.addedAt.localeCompare(b.addedAt))) {
    for (const draft of file.operations) latest.set(endpointOf(draft), { file, draft });
  }
  const candidates = [...latest.values()];
  const ids = idsOf(candidates, shortSlug);
  const former = idsOf(candidates, longSlug);
  return candidates.map((one, i) => {
    const id = ids[i] ?? '';
    const before = former[i] ?? id;
    return { ...toOperation(one, id), ...(before !== id && { formerIds: [before] }) };
  });
}

/**
 * Builds IDs as for built-in operations. Files with the same title and version are distinguished by their
 * names.
 */
function idsOf(candidates: readonly DefinedOperation[], slugOf: (title: string) => string): string[] {
  const keyOf = ({ file, draft }: DefinedOperation) => `${slugOf(file.title)}/${draft.name}`;
  const twins = groupBy(candidates, keyOf);
  return candidates.map((one) => idOf(one, keyOf(one), twins.get(keyOf(one)) ?? []));
}

function idOf(one: DefinedOperation, bare: string, twins: readonly DefinedOperation[]): string {
  if (twins.length <= 1) return bare;
  const version = one.file.version.replace(/[^\w.-]+/g, '-');
  const sameVersion = twins.filter((twin) => twin.file.version === one.file.version);
  if (sameVersion.length === 1) return `${bare}@${version}`;
  const sameMethod = sameVersion.filter((twin) => twin.draft.method === one.draft.method);
  const id = `${bare}@${version}-${one.draft.method}`;
  return sameMethod.length === 1 ? id : `${id}-${one.file.name}`;
}

/** The maximum length of the first part of an ID, in characters: about five words. */
const MAX_SLUG_LENGTH = 40;

/** Words that begin many titles of the service's definitions and distinguish none. */
const NOISE = new Set(['the', 'selling', 'partner', 'api', 'apis', 'amazon', 'for', 'of']);

/**
 * Shortens a title to the first part of an ID, in whole words and without the words that every title has:
 * `The Selling Partner API for Amazon External Fulfillment Shipments` -> `external-fulfillment-shipments`.
 */
function shortSlug(title: string): string {
  const words = dashed(title).split('-');
  const start = words.findIndex((word) => !NOISE.has(word));
  const rest = start < 0 ? words : words.slice(start);
  const distinctive = rest.filter(
    (word, i) => word !== 'amazon' && !(i === rest.length - 1 && /^apis?$/.test(word)),
  );
  return withUserPrefix(joinShort(distinctive.length === 0 ? words : distinctive));
}

/** Joins as many words as fit; a first word that does not fit is cut. */
function joinShort(words: readonly string[]): string {
  let slug = '';
  for (const word of words) {
    const longer = slug === '' ? word : `${slug}-${word}`;
    if (longer.length > MAX_SLUG_LENGTH) break;
    slug = longer;
  }
  return slug === '' ? (words[0] ?? '').slice(0, MAX_SLUG_LENGTH) : slug;
}

/** Returns the first part of an ID in the older, longer form, which is still found. */
function longSlug(title: string): string {
  return withUserPrefix(dashed(title).slice(0, 60));
}

function dashed(title: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return trimBothOf(words, '-');
}

/** Prefixes a title that equals a group of the public operations, so that no ID means two operations. */
function withUserPrefix(slug: string): string {
  if (slug === '') return 'api';
  return groups.some((group) => group.slug === slug) ? `user-${slug}` : slug;
}

function toOperation({ file, draft }: DefinedOperation, id: string): Operation {
  const { body, answer, ...facts } = draft;
  return {
    ...facts,
    id,
    group: file.title,
    version: file.version,
    ...(body && { body, defs: pickDefs(body.schema, file.defs) }),
    ...(answer && { answer: { schema: answer, defs: pickDefs(answer, file.answerDefs ?? {}) } }),
    effect: effectOf(draft.method),
    auth: { kind: 'seller' },
    source: 'user',
    ...(draft.deprecated === true && { ending: {} }),
  };
}

/** A user's file cannot declare that a POST only reads, so that nothing is ever sent without approval. */
function effectOf(method: Method): OperationEffect {
  if (method === 'GET') return 'read';
  return method === 'DELETE' ? 'delete' : 'write';
}
