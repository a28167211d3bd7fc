/** `seller-commerce-mcp definitions`: API definitions that a person adds, lists and removes. */

import { InputError } from '../../../base/errors.ts';
import type { Compiled } from '../../../definitions/store/compiled.ts';
import { findDefinitionsFolder } from '../../../definitions/store/data-folder.ts';
import type { DefinitionStore } from '../../../definitions/store/store.ts';
import type { Outside } from '../../runtime/outside.ts';
import type { Command } from '../line/command.ts';

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
    'With --sandbox, operations with declared cases or examples answer.',
  ].join('\n'),
  // `io.signal` is never read here, so a signal ends it at once, in the midst of a long file too; nothing is kept in part.
  async run({ positionals, values }, io) {
    const [action, target, ...rest] = positionals;
    const { createDefinitionStore } = await import('../../../definitions/store/store.ts');
    const store = createDefinitionStore(await findDefinitionsFolder(io.config));
    const print = values.json === true ? printJson : undefined;
    if (action === 'list' && target === undefined) return list(store, io, print);
    if (action === 'add' && target !== undefined && rest.length === 0) return add(store, target, io, print);
    if (action === 'remove' && target !== undefined && rest.length === 0)
      return remove(store, target, io, print);
    throw new InputError(
      action === undefined
        ? 'Missing subcommand.'
        : `This is not understood: definitions ${positionals.join(' ')}.`,
      USAGE,
    );
  },
};

type Print = ((io: Outside, value: unknown) => void) | undefined;

function printJson(io: Outside, value: unknown): void {
  io.stdout(`${JSON.stringify(value, null, 2)}\n`);
}

async function add(store: DefinitionStore, target: string, io: Outside, print: Print): Promise<number> {
  const [{ compileAll }, { builtInEndpoints, describeAdded, summarise }] = await Promise.all([
    import('../../../definitions/store/compile.ts'),
    import('./definition-lines.ts'),
  ]);
  const builtIn = await builtInEndpoints();
  const { files, others } = await compileAll(target, new Date());
  const before = new Set((await store.load()).files.map(({ name }) => name));
  await store.add(files);
  const added = files.map((file) => ({ ...summarise(file, builtIn), replaced: before.has(file.name) }));
  if (print !== undefined) print(io, { added, notDefinitions: others, folder: store.folder });
  else io.stdout(describeAdded(files, added, others, store.folder));
  return 0;
}

async function list(store: DefinitionStore, io: Outside, print: Print): Promise<number> {
  const { files, damaged } = await store.load();
  const { builtInEndpoints, describeList, summarise } = await import('./definition-lines.ts');
  const builtIn = await builtInEndpoints();
  const summaries = files.map((file: Compiled) => summarise(file, builtIn));
  if (print !== undefined) print(io, { definitions: summaries, damaged, folder: store.folder });
  else io.stdout(describeList(summaries, store.folder));
  for (const { name, reason } of damaged) {
    io.stderr(`${name} is left out: ${reason}. Add it again, or remove it.\n`);
  }
  return 0;
}

async function remove(store: DefinitionStore, name: string, io: Outside, print: Print): Promise<number> {
  if (!(await store.remove(name))) {
    const { files, damaged } = await store.load();
    const names = [...files, ...damaged].map((one) => one.name);
    throw new InputError(
      `There is no definition called ${name}.`,
      names.length === 0 ? 'None has been added.' : `Added ones: ${names.join(', ')}.`,
    );
  }
  if (print !== undefined) print(io, { removed: name });
  else io.stdout(`Removed ${name}. Servers that are running keep it until they are started again.\n`);
  return 0;
}
