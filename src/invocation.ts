/** How a person starts this program from a shell, as it was started here; for every text that names a command. */

import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

const PACKAGE_NAME = 'seller-commerce-mcp';

/** What is known of the running program. */
export interface StartedProgram {
  /** Of the bundle: `.../dist/main.mjs`. */
  entryFile: string;
  version: string;
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
}

/** Before `main.ts` has said where the program runs, and in tests of single modules. */
let find = (): string | undefined => PACKAGE_NAME;

/** Of the process, set once at its start; the files are looked at when the first text needs it. */
export function rememberInvocation(program: StartedProgram): void {
  let found: { form: string | undefined } | undefined;
  find = () => {
    found ??= { form: findInvocation(program) };
    return found.form;
  };
}

/**
 * A command as a person types it: `npx -y seller-commerce-mcp@0.1.0 login`. Only where `hasCommandLine()`; elsewhere the
 * name stands for the program.
 * @param words what follows the program's name
 */
export function commandLine(words: string): string {
  return `${find() ?? PACKAGE_NAME} ${words}`;
}

/** False in a desktop bundle, whose program only the host can start. */
export function hasCommandLine(): boolean {
  return find() !== undefined;
}

/** The sentence that tells a person how to give an account its credentials. Begins with a small letter, has no full stop. */
export function howToLogin(account = 'default'): string {
  if (hasCommandLine())
    return `run \`${commandLine(account === 'default' ? 'login' : `login --account ${account}`)}\``;
  return account === 'default'
    ? 'enter client id, client secret and refresh token in the settings of this extension in your host'
    : `in the settings of this extension, set the account to "${account}" and enter its credentials`;
}

/** What a shell understands, or undefined in a desktop bundle. */
export function findInvocation({ entryFile, version, platform, env }: StartedProgram): string | undefined {
  const runner = runnerOf(entryFile);
  if (runner !== undefined) return `${runner} ${PACKAGE_NAME}@${version}`;
  if (isBundle(entryFile)) return undefined;
  if (isGlobal(entryFile) || isOnPath(entryFile, platform, env)) return PACKAGE_NAME;
  return `node ${quote(entryFile, platform)}`;
}

/** By the cache that the file is in. */
function runnerOf(file: string): string | undefined {
  if (/[\\/]_npx[\\/]/.test(file)) return 'npx -y';
  if (/[\\/]bunx-[^\\/]*[\\/]/.test(file)) return 'bunx';
  if (/[\\/]xfs-[^\\/]*[\\/]/.test(file)) return 'yarn dlx';
  return /[\\/]dlx(-[^\\/]*)?[\\/]/.test(file) ? 'pnpm dlx' : undefined;
}

/** A bundle has its manifest and no package.json; a clone has both. */
function isBundle(file: string): boolean {
  const root = dirname(dirname(file));
  return existsSync(join(root, 'manifest.json')) && !existsSync(join(root, 'package.json'));
}

/** Where npm, pnpm and yarn put what is installed globally, which a host's own PATH may not name. */
function isGlobal(file: string): boolean {
  const installed = `node_modules[\\\\/]${PACKAGE_NAME}[\\\\/]`;
  return (
    new RegExp(`[\\\\/](?:lib|npm|nodejs|bun[\\\\/]install[\\\\/]global)[\\\\/]${installed}`).test(file) ||
    new RegExp(`[\\\\/](?:pnpm|yarn)[\\\\/]global[\\\\/].*${installed}`).test(file)
  );
}

function isOnPath(file: string, platform: NodeJS.Platform, env: StartedProgram['env']): boolean {
  // npm and its kin put a project's own programs before the PATH of what they run: no shell has them.
  const folders = (env.PATH ?? env.Path ?? '')
    .split(delimiter)
    .filter((one) => one !== '' && !/node_modules[\\/]\.bin/.test(one));
  if (platform === 'win32') return folders.some((folder) => isShimOf(folder, file));
  return folders.some((folder) => realPath(join(folder, PACKAGE_NAME)) === realPath(file));
}

/** A shim stands beside the `node_modules` that it starts from. */
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
