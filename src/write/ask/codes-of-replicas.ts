/** Codes that any replica can answer: they lie in the store, which says who of several that got the same one was first. */

import * as z from 'zod';
import { parseJson } from '../../base/json.ts';
import { type Script, script } from '../../replicas/script.ts';
import { openFor, type Replicas, sealFor } from '../../replicas/sealed.ts';
import { digest, keyOf, StoreAway } from '../../replicas/shared-store.ts';
import { CODE_LIFETIME_MS, type IssuedCodes } from './confirmation.ts';

/** So long after its time it is told that a code is too old, or was used. */
const TOLD_MS = CODE_LIFETIME_MS;

const issuedSchema = z.object({
  proof: z.string(),
  content: z.string(),
  identity: z.string(),
  basis: z.string().optional(),
});

const STATES = ['good', 'used', 'expired'] as const;
const TAKEN = ['ok', 'used', 'expired', 'unknown'] as const;

/**
 * A code that could not be put into the store is good on this replica alone, and one that lies there is never taken without
 * the store: another replica may have taken it.
 * @param whose the person: what one was given is good for no other
 * @param kind keeps those that the assistant carries apart from those of questions
 * @param alone those of this replica
 */
export function codesOfReplicas(
  { whose, kind, alone }: { whose: string; kind: 'code' | 'question'; alone: IssuedCodes },
  replicas: Replicas,
): IssuedCodes {
  const keyFor = (name: string) => keyOf(whose, `${kind}:${digest(name)}`);
  const run = (what: Script, name: string, args: readonly (string | number)[] = []) =>
    replicas.store.run(what, [keyFor(name)], args);
  return {
    async add(issued, newName) {
      const name = newName();
      try {
        const sealed = await sealFor(keyFor(name), JSON.stringify(issued), replicas);
        await run(ADD, name, [sealed, CODE_LIFETIME_MS + TOLD_MS]);
        return name;
      } catch (error) {
        if (!(error instanceof StoreAway)) throw error;
        // By another name: it may have arrived there all the same.
        return alone.add(issued, newName);
      }
    },
    async find(name) {
      const own = await alone.find(name);
      if (own !== 'unknown') return own;
      try {
        const answer = await run(FIND, name, [TOLD_MS]);
        const [sealed, state, left] = Array.isArray(answer) ? answer.map(String) : [];
        const text = sealed === undefined ? undefined : await openFor(keyFor(name), sealed, replicas);
        const issued = issuedSchema.safeParse(text && parseJson(text)).data;
        const known = STATES.find((one) => one === state);
        if (issued === undefined || known === undefined) return 'unknown';
        return { issued, state: known, ageMs: CODE_LIFETIME_MS + TOLD_MS - Number(left) };
      } catch (error) {
        if (!(error instanceof StoreAway)) throw error;
        return 'away';
      }
    },
    async take(name) {
      if ((await alone.find(name)) !== 'unknown') return alone.take(name);
      try {
        const answer = await run(TAKE, name, [TOLD_MS]);
        return TAKEN.find((one) => one === answer) ?? 'unknown';
      } catch (error) {
        if (!(error instanceof StoreAway)) throw error;
        return 'away';
      }
    },
  };
}

/** KEYS: the code. ARGV: what is sealed of it; milliseconds that it lies there. */
const ADD = script(`
redis.call('HSET', KEYS[1], 'sealed', ARGV[1])
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
`);

/** Of a key of ours that holds nothing of it: as if it were not there. ARGV: milliseconds that it lies there after its time. */
const STATE = `local sealed, used = unpack(redis.call('HMGET', KEYS[1], 'sealed', 'used'))
local state = 'good'
local left = redis.call('PTTL', KEYS[1])
if left <= tonumber(ARGV[1]) then state = 'expired' end
if used then state = 'used' end
`;
const FIND = script(`${STATE}
if not sealed then return false end
return { sealed, state, left }
`);
/** @returns `ok` to one alone */
const TAKE = script(`${STATE}
if not sealed then return 'unknown' end
if state ~= 'good' then return state end
redis.call('HSET', KEYS[1], 'used', '1')
return 'ok'
`);
