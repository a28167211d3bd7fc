/** Shares codes between replicas through the store, which decides which of several uses came first. */

import * as z from 'zod';
import { parseJson } from '../../base/json.ts';
import { openFor, type Replicas, sealFor } from '../../replicas/sealed.ts';
import { CLOCK_SET_US, type Moment, StoreUnavailable } from '../../replicas/shared-step.ts';
import { digest, nameOf, type SharedStore } from '../../replicas/shared-store.ts';
import { execute, type StoreStep, select, sql } from '../../store/statement.ts';
import { CODE_LIFETIME_MS, type IssuedCodes } from './confirmation.ts';

/** The time after its expiry in which a code is still reported as expired or used. */
const REPORT_MS = CODE_LIFETIME_MS;

const issuedSchema = z.object({
  proof: z.string(),
  content: z.string(),
  identity: z.string(),
  basis: z.string().optional(),
});

/**
 * Creates the shared codes. A code that could not be stored is valid on this replica alone. A stored code is
 * never accepted without the store, because another replica may have used it.
 * @param whose the user; a code is valid for no other user
 * @param kind separates the assistant's codes from those of questions
 * @param alone the codes of this replica
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
      const key = nameIn(name);
      try {
        const sealed = await sealFor(key, JSON.stringify(issued), replicas);
        await store.run(key, (moment) => addCode(key, sealed, originOf(store, moment), moment));
        return name;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        // The code gets another name here, because the first may have reached the store all the same.
        return alone.add(issued, newName);
      }
    },
    async find(name) {
      const own = await alone.find(name);
      if (own !== 'unknown') return own;
      const key = nameIn(name);
      try {
        const found = await store.run(key, (moment) => findCode(key, originOf(store, moment), moment), false);
        const text = found && (await openFor(key, found.sealed, replicas));
        const issued = issuedSchema.safeParse(text && parseJson(text)).data;
        if (found === undefined || issued === undefined) return 'unknown';
        return { issued, state: found.state, ageMs: found.ageMs };
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        return 'away';
      }
    },
    async take(name) {
      if ((await alone.find(name)) !== 'unknown') return alone.take(name);
      const key = nameIn(name);
      try {
        return await store.run(key, (moment) => takeCode(key, originOf(store, moment), moment));
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        return 'away';
      }
    },
  };
}

/**
 * Identifies the server and its generation. A replacement server may have lost the use of a code, so earlier
 * codes are invalid there.
 */
const originOf = ({ generation }: SharedStore, { server }: Moment) => `${server} ${generation}`;

const addCode = (key: string, sealed: string, origin: string, { now }: Moment): StoreStep<void> =>
  execute(sql`INSERT INTO codes (name, expires, sealed, origin, made, used)
    VALUES (${key}, ${now + 1000 * (CODE_LIFETIME_MS + REPORT_MS)}, ${sealed}, ${origin}, ${now}, 0)`);

const codeRow = z.object({ sealed: z.string(), made: z.number(), used: z.int() });

interface FoundCode {
  sealed: string;
  state: 'good' | 'used' | 'expired';
  ageMs: number;
}

function* findCode(key: string, origin: string, { now }: Moment): StoreStep<FoundCode | undefined> {
  const [row] = yield* select(
    sql`SELECT sealed, made, used FROM codes WHERE name = ${key} AND origin = ${origin}`,
    codeRow,
  );
  if (row === undefined) return undefined;
  const ageMs = (now - row.made) / 1000;
  if (ageMs > CODE_LIFETIME_MS + REPORT_MS) return undefined;
  // A code made after the current time means that the clock was set back, so that its age is unknown.
  const isExpired = ageMs >= CODE_LIFETIME_MS || ageMs < -CLOCK_SET_US / 1000;
  return { sealed: row.sealed, ageMs, state: row.used === 1 ? 'used' : isExpired ? 'expired' : 'good' };
}

/** Uses the code. @returns `ok` to one caller only */
function* takeCode(
  key: string,
  origin: string,
  moment: Moment,
): StoreStep<'ok' | 'used' | 'expired' | 'unknown'> {
  const found = yield* findCode(key, origin, moment);
  if (found === undefined) return 'unknown';
  if (found.state !== 'good') return found.state;
  yield sql`UPDATE codes SET used = 1 WHERE name = ${key}`;
  return 'ok';
}
