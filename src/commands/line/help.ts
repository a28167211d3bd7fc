/** The text of --help, made from the commands and the settings. */

import { listSettings, type Setting } from '../../settings.ts';
import type { Command, CommandOption } from './command.ts';

const NAME = 'seller-commerce-mcp';

/** @param commands every command, the default one first. */
export function helpText(commands: readonly Command[], version: string): string {
  return [
    `${NAME} ${version}`,
    "Lets AI assistants work with a seller's commerce service over the Model Context Protocol.",
    '',
    `Usage: ${NAME} [command] [flags]`,
    '',
    'Commands (without one: serve)',
    ...columns(commands.map((command) => [command.name, command.summary])),
    '',
    'Settings (flag, or environment variable)',
    ...settingLines(),
    '',
    `Credentials are never flags: run "${NAME} login", or set the SELLER_* variables above.`,
    `More about one command: ${NAME} <command> --help`,
  ].join('\n');
}

/** @param command one command, with its own options. */
export function commandHelpText(command: Command): string {
  const own = Object.entries(command.options).map(([name, option]) => [
    optionForm(name, option),
    option.help,
  ]);
  const usage = [NAME, command.name, command.positionals, own.length > 0 ? '[flags]' : undefined];
  return [
    command.summary,
    '',
    `Usage: ${usage.filter((part) => part !== undefined && part !== '').join(' ')}`,
    ...(own.length > 0 ? ['', 'Flags', ...columns(own)] : []),
    ...(command.details === undefined ? [] : ['', command.details]),
    '',
    `Settings that every command takes: ${NAME} --help`,
  ].join('\n');
}

function settingLines(): string[] {
  return columns(listSettings().map((setting) => [settingForm(setting), settingHelp(setting)]));
}

function settingForm({ flag, env, isSwitch, choices }: Setting): string {
  if (flag === undefined) return env;
  const value = choices === undefined ? 'VALUE' : choices.join('|');
  return isSwitch ? `--${flag}` : `--${flag} ${value}`;
}

function settingHelp({ flag, env, help, defaultValue }: Setting): string {
  const notes = [
    flag === undefined ? 'no flag: a secret' : env,
    defaultValue === undefined ? undefined : `default ${defaultValue}`,
  ];
  return `${help} (${notes.filter((note) => note !== undefined).join(', ')})`;
}

function optionForm(name: string, { type, placeholder }: CommandOption): string {
  return type === 'boolean' ? `--${name}` : `--${name} ${placeholder ?? 'VALUE'}`;
}

function columns(rows: readonly (readonly (string | undefined)[])[]): string[] {
  const width = Math.max(...rows.map(([left = '']) => left.length));
  return rows.map(([left = '', right = '']) => `  ${left.padEnd(width)}  ${right}`);
}
