/** Splits a command line into the command, the settings and the command's own options, in any order. */

import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ConfigError } from '../../../base/errors.ts';
import { commandLine } from '../../../base/invocation.ts';
import { listSettings } from '../../../base/setting-descriptions.ts';
import { suggest } from '../../../base/text/nearest-name.ts';
import type { Command, CommandArguments, CommandOption } from './command.ts';
import { DEFAULT_COMMAND } from './command-table.ts';
import type { CommandTable } from './find-command.ts';
import { findCommand, showWord } from './find-command.ts';

interface CommandLine extends CommandArguments {
  /** Settings given as flags, by flag name. */
  flags: Readonly<Record<string, string | boolean>>;
}

export interface ParsedCommandLine {
  command: Command;
  /** False when the line names no command, so the default one runs. */
  isNamed: boolean;
  line: CommandLine;
  wantsHelp: boolean;
  wantsVersion: boolean;
}

type CommandOptions = Readonly<Record<string, CommandOption>>;

const COMMON = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } } as const;

/**
 * Parses a command line. Settings are allowed before and after every command; a command's option of the same
 * name takes precedence.
 * @throws ConfigError for an unknown or unaccepted command, flag or word, and for a flag given twice.
 */
export async function parseCommandLine(
  argv: readonly string[],
  table: CommandTable,
): Promise<ParsedCommandLine> {
  const settings = settingOptions();
  const { name = DEFAULT_COMMAND, rest } = await splitCommand(argv, settings, table);
  const command = await findCommand(name, table);
  const known = { ...settings, ...command.options };
  const { values, positionals, tokens } = parseStrictly(rest, known);
  const pick = (names: CommandOptions) =>
    Object.fromEntries(
      Object.entries(values).flatMap(([key, value]) =>
        value !== undefined && !Array.isArray(value) && Object.hasOwn(names, key) ? [[key, value]] : [],
      ),
    );
  const wantsHelp = values.help === true;
  const wantsVersion = values.version === true;
  if (!wantsHelp && !wantsVersion) {
    refuseDoubles(tokens, known);
    refuseSurplus(command, positionals, tokens, known);
  }
  const flags = withPositional(pick(settings), command, positionals);
  const line = { flags, values: pick(command.options), positionals };
  return { command, isNamed: rest !== argv, line, wantsHelp, wantsVersion };
}

function settingOptions(): CommandOptions {
  const options: Record<string, CommandOption> = {};
  for (const { flag, isSwitch, help } of listSettings()) {
    if (flag !== undefined) options[flag] = { type: isSwitch ? 'boolean' : 'string', help };
  }
  return options;
}

/** Splits off the command: the first word that is neither a flag nor the value of one. */
async function splitCommand(argv: readonly string[], settings: CommandOptions, table: CommandTable) {
  let found = findFirstWord(argv, settings);
  if (found.unknown !== undefined) {
    // The flag may be an option of the following command, so all commands are searched.
    const commands = await Promise.all(Object.values(table).map((load) => load()));
    const all: CommandOptions = Object.assign({}, settings, ...commands.map(({ options }) => options));
    found = findFirstWord(argv, all);
    if (found.unknown !== undefined) throw unknownFlag(found.unknown, namesOf(all));
  }
  const { word, afterSwitch } = found;
  if (word === undefined) return { name: undefined, rest: argv };
  if (afterSwitch !== undefined && isOnOrOff(word.value)) throw misusedFlag(afterSwitch, true);
  return { name: word.value, rest: argv.filter((_, index) => index !== word.index) };
}

function findFirstWord(argv: readonly string[], options: CommandOptions) {
  const { tokens } = parseArgs({ args: [...argv], options: toParser(options), strict: false, tokens: true });
  const at = tokens.findIndex(({ kind }) => kind === 'positional');
  const word = tokens[at];
  const before = at < 0 ? tokens : tokens.slice(0, at);
  const unknown = before.find(
    (token) => token.kind === 'option' && baseName(token.name, options) === undefined,
  );
  return {
    word: word?.kind === 'positional' ? word : undefined,
    unknown: unknown?.kind === 'option' ? unknown.rawName : undefined,
    afterSwitch: switchOf(before.at(-1), options),
  };
}

function toParser(options: CommandOptions): NonNullable<ParseArgsConfig['options']> {
  const known: NonNullable<ParseArgsConfig['options']> = { ...COMMON };
  for (const [name, { type }] of Object.entries(options)) known[name] = { type };
  return known;
}

const namesOf = (options: CommandOptions) => [...Object.keys(options), ...Object.keys(COMMON)];

/** Returns `verify` for `no-verify`; undefined for an unknown flag. */
function baseName(name: string, options: CommandOptions): string | undefined {
  if (namesOf(options).includes(name)) return name;
  const base = name.replace(/^no-/, '');
  return options[base]?.type === 'boolean' ? base : undefined;
}

interface ArgumentToken {
  kind: string;
  name?: string;
  value?: string | undefined;
}

/** Returns the switch of a token, which has no value of its own. */
function switchOf(token: ArgumentToken | undefined, options: CommandOptions): string | undefined {
  const name = token?.kind === 'option' ? baseName(token.name ?? '', options) : undefined;
  return name !== undefined && options[name]?.type === 'boolean' ? name : undefined;
}

/** Recognizes values that other programs accept after a switch. */
function isOnOrOff(word: string): boolean {
  return /^(?:true|false|yes|no|on|off|0|1)$/i.test(word);
}

function parseStrictly(argv: readonly string[], options: CommandOptions) {
  try {
    return parseArgs({
      args: [...argv],
      options: toParser(options),
      allowPositionals: true,
      strict: true,
      allowNegative: true,
      tokens: true,
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // The whole message is not shown, because an unknown flag may be followed by a secret.
    const flag = /'?(--?[\w-]+)/.exec(error.message)?.[1] ?? '';
    const name = baseName(flag.replace(/^-+/, ''), options);
    if (name === undefined) throw unknownFlag(flag, namesOf(options));
    throw misusedFlag(name, options[name]?.type !== 'string');
  }
}

/**
 * Refuses a flag given twice, because one value would be dropped silently.
 * @throws ConfigError naming the flag
 */
function refuseDoubles(tokens: readonly ArgumentToken[], options: CommandOptions): void {
  const given = tokens.flatMap(({ kind, name = '' }) =>
    kind === 'option' ? [baseName(name, options) ?? name] : [],
  );
  const double = given.find((name, index) => given.indexOf(name) < index);
  if (double !== undefined) throw new ConfigError(`--${double} is given twice.`, 'Give it once.');
}

/**
 * Refuses a surplus word, because it may be the one that matters: `logout shop`.
 * @throws ConfigError naming the word
 */
function refuseSurplus(
  { name, takes = 0, positionals = '' }: Command,
  words: readonly string[],
  tokens: readonly ArgumentToken[],
  options: CommandOptions,
): void {
  const surplus = words[takes];
  if (surplus === undefined) return;
  const at = tokens.findIndex(({ kind, value }) => kind === 'positional' && value === surplus);
  const afterSwitch = switchOf(tokens[at - 1], options);
  if (afterSwitch !== undefined && isOnOrOff(surplus)) throw misusedFlag(afterSwitch, true);
  throw new ConfigError(
    `The word ${showWord(surplus)} is not understood: ${name} takes ${positionals === '' ? 'no arguments' : `${positionals} only`}.`,
    `Nothing was done. What it takes: ${commandLine(`${name} --help`)}`,
  );
}

/**
 * Merges the positional argument into the flags.
 * @throws ConfigError when word and flag differ
 */
function withPositional(
  flags: Readonly<Record<string, string | boolean>>,
  { name, positionalFlag }: Command,
  [word]: readonly string[],
): Readonly<Record<string, string | boolean>> {
  if (positionalFlag === undefined || word === undefined) return flags;
  const given = flags[positionalFlag];
  if (given === undefined || given === word) return { ...flags, [positionalFlag]: word };
  throw new ConfigError(
    `${name} is given two names: ${showWord(word)}, and another with --${positionalFlag}.`,
    'Give one of them. Nothing was done.',
  );
}

// Errors of unknown or misused flags suggest the intended flag and never show its value.

/**
 * Builds the error of an unknown flag.
 * @param flag as typed, without a value: `--client-secret`.
 */
function unknownFlag(flag: string, known: readonly string[]): ConfigError {
  const name = flag.replace(/^-+/, '');
  const near = suggest(name, known);
  if (isSecret(name) || (near === undefined && /secret|token|passw|credential/i.test(name))) {
    return new ConfigError(
      `Secrets are never flags: other programs and the shell's history could read them. There is no ${flag}.`,
      'Type them into the login command, pipe them to it, or set SELLER_CLIENT_SECRET and SELLER_REFRESH_TOKEN in the environment.',
    );
  }
  return new ConfigError(
    `Unknown flag ${flag}.${near === undefined ? '' : ` Did you mean --${near}?`}`,
    `${commandLine('--help')} lists all flags. Secrets are never flags: use the login command.`,
  );
}

/**
 * Returns true for a secret setting, which is never a flag, in any spelling: `--client-secret`,
 * `--SELLER_CLIENT_SECRET`, `--clientSecret`.
 */
function isSecret(name: string): boolean {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[-_]/g, '')
      .replace(/^seller/, '');
  if (plain(name) === 'accesstoken') return true;
  return listSettings().some(({ flag, env }) => flag === undefined && plain(env) === plain(name));
}

/**
 * Builds the error of a misused flag.
 * @param name without dashes.
 */
function misusedFlag(name: string, isSwitch: boolean): ConfigError {
  return isSwitch
    ? new ConfigError(`--${name} takes no value.`, `Write --${name}, or --no-${name} to turn it off.`)
    : new ConfigError(
        `--${name} needs a value.`,
        `Write --${name} VALUE, or --${name}=VALUE where the value begins with a dash.`,
      );
}
