/**
 * Masks one write for the assistant and the journal: placeholders replace the values that the user gave as
 * such, and buyers' data read on the way.
 */

import { yieldToEventLoop } from '../../base/event-loop.ts';
import { isJsonObject } from '../../base/json.ts';
import { WHOLE_PLACEHOLDER } from '../../base/text/placeholder-shape.ts';
import type { CallInput, CallOptions, CallResult, PreparedRequest } from '../../call/client-types.ts';
import { createValueHider } from '../../privacy/personal/hide-values.ts';
import { changeOutsidePlaceholders } from '../../privacy/personal/outside-placeholders.ts';
import type { PersonalData, ReplacedPlaceholder } from '../../privacy/personal/personal-data.ts';
import { createTextFinder } from '../../privacy/personal/text-finder.ts';
import type { Change, ReadBack, WriteDiff } from './change.ts';
import type { Verdict } from './verdict.ts';

/** Masks a write; only the question to the user is made of unmasked values. */
export type WriteView = ReturnType<typeof createWriteView>;

/** The arguments of a write, with a placeholder for each personal value that is sent. */
export interface MaskedArguments {
  parameters: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/** A write before anybody is asked: as it is confirmed, and masked for the assistant. */
export interface PreparedWrite {
  /** The call that is confirmed, recorded and sent. */
  input: CallInput;
  request: PreparedRequest;
  planned: WriteDiff;
  /** The change for the user alone; its warnings include doubtful arguments. */
  change: Change;
  replaced: readonly ReplacedPlaceholder[];
  view: WriteView;
  /** The request and the change as the assistant sees them. */
  shown: { request: PreparedRequest; change: Change };
  /** The masked arguments, absent if no placeholder was given. */
  marked?: MaskedArguments;
}

type Hide = (value: unknown) => unknown;

/** @param replaced the resolved placeholders of the arguments */
export function createWriteView({
  personal,
  account,
  replaced,
}: {
  personal: Pick<PersonalData, 'maskAnswer' | 'maskText'>;
  account: string;
  replaced: readonly ReplacedPlaceholder[];
}) {
  const read = createReadValues();
  const hideGiven = createValueHider(replaced);
  const hide: Hide = (value) => read.hide(hideGiven(value));
  const hideText = (text: string) => String(hide(text));
  return {
    /** Masks a response that its operation's rules have already masked, by the values of other responses. */
    value: hide,
    /** Adds a value that was masked in another session, with what the assistant saw of it. */
    hidden: read.note,
    /**
     * Learns the personal values of a response by the rules of its operation; every response must pass here
     * before anything of it is shown.
     */
    async seen(operation: string, { body, bytes }: Pick<CallResult, 'body' | 'bytes'>): Promise<void> {
      await yieldToEventLoop(bytes);
      read.note(body, personal.maskAnswer(account, { operation }, body));
    },
    change(change: Change): Change {
      const { noDifferences } = change;
      return {
        ...hideIn(change, hide),
        noDifferences: noDifferences && hideText(personal.maskText(noDifferences)),
      };
    },
    readBack: (readBack: WriteDiff['readBack']) =>
      readBack &&
      (async (call: CallOptions): Promise<ReadBack> => {
        // The members that were found pass unmasked, because the journal alone gets them, and seals them.
        return hideIn(await readBack(call), hide);
      }),
    /**
     * Masks a response and its verdict, of a write or a validation. Read-backs are masked as they are read,
     * because the journal stores them too.
     */
    judged: <One extends JudgedResponse>(judged: One): One => ({
      ...judged,
      response: { ...judged.response, body: hide(judged.response.body) },
      verdict: hideIn(judged.verdict, hide),
    }),
  };
}

/** Stores the personal values of the responses that were read, with their replacements. */
function createReadValues() {
  /** The values as a whole; a number differs from a text of the same digits. */
  const whole = new Map<unknown, unknown>();
  /** The values within longer texts. */
  const words = createTextFinder();
  const note = (value: unknown, masked: unknown): void => {
    if (value === masked) return;
    if (Array.isArray(value) && Array.isArray(masked)) {
      for (const [at, item] of value.entries()) note(item, masked[at]);
    } else if (isJsonObject(value) && isJsonObject(masked)) {
      const shown = Object.entries(masked);
      for (const [at, [name, member]] of Object.entries(value).entries()) {
        note(name, shown[at]?.[0]);
        note(member, shown[at]?.[1]);
      }
    } else {
      whole.set(value, masked);
      if (isWorthFinding(value) && WHOLE_PLACEHOLDER.test(String(masked)))
        words.add(String(value), String(masked));
    }
  };
  const hide: Hide = (value) => {
    const shown = whole.has(value) ? whole.get(value) : value;
    // A value that only looks like a contact is masked by now, but values of other responses can remain in
    // the text.
    if (typeof shown === 'string') return changeOutsidePlaceholders(shown, words.replaceIn);
    if (Array.isArray(value)) return value.map(hide);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [String(hide(name)), hide(member)]),
    );
  };
  return { note, hide: (value: unknown) => (whole.size === 0 ? value : hide(value)) };
}

/** Shorter values occur in every text. */
const MIN_CHARACTERS = 4;

const isWorthFinding = (value: unknown) => String(value).length >= MIN_CHARACTERS;

/** The members of a change, a read-back and a verdict that have others like these. */
const CONTAINERS: ReadonlySet<string> = new Set([
  ...(['subject', 'differences', 'notYet', 'sent', 'warnings', 'reasons', 'items'] as const),
]);
/** The members with text from outside, or from the arguments. */
const FOREIGN: ReadonlySet<string> = new Set([
  ...(['places', 'before', 'pending', 'after', 'value', 'path', 'segments', 'how'] as const),
  ...(['sku', 'title', 'id', 'alias', 'code', 'signs', 'message', 'details', 'name'] as const),
]);

/** Returns a copy with all foreign members masked; a number in segments is an index, and no value. */
function hideIn<One extends object>(one: One, hide: Hide): One {
  const inner = (name: string, value: unknown): unknown => {
    if (name === 'segments' && Array.isArray(value))
      return value.map((segment) => (typeof segment === 'string' ? hide(segment) : segment));
    if (FOREIGN.has(name)) return hide(value);
    if (!CONTAINERS.has(name)) return value;
    if (Array.isArray(value)) return value.map((each) => hideIn(each, hide));
    return isJsonObject(value) ? hideIn(value, hide) : value;
  };
  const members = Object.entries(one).map(([name, value]) => [name, inner(name, value)]);
  return { ...one, ...Object.fromEntries(members) };
}

interface JudgedResponse {
  response: CallResult;
  verdict: Verdict;
}
