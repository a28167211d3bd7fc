/** Generates the plugin folder: one server, told to each host in the manifest that it reads. */

import { DEFAULT_SERVER_NAME } from '../../src/program/hosts/entry.ts';
import { type PackageJson, readPackageJson, webAddress } from '../package/package-json.ts';
import type { GeneratedFile } from './generated-file.ts';
import { publishedEntry } from './install.ts';
import { DISPLAY_NAME, SHORT_DESCRIPTION } from './words.ts';

/** Claude Code and Codex know the folder from the catalog in the root of the repository. */
export const PLUGIN_FOLDER = 'plugin';
const CATALOG = '.claude-plugin/marketplace.json';

/** Claude Code finds it by its name; the manifests of Codex and Cursor point to it. */
const SERVERS_FILE = '.mcp.json';

export async function generatePlugin(): Promise<GeneratedFile[]> {
  const files = buildPlugin(await readPackageJson());
  return Object.entries(files).map(([path, content]) => ({
    path,
    text: `${JSON.stringify(content, undefined, 2)}\n`,
  }));
}

/** Returns the content of each file by its path. */
export function buildPlugin(about: PackageJson): Readonly<Record<string, unknown>> {
  const web = webAddress(about);
  const author = { name: `${about.name} contributors`, url: web };
  const own = { name: DEFAULT_SERVER_NAME, version: about.version, description: SHORT_DESCRIPTION };
  const { license, keywords } = about;
  const manifest = { ...own, author, homepage: web, repository: web, license, keywords };
  const { command, args } = publishedEntry('cursor', about.version);
  const mcpServers = { [DEFAULT_SERVER_NAME]: { command, args } };
  const pointing = { ...manifest, mcpServers: `./${SERVERS_FILE}` };
  const inFolder = {
    '.claude-plugin/plugin.json': manifest,
    '.cursor-plugin/plugin.json': pointing,
    '.codex-plugin/plugin.json': {
      ...pointing,
      interface: { displayName: DISPLAY_NAME, shortDescription: SHORT_DESCRIPTION },
    },
    [SERVERS_FILE]: { mcpServers },
    'gemini-extension.json': { ...own, mcpServers },
  };
  const source = `./${PLUGIN_FOLDER}`;
  const catalog = {
    name: DEFAULT_SERVER_NAME,
    description: SHORT_DESCRIPTION,
    owner: author,
    plugins: [{ name: own.name, source, description: own.description }],
  };
  const files = Object.entries(inFolder).map(([path, content]) => [`${PLUGIN_FOLDER}/${path}`, content]);
  return { ...Object.fromEntries(files), [CATALOG]: catalog };
}
