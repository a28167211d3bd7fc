/** Determines how a user starts this program from a shell; loaded when the first text may need it. */

import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, win32 } from 'node:path';
import { rememberInvocation } from '../base/invocation.ts';
import type { Outside } from './runtime/outside.ts';

export const PACKAGE_NAME = 'seller-commerce-mcp';

/** The known properties of the running program. */
export type StartedProgram = Pick<Outside, 'entryFile' | 'version' | 'platform' | 'env'>;

/** Makes every following text use the form that works here. */
export function locateProgram(program: StartedProgram): void {
  rememberInvocation(findInvocation(program));
}

/** Returns the shell command, or undefined in a desktop bundle. */
export function findInvocation({ entryFile, version, platform, env }: StartedProgram): string | undefined {
  const runner = runnerOf(entryFile);
  if (runner !== undefined) return `${runner} ${PACKAGE_NAME}@${version}`;
  const root = platform === 'win32' ? win32.resolve(entryFile, '../..') : dirname(dirname(entryFile));
  if (isBundle(root)) return undefined;
  if (isGlobal(entryFile) || isOnPath(entryFile, platform, env)) return PACKAGE_NAME;
  // An npm script uses the Node of the clone; the shell's own can be too old.
  if (isClone(root)) return `npm --prefix ${quote(root, platform)} start --`;
  return `node ${quote(entryFile, platform)}`;
}

/** Returns the runner that fetched and started this file, recognized by its cache folder. */
export function runnerOf(file: string): string | undefined {
  if (/[\\/]_npx[\\/]/.test(file)) return 'npx -y';
  if (/[\\/]bunx-[^\\/]*[\\/]/.test(file)) return 'bunx';
  if (/[\\/]xfs-[^\\/]*[\\/]/.test(file)) return 'yarn dlx';
  return /[\\/]dlx(-[^\\/]*)?[\\/]/.test(file) ? 'pnpm dlx' : undefined;
}

const hasManifest = (root: string) => existsSync(join(root, 'manifest.json'));
const hasPackageJson = (root: string) => existsSync(join(root, 'package.json'));

/** A bundle has its manifest and no package.json; a clone has both. */
const isBundle = (root: string) => hasManifest(root) && !hasPackageJson(root);
const isClone = (root: string) => hasManifest(root) && hasPackageJson(root);

/** Recognizes the global folders of npm, pnpm, yarn and Bun, which a host's own PATH may lack. */
function isGlobal(file: string): boolean {
  return (
    /[\\/](?:lib|npm|nodejs)[\\/]node_modules[\\/]seller-commerce-mcp[\\/]/.test(file) ||
    /[\\/](?:pnpm|yarn|install)[\\/]global[\\/]/.test(file)
  );
}

function isOnPath(file: string, platform: NodeJS.Platform, env: StartedProgram['env']): boolean {
  // npm and similar tools prepend a project's own programs to the PATH, which no shell has.
  const folders = (env.PATH ?? env.Path ?? '')
    .split(delimiter)
    .filter((one) => one !== '' && !/node_modules[\\/]\.bin/.test(one));
  if (platform === 'win32') return folders.some((folder) => isShimOf(folder, file));
  return folders.some((folder) => realPath(join(folder, PACKAGE_NAME)) === realPath(file));
}

/** A shim is in the same folder as the `node_modules` that it starts from. */
function isShimOf(folder: string, file: string): boolean {
  return (
    existsSync(join(folder, `${PACKAGE_NAME}.cmd`)) &&
    file.startsWith(join(folder, 'node_modules', PACKAGE_NAME))
  );
}

function realPath(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}

function quote(path: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./\\-]+$/.test(path) && (platform === 'win32' || !path.includes('\\'))) return path;
  return platform === 'win32' ? `"${path}"` : `'${path.replaceAll("'", "'\\''")}'`;
}
