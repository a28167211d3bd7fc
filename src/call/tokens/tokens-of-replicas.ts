/** Access tokens, bought once for all replicas: whoever loses the race reads what the winner has bought. */

import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { script } from '../../replicas/script.ts';
import { keepValue, openFor, type Replicas, readValue, sealFor } from '../../replicas/sealed.ts';
import { digest, keyOf, StoreAway } from '../../replicas/shared-store.ts';
import type { Token, TokensOfReplicas } from './token-cache.ts';
import { EARLY_MS, endingEarly } from './token-lifetime.ts';

/** A purchase that takes longer is another's to make as well. */
const BUYING_MS = 20_000;
const LOOK_MS = 50;
/** A replica that was off for longer is given its secrets anew. */
const ROTATED_MS = 90 * 86_400_000;

export function tokensOfReplicas(replicas: Replicas, clock: Clock): TokensOfReplicas {
  const { store } = replicas;
  const pause = () => new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve));

  /** Whoever had the right to buy it has it no longer. */
  const keep = async (kind: string, { value, life }: Token, buyer: string): Promise<void> => {
    const livesMs = Math.max(1, Math.round(life.expiresAt - clock.wallClock()));
    try {
      const args = [digest(value), await sealFor(kind, value, replicas), livesMs, buyer];
      await store.run(KEEP_TOKEN, [tokenKey(kind), buyerKey(kind)], args);
    } catch {
      await store.run(LET_BUY, [buyerKey(kind)], [buyer]).catch(() => undefined);
    }
  };

  return {
    async get(kind, unwanted, buy) {
      const own = randomUUID();
      const until = clock.now() + BUYING_MS;
      let mayBuy = false;
      try {
        while (!mayBuy && clock.now() < until) {
          const refused = unwanted === undefined ? '' : digest(unwanted);
          const answer = await store.run(
            TAKE_TOKEN,
            [tokenKey(kind), buyerKey(kind)],
            [refused, own, BUYING_MS],
          );
          const [how, sealed, leftMs] = Array.isArray(answer) ? answer.map(String) : [];
          const value =
            how === 'token' && sealed !== undefined ? await openFor(kind, sealed, replicas) : undefined;
          if (value !== undefined) return { value, life: endingEarly(Number(leftMs), clock) };
          if (how === 'wait') await pause();
          else mayBuy = true;
        }
      } catch (error) {
        if (!(error instanceof StoreAway)) throw error;
      }
      try {
        const token = await buy();
        await keep(kind, token, own);
        return token;
      } catch (error) {
        await store.run(LET_BUY, [buyerKey(kind)], [own]).catch(() => undefined);
        throw error;
      }
    },
    keep: (kind, token) => keep(kind, token, ''),
    async keepRotated(kind, refreshToken) {
      // As good as none where the store is away, or there is no key.
      await keepValue(refreshKey(kind), refreshToken, ROTATED_MS, replicas).catch(() => undefined);
    },
    rotated: (kind) => readValue(refreshKey(kind), replicas).catch(() => undefined),
  };
}

const tokenKey = (kind: string) => keyOf(kind, 'token');
const buyerKey = (kind: string) => keyOf(kind, 'buyer');
const refreshKey = (kind: string) => keyOf(kind, 'refresh');

/**
 * A token that another replica bought, or the right to buy it. KEYS: the token; who buys it. ARGV: the digest of the
 * token that is not wanted; who asks; for how many milliseconds the right holds.
 * @returns `token`, its text, and the milliseconds that it lives; \`buy\`; or \`wait\`
 */
const TAKE_TOKEN = script(`
local kept = redis.call('HMGET', KEYS[1], 'digest', 'sealed')
local left = redis.call('PTTL', KEYS[1])
if kept[1] and kept[2] and kept[1] ~= ARGV[1] and left > ${EARLY_MS} then return { 'token', kept[2], left } end
if redis.call('SET', KEYS[2], ARGV[2], 'NX', 'PX', ARGV[3]) then return { 'buy' } end
return { 'wait' }
`);

/** KEYS as above. ARGV: digest, sealed text, milliseconds that it lives, who bought it. */
const KEEP_TOKEN = script(`
redis.call('HSET', KEYS[1], 'digest', ARGV[1], 'sealed', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
if redis.call('GET', KEYS[2]) == ARGV[4] then redis.call('DEL', KEYS[2]) end
return 1
`);

/** KEYS: who buys it. ARGV: who did not. */
const LET_BUY = script(`
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1
`);
