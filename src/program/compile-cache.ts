/** Node's cache of compiled code (22.1 and later), in a folder of the user's own: in the shared one others could write. */

import module from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Code that is imported from now on starts from the cache; does nothing on an older Node or an unwritable folder. */
export function enableCompileCache(platform: NodeJS.Platform, env: Environment): void {
  if (!('enableCompileCache' in module) || typeof module.enableCompileCache !== 'function') return;
  module.enableCompileCache(env.NODE_COMPILE_CACHE ?? compileCacheFolder(platform, env));
}

/** Writes what was compiled so far; by itself Node does so at its end, which a host that kills never lets come. */
export function flushCompileCache(): void {
  if ('flushCompileCache' in module && typeof module.flushCompileCache === 'function')
    module.flushCompileCache();
}

export function compileCacheFolder(platform: NodeJS.Platform, env: Environment, home = homedir()): string {
  const caches: Partial<Record<NodeJS.Platform, string>> = {
    darwin: path.join(home, 'Library', 'Caches'),
    win32: env.LOCALAPPDATA ?? path.join(home, 'AppData', 'Local'),
  };
  const base = caches[platform] ?? env.XDG_CACHE_HOME ?? path.join(home, '.cache');
  return path.join(base, 'seller-commerce-mcp', 'compiled');
}
