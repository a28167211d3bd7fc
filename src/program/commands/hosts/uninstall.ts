/** The `uninstall` command removes only the server from the configuration of a desktop host. */

import { InputError } from '../../../base/errors.ts';
import type { Command } from '../line/command.ts';

export const uninstall: Command = {
  name: 'uninstall',
  summary: 'Take the server out of a desktop host again',
  positionals: '<host>',
  takes: 1,
  options: {
    name: { type: 'string', placeholder: 'NAME', help: 'Name of the entry (default: seller-commerce)' },
    project: {
      type: 'string',
      placeholder: 'FOLDER',
      help: 'Change the configuration of this project instead of your own',
    },
    yes: { type: 'boolean', help: 'Write without asking' },
    'dry-run': { type: 'boolean', help: 'Show the change and write nothing' },
  },
  async run(args, io) {
    const { applyChange, findTarget, reportOutcome } = await import('./host-target.ts');
    const { removeEntry } = await import('../../hosts/config-text.ts');
    const target = await findTarget(args, io);
    const { host, slot } = target;
    if (host.isToml) throw toTakeOut(`[${host.serversKey}.${slot.name}]`, slot.file);
    const outcome = await applyChange(
      target,
      (text, found, isOurs) => {
        if (found === undefined) return text;
        if (!isOurs) throw notOurs(slot.name, slot.file);
        return removeEntry(text, slot);
      },
      args,
      io,
    );
    const nothing = `${slot.file} has no entry "${slot.name}".`;
    const next = `${host.name} starts without it the next time it is opened.`;
    return reportOutcome(outcome, { nothing, next }, io);
  },
};

function toTakeOut(table: string, file: string): InputError {
  return new InputError(
    'A configuration in TOML is not changed here.',
    `Take the table ${table} out of ${file} in an editor.`,
  );
}

function notOurs(name: string, file: string): InputError {
  return new InputError(
    `The entry "${name}" of ${file} starts another program. Nothing was changed.`,
    'Say which entry is ours with --name, or take this one out in an editor.',
  );
}
