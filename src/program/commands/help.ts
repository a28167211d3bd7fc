/** The `help` command and `--help` list commands and settings, or describe one command. */

import { listSettings, type Setting } from '../../base/setting-descriptions.ts';
import { wrap } from '../../base/text/wrap.ts';
import type { Command, CommandOption } from './line/command.ts';
import { type CommandTable, findCommand } from './line/find-command.ts';

export const helpOn = (commands: CommandTable): Command => ({
  name: 'help',
  summary: 'Show this list, or all about one command',
  positionals: '[command]',
  takes: 1,
  options: {},
  async run({ positionals: [name] }, io) {
    if (name === undefined) {
      const all = await Promise.all(Object.values(commands).map((load) => load()));
      io.stdout(`${helpText(all, io.version)}\n`);
    } else io.stdout(`${commandHelpText(await findCommand(name, commands))}\n`);
    return 0;
  },
});

const NAME = 'seller-commerce-mcp';

/** The maximum line length, which is the default width of a terminal. */
const HELP_COLUMNS = 80;

/** The maximum width of the left column; a longer text gets a line of its own. */
const MAX_LEFT_WIDTH = 28;

/**
 * Formats the list of commands and settings.
 * @param commands every command, the default one first.
 */
function helpText(commands: readonly Command[], version: string): string {
  return fitted([
    `${NAME} ${version}`,
    "Lets AI assistants work with a seller's commerce service over the Model Context Protocol.",
    '',
    `Usage: ${NAME} [command] [flags]`,
    '',
    'Commands (without one: serve)',
    ...columns(commands.map((command) => [command.name, command.summary])),
    '',
    'Settings (flag, or environment variable; flags override variables)',
    ...columns(listSettings().map((setting) => [settingForm(setting), settingHelp(setting)])),
    '',
    `Credentials are never flags: run "${NAME} login", or set the SELLER_* variables above.`,
    `More about one command: ${NAME} help <command>`,
  ]);
}

/**
 * Formats the description of one command.
 * @param command one command, with its own options.
 */
function commandHelpText(command: Command): string {
  const own = Object.entries(command.options).map(([name, option]) => [
    optionForm(name, option),
    option.help,
  ]);
  const usage = [NAME, command.name, command.positionals, '[flags]'];
  return fitted([
    command.summary,
    '',
    `Usage: ${usage.filter((part) => part !== undefined && part !== '').join(' ')}`,
    ...(own.length > 0 ? ['', 'Flags', ...columns(own)] : []),
    ...(command.details === undefined ? [] : ['', ...command.details.split('\n')]),
    '',
    `Settings that every command takes: ${NAME} --help`,
  ]);
}

function fitted(lines: readonly string[]): string {
  const indentOf = (line: string) => /^ */.exec(line)?.[0].length ?? 0;
  return lines.flatMap((line) => wrap(line, HELP_COLUMNS, indentOf(line))).join('\n');
}

function settingForm({ flag, env, isSwitch, choices }: Setting): string {
  if (flag === undefined) return env;
  const value = choices === undefined ? 'VALUE' : choices.join('|');
  return isSwitch ? `--${flag}` : `--${flag} ${value}`;
}

function settingHelp({ flag, env, help, defaultValue }: Setting): string {
  const notes = [
    flag === undefined ? 'no flag: a secret' : env,
    defaultValue === undefined ? undefined : `default: ${defaultValue}`,
  ];
  return `${help} (${notes.filter((note) => note !== undefined).join(', ')})`;
}

function optionForm(name: string, { type, placeholder }: CommandOption): string {
  return type === 'boolean' ? `--${name}` : `--${name} ${placeholder ?? 'VALUE'}`;
}

function columns(rows: readonly (readonly (string | undefined)[])[]): string[] {
  const lefts = rows.map(([left = '']) => left.length).filter((length) => length <= MAX_LEFT_WIDTH);
  const start = Math.max(0, ...lefts) + 4;
  return rows.flatMap(([left = '', right = '']) => {
    const indent = ' '.repeat(start);
    const [first = '', ...more] = wrap(indent + right, HELP_COLUMNS, start);
    if (left.length > MAX_LEFT_WIDTH) return [`  ${left}`, first, ...more];
    return [`  ${left}`.padEnd(start) + first.slice(start), ...more];
  });
}
