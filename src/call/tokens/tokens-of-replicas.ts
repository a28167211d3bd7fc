/** Access tokens, bought once for all replicas: whoever loses the race reads what the winner has bought. */

import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '../../base/clock.ts';
import { openFor, type Replicas, readValue, sealFor, storeValue } from '../../replicas/sealed.ts';
import { type Moment, StoreUnavailable } from '../../replicas/shared-step.ts';
import { digest, nameOf } from '../../replicas/shared-store.ts';
import { execute, type StoreStep, select, sql } from '../../store/statement.ts';
import type { Token, TokensOfReplicas } from './token-cache.ts';
import { EARLY_MS, endingEarly } from './token-lifetime.ts';

/** A purchase that takes longer is another's to make as well. */
const BUYING_US = 20_000_000;
const LOOK_MS = 50;
/** A replica that was off for longer is given its secrets anew. */
const ROTATED_MS = 90 * 86_400_000;

export function tokensOfReplicas(replicas: Replicas, clock: Clock): TokensOfReplicas {
  const { store } = replicas;
  const pause = () => new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve));

  /** Takes the right to buy from whoever had it. */
  const keep = async (kind: string, token: Token, buyer: string): Promise<void> => {
    const livesUs = Math.max(1, token.life.expiresAt - clock.wallClock()) * 1000;
    const name = tokenName(kind);
    try {
      const sealed = await sealFor(kind, token.value, replicas);
      const kept = { digest: digest(token.value), sealed, livesUs };
      await store.run(name, (moment) => keepToken(name, kept, buyer, moment), false);
    } catch {
      await letBuy(name, buyer);
    }
  };
  /** The next replica does not wait for one that has failed. */
  const letBuy = (name: string, buyer: string) =>
    store.run(name, () => endBuying(name, buyer), false).catch(() => undefined);

  return {
    async get(kind, unwanted, buy) {
      const own = randomUUID();
      const name = tokenName(kind);
      const refused = unwanted === undefined ? '' : digest(unwanted);
      const until = clock.now() + BUYING_US / 1000;
      let mayBuy = false;
      try {
        while (!mayBuy && clock.now() < until) {
          const found = await store.run(name, (moment) => takeToken(name, refused, own, moment), false);
          const value = found.sealed && (await openFor(kind, found.sealed, replicas));
          if (value !== undefined) return { value, life: endingEarly(found.leftMs, clock) };
          if (found.mustWait) await pause();
          else mayBuy = true;
        }
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
      }
      try {
        const token = await buy();
        await keep(kind, token, own);
        return token;
      } catch (error) {
        await letBuy(name, own);
        throw error;
      }
    },
    keep: (kind, token) => keep(kind, token, ''),
    async keepRotated(kind, refreshToken) {
      // A failure is ignored: without the store or a key there is no shared token.
      await storeValue(refreshName(kind), refreshToken, ROTATED_MS, replicas).catch(() => undefined);
    },
    async rotated(kind) {
      return (await readValue(refreshName(kind), replicas).catch(() => undefined))?.text;
    },
  };
}

const tokenName = (kind: string) => nameOf(kind, 'token');
const refreshName = (kind: string) => nameOf(kind, 'refresh');

const tokenRow = z.object({
  digest: z.string().nullable(),
  sealed: z.string().nullable(),
  ends: z.number(),
  buyer: z.string().nullable(),
  buying: z.number(),
});

interface Found {
  sealed?: string;
  leftMs: number;
  /** Another replica buys one now. */
  mustWait: boolean;
}

/** A token that another replica bought, or the right to buy it. @param refused the digest of the token that is not wanted */
function* takeToken(name: string, refused: string, buyer: string, { now }: Moment): StoreStep<Found> {
  const [kept] = yield* select(
    sql`SELECT digest, sealed, ends, buyer, buying FROM tokens WHERE name = ${name}`,
    tokenRow,
  );
  const leftMs = ((kept?.ends ?? 0) - now) / 1000;
  const isGood = kept !== undefined && kept.digest !== refused && leftMs > EARLY_MS;
  if (isGood && kept.sealed !== null) return { sealed: kept.sealed, leftMs, mustWait: false };
  const buyingUs = (kept?.buying ?? 0) - now;
  // The clock of the store was set back where it seems to take longer than it may.
  if (kept?.buyer != null && buyingUs > 0 && buyingUs <= BUYING_US) return { leftMs, mustWait: true };
  yield sql`INSERT INTO tokens (name, expires, ends, buyer, buying)
    VALUES (${name}, ${now + BUYING_US}, 0, ${buyer}, ${now + BUYING_US})
    ON CONFLICT (name) DO UPDATE SET buyer = excluded.buyer, buying = excluded.buying`;
  return { leftMs, mustWait: false };
}

function* keepToken(
  name: string,
  { digest: of, sealed, livesUs }: { digest: string; sealed: string; livesUs: number },
  buyer: string,
  { now }: Moment,
): StoreStep<void> {
  yield sql`INSERT INTO tokens (name, expires, digest, sealed, ends, buying)
    VALUES (${name}, ${now + livesUs}, ${of}, ${sealed}, ${now + livesUs}, 0)
    ON CONFLICT (name) DO UPDATE SET expires = excluded.expires, digest = excluded.digest,
      sealed = excluded.sealed, ends = excluded.ends`;
  yield* endBuying(name, buyer);
}

const endBuying = (name: string, buyer: string): StoreStep<void> =>
  execute(sql`UPDATE tokens SET buyer = NULL, buying = 0 WHERE name = ${name} AND buyer = ${buyer}`);
