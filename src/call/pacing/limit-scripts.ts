/** A limit in the store that replicas share: a place in it, a place given back, and what an answer says of it, each in one step by the store's own clock. */

import { NOW, script } from '../../replicas/script.ts';
import { SLOWEST_BELIEVED, SLOWEST_GUESS } from './token-bucket.ts';

/** Of a limit that nobody used for a day nothing is known any more. */
const KEPT_MS = 86_400_000;

/**
 * The first calls of a process can be late by any time: their connections are made first, and processes that start
 * together share a machine. A bucket that is full stays so until they arrive, so nobody gets a place that has to be
 * waited for before the first of them is answered; after this it is given up.
 */
const HELD_US = 3_000_000;
const ASK_AGAIN_US = 100_000;

/**
 * A limit is a hash. `mode`: `probe` (one call is out to learn it, since `changed`), `open` (none stated), `stated` or
 * `learned`; `rate` a second; `burst`, which is `assumed` (1) until a refusal; `tat`, the time at which it is full again
 * (the theoretical arrival time of the generic cell rate algorithm); `used`, when it was last asked for; `cold`, since
 * when a first call is out, or 0.
 *
 * What the service counts, it counts from when a call arrives, which is not when it was sent: with one call less at once
 * and 2 ms more between two, no call comes too early; where the burst is one, nothing is left but more time between two.
 */
const LIMIT = `${NOW}
local kept = redis.call('HMGET', KEYS[1], 'mode', 'rate', 'burst', 'assumed', 'tat', 'used', 'changed', 'cold', 'share')
local mode, rate, burst, assumed = kept[1], tonumber(kept[2] or 0), tonumber(kept[3] or 1), tonumber(kept[4] or 0)
local tat, used, changed = tonumber(kept[5] or 0), tonumber(kept[6] or 0), tonumber(kept[7] or 0)
local cold = tonumber(kept[8] or 0)
local keptShare = tonumber(kept[9] or 1)
-- What others who are cut off may take is not given out.
local share = tonumber(ARGV[9] or keptShare)
if share ~= keptShare and tat > now then tat = now + (tat - now) * keptShare / share end
local each, slack = 0, 0
local measure = function()
  each = 1000000 / math.max(rate, ${SLOWEST_BELIEVED}) / share
  if burst > 1 then
    each = each + math.min(2000, each * 0.02)
    slack = (burst - 2) * each
  else
    each = each + math.min(100000, each * 0.05)
    slack = 0
  end
end
local keep = function()
  redis.call('HSET', KEYS[1], 'mode', mode, 'rate', tostring(rate), 'burst', burst, 'assumed', assumed,
    'tat', text(tat), 'used', text(used), 'changed', text(changed), 'cold', text(cold), 'share', tostring(share))
  redis.call('PEXPIRE', KEYS[1], ${KEPT_MS})
end
local arrived = function()
  if cold > 0 then tat = tat + math.max(0, math.min(now - cold, ${HELD_US})) end
  cold = 0
end
`;

/**
 * Reserves a slot under a limit. ARGV, with times in microseconds: the stated rate, burst and whether it is
 * assumed (rate 0: none is stated); the longest wait that is of use; the time before which a stored limit
 * counts as empty; the time at which a limit that is not stored was empty; the time after which the answer is
 * of no use; `warm`, or `cold` where this process has no answer under this limit yet, or `lost` where it had
 * a slot and did not use it; the share of the limit for all replicas that reach the store.
 * @returns how it ended (`go`, `place`, `late`, `unknown`), the wait, the `tat` with this slot in it, the
 *   time between two, rate, burst and mode, the time, and the `tat` without this slot.
 */
export const RESERVE = script(`${LIMIT}
local most, emptyBefore, emptyAt, latest = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
if now > latest then return { 'stale' } end
local before = 0
local said = function(how, wait)
  return { how, text(wait), text(tat), text(each), tostring(rate), tostring(burst), mode, text(now), text(before) }
end
local isNew = not mode
if isNew and tonumber(ARGV[1]) > 0 then
  mode, rate, burst, assumed = 'stated', tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
end
if not mode or (mode == 'probe' and now - changed > 10000000) then
  mode, used, changed = 'probe', now, now
  keep()
  return said('go', 0)
end
if mode == 'probe' then return said('unknown', ${ASK_AGAIN_US}) end
if mode == 'open' then
  used = now
  keep()
  return said('go', 0)
end
measure()
-- A clock that was set back would close the limit until it has caught up.
if tat > now + slack + 100 * each + 3600000000 then tat = now + slack + each end
if isNew and emptyAt > 0 then tat = emptyAt + slack + each end
if not isNew and used < emptyBefore then tat, cold = math.max(tat, now + slack + each), 0 end
if ARGV[8] == 'lost' then cold = 0 end
if now - cold > ${HELD_US} then arrived() end
local wait = math.max(0, tat - slack - now)
used = now
if wait > most then
  keep()
  return said('late', wait)
end
if cold > 0 and wait > 0 then
  keep()
  return said('unknown', math.max(wait, cold - now + ${ASK_AGAIN_US}))
end
before = tat
tat = math.max(tat, now) + each
if cold == 0 and ARGV[8] ~= 'warm' then cold = now + wait end
keep()
return said(wait == 0 and 'go' or 'place', wait)
`);

/** Gives the last place back that was taken, whose call nobody waits for. ARGV: the `tat` with it, and without. */
export const GIVE_BACK = script(`
if redis.call('HGET', KEYS[1], 'tat') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'tat', ARGV[2], 'cold', 0)
return 1
`);

/** Refusals that come together count once. */
const LOWER_AFTER_US = 1_000_000;
const RAISE_AFTER_US = 10_000_000;

/**
 * What an answer says of a limit. ARGV: `ok` or `refused`; the rate that it states, or 0; microseconds to leave it alone;
 * the rate that is guessed where none is known; the burst to assume; whether it is the first in its process.
 * @returns rate, burst and mode
 */
export const LEARN = script(`${LIMIT}
local stated, pause, guess, assume = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
-- Of what the store has lost meanwhile an answer alone says nothing.
if not mode and ARGV[1] == 'ok' and stated == 0 then return {} end
if not mode then mode = 'probe' end
if ARGV[6] == '1' then arrived() end
if stated > 0 then
  if mode ~= 'stated' then
    mode, rate, burst, assumed = 'stated', stated, assume, 1
    measure()
    tat = now + each
  end
  rate = stated
end
if ARGV[1] == 'refused' then
  local isLater = now - changed >= ${LOWER_AFTER_US}
  if mode == 'probe' or mode == 'open' then
    mode, rate, burst, changed = 'learned', guess, 1, now
  elseif mode == 'learned' and isLater then
    rate, changed = math.max(${SLOWEST_GUESS}, rate / 2), now
  elseif assumed == 1 and isLater then
    burst, changed = math.max(1, math.floor(burst / 2)), now
  end
  measure()
  tat, cold = math.max(tat, now + pause + slack + each), 0
elseif mode == 'probe' then
  mode, changed = 'open', now
elseif mode == 'learned' and now - changed >= ${RAISE_AFTER_US} then
  rate, changed = rate * 1.25, now
end
keep()
return { tostring(rate), tostring(burst), mode }
`);
