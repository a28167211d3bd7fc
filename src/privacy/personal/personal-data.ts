/**
 * Masks personal data on its way to the assistant, and resolves placeholders on the way back, within a
 * session.
 */

import { randomBytes } from 'node:crypto';
import { isJsonObject } from '../../base/json.ts';
import { maskMessage } from './free-text.ts';
import type { PersonalKind, ValueSource } from './kinds.ts';
import { createKnownValues, findOwnContacts, type PlaceholdersOfArguments } from './known-values.ts';
import { type MaskOptions, maskValue } from './mask-value.ts';
import { rulesOf } from './members.ts';
import { createPlaceholderMaker, kindOfPlaceholder, type PlaceholderMaker } from './placeholders.ts';
import { unmaskPlaceholders } from './unmask.ts';
import { createVault, type OriginalValue } from './vault.ts';

export interface UnmaskedValue {
  /** A copy with every placeholder replaced by its value. */
  value: unknown;
  /** The replaced values, for the approval question. */
  replaced: readonly ReplacedPlaceholder[];
}

export interface ReplacedPlaceholder {
  mark: string;
  original: string;
}

/** One per session. With `--personal-data=show` nothing is masked, and placeholders are still resolved. */
export interface PersonalData {
  /** False with `--personal-data=show`. */
  isMasking: boolean;
  /** The key of the placeholders, for the worker that queries tables. */
  key: Uint8Array;
  /**
   * Returns a copy of a service answer that is fit for the assistant, and records the originals for
   * `account`.
   * @param ours texts that this program put into the answer: they stay everywhere
   */
  maskAnswer(account: string, source: ValueSource, value: unknown, ours?: ReadonlySet<string>): unknown;
  /** Does the same for a record of this program, in which placeholders stay. */
  maskRecord(account: string, source: ValueSource, value: unknown): unknown;
  /** Records values of a known kind from a table. @param pairs placeholder -> value */
  remember(account: string, pairs: ReadonlyMap<string, string>): void;
  /**
   * Masks e-mail addresses, telephone numbers and values that were masked before in a short text (an error, a
   * log line).
   */
  maskText(text: string, brought?: PlaceholdersOfArguments): string;
  /** Does the same for every text of a value. */
  maskTexts(value: unknown): unknown;
  /** Masks values that were masked before in an answer made from masked parts, if they are unmistakable. */
  sweep(value: unknown, brought?: PlaceholdersOfArguments): unknown;
  /**
   * Returns the placeholders of values in a call's arguments. These values stay in its results, because
   * masking one would confirm a guessed name. Reads the first 32 KB of long arguments.
   */
  broughtBy(args: unknown): PlaceholdersOfArguments;
  /** @throws InputError for a placeholder that is unknown for this account, or that two values share */
  resolve(account: string, value: unknown): UnmaskedValue;
  /** Returns the notice on masking the first time it is called after something was masked, then undefined. */
  firstNote(): string | undefined;
}

/** The account of values found in texts that belong to no account. */
const NO_ACCOUNT = '';

interface SessionMaskingOptions {
  isMasking: boolean;
  rules?: typeof rulesOf;
  /** True for the name of an account, which can look like an e-mail address but is no buyer's. */
  isOwn?(value: string): boolean;
}

export function createPersonalData({
  isMasking,
  rules = rulesOf,
  isOwn = () => false,
}: SessionMaskingOptions): PersonalData {
  const key = randomBytes(32);
  const vault = createVault();
  const known = createKnownValues();
  const markers = new Map<string, PlaceholderMaker>();
  let note: 'to come' | 'due' | 'told' = 'to come';
  const recordOriginal = (account: string, mark: string, kind: PersonalKind, original: OriginalValue) => {
    vault.add(account, mark, original);
    known.add(kind, String(original), mark);
  };
  const noteOwn = (text: string, name: string) => findOwnContacts(text, name).forEach(known.noteOwn);

  const noteDue = () => {
    if (note === 'to come') note = 'due';
  };
  const makePlaceholder = (account: string, kind: PersonalKind, original: OriginalValue): string => {
    const marker = markers.get(account) ?? createPlaceholderMaker(key, account);
    markers.set(account, marker);
    const mark = marker.mark(kind, String(original));
    recordOriginal(account, mark, kind, original);
    noteDue();
    return mark;
  };
  const maskWith = (
    options: Pick<MaskOptions, 'ours' | 'keepsMarks'>,
    account: string,
    source: ValueSource,
    value: unknown,
  ): unknown => {
    if (!isMasking) return value;
    const mark: MaskOptions['mark'] = (kind, original) => makePlaceholder(account, kind, original);
    return maskValue(value, { ...options, rule: rules(source), mark, noteOwn }).value;
  };
  const maskText = (text: string, brought?: PlaceholdersOfArguments): string => {
    if (!isMasking) return text;
    // A value that has a placeholder already keeps it.
    return maskMessage(known.replaceEverywhere(text, brought), (kind, value) =>
      isOwn(value) || known.isOwn(value) ? undefined : makePlaceholder(NO_ACCOUNT, kind, value),
    );
  };

  return {
    isMasking,
    key,
    maskAnswer: (account, source, value, ours) => maskWith({ ours }, account, source, value),
    maskRecord: (account, source, value) => maskWith({ keepsMarks: true }, account, source, value),
    remember(account, pairs) {
      for (const [mark, value] of pairs) {
        const kind = kindOfPlaceholder(mark);
        if (kind === undefined) continue;
        recordOriginal(account, mark, kind, value);
        noteDue();
      }
    },
    maskText,
    maskTexts: (value) => (isMasking ? mapTexts(value, (text) => maskText(text)) : value),
    sweep: (value, brought) =>
      isMasking && known.size() > 0 ? mapTexts(value, (text) => known.replaceDistinct(text, brought)) : value,
    broughtBy: (args) => (isMasking && known.size() > 0 ? known.broughtBy(joinTexts(args)) : NONE),
    resolve(account, value) {
      const resolved = unmaskPlaceholders(account, value, vault);
      for (const { original, mark } of resolved.replaced) known.addUsed(original, mark);
      return resolved;
    },
    firstNote() {
      if (note !== 'due') return undefined;
      note = 'told';
      return NOTE;
    },
  };
}

const NOTE =
  'Personal data of buyers is masked, as in «buyer name ...»: the same mark is the same value, and works in a write. The person can switch: --personal-data=show (SELLER_PERSONAL_DATA).';

const NONE: PlaceholdersOfArguments = new Set();

/** The limit in characters: reading more would block everything else. */
const MAX_ARGUMENT_CHARACTERS = 32 * 1024;

/**
 * Joins the first texts by line ends. It walks iteratively, because arguments are not known to be bounded
 * here.
 */
function joinTexts(value: unknown): string {
  const waiting: Iterator<unknown>[] = [[value].values()];
  let found = '';
  while (found.length < MAX_ARGUMENT_CHARACTERS) {
    const next = waiting.at(-1)?.next();
    if (next === undefined) break;
    if (next.done === true) waiting.pop();
    else if (typeof next.value === 'string' || typeof next.value === 'number')
      found += `${String(next.value).slice(0, MAX_ARGUMENT_CHARACTERS)}\n`;
    else if (isJsonObject(next.value)) waiting.push(Object.entries(next.value).flat().values());
    else if (Array.isArray(next.value)) waiting.push(next.value.values());
  }
  return found;
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [change(name), mapTexts(member, change)]),
  );
}
