/** Validates a whole parsed file before anything is read from it: depth, size, names, external references. */

import { isJsonObject, MAX_DEPTH } from '../../base/json.ts';
import { DefinitionError, pointerTo } from '../definition-error.ts';
import { MAX_KEY, MAX_VALUES } from '../limits.ts';
import { checkName } from './check-name.ts';

/** Members that contain service data, in which nothing is a reference. */
const DATA = new Set(['example', 'default', 'enum', 'const']);
/** Members whose own members have names chosen by the author, so that `default` among them is no keyword. */
const NAMED = new Set([
  'properties',
  'patternProperties',
  'definitions',
  '$defs',
  'schemas',
  'parameters',
  'responses',
  'headers',
  'paths',
  'requestBodies',
  'callbacks',
  'links',
  'securitySchemes',
  'variables',
  'pathItems',
  'components',
]);

type NodeRole = 'description' | 'names' | 'data';

/**
 * Validates the parsed file.
 * @throws DefinitionError
 */
export function checkTree(root: unknown): void {
  let values = 0;
  const visit = (value: unknown, pointer: string, depth: number, kind: NodeRole): void => {
    values += 1;
    if (values > MAX_VALUES) throw new DefinitionError('', `holds more than ${MAX_VALUES} values`);
    if (typeof value !== 'object' || value === null) return;
    if (depth >= MAX_DEPTH)
      throw new DefinitionError(pointer.slice(0, 200), `is nested deeper than ${MAX_DEPTH} levels`);
    if (Array.isArray(value)) {
      for (const [i, item] of value.entries())
        visit(item, pointerTo(pointer, i), depth + 1, kind === 'names' ? 'description' : kind);
      return;
    }
    if (!isJsonObject(value)) return;
    if (kind === 'description') checkReference(value, pointer);
    for (const name of Object.keys(value)) {
      checkKey(name, pointer, kind);
      visit(value[name], pointerTo(pointer, name), depth + 1, kindOf(name, kind));
    }
  };
  visit(root, '#', 0, 'description');
}

function kindOf(name: string, parent: NodeRole): NodeRole {
  if (parent === 'data' || name.startsWith('x-')) return 'data';
  if (parent === 'names') return 'description';
  if (DATA.has(name) || name === 'examples') return 'data';
  return NAMED.has(name) ? 'names' : 'description';
}

function checkReference(value: Record<string, unknown>, pointer: string): void {
  const reference = Object.hasOwn(value, '$ref') ? value.$ref : undefined;
  if (typeof reference !== 'string' || reference.startsWith('#')) return;
  throw new DefinitionError(
    pointerTo(pointer, '$ref'),
    `refers outside the file (${JSON.stringify(reference.slice(0, 100))}); only local references (#/...) are followed`,
  );
}

function checkKey(name: string, pointer: string, kind: NodeRole): void {
  if (name === '__proto__')
    throw new DefinitionError(pointer, 'holds a member called __proto__, which is never taken in');
  if (kind !== 'data') checkName(name, pointer, MAX_KEY);
}
