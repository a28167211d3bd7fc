/** `seller-commerce-mcp help`: the list of commands and settings, or all about one command. */

import type { Command } from './line/command.ts';
import type { CommandTable } from './line/find-command.ts';

export const helpOn = (commands: CommandTable): Command => ({
  name: 'help',
  summary: 'Show this list, or all about one command',
  positionals: '[command]',
  takes: 1,
  options: {},
  async run({ positionals: [name] }, io) {
    const [{ commandHelpText, helpText }, { findCommand }] = await Promise.all([
      import('./line/help-text.ts'),
      import('./line/find-command.ts'),
    ]);
    if (name === undefined) {
      const all = await Promise.all(Object.values(commands).map((load) => load()));
      io.stdout(`${helpText(all, io.version)}\n`);
    } else io.stdout(`${commandHelpText(await findCommand(name, commands))}\n`);
    return 0;
  },
});
