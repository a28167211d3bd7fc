/** Node's cache of compiled code, in a folder of the user's own: in the shared one others could write. */

import module from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Code that is imported from now on starts from the cache; does nothing where the folder cannot be written. */
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
