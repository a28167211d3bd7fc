/** Puts an answer together again from what was shown and what was fetched by `select`, as any reader of answers could. */

import assert from 'node:assert/strict';
import { isJsonObject } from '../../src/base/json.ts';
import { rangeOf, type Segment } from '../../src/render/value/select/path.ts';

/** JSON with members in a fixed order and `__proto__` kept, for comparing. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

/** A copy built up from answers alone, as a reader of them would: it knows paths and values, nothing of our insides. */
export class AnswerCopy {
  root: unknown = undefined;

  put(value: unknown, segments: readonly Segment[]): void {
    this.root = merge(this.root, value, segments);
  }
}

function merge(old: unknown, fresh: unknown, segments: readonly Segment[]): unknown {
  const [head, ...rest] = segments;
  if (Array.isArray(fresh)) return mergeArray(old, fresh, head, rest);
  if (isJsonObject(fresh)) return mergeRecord(old, fresh, head, rest);
  if (typeof fresh === 'string') return mergeText(old, fresh, head);
  return fresh === null && old !== undefined ? old : fresh;
}

function mergeText(old: unknown, fresh: string, head: Segment | undefined): string {
  const from = startOf(head);
  const before = typeof old === 'string' ? old : '';
  assert.ok(
    before.length >= from,
    `a text goes on at ${from}, but only ${before.length} characters are there`,
  );
  return before.slice(0, from) + fresh + before.slice(from + fresh.length);
}

function mergeArray(old: unknown, fresh: unknown[], head: Segment | undefined, rest: Segment[]): unknown[] {
  const from = startOf(head);
  const merged: unknown[] = Array.isArray(old) ? [...old] : [];
  for (const [i, element] of fresh.entries()) merged[from + i] = merge(merged[from + i], element, rest);
  return merged;
}

function mergeRecord(old: unknown, fresh: object, head: Segment | undefined, rest: Segment[]): object {
  const merged = new Map(isJsonObject(old) ? Object.entries(old) : []);
  for (const [name, member] of Object.entries(fresh)) {
    if (head !== undefined) assert.equal(name, head.text);
    merged.set(name, merge(merged.get(name), member, rest));
  }
  return Object.fromEntries(merged);
}

function startOf(head: Segment | undefined): number {
  return head === undefined ? 0 : (rangeOf(head)?.from ?? 0);
}
