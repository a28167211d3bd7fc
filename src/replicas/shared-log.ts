/** A log that replicas write together: only added to, in the order of the store's clock, each line once however often it is handed over. */

import { NOW, script } from './script.ts';
import { openFor, type Replicas, sealFor } from './sealed.ts';
import type { SharedStore } from './shared-store.ts';

/** Of one step, in bytes: a quarter of a second over most networks. A longer line goes by itself. */
const MOST_BYTES = 1_000_000;
const MOST_LINES = 500;

/** As it lies in the log: to be handed over again, it has to be the same. @throws StoreAway where there is no key */
export const sealLine = (log: string, line: string, replicas: Replicas) => sealFor(log, line, replicas);

/** Those that are there already are left where they are. @throws StoreAway, and nobody knows then which have arrived */
export async function addLines(
  log: string,
  sealed: readonly string[],
  keepMs: number,
  store: SharedStore,
): Promise<void> {
  for (const some of inSteps(sealed)) await store.run(ADD, [log], [Math.round(keepMs), ...some]);
}

function* inSteps(all: readonly string[]): Generator<readonly string[]> {
  let [some, bytes]: [string[], number] = [[], 0];
  for (const one of all) {
    if (some.length > 0 && (some.length === MOST_LINES || bytes + one.length > MOST_BYTES)) {
      yield some;
      [some, bytes] = [[], 0];
    }
    some.push(one);
    bytes += one.length;
  }
  if (some.length > 0) yield some;
}

export interface LogPart {
  /** Those that can be opened, oldest first. */
  lines: readonly string[];
  /** Behind the last of them. */
  next: string;
  isLast: boolean;
}

/** @param place behind what is known; `0` is the beginning @throws StoreAway */
export async function readLines(log: string, place: string, replicas: Replicas): Promise<LogPart> {
  const answer = await replicas.store.run(READ, [log], [place]);
  const found = Array.isArray(answer) ? answer.map(String) : [];
  const lines: string[] = [];
  let next = place;
  for (let at = 0; at + 1 < found.length; at += 2) {
    const text = await openFor(log, found[at] ?? '', replicas);
    if (text !== undefined) lines.push(text);
    next = found[at + 1] ?? next;
  }
  return { lines, next, isLast: found.length === 0 };
}

/** KEYS: the log. ARGV: for how many milliseconds lines are kept; lines. */
const ADD = script(`${NOW}
local keep = tonumber(ARGV[1])
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
local place = math.max(now, tonumber(last[2] or '0') + 1)
for i = 2, #ARGV do
  if not redis.call('ZSCORE', KEYS[1], ARGV[i]) then
    redis.call('ZADD', KEYS[1], text(place), ARGV[i])
    place = place + 1
  end
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', text(now - keep * 1000))
return redis.call('PEXPIRE', KEYS[1], text(keep))
`);

/** ARGV: behind which place; of a log that was lost or put back since, from its beginning. @returns lines, each with its place */
const READ = script(`
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')[2]
local place = ARGV[1]
if last and tonumber(last) < tonumber(place) then place = '0' end
local found = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. place, '+inf', 'WITHSCORES', 'LIMIT', 0, ${MOST_LINES})
local some, bytes = {}, 0
for i = 1, #found, 2 do
  bytes = bytes + #found[i]
  if i > 1 and bytes > ${MOST_BYTES} then break end
  some[#some + 1] = found[i]
  some[#some + 1] = string.format('%.0f', tonumber(found[i + 1]))
end
return some
`);
