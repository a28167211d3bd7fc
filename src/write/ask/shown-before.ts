/** What was shown, for as long as a yes to it is good; the oldest are let go where they are too many, or too large together. */

import type { YesRow } from '../../../views/data.ts';
import { canonicalJson } from '../../base/canonical-json.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ResourceLink } from '../../tell/tool-answer.ts';
import type { sellerOf } from '../model/words/whose.ts';
import type { PreparedList } from '../plan/listed-write.ts';
import { CODE_LIFETIME_MS, normalizeCode } from './confirmation.ts';
import type { ListQuestion } from './list/list-question.ts';

interface Limits<Shown> {
  most: number;
  /** Of all of them; a single one can be larger. */
  mostSize: number;
  sizeOf(shown: Shown): number;
  /** Milliseconds that only grow. */
  now(): number;
}

function createKeptShown<Shown>({ most, mostSize, sizeOf, now }: Limits<Shown>) {
  const kept = new Map<string, { shown: Shown; size: number; until: number }>();
  const makeRoom = () => {
    let all = [...kept.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [key, { size, until }] of kept) {
      const isTooMuch = kept.size > 1 && (kept.size > most || all > mostSize);
      if (until > now() && !isTooMuch) continue;
      kept.delete(key);
      all -= size;
    }
  };
  return {
    /** Undefined where it is too old, or was let go. */
    find(key: string): Shown | undefined {
      makeRoom();
      return kept.get(key)?.shown;
    },
    keep(key: string, shown: Shown): void {
      kept.delete(key);
      kept.set(key, { shown, size: sizeOf(shown), until: now() + CODE_LIFETIME_MS });
      makeRoom();
    },
    /** Once it is sent it is no longer what would be sent. */
    forget(key: string): void {
      kept.delete(key);
    },
  };
}

// Calls whose answer held a confirmation code: the code alone is then enough.

export type ShownCalls = ReturnType<typeof createShownCalls>;

/** Calls kept at once, and characters of them all. @param now milliseconds that only grow */
export function createShownCalls(now: () => number) {
  const kept = createKeptShown<{ tool: string; args: JsonObject }>({
    most: 50,
    mostSize: 20_000_000,
    sizeOf: ({ args }) => JSON.stringify(args).length,
    now,
  });
  return {
    keep(tool: string, code: string, args: JsonObject): void {
      kept.keep(normalizeCode(code), { tool, args });
    },
    /**
     * The arguments that the code was given for, where nothing that is given beside it differs from them; undefined where
     * that is not known.
     */
    complete(tool: string, given: JsonObject): JsonObject | undefined {
      const { confirmationCode, ...others } = given;
      const known = kept.find(normalizeCode(String(confirmationCode)));
      if (known?.tool !== tool) return undefined;
      const differs = ([name, value]: [string, unknown]) =>
        canonicalJson(value) !== canonicalJson(known.args[name]);
      return Object.entries(others).some(differs) ? undefined : { ...known.args, confirmationCode };
    },
  };
}

// Lists that were prepared and shown: a yes or a code needs no reading again.

/** For the structured form, what the text was made of. */
export interface ListPreview
  extends Pick<ListQuestion, 'shown' | 'rest' | 'places' | 'warnings' | 'cannotUndo'> {
  /** For the person alone. */
  question: string;
  /** The same for a page that shows each of them; what is told of all stands in `around`. */
  page: { head: string; around: readonly string[]; rows(): Promise<readonly YesRow[]> };
  /** As the assistant may see it. */
  text: string;
  /** What was left out, how it is sent. */
  remarks: readonly string[];
  seller: ReturnType<typeof sellerOf>;
  links: ResourceLink[];
  /** Where all of it can be read. */
  whole: string | undefined;
  /** Path of the file. */
  saved: string | undefined;
}

export interface ShownList {
  list: PreparedList;
  /** Of what is sent. */
  digest: string;
  /** Absent where the list would change nothing. */
  preview: ListPreview | undefined;
  /** When what was shown was read, in milliseconds since the epoch. */
  shownAt: number;
}

export type ShownLists = ReturnType<typeof createShownLists>;

/** Lists kept at once, and writes in all of them. @param now milliseconds that only grow */
export const createShownLists = ({ now }: { now: () => number }) =>
  createKeptShown<ShownList>({ most: 5, mostSize: 50_000, sizeOf: ({ list }) => list.writes.length, now });
