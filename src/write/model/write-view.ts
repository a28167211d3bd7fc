/** One write as the assistant sees it and the journal keeps it: marks for the values that marks stood for, and for buyers' data read on the way. */

import { letOthersRun } from '../../base/event-loop.ts';
import { isJsonObject } from '../../base/json.ts';
import { WHOLE_MARK } from '../../base/text/mark-shape.ts';
import type { CallInput, CallOptions, CallResult, PreparedRequest } from '../../call/client-types.ts';
import { changeBetweenMarks } from '../../privacy/personal/between-marks.ts';
import { hider } from '../../privacy/personal/hide-values.ts';
import type { PersonalData, Replaced } from '../../privacy/personal/personal-data.ts';
import { createTextFinder } from '../../privacy/personal/text-finder.ts';
import type { Change, ReadBack, WriteDiff } from './change.ts';
import type { Verdict } from './verdict.ts';

/** Only the question to the person is made of what is not passed through here. */
export type WriteView = ReturnType<typeof createWriteView>;

/** The arguments of a write in which a mark stands for each personal value that is sent. */
export interface Marked {
  parameters: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/** A write before anybody is asked: as it is confirmed, and as the assistant sees it. */
export interface PreparedWrite {
  /** What is confirmed, recorded and sent. */
  input: CallInput;
  request: PreparedRequest;
  planned: WriteDiff;
  /** With what is doubtful in the arguments among its warnings; for the person alone. */
  change: Change;
  replaced: readonly Replaced[];
  view: WriteView;
  /** The request and the change as the assistant sees them. */
  shown: { request: PreparedRequest; change: Change };
  /** Absent where no mark was given. */
  marked?: Marked;
}

type Hide = (value: unknown) => unknown;

/** @param replaced of the arguments */
export function createWriteView({
  personal,
  account,
  replaced,
}: {
  personal: Pick<PersonalData, 'maskAnswer' | 'maskText'>;
  account: string;
  replaced: readonly Replaced[];
}) {
  const read = createReadValues();
  const hideGiven = hider(replaced);
  const hide: Hide = (value) => read.hide(hideGiven(value));
  const hideText = (text: string) => String(hide(text));
  return {
    /** Of the answer, masked by the rules of its operation already, what other answers told. */
    value: hide,
    /** A value that was hidden in another session, beside what the assistant saw of it. */
    hidden: read.note,
    /** Every answer that anything is told of has to be told first: by the rules of its operation, what is personal in it is known then. */
    async seen(operation: string, { body, bytes }: Pick<CallResult, 'body' | 'bytes'>): Promise<void> {
      await letOthersRun(bytes);
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
    /** An answer that was judged, to a write or to a check of one; what was read back is hidden as it is read: the journal keeps it too. */
    judged: <One extends Judged>(judged: One): One => ({
      ...judged,
      response: { ...judged.response, body: hide(judged.response.body) },
      verdict: hideIn(judged.verdict, hide),
    }),
  };
}

/** What was personal in the answers that were read, by what stands in its place. */
function createReadValues() {
  /** As whole values; a number is no text of the same digits. */
  const whole = new Map<unknown, unknown>();
  /** Within longer texts. */
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
      if (isWorthFinding(value) && WHOLE_MARK.test(String(masked))) words.add(String(value), String(masked));
    }
  };
  const hide: Hide = (value) => {
    const shown = whole.has(value) ? whole.get(value) : value;
    // What only looks like a contact is gone from it then; what another answer told can still stand there.
    if (typeof shown === 'string') return changeBetweenMarks(shown, words.replaceIn);
    if (Array.isArray(value)) return value.map(hide);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [String(hide(name)), hide(member)]),
    );
  };
  return { note, hide: (value: unknown) => (whole.size === 0 ? value : hide(value)) };
}

/** Shorter ones are in every text. */
const FEWEST_CHARACTERS = 4;

const isWorthFinding = (value: unknown) => String(value).length >= FEWEST_CHARACTERS;

/** Members of a change, a read-back and a verdict that hold others like these. */
const OURS: ReadonlySet<string> = new Set([
  ...(['subject', 'differences', 'notYet', 'sent', 'warnings', 'reasons', 'items'] as const),
]);
/** Members of them that hold what came from outside, or was given. */
const FOREIGN: ReadonlySet<string> = new Set([
  ...(['places', 'before', 'pending', 'after', 'value', 'path', 'segments', 'how'] as const),
  ...(['sku', 'title', 'id', 'alias', 'code', 'signs', 'message', 'details', 'name'] as const),
]);

/** A copy with all that is foreign in it hidden; a number in segments is a place, and no value. */
function hideIn<One extends object>(one: One, hide: Hide): One {
  const inner = (name: string, value: unknown): unknown => {
    if (name === 'segments' && Array.isArray(value))
      return value.map((segment) => (typeof segment === 'string' ? hide(segment) : segment));
    if (FOREIGN.has(name)) return hide(value);
    if (!OURS.has(name)) return value;
    if (Array.isArray(value)) return value.map((each) => hideIn(each, hide));
    return isJsonObject(value) ? hideIn(value, hide) : value;
  };
  const members = Object.entries(one).map(([name, value]) => [name, inner(name, value)]);
  return { ...one, ...Object.fromEntries(members) };
}

interface Judged {
  response: CallResult;
  verdict: Verdict;
}
