/** Resolves references inside one file; nothing outside it is ever opened. */

import { $RefParser } from '@apidevtools/json-schema-ref-parser';
import { isJsonObject } from '../../base/json.ts';
import { DefinitionError, pointerTo } from '../definition-error.ts';

/** A value with its pointer, which messages show. */
export interface Located {
  value: Record<string, unknown>;
  pointer: string;
}

export interface References {
  /**
   * Resolves a reference, through further references.
   * @throws DefinitionError when the target is no object
   */
  follow(reference: string, from: string): Located;
  /**
   * Returns the value itself, or the target of its reference.
   * @throws DefinitionError when that is no object
   */
  open(value: unknown, pointer: string): Located;
}

export async function openReferences(document: Record<string, unknown>): Promise<References> {
  const parser = new $RefParser();
  const refs = await parser.resolve(document, { resolve: { external: false, file: false, http: false } });
  const found = new Map<string, Record<string, unknown>>();

  const follow = (reference: string, from: string): Located => {
    const value = found.get(reference) ?? find(reference, from);
    found.set(reference, value);
    return { value, pointer: reference };
  };
  const find = (reference: string, from: string): Record<string, unknown> => {
    const at = pointerTo(from, '$ref');
    const shown = JSON.stringify(reference.slice(0, 200));
    const value = lookUp(reference);
    if (!isJsonObject(value) || /(^|\/)__proto__(\/|$)/.test(reference)) {
      throw new DefinitionError(at, `refers to nothing in this file: ${shown}`);
    }
    if (typeof value.$ref === 'string') throw new DefinitionError(at, `only leads back to itself: ${shown}`);
    return value;
  };
  const lookUp = (reference: string): unknown => {
    if (!reference.startsWith('#')) return undefined;
    try {
      const value: unknown = refs.get(reference);
      return value;
    } catch {
      return undefined;
    }
  };
  return {
    follow,
    open(value, pointer) {
      if (!isJsonObject(value)) throw new DefinitionError(pointer, 'is not an object');
      return typeof value.$ref === 'string' ? follow(value.$ref, pointer) : { value, pointer };
    },
  };
}
