/** `npm run unused`, for what knip does not see: fails for each setting that nothing in the program reads. */

import { resolve } from 'node:path';
import { isIdentifier, isPropertyAssignment } from 'typescript/unstable/ast/is';
import { API } from 'typescript/unstable/sync';
import { settingsSchema } from '../src/base/settings.ts';

const SCHEMA = 'src/base/settings.ts';
/** Its words, which read nothing. */
const WORDS = 'src/base/setting-descriptions.ts';
/** The folders in which a setting is read; tests and scripts do not count. */
const PROGRAM = ['src/', 'sandbox/', 'tools/'];

type Node = Parameters<typeof isIdentifier>[0];

/**
 * Uses TypeScript's own search for references, so that a member of the same name in another type does not count.
 * @param root holds tsconfig.json. @param keys members of the one object literal of `src/base/settings.ts` that has them
 * @throws Error for a key that is not there
 */
export function findUnread(root: string, keys: readonly string[]): string[] {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [resolve(root, 'tsconfig.json')] }).getProjects();
    const file = resolve(root, SCHEMA);
    const names = findNames(project?.program.getSourceFile(file));
    return keys.filter((key) => {
      const name = names.get(key);
      if (project === undefined || name === undefined) throw new Error(`${SCHEMA} has no member ${key}`);
      return !project.checker
        .getReferencedSymbolsForNode(name, name.end)
        .flatMap(({ references }) => references)
        .some(
          ({ path }) =>
            path !== file &&
            path !== resolve(root, WORDS) &&
            PROGRAM.some((folder) => path.startsWith(resolve(root, folder))),
        );
    });
  } finally {
    api.close();
  }
}

/** The names of members of object literals, the first where several are alike. */
function findNames(file: Node | undefined): Map<string, Node> {
  const names = new Map<string, Node>();
  const walk = (node: Node): undefined => {
    if (isPropertyAssignment(node) && isIdentifier(node.name) && !names.has(node.name.text))
      names.set(node.name.text, node.name);
    node.forEachChild(walk);
  };
  if (file !== undefined) walk(file);
  return names;
}

if (process.argv[1]?.endsWith('unused-settings.ts')) {
  const unread = findUnread(process.cwd(), Object.keys(settingsSchema.shape));
  for (const key of unread)
    console.error(
      `${SCHEMA}: nothing in ${PROGRAM.join(', ')} reads the setting ${key}: read it, or remove it`,
    );
  if (unread.length > 0) process.exitCode = 1;
}
