/** JSON values of unknown origin: guards, text and size, safe for any depth and any member name. */

import { byteLength, jsonText } from '../json.ts';

export interface Measure {
  /** Bytes of the value as compact JSON; at most one too many per array or object. */
  bytes: number;
  /** Levels of nesting; Infinity beyond 300. */
  height: number;
}

/** A measuring function that remembers arrays and objects, so that a walk down a value costs one pass. */
export function createMeasure(): (value: unknown) => Measure {
  const known = new WeakMap<object, Measure>();
  const measure = (value: unknown, depth: number): Measure => {
    if (typeof value !== 'object' || value === null) return { bytes: byteLength(jsonText(value)), height: 0 };
    const seen = known.get(value);
    if (seen !== undefined) return seen;
    const result =
      depth > 300 ? { bytes: byteLength(jsonText(value)), height: Infinity } : add(value, measure, depth);
    known.set(value, result);
    return result;
  };
  return (value) => measure(value, 0);
}

function add(value: object, measure: (value: unknown, depth: number) => Measure, depth: number): Measure {
  let bytes = 2;
  let height = 0;
  for (const [name, child] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const inner = measure(child, depth + 1);
    bytes += inner.bytes + 1 + (typeof name === 'string' ? nameBytes(name) : 0);
    height = Math.max(height, inner.height);
  }
  return { bytes, height: height + 1 };
}

/** Bytes of a member name with its quotes and colon. */
export function nameBytes(name: string): number {
  return byteLength(JSON.stringify(name)) + 1;
}
