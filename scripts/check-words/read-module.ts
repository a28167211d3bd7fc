/** Reads the declared names and the comments of a module. */

import { type Comment, parseSync, Visitor } from 'oxc-parser';

export interface Module {
  file: string;
  /** Names of functions, variables and types. */
  names: readonly string[];
  types: readonly string[];
  /** The first line of each comment. */
  comments: readonly string[];
}

export function readModule(file: string, text: string): Module {
  const parsed = parseSync(file, text);
  const [names, types]: [string[], string[]] = [[], []];
  const addTo =
    (...lists: string[][]) =>
    ({ id }: { id: { type: string; name?: string } | null }) => {
      for (const list of lists) if (id?.name !== undefined) list.push(id.name);
    };
  new Visitor({
    FunctionDeclaration: addTo(names),
    VariableDeclarator: addTo(names),
    ClassDeclaration: addTo(names, types),
    TSInterfaceDeclaration: addTo(names, types),
    TSTypeAliasDeclaration: addTo(names, types),
  }).visit(parsed.program);
  return { file, names, types, comments: findOpenings(parsed.comments, text) };
}

/** Leaves out a line comment that continues the one above it. */
function findOpenings(comments: readonly Comment[], text: string): string[] {
  const opening = comments.filter(({ type, start }, index) => {
    const above = comments[index - 1];
    return type === 'Block' || above?.type !== 'Line' || text.slice(above.end, start).trim() !== '';
  });
  return opening.map(({ value }) => value.replace(/^[*\s]+/, '').split('\n', 1)[0] ?? '');
}
