/** Calls whose answer held a confirmation code, for as long as it is good: the code alone is then enough. */

import { canonicalJson } from '../../base/canonical-json.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { CODE_LIFETIME_MS, normalizeCode } from './confirmation.ts';

export interface ShownCalls {
  keep(tool: string, code: string, args: JsonObject): void;
  /**
   * The arguments that the code was given for, where nothing that is given beside it differs from them; undefined where
   * that is not known.
   */
  complete(tool: string, given: JsonObject): JsonObject | undefined;
}

/** Calls kept at once, and characters of them all: the oldest are let go. */
const MOST_CALLS = 50;
const MOST_CHARACTERS = 20_000_000;

/** @param now milliseconds that only grow */
export function createShownCalls(now: () => number): ShownCalls {
  const kept = new Map<string, { tool: string; args: JsonObject; size: number; until: number }>();
  const makeRoom = () => {
    let size = [...kept.values()].reduce((sum, one) => sum + one.size, 0);
    for (const [code, one] of kept) {
      if (one.until > now() && kept.size <= MOST_CALLS && (size <= MOST_CHARACTERS || kept.size === 1))
        continue;
      kept.delete(code);
      size -= one.size;
    }
  };
  return {
    keep(tool, code, args) {
      const size = JSON.stringify(args).length;
      kept.set(normalizeCode(code), { tool, args, size, until: now() + CODE_LIFETIME_MS });
      makeRoom();
    },
    complete(tool, given) {
      makeRoom();
      const { confirmationCode, ...others } = given;
      const known = kept.get(normalizeCode(String(confirmationCode)));
      if (known?.tool !== tool) return undefined;
      const differs = ([name, value]: [string, unknown]) =>
        canonicalJson(value) !== canonicalJson(known.args[name]);
      return Object.entries(others).some(differs) ? undefined : { ...known.args, confirmationCode };
    },
  };
}

/** Beside a code, what says nothing of what is to be written. */
const BESIDE = ['account', 'operation', 'stop'];

/** Nothing is given but a code: what it stands for has to be known. */
export function isCodeAlone(args: unknown): args is JsonObject & { confirmationCode: string } {
  return (
    isJsonObject(args) &&
    typeof args.confirmationCode === 'string' &&
    Object.keys(args).every((name) => name === 'confirmationCode' || BESIDE.includes(name))
  );
}
