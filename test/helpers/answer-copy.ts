/** Puts an answer together again from what was shown and what was fetched by `select`, as any reader of answers could. */

import assert from 'node:assert/strict';
import { isJsonText, positionsOf, rangeOf, type Segment } from '../../src/answers/path.ts';
import { isJsonObject } from '../../src/json.ts';

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
  /** JSON text received by `~json`, by the path of its value. */
  readonly texts = new Map<string, { at: Segment[]; text: string[] }>();

  put(value: unknown, segments: readonly Segment[]): void {
    this.root = this.#merge(this.root, value, segments, []);
  }

  #merge(old: unknown, fresh: unknown, segments: readonly Segment[], walked: Segment[]): unknown {
    const [head, ...rest] = segments;
    if (head !== undefined && isJsonText(head)) return this.#collect(old, fresh, rest, walked);
    if (Array.isArray(fresh)) return this.#mergeArray(old, fresh, head, rest, walked);
    if (isJsonObject(fresh)) return this.#mergeRecord(old, fresh, head, rest, walked);
    if (typeof fresh === 'string') return this.#mergeText(old, fresh, head);
    return fresh === null && old !== undefined ? old : fresh;
  }

  #mergeText(old: unknown, fresh: string, head: Segment | undefined): string {
    const from = head === undefined ? 0 : (rangeOf(head)?.from ?? 0);
    const before = typeof old === 'string' ? old : '';
    assert.ok(
      before.length >= from,
      `a text goes on at ${from}, but only ${before.length} characters are there`,
    );
    return before.slice(0, from) + fresh + before.slice(from + fresh.length);
  }

  #mergeArray(old: unknown, fresh: unknown[], head: Segment | undefined, rest: Segment[], walked: Segment[]) {
    const from = head === undefined ? 0 : (rangeOf(head)?.from ?? 0);
    const merged: unknown[] = Array.isArray(old) ? [...old] : [];
    for (const [i, element] of fresh.entries()) {
      const at = { text: `${from + i}`, literal: false };
      merged[from + i] = this.#merge(merged[from + i], element, rest, [...walked, at]);
    }
    return merged;
  }

  #mergeRecord(old: unknown, fresh: object, head: Segment | undefined, rest: Segment[], walked: Segment[]) {
    const merged = new Map(isJsonObject(old) ? Object.entries(old) : []);
    const byPosition = head !== undefined && positionsOf(head) !== undefined;
    for (const [name, member] of Object.entries(fresh)) {
      if (head !== undefined && !byPosition) assert.equal(name, head.text);
      merged.set(
        name,
        this.#merge(merged.get(name), member, rest, [...walked, { text: name, literal: true }]),
      );
    }
    return Object.fromEntries(merged);
  }

  #collect(old: unknown, fresh: unknown, rest: readonly Segment[], walked: Segment[]): unknown {
    const key = JSON.stringify(walked);
    const known = this.texts.get(key) ?? { at: walked, text: [] };
    this.texts.set(key, known);
    const from = rest[0] === undefined ? 0 : (rangeOf(rest[0])?.from ?? 0);
    assert.equal(known.text.join('').length, from);
    known.text.push(String(fresh));
    return old;
  }

  /** The copy, with the values that came as JSON text put in their places. */
  finished(): unknown {
    const put = (value: unknown, at: readonly Segment[], inner: unknown): unknown => {
      const [head, ...rest] = at;
      if (head === undefined) return inner;
      if (Array.isArray(value))
        return value.with(Number(head.text), put(value[Number(head.text)], rest, inner));
      const members = new Map(isJsonObject(value) ? Object.entries(value) : []);
      members.set(head.text, put(members.get(head.text), rest, inner));
      return Object.fromEntries(members);
    };
    return [...this.texts.values()].reduce(
      (value, { at, text }) => put(value, at, JSON.parse(text.join(''))),
      this.root,
    );
  }
}
