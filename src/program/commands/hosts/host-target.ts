/** The common part of `install` and `uninstall`: locates the host's file, and applies a change to it. */

import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { InputError } from '../../../base/errors.ts';
import { type ChangeOutcome, type ConfigChange, changeConfig } from '../../hosts/change-config.ts';
import { checkServerName, DEFAULT_SERVER_NAME } from '../../hosts/entry.ts';
import { getHost, type Host, locateConfig, type System } from '../../hosts/hosts.ts';
import type { Outside } from '../../runtime/outside.ts';
import { confirmAtTerminal } from '../line/ask.ts';
import type { CommandArguments } from '../line/command.ts';

export type HostTarget = Awaited<ReturnType<typeof findTarget>>;

/**
 * Locates the file and the entry.
 * @throws InputError for an invalid host, name or project.
 */
export async function findTarget(args: CommandArguments, io: Pick<Outside, 'env' | 'platform'>) {
  const [id, ...surplus] = args.positionals;
  const host = getHost(id);
  if (surplus.length > 0) throw new InputError('One host at a time.', `Leave out: ${surplus.join(' ')}.`);
  const { name: given = DEFAULT_SERVER_NAME, project } = args.values;
  const name = checkServerName(String(given));
  const system = describeSystem(io);
  // True for the file of a project, which colleagues share.
  const shared = typeof project === 'string';
  const file = shared ? projectFile(host, project) : await locateConfig(host, system);
  return { host, system, shared, slot: { host, file, name } };
}

function describeSystem({ env, platform }: Pick<Outside, 'env' | 'platform'>): System {
  const home = (platform === 'win32' ? env.USERPROFILE : env.HOME) || homedir();
  return { platform: platform === 'win32' || platform === 'darwin' ? platform : 'linux', env, home };
}

function projectFile(host: Host, folder: string): string {
  if (host.projectFile !== undefined) return join(resolve(folder), ...host.projectFile);
  throw new InputError(`${host.name} has no configuration per project.`, 'Leave out --project.');
}

/** Applies a change with the user's consent. */
export function applyChange(
  { slot, shared }: HostTarget,
  apply: ConfigChange['apply'],
  { values }: CommandArguments,
  io: Outside,
): Promise<ChangeOutcome> {
  const change: ConfigChange = {
    slot,
    apply,
    // A user's own configuration may later contain secrets; a project's is read by others.
    mode: shared ? 0o644 : 0o600,
    dryRun: values['dry-run'] === true,
    confirm: async () =>
      values.yes === true || confirmAtTerminal('Write this?', 'Use --dry-run to see the change only.', io),
  };
  return changeConfig(change, io);
}

/** Prints the outcome; `next` is the user's next step. */
export function reportOutcome(
  outcome: ChangeOutcome,
  texts: { nothing: string; next: string },
  io: Outside,
): number {
  if (outcome.kind === 'nothing') io.stdout(`Nothing to do: ${texts.nothing}\n`);
  if (outcome.kind === 'shown') io.stdout('Dry run: nothing was written.\n');
  if (outcome.kind === 'declined') io.stdout('Nothing was changed.\n');
  if (outcome.kind === 'written') {
    const { backup } = outcome;
    io.stdout(`Written.${backup === undefined ? '' : ` The file as it was: ${backup}`}\n${texts.next}\n`);
  }
  return outcome.kind === 'declined' ? 1 : 0;
}
