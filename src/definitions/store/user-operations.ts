/** Operations of all added files under ids that are exact: none is shared, and none is a built-in operation's. */

import { documentGroups } from '../../service/document/document-groups.ts';
import { endpointOf } from '../../service/facts/merge.ts';
import type { Effect, Method, Operation } from '../../service/facts/operation.ts';
import { pickDefs } from '../../service/facts/schema-parts.ts';
import { trimBothOf } from '../../text/trim-character.ts';
import type { Compiled } from './compiled.ts';

type Draft = Compiled['operations'][number];
interface Candidate {
  file: Compiled;
  draft: Draft;
  slug: string;
}

/** Where two files describe one endpoint, the one that was added last is taken. */
export function buildUserOperations(files: readonly Compiled[]): Operation[] {
  const latest = new Map<string, Candidate>();
  for (const file of files.toSorted((a, b) => a.addedAt.localeCompare(b.addedAt))) {
    const slug = userSlug(file.title);
    for (const draft of file.operations) latest.set(endpointOf(draft), { file, draft, slug });
  }
  const candidates = [...latest.values()];
  const twins = new Map<string, Candidate[]>();
  for (const one of candidates) twins.set(keyOf(one), [...(twins.get(keyOf(one)) ?? []), one]);
  return candidates.map((one) => toOperation(one, idOf(one, twins.get(keyOf(one)) ?? [])));
}

const keyOf = ({ slug, draft }: Candidate) => `${slug}/${draft.name}`;

/** A title that is also a group of the document gets a mark, so that no id means two operations. */
function userSlug(title: string): string {
  const slug = slugOf(title);
  return documentGroups.some((group) => group.slug === slug) ? `user-${slug}` : slug;
}

/** A title as the first part of an id: `Selling Partner API for Orders` -> `selling-partner-api-for-orders`. */
function slugOf(title: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  const slug = trimBothOf(words, '-').slice(0, 60);
  return slug === '' ? 'api' : slug;
}

/** As for built-in operations; two files of one title and version differ by their names. */
function idOf(one: Candidate, twins: readonly Candidate[]): string {
  const bare = keyOf(one);
  if (twins.length <= 1) return bare;
  const version = one.file.version.replace(/[^\w.-]+/g, '-');
  const sameVersion = twins.filter((twin) => twin.file.version === one.file.version);
  if (sameVersion.length === 1) return `${bare}@${version}`;
  const sameMethod = sameVersion.filter((twin) => twin.draft.method === one.draft.method);
  const id = `${bare}@${version}-${one.draft.method}`;
  return sameMethod.length === 1 ? id : `${id}-${one.file.name}`;
}

function toOperation({ file, draft }: Candidate, id: string): Operation {
  const { body, bodyName: _, ...facts } = draft;
  return {
    ...facts,
    id,
    group: file.title,
    version: file.version,
    ...(body && { body, defs: pickDefs(body.schema, file.defs) }),
    ...(!body && usesDefs(draft) && { defs: parameterDefs(draft, file.defs) }),
    effect: effectOf(draft.method),
    auth: { kind: 'seller' },
    source: 'user',
  };
}

function usesDefs({ parameters }: Draft): boolean {
  return JSON.stringify(parameters).includes('#/$defs/');
}

function parameterDefs({ parameters }: Draft, defs: Compiled['defs']): Compiled['defs'] {
  return Object.assign({}, ...parameters.map(({ schema }) => pickDefs(schema, defs)));
}

/** A user's file cannot say that a POST only reads, so that nothing is ever sent unasked. */
function effectOf(method: Method): Effect {
  if (method === 'GET') return 'read';
  return method === 'DELETE' ? 'delete' : 'write';
}
