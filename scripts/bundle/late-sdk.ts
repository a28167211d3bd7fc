/**
 * Parts the SDK's modules in two: what a start uses, and what only a server over HTTP does. The bundler puts whole modules
 * into chunks: in one module with what every start loads, the second would be loaded by every start too.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { parseSync, Visitor } from 'oxc-parser';
import { leanTables } from './lean-sdk.ts';

/** Beside the module itself: what is left of it for HTTP. */
const HTTP = '?http';
/** What of it is left for the start, as its other part names it. */
const START = '?start';

const SDK = /@modelcontextprotocol[\\/]server[\\/]dist[\\/](index|mcp-[^\\/]+|src-[^\\/]+)\.mjs$/;
/** Those that are parted; `index.mjs` is there twice, since it holds little else than HTTP. */
const PARTED = /[\\/](mcp|src)-[^\\/]+\.mjs$/;
/** Whoever imports the SDK for HTTP. */
const FOR_HTTP = /[\\/]src[\\/]http[\\/]|@modelcontextprotocol[\\/]node[\\/]/;
/** Modules of the SDK that a start loads whole. */
const LOADED = ['stdio.mjs', 'listenRouter-'];

export const lateSdk: Plugin = {
  name: 'late-sdk',
  setup({ onResolve, onLoad, onEnd, resolve: findModule }) {
    const parted = new Map<string, Parted>();
    const part = async (path: string): Promise<Parted> => {
      const known = parted.get(path);
      if (known !== undefined) return known;
      const text = await readFile(path, 'utf8');
      const made = partModule(leanTables(path, text), await namesOfStart(path, part));
      parted.set(path, made);
      return made;
    };
    onResolve({ filter: /[?]start$/ }, ({ path }) => ({ path: path.slice(0, -START.length) }));
    onResolve({ filter: /^@modelcontextprotocol\/server$|[\\/](?:mcp|src)-[^\\/]+\.mjs$/ }, async (args) => {
      const { path, importer, pluginData, kind, resolveDir } = args;
      if (pluginData === lateSdk) return undefined;
      const isForHttp = pluginData === HTTP || FOR_HTTP.test(importer);
      if (!isForHttp) return undefined;
      const found = await findModule(path, { kind, importer, resolveDir, pluginData: lateSdk });
      return SDK.test(found.path) ? { path: found.path, suffix: HTTP, sideEffects: false } : found;
    });
    onLoad({ filter: SDK }, async ({ path, suffix }) => {
      const about = { resolveDir: resolve(path, '..'), pluginData: suffix };
      if (!PARTED.test(path)) {
        const text = await readFile(path, 'utf8');
        return { contents: suffix === HTTP ? text : indexOfStart(path, text), ...about };
      }
      const { rest, http } = await part(path);
      return { contents: suffix === HTTP ? http(path) : rest, ...about };
    });
    // In a list of what is bundled both are the one module that they come from.
    onEnd(({ metafile }) => {
      joinParts(metafile?.inputs ?? {});
      for (const { inputs } of Object.values(metafile?.outputs ?? {})) joinParts(inputs);
    });
  },
};

function joinParts<Input>(inputs: Record<string, Input>): void {
  for (const [name, input] of Object.entries(inputs)) {
    if (!name.endsWith(HTTP)) continue;
    delete inputs[name];
    inputs[name.slice(0, -HTTP.length)] ??= input;
  }
}

interface Parted {
  /** What a start uses of it. */
  rest: string;
  /** Names that this imports, by module. */
  imports: ReadonlyMap<string, ReadonlySet<string>>;
  http(path: string): string;
}

/** Exports of a module that something else than HTTP imports. */
async function namesOfStart(path: string, part: (path: string) => Promise<Parted>): Promise<Set<string>> {
  const folder = resolve(path, '..');
  const name = path.slice(folder.length + 1);
  const names = new Set<string>();
  const add = (text: string, file: string) => {
    for (const one of importsIn(file, text).get(`./${name}`) ?? []) names.add(one);
  };
  const files = readdirSync(folder).filter((file) => file.endsWith('.mjs'));
  for (const file of files.filter((one) => LOADED.some((start) => one.startsWith(start))))
    add(readFileSync(join(folder, file), 'utf8'), file);
  // What the program imports from the package, under the names that this module gives it.
  const index = readFileSync(join(folder, 'index.mjs'), 'utf8');
  const wanted = namesOfProgram();
  for (const [local, imported] of localsOf(index, `./${name}`)) if (wanted.has(local)) names.add(imported);
  // Of the other parted module, what is left of it for the start.
  const other = files.find((file) => /^mcp-/.test(file));
  if (/^src-/.test(name) && other !== undefined)
    for (const one of (await part(join(folder, other))).imports.get(`./${name}`) ?? []) names.add(one);
  return names;
}

/** The index as the start has it: no more than what the program imports, from the parts that have it. */
function indexOfStart(path: string, text: string): string {
  const wanted = namesOfProgram();
  return [...importsIn(path, text).keys()]
    .filter((source) => PARTED.test(source))
    .map((source) => {
      const names = localsOf(text, source).filter(([local]) => wanted.has(local));
      const passed = names.map(([local, imported]) => `${imported} as ${local}`).join(', ');
      return `export { ${passed} } from ${JSON.stringify(resolve(path, '..', source) + START)};`;
    })
    .join('\n');
}

/** All names that the program, but for its wing for HTTP, imports from the SDK. */
function namesOfProgram(): Set<string> {
  const names = new Set<string>();
  for (const root of ['src', 'tools', 'sandbox'])
    for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
      const path = join(root, file);
      if (!file.endsWith('.ts') || FOR_HTTP.test(`/${path}`)) continue;
      const text = readFileSync(path, 'utf8');
      if (!text.includes('@modelcontextprotocol/server')) continue;
      for (const one of importsIn(path, text).get('@modelcontextprotocol/server') ?? []) names.add(one);
    }
  return names;
}

function importsIn(file: string, text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const statement of parseSync(file, text).program.body) {
    if (statement.type !== 'ImportDeclaration') continue;
    const names = found.get(statement.source.value) ?? new Set();
    for (const one of statement.specifiers)
      if (one.type === 'ImportSpecifier') names.add(nameIn(one.imported));
    found.set(statement.source.value, names);
  }
  return found;
}

function localsOf(text: string, source: string): [local: string, imported: string][] {
  return parseSync('index.mjs', text).program.body.flatMap((statement) =>
    statement.type === 'ImportDeclaration' && statement.source.value === source
      ? statement.specifiers.flatMap((one) =>
          one.type === 'ImportSpecifier'
            ? [[one.local.name, nameIn(one.imported)] satisfies [string, string]]
            : [],
        )
      : [],
  );
}

const nameIn = (name: { name: string } | { value: string }) => ('name' in name ? name.name : name.value);

interface Statement {
  text: string;
  declares: string[];
  uses: Set<string>;
}

/** @param kept exports of it that something else than HTTP imports */
function partModule(text: string, kept: ReadonlySet<string>): Parted {
  const imported: Statement[] = [];
  const statements: Statement[] = [];
  const exported = new Map<string, string>();
  for (const statement of parseSync('module.mjs', text).program.body) {
    const piece = {
      text: text.slice(statement.start, statement.end),
      declares: [],
      uses: namesIn(statement),
    };
    if (statement.type === 'ImportDeclaration')
      imported.push({ ...piece, declares: statement.specifiers.map(({ local }) => local.name) });
    else if (statement.type === 'ExportNamedDeclaration')
      for (const one of statement.specifiers) exported.set(nameIn(one.exported), nameIn(one.local));
    else statements.push({ ...piece, declares: declaredBy(statement) });
  }
  const owner = new Map(statements.flatMap((one) => one.declares.map((name) => [name, one] as const)));
  const needed = new Set<Statement>();
  const need = (one: Statement | undefined) => {
    if (one === undefined || needed.has(one)) return;
    needed.add(one);
    for (const name of one.uses) need(owner.get(name));
  };
  // What declares nothing does something.
  for (const one of statements) if (one.declares.length === 0) need(one);
  for (const name of kept) need(owner.get(exported.get(name) ?? ''));
  const late = statements.filter((one) => !needed.has(one));
  const isLate = (local: string) => late.some((one) => one.declares.includes(local));
  const used = new Set(late.flatMap(({ uses }) => [...uses]));
  const borrowed = [...needed].flatMap(({ declares }) => declares).filter((name) => used.has(name));
  const exportsOf = (isThere: (local: string) => boolean) =>
    [...exported].filter(([, local]) => isThere(local)).map(([name, local]) => `${local} as ${name}`);
  const lent = borrowed.map((name) => `${name} as http_${name}`);
  const rest = [
    ...imported.map((one) => one.text),
    ...statements.filter((one) => needed.has(one)).map((one) => one.text),
    `export { ${[...exportsOf((local) => !isLate(local)), ...lent].join(', ')} };`,
  ].join('\n');
  const usedByRest = new Set([...needed].flatMap(({ uses }) => [...uses]));
  return {
    rest,
    imports: importsUsed(text, usedByRest),
    http: (path) =>
      [
        ...imported.map((one) => one.text),
        `import { ${borrowed.map((name) => `http_${name} as ${name}`).join(', ')} } from ${JSON.stringify(path + START)};`,
        ...late.map((one) => one.text),
        `export * from ${JSON.stringify(path + START)};`,
        `export { ${exportsOf(isLate).join(', ')} };`,
      ].join('\n'),
  };
}

function importsUsed(text: string, used: ReadonlySet<string>): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const source of importsIn('module.mjs', text).keys())
    found.set(
      source,
      new Set(localsOf(text, source).flatMap(([local, imported]) => (used.has(local) ? [imported] : []))),
    );
  return found;
}

type Node = ReturnType<typeof parseSync>['program']['body'][number];

function declaredBy(statement: Node): string[] {
  if (statement.type === 'VariableDeclaration')
    return statement.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
  const isNamed = statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration';
  return isNamed && statement.id ? [statement.id.name] : [];
}

/** More than it refers to, since members may be named alike: then too much stays in the start, and nothing is missing. */
function namesIn(statement: Node): Set<string> {
  const names = new Set<string>();
  const visitor = new Visitor({
    Identifier: ({ name }) => void names.add(name),
  });
  visitor.visit({
    type: 'Program',
    body: [statement],
    sourceType: 'module',
    hashbang: null,
    start: 0,
    end: 0,
  });
  return names;
}
