/** Codes that any replica can answer: they lie in the store, which says who of several that got the same one was first. */

import * as z from 'zod';
import { parseJson } from '../../base/json.ts';
import { execute, type Step, select, sql } from '../../disk/statement.ts';
import { openFor, type Replicas, sealFor } from '../../replicas/sealed.ts';
import { CLOCK_SET_US, type Moment, StoreAway } from '../../replicas/shared-step.ts';
import { digest, nameOf, type SharedStore } from '../../replicas/shared-store.ts';
import { CODE_LIFETIME_MS, type IssuedCodes } from './confirmation.ts';

/** So long after its time it is told that a code is too old, or was used. */
const TOLD_MS = CODE_LIFETIME_MS;

const issuedSchema = z.object({
  proof: z.string(),
  content: z.string(),
  identity: z.string(),
  basis: z.string().optional(),
});

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
  const { store } = replicas;
  const nameIn = (name: string) => nameOf(whose, `${kind}:${digest(name)}`);
  return {
    async add(issued, newName) {
      const name = newName();
      const place = nameIn(name);
      try {
        const sealed = await sealFor(place, JSON.stringify(issued), replicas);
        await store.run(place, (moment) => addCode(place, sealed, originOf(store, moment), moment));
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
      const place = nameIn(name);
      try {
        const found = await store.run(
          place,
          (moment) => findCode(place, originOf(store, moment), moment),
          false,
        );
        const text = found && (await openFor(place, found.sealed, replicas));
        const issued = issuedSchema.safeParse(text && parseJson(text)).data;
        if (found === undefined || issued === undefined) return 'unknown';
        return { issued, state: found.state, ageMs: found.ageMs };
      } catch (error) {
        if (!(error instanceof StoreAway)) throw error;
        return 'away';
      }
    },
    async take(name) {
      if ((await alone.find(name)) !== 'unknown') return alone.take(name);
      const place = nameIn(name);
      try {
        return await store.run(place, (moment) => takeCode(place, originOf(store, moment), moment));
      } catch (error) {
        if (!(error instanceof StoreAway)) throw error;
        return 'away';
      }
    },
  };
}

/** A server that took the place of another one may have lost that a code was used: no code of before is good there. */
const originOf = ({ generation }: SharedStore, { server }: Moment) => `${server} ${generation}`;

const addCode = (place: string, sealed: string, origin: string, { now }: Moment): Step<void> =>
  execute(sql`INSERT INTO codes (name, expires, sealed, origin, made, used)
    VALUES (${place}, ${now + 1000 * (CODE_LIFETIME_MS + TOLD_MS)}, ${sealed}, ${origin}, ${now}, 0)`);

const codeRow = z.object({ sealed: z.string(), made: z.number(), used: z.int() });

interface FoundCode {
  sealed: string;
  state: 'good' | 'used' | 'expired';
  ageMs: number;
}

function* findCode(place: string, origin: string, { now }: Moment): Step<FoundCode | undefined> {
  const [row] = yield* select(
    sql`SELECT sealed, made, used FROM codes WHERE name = ${place} AND origin = ${origin}`,
    codeRow,
  );
  if (row === undefined) return undefined;
  const ageMs = (now - row.made) / 1000;
  if (ageMs > CODE_LIFETIME_MS + TOLD_MS) return undefined;
  // A code that is younger than now: the clock was set back, and nobody knows how old it is.
  const isExpired = ageMs >= CODE_LIFETIME_MS || ageMs < -CLOCK_SET_US / 1000;
  return { sealed: row.sealed, ageMs, state: row.used === 1 ? 'used' : isExpired ? 'expired' : 'good' };
}

/** Returns `ok` to one caller alone. */
function* takeCode(
  place: string,
  origin: string,
  moment: Moment,
): Step<'ok' | 'used' | 'expired' | 'unknown'> {
  const found = yield* findCode(place, origin, moment);
  if (found === undefined) return 'unknown';
  if (found.state !== 'good') return found.state;
  yield sql`UPDATE codes SET used = 1 WHERE name = ${place}`;
  return 'ok';
}
