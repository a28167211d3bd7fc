/** Builds the configuration entry of our server: how the host starts it, and its settings, never a secret. */

import { InputError } from '../../base/errors.ts';
import { howToLogin } from '../../base/invocation.ts';
import { PACKAGE_NAME, runnerOf } from '../find-invocation.ts';
import type { Outside } from '../runtime/outside.ts';
import type { Host, System } from './hosts.ts';

export const DEFAULT_SERVER_NAME = 'seller-commerce';

export interface ServerEntry {
  type?: 'stdio';
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** The additional members, as in `Host`. */
  ownMembers?: Host['ownMembers'];
}

/** The properties of the running program that decide how a host starts it. */
export type LaunchedProgram = Pick<Outside, 'entryFile' | 'execPath' | 'version'>;

export type Launcher = 'npx' | 'node';

/**
 * Chooses the launcher. `node FILE` depends neither on the host's PATH, nor the network, nor the owner of a
 * registry name. It is preferred if FILE is permanent, which a runner's cache is not, and the configuration
 * is not shared. Otherwise the registry is used, if the program came from it.
 * @throws InputError when neither is possible
 */
export function chooseLauncher(program: LaunchedProgram, shared: boolean): Launcher {
  if (!shared && !isTransient(program.entryFile)) return 'node';
  if (isInstalled(program.entryFile)) return 'npx';
  throw new InputError(
    `A project's configuration is shared, and ${program.entryFile} is a file of this machine, from a clone.`,
    'Leave out --project, or say with --command node that everybody has that file. With --command npx the package is fetched from the registry by its name: make sure that it is the right one.',
  );
}

/** Returns true for a file that a package manager installed. */
function isInstalled(file: string): boolean {
  return new RegExp(`[\\\\/]node_modules[\\\\/]${PACKAGE_NAME}[\\\\/]`).test(file);
}

/** Returns true for a file in a cache that its package manager clears on its own. */
export const isTransient = (file: string) => runnerOf(file) !== undefined;

/** Returns true for built code; plain Node cannot run the sources that a loader runs in development. */
export const isBuilt = (file: string) => /\.[cm]?js$/.test(file);

/**
 * Builds the entry.
 * @throws InputError for `node` with a file that plain Node cannot start.
 */
export function buildEntry(
  host: Host,
  system: System,
  program: LaunchedProgram,
  launcher: Launcher,
  env: Readonly<Record<string, string>>,
): ServerEntry {
  const { statesType, ownMembers } = host;
  const launch = buildLaunch(host, system, program, launcher);
  return { ...(statesType && { type: 'stdio' }), ...launch, env, ...(ownMembers && { ownMembers }) };
}

function buildLaunch(host: Host, system: System, program: LaunchedProgram, launcher: Launcher) {
  if (launcher === 'node' && !isBuilt(program.entryFile)) {
    throw new InputError(
      `${program.entryFile} is a source file, which a host cannot start.`,
      'Run the built program (npm run build, then npm start -- install ...).',
    );
  }
  if (launcher === 'node') return { command: program.execPath, args: [program.entryFile] };
  // The version is exact, so that the user decides about any later one.
  const args = ['-y', `${PACKAGE_NAME}@${program.version}`];
  const wrapped = system.platform === 'win32' && host.wrapsNpx;
  return wrapped ? { command: 'cmd', args: ['/c', 'npx', ...args] } : { command: 'npx', args };
}

/** Formats the entry as a TOML table; JSON strings are valid TOML strings. */
export function formatToml(table: string, { command, args, env }: ServerEntry): string {
  const variables = Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  const lines = [
    `[${table}]`,
    `command = ${JSON.stringify(command)}`,
    `args = [${args.map((word) => JSON.stringify(word)).join(', ')}]`,
    ...(variables.length === 0 ? [] : [`env = { ${variables.join(', ')} }`]),
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * Validates the name.
 * @throws InputError unless every host accepts it; Claude Code allows letters, digits, `-` and `_` only.
 */
export function checkServerName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name)) return name;
  throw new InputError(
    `${JSON.stringify(name)} cannot be the name of a server.`,
    'Use up to 64 letters, digits, - or _, starting with a letter or digit.',
  );
}

/** Prefixes of the identity provider's refresh tokens, access tokens and client secrets. */
const secretShape = /Atz[ar]\||amzn1\.oa2-cs\./;

/**
 * Refuses secrets, because a host's configuration is plain text that is synchronized, backed up and
 * committed.
 * @param secrets values known to be secret.
 * @throws InputError naming the variable, never its value.
 */
export function refuseSecrets(env: Readonly<Record<string, string>>, secrets: readonly string[]): void {
  for (const [name, value] of Object.entries(env)) {
    if (secretShape.test(value) || secrets.some((secret) => secret.length > 0 && value.includes(secret))) {
      throw new InputError(
        `${name} holds a secret, and secrets are not written into the configuration of a host.`,
        `To keep secrets in the keychain of the system, ${howToLogin()}.`,
      );
    }
  }
}
