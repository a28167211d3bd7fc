/** What an operation is called: its operationId in characters that an id may have, or its method and path. */

import type { Operation } from '../../service/facts/operation.ts';
import { DefinitionError, pointerTo } from '../definition-error.ts';
import { MAX_NAME } from '../limits.ts';
import { HIDDEN } from './check-tree.ts';
import type { Located } from './references.ts';

/** @throws DefinitionError for an operationId that is no text. */
export function nameOf({ value, pointer }: Located, method: Operation['method'], path: string): string {
  const { operationId } = value;
  if (operationId === undefined) return clean(`${method.toLowerCase()} ${path}`);
  if (typeof operationId !== 'string' || HIDDEN.test(operationId) || clean(operationId) === '') {
    throw new DefinitionError(pointerTo(pointer, 'operationId'), 'is not a name');
  }
  return clean(operationId);
}

function clean(name: string): string {
  return name
    .replace(/[^\w.-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_NAME);
}

/** A title as the first part of an id: `Selling Partner API for Orders` -> `selling-partner-api-for-orders`. */
export function slugOf(title: string): string {
  const slug = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return slug === '' ? 'api' : slug;
}
