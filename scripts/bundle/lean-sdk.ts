/** Leaves out of the SDK what this program never asks for: over 150 schemas that it builds at every start for others to use. */

import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import { parseSync } from 'oxc-parser';

/** The SDK's public schemas, each built where it is declared. */
const SCHEMAS = /@modelcontextprotocol[\\/]core[\\/]dist[\\/](?:schemas|auth)-[^\\/]+\.mjs$/;
/** The SDK itself, which puts every one of them into its tables of all types. */
const TABLES = /@modelcontextprotocol[\\/]server[\\/]dist[\\/]src-[^\\/]+\.mjs$/;

/** How the tables are filled and frozen, and the same said so that they are filled where somebody takes one. */
const FILLING = [
  [
    'for (const key of SPEC_SCHEMA_KEYS) register(',
    'const fill = () => { for (const key of SPEC_SCHEMA_KEYS) register(',
  ],
  [
    'Object.entries(authSchemas)) register(key, schema);',
    'Object.entries(authSchemas)) register(key, schema); };',
  ],
  [
    '= Object.freeze(_specTypeSchemas);',
    '= /* @__PURE__ */ (() => (fill(), Object.freeze(_specTypeSchemas)))();',
  ],
  ['= Object.freeze(_isSpecType);', '= /* @__PURE__ */ (() => (fill(), Object.freeze(_isSpecType)))();'],
] as const;

/** Where a connection has no transport of its own, which here each has. */
const STDIO = /@modelcontextprotocol[\\/]server[\\/]dist[\\/]stdio\.mjs$/;
const OWN_TRANSPORT = [['options.transport ?? new StdioServerTransport()', 'options.transport']] as const;

/** The bundler drops what nobody uses, but only where it is told that making it does nothing else. */
export const leanSdk: Plugin = {
  name: 'lean-sdk',
  setup({ onLoad }) {
    onLoad({ filter: SCHEMAS }, async ({ path }) => ({
      contents: markDeclared(path, await readFile(path, 'utf8')),
    }));
    onLoad({ filter: STDIO }, async ({ path }) => ({
      contents: replaceEach(await readFile(path, 'utf8'), OWN_TRANSPORT),
    }));
  },
};

/** The SDK's tables are filled where somebody takes one; any other module is as it was. */
export function leanTables(path: string, text: string): string {
  return TABLES.test(path) ? replaceEach(text, FILLING) : text;
}

function markDeclared(path: string, text: string): string {
  let marked = '';
  let end = 0;
  for (const statement of parseSync(path, text).program.body) {
    if (statement.type !== 'VariableDeclaration') continue;
    for (const { init } of statement.declarations) {
      if (init?.type !== 'CallExpression') continue;
      marked += `${text.slice(end, init.start)}/* @__PURE__ */ (() => ${text.slice(init.start, init.end)})()`;
      end = init.end;
    }
  }
  return marked + text.slice(end);
}

/** @throws Error where another release of the SDK says it otherwise. */
function replaceEach(text: string, pairs: readonly (readonly [from: string, to: string])[]): string {
  return pairs.reduce((late, [from, to]) => {
    if (late.split(from).length !== 2)
      throw new Error(`The SDK has not "${from}" once: see ${import.meta.url}`);
    return late.replace(from, to);
  }, text);
}
