/** What a session does about personal data: masks what goes to the assistant, and knows what a mark of its own stands for. */

import { randomBytes } from 'node:crypto';
import { isJsonObject } from '../../base/json.ts';
import { maskMessage } from './free-text.ts';
import type { PersonalKind, ValueSource } from './kinds.ts';
import { type Brought, contactsIn, createKnownValues } from './known-values.ts';
import { createMarker, kindOf, type Marker } from './marks.ts';
import { type MaskWalk, maskWalk } from './mask-walk.ts';
import { rulesOf } from './members.ts';
import { resolveMarks } from './resolve.ts';
import { createVault, type Original } from './vault.ts';

export interface Resolved {
  /** A copy with every mark replaced by its value. */
  value: unknown;
  /** For the question to the person. */
  replaced: readonly Replaced[];
}

export interface Replaced {
  mark: string;
  original: string;
}

/** Per session. With `--personal-data=show` nothing is masked, and marks are still resolved. */
export interface PersonalData {
  /** False with `--personal-data=show`. */
  isMasking: boolean;
  /** Key of the marks: for the worker that queries tables. */
  key: Uint8Array;
  /**
   * A copy of what the service answered, as it may go to the assistant; what was replaced is remembered for `account`.
   * @param ours texts that were put into it here: they stay, wherever they stand
   */
  maskAnswer(account: string, source: ValueSource, value: unknown, ours?: ReadonlySet<string>): unknown;
  /** The same for what was recorded here, in which marks stand already. */
  maskRecord(account: string, source: ValueSource, value: unknown): unknown;
  /** Values of a kind that is known, from a table, by their marks; what the marks stand for from now on. */
  remember(account: string, pairs: ReadonlyMap<string, string>): void;
  /** A short text (an error, a line of a log): e-mail addresses, telephone numbers, and values that were masked before. */
  maskText(text: string, brought?: Brought): string;
  /** The same for every text of a value. */
  maskTexts(value: unknown): unknown;
  /** Every text of an answer that was made from masked parts: values that were masked before, where they cannot be chance. */
  sweep(value: unknown, brought?: Brought): unknown;
  /**
   * Values that stand in a call's arguments: in what is told of it they stay, or each guess of a name would be told to
   * be right. Of long arguments the first 32 KB.
   */
  broughtBy(args: unknown): Brought;
  /** @throws InputError for a mark that stands for nothing that is known of this account, or for two things */
  resolve(account: string, value: unknown): Resolved;
  /** The line on masking, the first time it is asked for in a session after something was masked; then undefined. */
  firstNote(): string | undefined;
}

/** Of what is found in texts that belong to no account. */
const NO_ACCOUNT = '';

interface PersonalDataOptions {
  isMasking: boolean;
  rules?: typeof rulesOf;
  /** True for what looks like an e-mail address and is none of a buyer: the name of an account. */
  isOwn?(value: string): boolean;
}

export function createPersonalData({
  isMasking,
  rules = rulesOf,
  isOwn = () => false,
}: PersonalDataOptions): PersonalData {
  const key = randomBytes(32);
  const vault = createVault();
  const known = createKnownValues();
  const markers = new Map<string, Marker>();
  let note: 'to come' | 'due' | 'told' = 'to come';
  const keep = (account: string, mark: string, kind: PersonalKind, original: Original) => {
    vault.add(account, mark, original);
    known.add(kind, String(original), mark);
  };
  const noteOwn = (text: string, name: string) => contactsIn(text, name).forEach(known.noteOwn);

  const noteDue = () => {
    if (note === 'to come') note = 'due';
  };
  const markFor = (account: string, kind: PersonalKind, original: Original): string => {
    const marker = markers.get(account) ?? createMarker(key, account);
    markers.set(account, marker);
    const mark = marker.mark(kind, String(original));
    keep(account, mark, kind, original);
    noteDue();
    return mark;
  };
  const maskWith = (
    options: Pick<MaskWalk, 'ours' | 'keepsMarks'>,
    account: string,
    source: ValueSource,
    value: unknown,
  ): unknown => {
    if (!isMasking) return value;
    const mark: MaskWalk['mark'] = (kind, original) => markFor(account, kind, original);
    return maskWalk(value, { ...options, rule: rules(source), mark, noteOwn }).value;
  };
  const maskText = (text: string, brought?: Brought): string => {
    if (!isMasking) return text;
    // What has a mark already keeps it.
    return maskMessage(known.replaceEverywhere(text, brought), (kind, value) =>
      isOwn(value) || known.isOwn(value) ? undefined : markFor(NO_ACCOUNT, kind, value),
    );
  };

  return {
    isMasking,
    key,
    maskAnswer: (account, source, value, ours) => maskWith({ ours }, account, source, value),
    maskRecord: (account, source, value) => maskWith({ keepsMarks: true }, account, source, value),
    remember(account, pairs) {
      for (const [mark, value] of pairs) {
        const kind = kindOf(mark);
        if (kind === undefined) continue;
        keep(account, mark, kind, value);
        noteDue();
      }
    },
    maskText,
    maskTexts: (value) => (isMasking ? mapTexts(value, (text) => maskText(text)) : value),
    sweep: (value, brought) =>
      isMasking && known.size() > 0 ? mapTexts(value, (text) => known.replaceDistinct(text, brought)) : value,
    broughtBy: (args) => (isMasking && known.size() > 0 ? known.broughtBy(textsOf(args)) : NONE),
    resolve(account, value) {
      const resolved = resolveMarks(account, value, vault);
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

const NONE: Brought = new Set();

/** To look through more holds everything else up. */
const MOST_BROUGHT = 32 * 1024;

/** The first of them, one behind the other: arguments are not known to be within any bounds here. */
function textsOf(value: unknown): string {
  const waiting: Iterator<unknown>[] = [[value].values()];
  let found = '';
  while (found.length < MOST_BROUGHT) {
    const next = waiting.at(-1)?.next();
    if (next === undefined) break;
    if (next.done === true) waiting.pop();
    else if (typeof next.value === 'string' || typeof next.value === 'number')
      found += `${String(next.value).slice(0, MOST_BROUGHT)}\n`;
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
