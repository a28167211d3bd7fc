import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/base/errors.ts';
import { getHost, HOSTS, type System } from '../../../src/program/hosts/hosts.ts';

const systems = {
  darwin: { platform: 'darwin', env: {}, home: '/Users/Zoë Ångström' },
  win32: {
    platform: 'win32',
    env: { APPDATA: 'C:\\Users\\Zoë Ångström\\AppData\\Roaming', LOCALAPPDATA: 'D:\\Lokale Dateien' },
    home: 'C:\\Users\\Zoë Ångström',
  },
  linux: { platform: 'linux', env: {}, home: '/home/zoë ångström' },
} satisfies Record<string, System>;

const table: Record<string, Record<keyof typeof systems, string>> = {
  'claude-desktop': {
    darwin: '/Users/Zoë Ångström/Library/Application Support/Claude/claude_desktop_config.json',
    win32: 'C:\\Users\\Zoë Ångström\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
    linux: '/home/zoë ångström/.config/Claude/claude_desktop_config.json',
  },
  'claude-code': {
    darwin: '/Users/Zoë Ångström/.claude.json',
    win32: 'C:\\Users\\Zoë Ångström\\.claude.json',
    linux: '/home/zoë ångström/.claude.json',
  },
  vscode: {
    darwin: '/Users/Zoë Ångström/Library/Application Support/Code/User/mcp.json',
    win32: 'C:\\Users\\Zoë Ångström\\AppData\\Roaming\\Code\\User\\mcp.json',
    linux: '/home/zoë ångström/.config/Code/User/mcp.json',
  },
  cursor: {
    darwin: '/Users/Zoë Ångström/.cursor/mcp.json',
    win32: 'C:\\Users\\Zoë Ångström\\.cursor\\mcp.json',
    linux: '/home/zoë ångström/.cursor/mcp.json',
  },
  'copilot-cli': {
    darwin: '/Users/Zoë Ångström/.copilot/mcp-config.json',
    win32: 'C:\\Users\\Zoë Ångström\\.copilot\\mcp-config.json',
    linux: '/home/zoë ångström/.copilot/mcp-config.json',
  },
  windsurf: {
    darwin: '/Users/Zoë Ångström/.codeium/windsurf/mcp_config.json',
    win32: 'C:\\Users\\Zoë Ångström\\.codeium\\windsurf\\mcp_config.json',
    linux: '/home/zoë ångström/.codeium/windsurf/mcp_config.json',
  },
  'gemini-cli': {
    darwin: '/Users/Zoë Ångström/.gemini/settings.json',
    win32: 'C:\\Users\\Zoë Ångström\\.gemini\\settings.json',
    linux: '/home/zoë ångström/.gemini/settings.json',
  },
  'lm-studio': {
    darwin: '/Users/Zoë Ångström/.lmstudio/mcp.json',
    win32: 'C:\\Users\\Zoë Ångström\\.lmstudio\\mcp.json',
    linux: '/home/zoë ångström/.lmstudio/mcp.json',
  },
  codex: {
    darwin: '/Users/Zoë Ångström/.codex/config.toml',
    win32: 'C:\\Users\\Zoë Ångström\\.codex\\config.toml',
    linux: '/home/zoë ångström/.codex/config.toml',
  },
};

const pathsOf = (id: string, system: System) => getHost(id).places(system);

describe('where hosts keep their servers', () => {
  it('covers every host', () => {
    expect(Object.keys(table)).toEqual(HOSTS.map((host) => host.id));
  });

  for (const [id, paths] of Object.entries(table)) {
    it.each(Object.entries(paths))(`${id} on %s`, (platform, file) => {
      const system = Object.entries(systems).find(([name]) => name === platform)?.[1];
      expect(system).toBeDefined();
      if (system !== undefined) expect(pathsOf(id, system).at(-1)).toEqual({ file });
    });
  }

  it('prefers the private folder of the packaged Claude Desktop on Windows where that exists', () => {
    const roaming = 'D:\\Lokale Dateien\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming';
    expect(pathsOf('claude-desktop', systems.win32)[0]).toEqual({
      file: `${roaming}\\Claude\\claude_desktop_config.json`,
      onlyIf: roaming,
    });
  });

  it('falls back to the usual folders when Windows names none', () => {
    const system: System = { platform: 'win32', env: {}, home: 'C:\\Users\\Jo Doe' };
    expect(pathsOf('vscode', system)[0]?.file).toBe(
      'C:\\Users\\Jo Doe\\AppData\\Roaming\\Code\\User\\mcp.json',
    );
    expect(pathsOf('claude-desktop', system)[0]?.onlyIf).toMatch(
      /^C:\\Users\\Jo Doe\\AppData\\Local\\Packages\\/,
    );
  });

  it('follows XDG_CONFIG_HOME unless it is relative', () => {
    const at = (XDG_CONFIG_HOME: string): System => ({ ...systems.linux, env: { XDG_CONFIG_HOME } });
    expect(pathsOf('vscode', at('/etc/me'))[0]?.file).toBe('/etc/me/Code/User/mcp.json');
    expect(pathsOf('vscode', at('conf'))[0]?.file).toBe('/home/zoë ångström/.config/Code/User/mcp.json');
  });

  it.each([
    ['copilot-cli', 'COPILOT_HOME', '/srv/me/mcp-config.json'],
    ['codex', 'CODEX_HOME', '/srv/me/config.toml'],
  ])('of %s follows %s', (id, name, file) => {
    expect(pathsOf(id, { ...systems.linux, env: { [name]: '/srv/me' } })).toEqual([{ file }]);
  });

  it('follows CLAUDE_CONFIG_DIR, and the older file of Claude Code while it exists', () => {
    const system: System = { ...systems.linux, env: { CLAUDE_CONFIG_DIR: '/srv/cc' } };
    expect(pathsOf('claude-code', system)).toEqual([
      { file: '/srv/cc/.config.json', onlyIf: '/srv/cc/.config.json' },
      { file: '/srv/cc/.claude.json' },
    ]);
    expect(pathsOf('claude-code', systems.linux)[0]?.file).toBe('/home/zoë ångström/.claude/.config.json');
  });

  it('lists the hosts when an unknown one is named', () => {
    const problem = () => getHost('claude');
    expect(problem).toThrow(InputError);
    expect(problem).toThrow('There is no host named "claude".');
    expect(() => getHost('claud-desktop')).toThrow('Did you mean claude-desktop?');
    expect(() => getHost(undefined)).toThrow(InputError);
  });
});
