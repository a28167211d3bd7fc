/** Splits a command line into command, settings and the command's own options. */

import { type ParseArgsConfig, parseArgs } from 'node:util';
import { closest } from 'fastest-levenshtein';
import { ConfigError } from '../../errors.ts';
import { listSettings } from '../../settings.ts';
import type { Command, CommandArguments, CommandOption } from './command.ts';

export interface CommandLine extends CommandArguments {
  /** Settings given as flags, by flag name. */
  flags: Readonly<Record<string, string | boolean>>;
  wantsHelp: boolean;
  wantsVersion: boolean;
}

const COMMON = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } } as const;

/**
 * @param options of the command; settings are always accepted, a command's option of the same name wins.
 * @throws ConfigError for an unknown flag, naming the nearest known one.
 */
export function parseCommandLine(argv: readonly string[], options: Command['options']): CommandLine {
  const settings = listSettings().filter((setting) => setting.flag !== undefined);
  const settingOptions: Record<string, CommandOption> = {};
  for (const { flag, isSwitch, help } of settings) {
    if (flag !== undefined) settingOptions[flag] = { type: isSwitch ? 'boolean' : 'string', help };
  }
  const { values, positionals } = parseStrictly(argv, { ...settingOptions, ...options });
  const pick = (wanted: (name: string) => boolean) =>
    Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) =>
        value !== undefined && !Array.isArray(value) && wanted(name) ? [[name, value]] : [],
      ),
    );
  return {
    flags: pick((name) => name in settingOptions),
    values: pick((name) => name in options),
    positionals,
    wantsHelp: values.help === true,
    wantsVersion: values.version === true,
  };
}

function parseStrictly(argv: readonly string[], options: Readonly<Record<string, CommandOption>>) {
  const known: NonNullable<ParseArgsConfig['options']> = { ...COMMON };
  for (const [name, { type }] of Object.entries(options)) known[name] = { type };
  try {
    return parseArgs({
      args: [...argv],
      options: known,
      allowPositionals: true,
      strict: true,
      allowNegative: true,
    });
  } catch (error) {
    throw explain(error, Object.keys(known));
  }
}

function explain(error: unknown, known: readonly string[]): unknown {
  if (!(error instanceof TypeError)) return error;
  // Never the whole message: somebody may have put a secret behind an unknown flag.
  const flag = /'?(--?[\w-]+)/.exec(error.message)?.[1] ?? '';
  const near = closest(flag.replace(/^-+/, ''), [...known]);
  const unknown = 'code' in error && error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION';
  const problem = unknown
    ? `Unknown flag ${flag}; did you mean --${near}?`
    : `Flag ${flag} is not used rightly: a switch takes no value, other flags take one.`;
  return new ConfigError(
    problem,
    'seller-commerce-mcp --help lists all flags. Secrets are never flags: use the login command.',
  );
}
