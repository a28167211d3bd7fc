/** The facts about this repository, read from the code itself, that the documents are checked against. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { listSettings } from '../../src/base/setting-descriptions.ts';
import { reportViews } from '../../src/data/tables/generated/report-views.ts';
import { COMMANDS } from '../../src/program/commands/line/command-table.ts';
import { HOSTS } from '../../src/program/hosts/hosts.ts';
import { PROMPTS } from '../../src/protocol/prompts.ts';
import { reportTypes } from '../../src/service/facts/report-types.ts';
import { loadTools } from '../../tools/index.ts';

const TOOLS = await loadTools();

export interface CommandFacts {
  /** Names of the command's own options, and whether each is a switch. */
  options: ReadonlyMap<string, boolean>;
  /** The arguments as --help shows them: `add <file or folder> | list | remove <name>`. */
  positionals: string;
}

export interface Facts {
  /** The version in package.json. */
  version: string;
  scripts: ReadonlySet<string>;
  commands: ReadonlyMap<string, CommandFacts>;
  /** The settings' flags, and whether each is a switch. */
  flags: ReadonlyMap<string, boolean>;
  variables: ReadonlySet<string>;
  hosts: ReadonlySet<string>;
  /** Tools, prompts, report types, and the arguments and members of the tools. */
  names: ReadonlySet<string>;
  /** Every existing file, relative to the root; folders end with a slash. */
  files: ReadonlySet<string>;
  /** Folders that are generated and never committed. */
  made: ReadonlySet<string>;
}

export async function gatherFacts(root: string): Promise<Facts> {
  const made = ignoredFolders(root);
  const settings = listSettings();
  const { version, scripts } = readPackage(root);
  return {
    version,
    scripts: new Set(Object.keys(scripts)),
    commands: await readCommands(),
    flags: new Map(settings.flatMap(({ flag, isSwitch }) => (flag === undefined ? [] : [[flag, isSwitch]]))),
    variables: new Set(settings.map(({ env }) => env)),
    hosts: new Set(HOSTS.map(({ id }) => id)),
    names: new Set([
      ...TOOLS.flatMap(({ name, input, output }) => [
        name,
        ...Object.keys(input.shape),
        ...Object.keys(output.shape),
      ]),
      ...PROMPTS.map(({ name }) => name),
      ...reportTypes.map(({ id }) => id),
      ...Object.keys(reportViews),
    ]),
    files: listFiles(root, made),
    made,
  };
}

function readPackage(root: string): { version: string; scripts: Record<string, string> } {
  const text = readFileSync(join(root, 'package.json'), 'utf8');
  return z.object({ version: z.string(), scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(text));
}

async function readCommands(): Promise<Map<string, CommandFacts>> {
  const commands = new Map<string, CommandFacts>();
  for (const [name, load] of Object.entries(COMMANDS)) {
    const { options, positionals = '' } = await load();
    const own = Object.entries(options).map(([option, { type }]) => [option, type === 'boolean'] as const);
    commands.set(name, { options: new Map(own), positionals });
  }
  return commands;
}

function ignoredFolders(root: string): Set<string> {
  const file = join(root, '.gitignore');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  const folders = lines.filter((line) => line.endsWith('/')).map((line) => line.replace(/^\/|\/$/g, ''));
  return new Set([...folders, '.git']);
}

function listFiles(root: string, made: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  const walk = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (made.has(entry.name)) continue;
      const path = `${folder}${entry.name}`;
      found.add(entry.isDirectory() ? `${path}/` : path);
      if (entry.isDirectory()) walk(`${path}/`);
    }
  };
  walk('');
  return found;
}
