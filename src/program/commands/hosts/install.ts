/** The `install` command adds the server to the configuration of a desktop host. */

import { InputError } from '../../../base/errors.ts';
import { howToLogin } from '../../../base/invocation.ts';
import type { Launcher } from '../../hosts/entry.ts';
import type { Outside } from '../../runtime/outside.ts';
import type { Command, CommandArguments } from '../line/command.ts';

export const install: Command = {
  name: 'install',
  summary:
    'Put the server into a host: claude-desktop, claude-code, vscode, cursor, copilot-cli, windsurf, gemini-cli, lm-studio; codex: print its entry',
  positionals: '<host>',
  takes: 1,
  options: {
    name: { type: 'string', placeholder: 'NAME', help: 'Name of the entry (default: seller-commerce)' },
    project: {
      type: 'string',
      placeholder: 'FOLDER',
      help: 'Write the configuration of this project instead of your own',
    },
    command: {
      type: 'string',
      placeholder: 'npx|node',
      help: 'How the host starts the server (default: node with this very file where it will stay, else npx with this version)',
    },
    yes: { type: 'boolean', help: 'Write without asking' },
    'dry-run': { type: 'boolean', help: 'Show the change and write nothing' },
  },
  details: [
    'Settings given here as flags are written into the entry; secrets never are. How your spreadsheets separate a CSV',
    '(--csv) is written too, from the locale of this terminal.',
    'Run again, it keeps what an entry of this program holds and is not named: settings, further arguments, npx as the',
    'way to start it. The version is brought up to date. To switch a setting off: --no-read-only; to begin anew:',
    'uninstall, then install.',
  ].join('\n'),
  async run(args, io) {
    const { applyChange, findTarget, reportOutcome } = await import('./host-target.ts');
    const { buildEntry, chooseLauncher, formatToml, refuseSecrets } = await import('../../hosts/entry.ts');
    const { csvOfLocale } = await import('../../hosts/csv-of-locale.ts');
    const { preserveArguments, launcherOf } = await import('../../hosts/preserve-arguments.ts');
    const { setEntry, updateEntry } = await import('../../hosts/config-text.ts');
    const target = await findTarget(args, io);
    const settings = await readSettings(args, io);
    refuseSecrets(settings.env, settings.secrets);
    const named = readLauncher(args.values.command);
    const { host, slot } = target;
    // The locale is not written into a shared file, because colleagues have other locales.
    const csv = target.shared ? undefined : csvOfLocale(io);
    const ofLocale: Record<string, string> = csv === undefined ? {} : { [CSV_VARIABLE]: csv };
    const build = (launcher: Launcher, isKnown = false) =>
      buildEntry(host, target.system, io, launcher, { ...(isKnown ? {} : ofLocale), ...settings.env });
    let launcher: Launcher | undefined;
    const choose = (earlier?: Launcher) => {
      launcher = named ?? (earlier === 'npx' ? earlier : chooseLauncher(io, target.shared));
      return launcher;
    };
    const flags = new Set(Object.keys(args.flags ?? {}));
    if (host.isToml) {
      const table = formatToml(`${host.serversKey}.${slot.name}`, build(choose()));
      io.stdout(`Add this to ${slot.file}:\n\n${table}\n${host.next}\n`);
      if (settings.unwritten.length > 0) io.stdout(secretsNote(settings.unwritten));
      return 0;
    }
    const outcome = await applyChange(
      target,
      (text, found, isOurs) => {
        if (found === undefined || !isOurs) return setEntry(text, slot, build(choose()));
        const entry = build(
          choose(launcherOf(found)),
          CSV_VARIABLE in found.env || hasFlag(found.args, CSV_FLAG),
        );
        return updateEntry(text, slot, preserveArguments(entry, found, flags, io));
      },
      args,
      io,
    );
    if (settings.unwritten.length > 0) io.stdout(secretsNote(settings.unwritten));
    const nothing = `${host.name} has this entry already, in ${slot.file}.`;
    const next = `${host.next}${launcher === 'npx' ? npxNote(io.version) : ''}`;
    return reportOutcome(outcome, { nothing, next }, io);
  },
};

/** The CSV setting is written automatically from the terminal's locale, unless the entry has it already. */
const CSV_FLAG = '--csv';
const CSV_VARIABLE = 'SELLER_CSV';

const hasFlag = (args: readonly string[], flag: string) =>
  args.some((word) => word === flag || word.startsWith(`${flag}=`));

function npxNote(version: string): string {
  return `\nThe host gets version ${version} from the registry, and no other. If it does not find npx, install the package globally and run this again with --command node.`;
}

function secretsNote(variables: readonly string[]): string {
  const names = variables.join(', ');
  return `Not written, being secret: ${names}. So that the server finds them in the keychain, ${howToLogin()}.\n`;
}

function readLauncher(value: string | boolean | undefined): Launcher | undefined {
  if (value === undefined || value === 'npx' || value === 'node') return value;
  throw new InputError(`--command ${String(value)} is not known.`, 'Write --command npx or --command node.');
}

interface Settings {
  /** The values given as flags, by variable name. */
  env: Record<string, string>;
  /** Values that must not be written. */
  secrets: string[];
  /** Variables with a secret that the host's server will lack. */
  unwritten: string[];
}

/**
 * Reads the settings from flags only, because the user did not ask for values that happen to be set in this
 * shell.
 * @throws ConfigError for a marketplace that is no country
 */
async function readSettings(args: CommandArguments, io: Outside): Promise<Settings> {
  const { listSettings } = await import('../../../base/setting-descriptions.ts');
  const { resolve } = await import('node:path');
  const settings: Settings = { env: {}, secrets: [], unwritten: [] };
  const values = new Map(Object.entries(io.config));
  if (args.flags?.['marketplace-id'] !== undefined) {
    const { marketplaceIdOf } = await import('../../../accounts/resolve-account.ts');
    marketplaceIdOf(io.config);
  }
  for (const { key, flag, env } of listSettings()) {
    const value = values.get(key);
    if (value === undefined) continue;
    if (flag === undefined) {
      settings.secrets.push(String(value));
      settings.unwritten.push(env);
    } else if (args.flags?.[flag] !== undefined) {
      // The path is made absolute, because a host starts the server in another folder.
      settings.env[env] = key.endsWith('Dir') ? resolve(String(value)) : String(value);
    }
  }
  return settings;
}
