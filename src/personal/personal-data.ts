/** What a session does about personal data: masks what goes to the assistant, and knows what a mark of its own stands for. */

import { randomBytes } from 'node:crypto';
import { isJsonObject } from '../json.ts';
import type { Treatment, ValueSource } from './kinds.ts';
import { createMarker } from './marks.ts';
import { treatmentOfMember } from './members.ts';

export interface Masked<T> {
  value: T;
  /** Values that were replaced. */
  count: number;
}

export interface Resolved {
  /** A copy with every mark replaced by its value. */
  value: unknown;
  /** For the question to the person. */
  replaced: readonly { mark: string; original: string }[];
}

/** Per session. With `--personal-data=show` nothing is masked, and marks are still resolved. */
export interface PersonalData {
  /** False with `--personal-data=show`. */
  isMasking: boolean;
  /** Key of the marks: for the worker that queries tables. */
  key: Uint8Array;
  /** A copy of what the service answered, as it may go to the assistant; what was replaced is remembered for `account`. */
  maskAnswer(account: string, source: ValueSource, value: unknown): Masked<unknown>;
  /** One value of a kind that is known, from a table; remembered too. */
  remember(account: string, pairs: ReadonlyMap<string, string>): void;
  /** Free text: e-mail addresses, telephone numbers, and values that were masked before. */
  maskText(text: string): string;
  /** The same for every text of a value. */
  maskTexts(value: unknown): unknown;
  /** @throws InputError for a mark that stands for nothing that is known of this account, or for two things */
  resolve(account: string, value: unknown): Resolved;
  /** The line on masking, the first time it is asked for in a session after something was masked; then undefined. */
  firstNote(): string | undefined;
}

/** @param options.key for tests */
export function createPersonalData({
  isMasking,
  key = randomBytes(32),
}: {
  isMasking: boolean;
  key?: Uint8Array;
}): PersonalData {
  const known = new Map<string, Map<string, string>>();
  const pairsOf = (account: string) => {
    const pairs = known.get(account) ?? new Map<string, string>();
    known.set(account, pairs);
    return pairs;
  };
  return {
    isMasking,
    key,
    maskAnswer(account, source, value) {
      if (!isMasking) return { value, count: 0 };
      const marker = createMarker(key, account);
      const pairs = pairsOf(account);
      let count = 0;
      const walk = (inner: unknown, path: readonly string[], kind: Treatment | undefined): unknown => {
        if (Array.isArray(inner)) return inner.map((item) => walk(item, path, kind));
        if (isJsonObject(inner)) {
          return Object.fromEntries(
            Object.entries(inner).map(([name, member]) => {
              const below = [...path, name];
              return [name, walk(member, below, kind ?? treatmentOfMember(source, below))];
            }),
          );
        }
        if (kind === undefined || kind === 'free text' || inner === '') return inner;
        if (typeof inner !== 'string' && typeof inner !== 'number') return inner;
        const mark = marker.mark(kind, String(inner));
        pairs.set(mark, String(inner));
        count += 1;
        return mark;
      };
      return { value: walk(value, [], undefined), count };
    },
    remember(account, pairs) {
      for (const [mark, value] of pairs) pairsOf(account).set(mark, value);
    },
    maskText: (text) => text,
    maskTexts: (value) => value,
    resolve: (_account, value) => ({ value, replaced: [] }),
    firstNote: () => undefined,
  };
}
