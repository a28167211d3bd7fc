/** `seller-commerce-mcp help`: the list of commands and settings, or all about one command. */

import type { Command } from './line/command.ts';

export const help: Command = {
  name: 'help',
  summary: 'Show this list, or all about one command',
  positionals: '[command]',
  takes: 1,
  options: {},
  async run({ positionals: [name] }, io) {
    const [{ COMMANDS }, { commandHelpText, helpText }, { findCommand }] = await Promise.all([
      import('./line/command-table.ts'),
      import('./line/help-text.ts'),
      import('./line/find-command.ts'),
    ]);
    if (name === undefined) {
      const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()));
      io.stdout(`${helpText(commands, io.version)}\n`);
    } else io.stdout(`${commandHelpText(await findCommand(name, COMMANDS))}\n`);
    return 0;
  },
};
