/** Keeps the start in few files: to find, read and link one costs a start more than the code in most of them. */

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { parseSync } from 'oxc-parser';

const MAIN = resolve('src/main.ts');
/** What a start loads once it knows that it serves. */
const START = ['src/program/commands/serve.ts', 'src/base/config.ts'].map((file) => resolve(file));
/** A process of its own, which loads nothing of the server. */
const ALONE = resolve('src/accounts/keychain/keychain-child.ts');

/** Tell a module that is loaded late, or by a worker first of all, from the same one imported by its neighbours. */
const LATE = '?late';
const FIRST = '?first';

/**
 * The bundler puts modules into one file where the same entries reach them, and each part that is loaded late is an
 * entry: what it shares with the start would leave the start for a file of its own. So every late part is made to reach
 * the whole start, which has been loaded by then, and every worker and process what `main.ts` itself imports.
 */
export const lateParts: Plugin = {
  name: 'late-parts',
  setup({ onResolve, onLoad, onEnd, resolve: findModule }) {
    onResolve({ filter: /\.ts$/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (pluginData === lateParts || (kind !== 'dynamic-import' && kind !== 'entry-point')) return undefined;
      const found = await findModule(path, { kind, importer, resolveDir, pluginData: lateParts });
      if (found.path === MAIN) return found;
      return { path: found.path, suffix: kind === 'entry-point' || found.path === ALONE ? FIRST : LATE };
    });
    onLoad({ filter: /\.ts$/ }, async ({ path, suffix }) => {
      if (suffix === '') return undefined;
      const reached = [...(await importsOf(MAIN)), ...(suffix === LATE ? START : [])];
      const lines = reached.map((module) => `import ${JSON.stringify(module)};`);
      return { contents: [...lines, `export * from ${JSON.stringify(path)};`].join('\n') };
    });
    // They hold nothing of their own: a list of what is bundled would take each for a component of nobody's.
    onEnd(({ metafile }) => {
      for (const { inputs } of Object.values(metafile?.outputs ?? {}))
        for (const input of Object.keys(inputs)) if (/\?(?:late|first)$/.test(input)) delete inputs[input];
    });
  },
};

async function importsOf(module: string): Promise<string[]> {
  const { body } = parseSync(module, await readFile(module, 'utf8')).program;
  return body
    .filter((statement) => statement.type === 'ImportDeclaration')
    .filter(({ importKind, source }) => importKind !== 'type' && source.value.startsWith('.'))
    .map(({ source }) => resolve(module, '..', source.value));
}
