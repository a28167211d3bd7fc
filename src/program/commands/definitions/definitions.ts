/** The `definitions` command adds, lists and removes a user's API definitions. */

import { InputError } from '../../../base/errors.ts';
import type { CompiledDefinition } from '../../../definitions/store/compiled.ts';
import { findDefinitionsFolder } from '../../../definitions/store/data-folder.ts';
import type { DefinitionStore } from '../../../definitions/store/store.ts';
import type { Outside } from '../../runtime/outside.ts';
import type { Command } from '../line/command.ts';
import { createResultPrinter, type PrintResult } from '../line/print-result.ts';

const USAGE = 'Write definitions add <file or folder>, definitions list, or definitions remove <name>.';

export const definitions: Command = {
  name: 'definitions',
  summary: 'Add, list and remove API definitions (Swagger 2.0, OpenAPI 3.x) of further operations',
  positionals: 'add <file or folder> | list | remove <name>',
  takes: 2,
  options: { json: { type: 'boolean', help: 'Print one JSON object instead of lines' } },
  details: [
    'Files are JSON (up to 10 MB each) or YAML (up to 1 MB), with local references only.',
    'They are read once and kept in compiled form in the data folder; add a file again after changing it.',
    'An operation with the method and path of a built-in one completes that one; the others are new.',
  ].join('\n'),
  // The command never reads `io.signal`, so a signal ends it at once, even during a long file; nothing is
  // stored in part.
  async run({ positionals, values }, io) {
    const [action, target, ...rest] = positionals;
    const { createDefinitionStore } = await import('../../../definitions/store/store.ts');
    const store = createDefinitionStore(await findDefinitionsFolder(io.config));
    const print = createResultPrinter(io, values);
    if (action === 'list' && target === undefined) return list(store, io, print);
    if (action === 'add' && target !== undefined && rest.length === 0) return add(store, target, print);
    if (action === 'remove' && target !== undefined && rest.length === 0) return remove(store, target, print);
    throw new InputError(
      action === undefined
        ? 'Missing subcommand.'
        : `This is not understood: definitions ${positionals.join(' ')}.`,
      USAGE,
    );
  },
};

async function add(store: DefinitionStore, target: string, print: PrintResult): Promise<number> {
  const [{ compileAll }, { builtInEndpoints, describeAdded, summarise }] = await Promise.all([
    import('../../../definitions/store/compile.ts'),
    import('./definition-lines.ts'),
  ]);
  const builtIn = await builtInEndpoints();
  const { files, others } = await compileAll(target, new Date());
  const before = new Set((await store.load()).files.map(({ name }) => name));
  await store.add(files);
  const added = files.map((file) => ({ ...summarise(file, builtIn), replaced: before.has(file.name) }));
  const { folder } = store;
  print({ added, notDefinitions: others, folder }, describeAdded(files, added, others, folder));
  return 0;
}

async function list(store: DefinitionStore, io: Outside, print: PrintResult): Promise<number> {
  const { files, damaged } = await store.load();
  const { builtInEndpoints, describeList, summarise } = await import('./definition-lines.ts');
  const builtIn = await builtInEndpoints();
  const summaries = files.map((file: CompiledDefinition) => summarise(file, builtIn));
  const { folder } = store;
  print({ definitions: summaries, damaged, folder }, describeList(summaries, folder));
  for (const { name, reason } of damaged) {
    io.stderr(`${name} is left out: ${reason}. Add it again, or remove it.\n`);
  }
  return 0;
}

async function remove(store: DefinitionStore, name: string, print: PrintResult): Promise<number> {
  if (!(await store.remove(name))) {
    const { files, damaged } = await store.load();
    const names = [...files, ...damaged].map((one) => one.name);
    throw new InputError(
      `There is no definition called ${name}.`,
      names.length === 0 ? 'None has been added.' : `Added ones: ${names.join(', ')}.`,
    );
  }
  print(
    { removed: name },
    `Removed ${name}. Servers that are running keep it until they are started again.\n`,
  );
  return 0;
}
