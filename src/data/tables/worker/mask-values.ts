/** Masks the values of a table for SQL: personal ones become placeholders, anywhere in the value. */

import { isDeeperThan } from '../../../base/json.ts';
import { hideSigners, maskProse } from '../../../privacy/personal/free-text.ts';
import type { PersonalKind, Treatment, ValueSource } from '../../../privacy/personal/kinds.ts';
import { isFindable } from '../../../privacy/personal/known-values.ts';
import { maskValue } from '../../../privacy/personal/mask-value.ts';
import { type MemberRule, rulesOf } from '../../../privacy/personal/members.ts';
import { changeOutsidePlaceholders } from '../../../privacy/personal/outside-placeholders.ts';
import { mayContainStructure } from '../../../privacy/personal/structure-in-text.ts';
import { personalOfMember } from './personal-columns.ts';
import type { RecentPairs } from './placeholder-cache.ts';

/** A value as SQLite passes it to a function. */
export type FunctionValue = string | number | bigint | Uint8Array | null;

export interface KnownValue {
  kind: PersonalKind;
  value: FunctionValue;
}

export type ValueMasker = ReturnType<typeof createValueMasker>;

export function createValueMasker(pairs: RecentPairs) {
  const formsOf = createForms();
  const whole = (kind: PersonalKind, value: FunctionValue): FunctionValue => {
    if (value === null || value === '') return value;
    return pairs.mark(kind, value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value);
  };
  const text = (value: string, known: readonly KnownValue[], source: ValueSource): string => {
    if (!mayContainStructure(value)) return hideSigners(withoutKnown(maskProse(value, pairs.mark), known));
    const rules = rulesOf(source);
    // Text around JSON and markup, or in a list of it, is written by people.
    const rule: MemberRule = {
      treatment: undefined,
      ofText: 'free text',
      isOwn: false,
      child: (name) => rules.child(name),
    };
    return hideSigners(withoutKnown(String(maskValue(value, { rule, mark: pairs.mark }).value), known));
  };
  const withoutKnown = (value: string, known: readonly KnownValue[]): string => {
    let masked = value;
    const lower = value.toLowerCase();
    for (const { kind, value: personal } of known) {
      if (typeof personal !== 'string') continue;
      for (const form of formsOf(kind, personal)) {
        if (!lower.includes(form) && !value.includes(form)) continue;
        masked = changeOutsidePlaceholders(masked, (piece) =>
          replaceInAnyCase(piece, form, () => pairs.mark(kind, personal)),
        );
      }
    }
    return masked;
  };
  return {
    /** Masks the whole value. */
    whole,
    /** Masks e-mail addresses and telephone numbers in it, and personal values of the same row. */
    text: (value: FunctionValue, known: readonly KnownValue[], source: ValueSource = {}) =>
      typeof value === 'string' ? text(value, known, source) : value,
    /** Masks only personal values of the same row. */
    known: (value: FunctionValue, known: readonly KnownValue[]) =>
      typeof value === 'string' ? withoutKnown(value, known) : value,
    /**
     * Masks a column of JSON or markup, member by member.
     * @param path the path of its values within the answer
     */
    members(source: ValueSource, path: readonly string[]) {
      const kind = personalOfMember(source, path, false);
      const rule = path.reduce<MemberRule>((above, name) => above.child(name), rulesOf(source));
      return (value: FunctionValue): FunctionValue => {
        if (value === null) return null;
        if (typeof value !== 'string') return whole(asKind(kind), value);
        const json = parseJson(value);
        if (json !== undefined) {
          return JSON.stringify(maskValue(json.value, { rule, mark: pairs.mark }).value);
        }
        if (kind !== undefined && kind !== 'free text') return value === '' ? value : pairs.mark(kind, value);
        return String(maskValue(value, { rule, mark: pairs.mark }).value);
      };
    },
  };
}

/** Max cached forms, because the same values are searched in all texts of a row. */
const MAX_FORMS = 1_000;

function createForms(): (kind: PersonalKind, value: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (kind, value) => {
    const key = `${kind} ${value}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    if (known.size >= MAX_FORMS) known.clear();
    const forms = isFindable(kind, value) ? writtenForms(kind, value) : [];
    known.set(key, forms);
    return forms;
  };
}

/** Returns the possible forms in a text: unchanged, in lower case, a name with its last word first. */
function writtenForms(kind: PersonalKind, value: string): string[] {
  const lower = value.toLowerCase();
  const names = kind === 'buyer name' ? lower.split(/\s+/).filter((name) => name !== '') : [];
  const last = names.pop();
  const first = names.join(' ');
  const turned = first === '' ? [] : [`${first} ${last}`, `${last}, ${first}`, `${last} ${first}`];
  return [...new Set([value, lower, ...turned])];
}

/**
 * @param form a form in lower case, or unchanged: a text that is longer in lower case is searched for that
 * alone
 */
function replaceInAnyCase(text: string, form: string, replacement: () => string): string {
  const lower = text.toLowerCase();
  const within = lower.length === text.length && lower.includes(form) ? lower : text;
  let clean = '';
  let done = 0;
  for (let at = within.indexOf(form); at >= 0; at = within.indexOf(form, done)) {
    clean += text.slice(done, at) + replacement();
    done = at + form.length;
  }
  return clean + text.slice(done);
}

const asKind = (kind: Treatment | undefined): PersonalKind =>
  kind === undefined || kind === 'free text' ? 'buyer text' : kind;

function parseJson(text: string): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isDeeperThan(value) ? undefined : { value };
  } catch {
    return undefined;
  }
}
