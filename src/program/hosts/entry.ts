/** What is written for our server: how the host starts it, and the settings it gets; never a secret. */

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
  /** See `Host`. */
  ownMembers?: Host['ownMembers'];
}

/** What is known of the running program, to decide how a host starts it. */
export type Program = Pick<Outside, 'entryFile' | 'execPath' | 'version'>;

export type Launcher = 'npx' | 'node';

/**
 * `node FILE` is independent of the host's PATH, of the network and of who owns a name in the registry, so it is
 * preferred wherever FILE will stay: not in the caches of npx and its kin, and not in a file that colleagues share.
 * There the registry is asked, but only where the running program has come from it.
 * @throws InputError where neither will do
 */
export function chooseLauncher(program: Program, shared: boolean): Launcher {
  if (!shared && !isTransient(program.entryFile)) return 'node';
  if (isInstalled(program.entryFile)) return 'npx';
  throw new InputError(
    `A project's configuration is shared, and ${program.entryFile} is a file of this machine, from a clone.`,
    'Leave out --project, or say with --command node that everybody has that file. With --command npx the package is fetched from the registry by its name: make sure that it is the right one.',
  );
}

/** True for a file that a package manager put there. */
function isInstalled(file: string): boolean {
  return new RegExp(`[\\\\/]node_modules[\\\\/]${PACKAGE_NAME}[\\\\/]`).test(file);
}

/** True for a file in a cache that its package manager clears on its own. */
export const isTransient = (file: string) => runnerOf(file) !== undefined;

/** Sources that a loader runs during development mean nothing to plain Node. */
export const isBuilt = (file: string) => /\.[cm]?js$/.test(file);

/** @throws InputError for `node` with a file that plain Node does not start. */
export function buildEntry(
  host: Host,
  system: System,
  program: Program,
  launcher: Launcher,
  env: Readonly<Record<string, string>>,
): ServerEntry {
  const { statesType, ownMembers } = host;
  const launch = buildLaunch(host, system, program, launcher);
  return { ...(statesType && { type: 'stdio' }), ...launch, env, ...(ownMembers && { ownMembers }) };
}

function buildLaunch(host: Host, system: System, program: Program, launcher: Launcher) {
  if (launcher === 'node' && !isBuilt(program.entryFile)) {
    throw new InputError(
      `${program.entryFile} is a source file, which a host cannot start.`,
      'Run the built program (npm run build, then npm start -- install ...).',
    );
  }
  if (launcher === 'node') return { command: program.execPath, args: [program.entryFile] };
  // Exactly this version: whatever comes under the name later is somebody's decision anew.
  const args = ['-y', `${PACKAGE_NAME}@${program.version}`];
  const wrapped = system.platform === 'win32' && host.wrapsNpx;
  return wrapped ? { command: 'cmd', args: ['/c', 'npx', ...args] } : { command: 'npx', args };
}

/** The entry as a table of a TOML file; strings of JSON are strings of TOML. */
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

/** @throws InputError unless every host takes the name: Claude Code allows letters, digits, `-` and `_` only. */
export function checkServerName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name)) return name;
  throw new InputError(
    `${JSON.stringify(name)} cannot be the name of a server.`,
    'Use up to 64 letters, digits, - or _, starting with a letter or digit.',
  );
}

/** Prefixes that the identity provider gives to its refresh tokens, access tokens and client secrets. */
const secretShape = /Atz[ar]\||amzn1\.oa2-cs\./;

/**
 * A host's configuration is plain text that is synchronised, backed up and committed.
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
