/**
 * A list in the store, one step each. All of it is one key, which is lost whole or not at all: its lines by number, which
 * run has claimed which item, who works on it, and what the store was when they were written.
 */

import { NOW, type Script, script } from '../../../replicas/script.ts';
import { KEPT_MS } from './batch.ts';

/** What one answer holds at most, about. */
const PART_BYTES = 262_144;

/** Which server answers, since it was started or became the one that is written to. KEYS: the list; the index. */
const SERVER = `${NOW}
local list, index = KEYS[1], KEYS[2]
local told = function(section, name)
  local info = redis.pcall('INFO', section)
  return type(info) == 'string' and string.match(info, name .. ':(%w+)')
end
local process, history = told('server', 'run_id'), told('replication', 'master_replid')
if not process or not history then return { 'unknown' } end
local server = process .. history
`;

/**
 * First of every step: may the store have lost something? It is another server than before or the same one started again
 * (a restart, a failover), it has other contents than before (restored), or it has fewer lines than somebody has seen of
 * it: then the list gets a line that says so, and nobody works on it any more.
 * ARGV: the generation that the caller knows; 1 where that was asked for just now; how many lines the caller has seen;
 * the line.
 */
const LOOK = `${SERVER}
local kept = redis.call('HMGET', list, 'server', 'generation', 'lines', 'mark', 'until', 'doubt')
local lines, mark, seen, isInDoubt = tonumber(kept[3] or 0), kept[4], tonumber(ARGV[3]), kept[6]
if not kept[1] and seen == 0 then return { 'none' } end
local add = function(line)
  lines = lines + 1
  redis.call('HSET', list, 'l' .. text(lines), line, 'lines', text(lines))
end
if kept[1] ~= server or kept[2] ~= ARGV[1] or lines < seen then
  if kept[1] == server and lines >= seen and ARGV[2] ~= '1' then return { 'generation' } end
  lines, mark, isInDoubt = math.max(lines, seen), false, true
  add(ARGV[4])
  redis.call('HSET', list, 'server', server, 'generation', ARGV[1], 'doubt', '1')
  redis.call('HDEL', list, 'mark', 'until')
  if not kept[1] then redis.call('PEXPIRE', list, ${KEPT_MS}) end
end
`;

const onList = (lua: string): Script => script(LOOK + lua);

/** ARGV 5: the number of the line before the first. @returns `lines`, the number of the last line there is, and number and line of the next ones */
export const READ = onList(`
local found, size, at = { 'lines', text(lines) }, 0, tonumber(ARGV[5])
while at < lines and size < ${PART_BYTES} do
  at = at + 1
  local line = redis.call('HGET', list, 'l' .. text(at))
  if line then
    found[#found + 1], found[#found + 2] = text(at), line
    size = size + #line
  end
end
return found
`);

/**
 * What only the one who works on it may write (that an item is about to be sent, or is looked at) is left out from
 * anybody else, and so is a claim of an item that another run has, or that has ended: as fold.ts reads the lines.
 * ARGV 5, 6: who writes, and a number that goes up with each: one that comes late, when its writer has given it up, does
 * nothing. Then for each line: the line, what it is, the run, the item. ARGV 7 is the id for the index.
 * @returns `lines` and their number, or `late`
 */
export const APPEND = onList(`
local writer = 'w' .. ARGV[5]
if tonumber(redis.call('HGET', list, writer) or 0) >= tonumber(ARGV[6]) then return { 'late' } end
redis.call('HSET', list, writer, ARGV[6])
for at = 8, #ARGV, 4 do
  local line, kind, by, item = ARGV[at], ARGV[at + 1], ARGV[at + 2], 'c' .. ARGV[at + 3]
  local claim = by ~= '' and redis.call('HGET', list, item)
  local owner, sender = string.match(claim or '', '^(%S*) ?(%S*)$')
  local isTaken = true
  if kind == 'sending' then
    isTaken = by == mark and (not claim or owner == by)
    if isTaken and not claim then redis.call('HSET', list, item, by .. ' ' .. by) end
  elseif kind == 'looking' then
    isTaken = by == mark and owner ~= 'ended' and (claim or isInDoubt)
    if isTaken then redis.call('HSET', list, item, by .. ' ' .. sender) end
  elseif kind == 'step' then
    isTaken = by == mark and owner == by
  elseif kind == 'later' and owner == by then
    redis.call('HDEL', list, item)
  elseif kind == 'end' and (not claim or owner == by or sender == by) then
    redis.call('HSET', list, item, 'ended')
  end
  if isTaken then add(line) end
end
redis.call('PEXPIRE', list, ${KEPT_MS})
redis.call('ZADD', index, text(now), ARGV[7])
return { 'lines', text(lines) }
`);

/**
 * Claims a batch. ARGV 5: the mark of the process that wants to work on it; 6: for how many milliseconds.
 * @returns `held`, or where it is theirs `lines`, their number, and the mark of whoever had it and was silent
 *   for too long
 */
export const HOLD = onList(`
local silent = mark and mark ~= ARGV[5] and mark or ''
if mark and mark ~= ARGV[5] and tonumber(kept[5] or 0) > now then return { 'held' } end
redis.call('HSET', list, 'mark', ARGV[5], 'until', text(now + 1000 * ARGV[6]))
return { 'lines', text(lines), silent }
`);

/** The same for who has it; it may be over, as long as nobody else has taken it. @returns `held` where somebody has */
export const KEEP = onList(`
if mark ~= ARGV[5] then return { 'held' } end
redis.call('HSET', list, 'mark', ARGV[5], 'until', text(now + 1000 * ARGV[6]))
return { 'lines', text(lines) }
`);

export const IS_HELD = onList(`
return { mark and tonumber(kept[5] or 0) > now and 'held' or 'free' }
`);

/** KEYS: the list. ARGV: the mark. */
export const RELEASE = script(`
if redis.call('HGET', KEYS[1], 'mark') == ARGV[1] then redis.call('HDEL', KEYS[1], 'mark', 'until') end
return { 'done' }
`);

/** KEYS: the list. ARGV: number and text of a piece of a list that is made. */
export const DRAFT = script(`
if redis.call('HEXISTS', KEYS[1], 'server') == 1 then return { 'there' } end
redis.call('HSET', KEYS[1], 'l' .. ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], 60000)
return { 'done' }
`);

/**
 * A list that was made becomes one, unless there is another one that its maker has not looked at. KEYS: the list; the
 * index. ARGV: the generation; how many pieces there are; the id; ids of the lists that its maker knows.
 */
export const PUBLISH = script(`${SERVER}
local isKnown = {}
for at = 4, #ARGV do isKnown[ARGV[at]] = true end
for _, id in ipairs(redis.call('ZRANGE', index, 0, -1)) do
  if not isKnown[id] then
    redis.call('DEL', list)
    return { 'other' }
  end
end
if redis.call('HLEN', list) ~= tonumber(ARGV[2]) then return { 'lost' } end
redis.call('HSET', list, 'server', server, 'generation', ARGV[1], 'lines', ARGV[2])
redis.call('PEXPIRE', list, ${KEPT_MS})
redis.call('ZADD', index, text(now), ARGV[3])
return { 'done' }
`);

/** KEYS: the list. */
export const TELL = script(`
if redis.call('HEXISTS', KEYS[1], 'server') == 1 then redis.call('HSET', KEYS[1], 'told', '1') end
return { 'done' }
`);

/** KEYS: the index. @returns ids */
export const LIST = script(`${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', text(now - ${KEPT_MS * 1000}))
return redis.call('ZRANGE', KEYS[1], 0, -1)
`);

/**
 * KEYS: the index; lists. ARGV: their ids. @returns for each its server and whether it was told; nothing for what is
 * none, which leaves the index
 */
export const LOOK_AT = script(`
local found = {}
for at, id in ipairs(ARGV) do
  local kept = redis.pcall('HMGET', KEYS[at + 1], 'server', 'told')
  found[2 * at - 1], found[2 * at] = kept[1] or '', kept[2] or ''
  if not kept[1] then redis.call('ZREM', KEYS[1], id) end
end
return found
`);
