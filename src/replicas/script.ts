/** What happens in the store in one step: a script, for the keys of one hash tag. */

import { createHash } from 'node:crypto';

export interface Script {
  lua: string;
  sha: string;
}

export function script(lua: string): Script {
  return { lua, sha: createHash('sha1').update(lua).digest('hex') };
}

/** Of the store’s own clock, in microseconds, which a double counts exactly for centuries. */
export const NOW = `local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local text = function(number) return string.format('%.0f', number) end
`;
