/** Calls whose answer held a confirmation code, for as long as it is good: the code alone is then enough. */

import { canonicalJson } from '../../base/canonical-json.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { normalizeCode } from './confirmation.ts';
import { createKeptShown } from './kept-shown.ts';

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
