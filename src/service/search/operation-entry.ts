/** What is written about an operation in the index of the search. */

import type { Operation } from '../facts/operation.ts';
import type { ListedOperation } from '../registry/find-entries.ts';
import { sellerWords } from './seller-words.ts';
import type { Entry } from './word-index.ts';
import { stemsOf } from './words.ts';

/** What an operation counts that something else is meant more often than. */
const OLD = 0.5;
const OTHERS = 0.6;
const SANDBOX_ONLY = 0.4;
const NOT_CALLABLE = 0.3;

export function operationEntry(entry: ListedOperation, operation: Operation | undefined): Entry {
  const { id, name, group } = entry;
  const [slug = '', tail = ''] = id.split('/', 2);
  const own = operation?.source === 'user' ? undefined : sellerWords[slug];
  const body = Object.keys(operation?.body?.schema.properties ?? {});
  const members = [...(operation?.parameters.map((parameter) => parameter.name) ?? []), ...body];
  return {
    id,
    name: stemsOf(name),
    group: stemsOf(`${slug} ${group}`),
    members: stemsOf(members.join(' ')),
    // How rare a word is has to be counted where all words are.
    words: stemsOf(`${name} ${own?.[tail] ?? own?.[name] ?? ''}`),
    isRead: entry.effect === 'read' || entry.effect === 'request',
    standing: standingOf(entry) * (operation?.sandboxOnly === true ? SANDBOX_ONLY : 1),
  };
}

function standingOf({ deprecated, withdrawn, audience, callable }: ListedOperation): number {
  return (
    (deprecated || withdrawn !== undefined ? OLD : 1) *
    (audience === undefined ? 1 : OTHERS) *
    (callable ? 1 : NOT_CALLABLE)
  );
}
