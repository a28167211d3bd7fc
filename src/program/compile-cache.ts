/**
 * Places Node's cache of compiled code in a folder of the user's own, because others could write to the
 * shared one.
 */

import module from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Enables the cache for code that is imported from now on; does nothing when the folder is not writable. */
export function enableCompileCache(platform: NodeJS.Platform, env: Environment): void {
  module.enableCompileCache(env.NODE_COMPILE_CACHE ?? compileCacheFolder(platform, env));
}

export function compileCacheFolder(platform: NodeJS.Platform, env: Environment, home = homedir()): string {
  const caches: Partial<Record<NodeJS.Platform, string>> = {
    darwin: path.join(home, 'Library', 'Caches'),
    win32: env.LOCALAPPDATA ?? path.join(home, 'AppData', 'Local'),
  };
  const base = caches[platform] ?? env.XDG_CACHE_HOME ?? path.join(home, '.cache');
  return path.join(base, 'seller-commerce-mcp', 'compiled');
}
