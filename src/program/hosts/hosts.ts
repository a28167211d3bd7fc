/** The supported hosts: the location and format of their server configuration. */

import { stat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { InputError } from '../../base/errors.ts';
import { suggest } from '../../base/text/nearest-name.ts';

/**
 * The properties of the machine that a host's folders depend on; everything here is a pure function of them.
 */
export interface System {
  platform: 'darwin' | 'win32' | 'linux';
  env: Readonly<Record<string, string | undefined>>;
  home: string;
}

/** One possible location of a configuration. */
interface ConfigLocation {
  file: string;
  /** A file or folder that must exist for the location to count; without it, the location always counts. */
  onlyIf?: string;
}

export interface Host {
  id:
    | 'claude-desktop'
    | 'claude-code'
    | 'vscode'
    | 'cursor'
    | 'copilot-cli'
    | 'windsurf'
    | 'gemini-cli'
    | 'lm-studio'
    | 'codex';
  name: string;
  /**
   * The possible locations of the user's own configuration. The first that counts is used, and the last one
   * always counts.
   */
  places(system: System): readonly ConfigLocation[];
  /** The shared configuration inside a project folder; undefined when the host has none. */
  projectFile?: readonly string[];
  /** The member of the file that maps names to servers. */
  serversKey: 'mcpServers' | 'servers' | 'mcp_servers';
  /**
   * True for TOML, which no library here edits with its layout and comments, so the entry is printed instead
   * of written.
   */
  isToml?: true;
  /** Members specific to the host that an entry gets; existing ones keep their value. */
  ownMembers?: Readonly<Record<string, unknown>>;
  /** True when an entry needs `type: 'stdio'`. */
  statesType?: true;
  /** True when the host itself reads comments and trailing commas; for others a file with them is invalid. */
  readsComments?: true;
  /** True when the host cannot start a `.cmd` shim on Windows, so that npx needs `cmd /c`. */
  wrapsNpx?: true;
  /** The user's next step to make the host load the change. */
  next: string;
}

export const HOSTS: readonly Host[] = [
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    places: claudeDesktopLocations,
    serversKey: 'mcpServers',
    wrapsNpx: true,
    next: 'Quit Claude Desktop and open it again.',
  },
  {
    id: 'claude-code',
    name: 'Claude Code',
    places: claudeCodeLocations,
    projectFile: ['.mcp.json'],
    serversKey: 'mcpServers',
    statesType: true,
    wrapsNpx: true,
    // This member prevents deferred tools, which a model that does not search never finds.
    ownMembers: { alwaysLoad: true },
    next: 'Start a new Claude Code session; `claude mcp list` shows the server.',
  },
  {
    id: 'vscode',
    name: 'VS Code',
    places: (system) => [{ file: pathsOf(system).join(appData(system), 'Code', 'User', 'mcp.json') }],
    projectFile: ['.vscode', 'mcp.json'],
    serversKey: 'servers',
    statesType: true,
    readsComments: true,
    next: 'Start the server in VS Code: Command Palette, "MCP: List Servers".',
  },
  {
    id: 'cursor',
    name: 'Cursor',
    places: (system) => [inFolder(system, '.cursor', 'mcp.json')],
    projectFile: ['.cursor', 'mcp.json'],
    serversKey: 'mcpServers',
    readsComments: true,
    wrapsNpx: true,
    next: 'Switch the server on in Cursor under Settings, MCP.',
  },
  {
    id: 'copilot-cli',
    name: 'Copilot CLI',
    places: (system) => [inFolder(system, system.env.COPILOT_HOME || '.copilot', 'mcp-config.json')],
    serversKey: 'mcpServers',
    wrapsNpx: true,
    ownMembers: { tools: ['*'], deferTools: 'never' },
    next: 'Start a new Copilot CLI session; `copilot mcp list` shows the server.',
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    places: (system) => [inFolder(system, '.codeium', 'windsurf', 'mcp_config.json')],
    serversKey: 'mcpServers',
    wrapsNpx: true,
    next: 'Refresh the servers in Windsurf under Settings, Cascade, MCP Servers.',
  },
  {
    id: 'gemini-cli',
    name: 'Gemini CLI',
    places: (system) => [inFolder(system, '.gemini', 'settings.json')],
    projectFile: ['.gemini', 'settings.json'],
    serversKey: 'mcpServers',
    readsComments: true,
    wrapsNpx: true,
    next: 'Start a new Gemini CLI session; `/mcp` shows the server.',
  },
  {
    id: 'lm-studio',
    name: 'LM Studio',
    places: (system) => [inFolder(system, '.lmstudio', 'mcp.json')],
    serversKey: 'mcpServers',
    wrapsNpx: true,
    next: 'Switch the server on in LM Studio under Program, Install.',
  },
  {
    id: 'codex',
    name: 'Codex',
    places: (system) => [inFolder(system, system.env.CODEX_HOME || '.codex', 'config.toml')],
    serversKey: 'mcp_servers',
    isToml: true,
    wrapsNpx: true,
    next: 'Then start a new Codex session; `codex mcp list` shows the server.',
  },
];

/**
 * Finds a host.
 * @throws InputError that lists the hosts.
 */
export function getHost(id: string | undefined): Host {
  const host = HOSTS.find((candidate) => candidate.id === id);
  if (host !== undefined) return host;
  const known = HOSTS.map((candidate) => candidate.id);
  const hint = `Name one of: ${known.join(', ')}.`;
  if (id === undefined) throw new InputError('No host given.', hint);
  const near = suggest(id, known);
  const meant = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new InputError(`There is no host named ${JSON.stringify(id)}.${meant}`, hint);
}

/** Returns the file that the host reads on this machine. */
export async function locateConfig(host: Host, system: System): Promise<string> {
  const locations = host.places(system);
  for (const location of locations) if (await counts(location)) return location.file;
  throw new InputError(`${host.name} has no configuration file on this system.`);
}

async function counts({ onlyIf }: ConfigLocation): Promise<boolean> {
  return onlyIf === undefined || (await stat(onlyIf).catch(() => undefined)) !== undefined;
}

/** Returns the path rules of the described system, not of the running one. */
const pathsOf = (system: System) => (system.platform === 'win32' ? win32 : posix);

/** Returns the folder in which desktop applications store their settings. */
function appData(system: System): string {
  const { env, home } = system;
  if (system.platform === 'darwin') return posix.join(home, 'Library', 'Application Support');
  if (system.platform === 'win32') return env.APPDATA || win32.join(home, 'AppData', 'Roaming');
  // The XDG specification requires that relative paths are ignored.
  const xdg = env.XDG_CONFIG_HOME;
  return xdg !== undefined && posix.isAbsolute(xdg) ? xdg : posix.join(home, '.config');
}

/** Returns a file below the user's home, or below an absolute folder. */
function inFolder(system: System, ...segments: readonly [string, ...string[]]): ConfigLocation {
  const { join, isAbsolute } = pathsOf(system);
  return { file: isAbsolute(segments[0]) ? join(...segments) : join(system.home, ...segments) };
}

/**
 * Returns two locations on Windows, because the packaged build reads a private copy of the roaming folder and
 * never the plain one.
 */
function claudeDesktopLocations(system: System): ConfigLocation[] {
  const { join } = pathsOf(system);
  const plain = { file: join(appData(system), 'Claude', 'claude_desktop_config.json') };
  if (system.platform !== 'win32') return [plain];
  const local = system.env.LOCALAPPDATA || join(system.home, 'AppData', 'Local');
  const roaming = join(local, 'Packages', 'Claude_pzs8sxrjxfjjc', 'LocalCache', 'Roaming');
  return [{ file: join(roaming, 'Claude', 'claude_desktop_config.json'), onlyIf: roaming }, plain];
}

/** Returns an older `.config.json` first, which Claude Code prefers while it exists. */
function claudeCodeLocations(system: System): ConfigLocation[] {
  const { join } = pathsOf(system);
  const folder = system.env.CLAUDE_CONFIG_DIR;
  const older = join(folder || join(system.home, '.claude'), '.config.json');
  return [{ file: older, onlyIf: older }, { file: join(folder || system.home, '.claude.json') }];
}
