/** Splits a command line into the command, the settings and the command's own options, in whatever order they stand. */

import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ConfigError } from '../../../base/errors.ts';
import { commandLine } from '../../../base/invocation.ts';
import { listSettings } from '../../../base/settings-words.ts';
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
  /** False when the line names no command, so that the default one is meant. */
  isNamed: boolean;
  line: CommandLine;
  wantsHelp: boolean;
  wantsVersion: boolean;
}

type Options = Readonly<Record<string, CommandOption>>;

const COMMON = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } } as const;

/**
 * Settings are taken by every command, before it and after it; a command's option of the same name wins.
 * @throws ConfigError for a command, flag or word that is not known or not taken, and for a flag given twice.
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
  const pick = (names: Options) =>
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

function settingOptions(): Options {
  const options: Record<string, CommandOption> = {};
  for (const { flag, isSwitch, help } of listSettings()) {
    if (flag !== undefined) options[flag] = { type: isSwitch ? 'boolean' : 'string', help };
  }
  return options;
}

/** Takes out the command: the first word that is neither a flag nor the value of one. */
async function splitCommand(argv: readonly string[], settings: Options, table: CommandTable) {
  let found = findFirstWord(argv, settings);
  if (found.unknown !== undefined) {
    // It may be an option of the command that follows, so all commands have to be looked at.
    const commands = await Promise.all(Object.values(table).map((load) => load()));
    const all: Options = Object.assign({}, settings, ...commands.map(({ options }) => options));
    found = findFirstWord(argv, all);
    if (found.unknown !== undefined) throw unknownFlag(found.unknown, namesOf(all));
  }
  const { word, afterSwitch } = found;
  if (word === undefined) return { name: undefined, rest: argv };
  if (afterSwitch !== undefined && isOnOrOff(word.value)) throw misusedFlag(afterSwitch, true);
  return { name: word.value, rest: argv.filter((_, index) => index !== word.index) };
}

function findFirstWord(argv: readonly string[], options: Options) {
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

function toParser(options: Options): NonNullable<ParseArgsConfig['options']> {
  const known: NonNullable<ParseArgsConfig['options']> = { ...COMMON };
  for (const [name, { type }] of Object.entries(options)) known[name] = { type };
  return known;
}

const namesOf = (options: Options) => [...Object.keys(options), ...Object.keys(COMMON)];

/** `no-verify` is `verify`; undefined for a flag that is not known. */
function baseName(name: string, options: Options): string | undefined {
  if (namesOf(options).includes(name)) return name;
  const base = name.replace(/^no-/, '');
  return options[base]?.type === 'boolean' ? base : undefined;
}

interface Token {
  kind: string;
  name?: string;
  value?: string | undefined;
}

/** The switch that a token is, without a value of its own. */
function switchOf(token: Token | undefined, options: Options): string | undefined {
  const name = token?.kind === 'option' ? baseName(token.name ?? '', options) : undefined;
  return name !== undefined && options[name]?.type === 'boolean' ? name : undefined;
}

/** What other programs take behind a switch. */
function isOnOrOff(word: string): boolean {
  return /^(?:true|false|yes|no|on|off|0|1)$/i.test(word);
}

function parseStrictly(argv: readonly string[], options: Options) {
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
    // Never the whole message: somebody may have put a secret behind an unknown flag.
    const flag = /'?(--?[\w-]+)/.exec(error.message)?.[1] ?? '';
    const name = baseName(flag.replace(/^-+/, ''), options);
    if (name === undefined) throw unknownFlag(flag, namesOf(options));
    throw misusedFlag(name, options[name]?.type !== 'string');
  }
}

/** Of two values one would be dropped without a word. @throws ConfigError naming the flag */
function refuseDoubles(tokens: readonly Token[], options: Options): void {
  const given = tokens.flatMap(({ kind, name = '' }) =>
    kind === 'option' ? [baseName(name, options) ?? name] : [],
  );
  const double = given.find((name, index) => given.indexOf(name) < index);
  if (double !== undefined) throw new ConfigError(`--${double} is given twice.`, 'Give it once.');
}

/** A word that is dropped may have been the one that mattered: `logout shop`. @throws ConfigError naming the word */
function refuseSurplus(
  { name, takes = 0, positionals = '' }: Command,
  words: readonly string[],
  tokens: readonly Token[],
  options: Options,
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

/** @throws ConfigError where word and flag name two different things */
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

// What is said of a flag that is not known or wrongly used: the one that was meant, never the value behind it.

/** @param flag as typed, without a value: `--client-secret`. */
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

/** `--client-secret`, `--SELLER_CLIENT_SECRET`, `--clientSecret`: a setting that is given otherwise. */
function isSecret(name: string): boolean {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[-_]/g, '')
      .replace(/^seller/, '');
  if (plain(name) === 'accesstoken') return true;
  return listSettings().some(({ flag, env }) => flag === undefined && plain(env) === plain(name));
}

/** @param name without dashes. */
function misusedFlag(name: string, isSwitch: boolean): ConfigError {
  return isSwitch
    ? new ConfigError(`--${name} takes no value.`, `Write --${name}, or --no-${name} to turn it off.`)
    : new ConfigError(
        `--${name} needs a value.`,
        `Write --${name} VALUE, or --${name}=VALUE where the value begins with a dash.`,
      );
}
