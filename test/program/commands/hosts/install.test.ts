import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildConfig } from '../../../../src/base/config.ts';
import { CancelledError, InputError } from '../../../../src/base/errors.ts';
import { install } from '../../../../src/program/commands/hosts/install.ts';
import { uninstall } from '../../../../src/program/commands/hosts/uninstall.ts';
import type { Outside } from '../../../../src/program/runtime/outside.ts';
import { noBrowser } from '../../../helpers/outside.ts';

let home: string;
beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'install é ')));
});
afterEach(() => rm(home, { recursive: true, force: true }));

interface Run {
  values?: Record<string, string | boolean>;
  flags?: Record<string, string | boolean>;
  env?: Record<string, string>;
  /** The text that the user types; undefined: there is no terminal. */
  typed?: string;
  command?: typeof install;
  /** Runs when the question is on the screen. */
  onQuestion?: () => Promise<void> | void;
  signal?: AbortSignal;
  entryFile?: string;
  /** The locale of the terminal. */
  locale?: string;
}

async function run(positionals: string[], options: Run = {}) {
  const { values = {}, flags = {}, env = {}, typed, command = install } = options;
  const stdin: PassThrough & { isTTY?: boolean } = new PassThrough();
  const output = { stdout: '', stderr: '' };
  if (typed !== undefined) stdin.isTTY = true;
  const io: Outside = {
    stdout: (text) => {
      output.stdout += text;
    },
    stderr: (text) => {
      output.stderr += text;
    },
    stdoutMadeUp: () => undefined,
    prompt: (text) => {
      output.stderr += text;
      if (!text.includes('[y/N]')) return;
      void Promise.resolve(options.onQuestion?.()).then(() => stdin.end(typed));
    },
    learn: () => undefined,
    stdin,
    protocolOut: new PassThrough(),
    interactive: true,
    columns: 100,
    config: buildConfig(flags, env),
    entryFile: options.entryFile ?? '/opt/seller tools/dist/main.mjs',
    execPath: '/usr/bin/node',
    platform: process.platform,
    insideElectron: false,
    openInBrowser: noBrowser,
    version: '1.0.0',
    env: { HOME: home, USERPROFILE: home, LANG: options.locale ?? 'C' },
    signal: options.signal ?? new AbortController().signal,
  };
  const code = await command.run({ positionals, values, flags }, io);
  return { code, ...output };
}

const approved = { yes: true };
const cursorFile = () => join(home, '.cursor', 'mcp.json');
const servers = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'));
const entry = { command: '/usr/bin/node', args: ['/opt/seller tools/dist/main.mjs'] };

async function writeCursor(text: string): Promise<void> {
  await mkdir(dirname(cursorFile()), { recursive: true });
  await writeFile(cursorFile(), text);
}

describe('install', () => {
  it('creates folders and file, then has nothing to do', async () => {
    const first = await run(['cursor'], { values: approved });
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain(`Cursor: ${cursorFile()}\n@@`);
    expect(first.stdout).toContain('\nWritten.\n');
    expect(await servers(cursorFile())).toEqual({ mcpServers: { 'seller-commerce': entry } });
    const second = await run(['cursor'], { values: approved });
    expect(second.stdout).toBe(`Nothing to do: Cursor has this entry already, in ${cursorFile()}.\n`);
    expect(await readdir(dirname(cursorFile()))).toEqual(['mcp.json']);
  });

  it('writes when the person says yes, with a backup', async () => {
    await writeCursor('{}');
    const { code, stdout, stderr } = await run(['cursor'], { typed: 'y\n' });
    expect(code).toBe(0);
    expect(stderr).toContain('Write this? [y/N]');
    const [backup] = (await readdir(dirname(cursorFile()))).filter((name) => name.endsWith('.bak'));
    expect(stdout).toContain(`The file as it was: ${join(dirname(cursorFile()), backup ?? '?')}`);
    expect(await readFile(join(dirname(cursorFile()), backup ?? ''), 'utf8')).toBe('{}');
  });

  it.each(['n\n', '\n', 'yess\n', ''])('writes nothing when the person types %j', async (typed) => {
    await writeCursor('{}');
    expect(await run(['cursor'], { typed })).toMatchObject({ code: 1 });
    expect(await readFile(cursorFile(), 'utf8')).toBe('{}');
    expect(await readdir(dirname(cursorFile()))).toEqual(['mcp.json']);
  });

  it('stops at SIGINT', async () => {
    const abort = new AbortController();
    const attempt = run(['cursor'], {
      typed: 'y\n',
      signal: abort.signal,
      onQuestion: () => new Promise(() => abort.abort()),
    });
    await expect(attempt).rejects.toThrow(CancelledError);
    expect(await readdir(home)).toEqual([]);
  });

  it('shows the change and refuses where nobody can be asked', async () => {
    await expect(run(['cursor'])).rejects.toThrow('No terminal; use --yes');
    expect(await readdir(home)).toEqual([]);
  });

  it('only shows with --dry-run', async () => {
    const { code, stdout } = await run(['cursor'], { values: { 'dry-run': true } });
    expect(code).toBe(0);
    expect(stdout).toContain('+    "seller-commerce": {');
    expect(await readdir(home)).toEqual([]);
  });

  it('writes the form of each host', async () => {
    await run(['claude-code'], { values: approved });
    expect(await servers(join(home, '.claude.json'))).toEqual({
      mcpServers: { 'seller-commerce': { type: 'stdio', ...entry, alwaysLoad: true } },
    });
    await run(['copilot-cli'], { values: approved });
    expect(await servers(join(home, '.copilot', 'mcp-config.json'))).toEqual({
      mcpServers: { 'seller-commerce': { ...entry, tools: ['*'], deferTools: 'never' } },
    });
    for (const host of ['claude-desktop', 'vscode']) {
      const { stdout } = await run([host], { values: { ...approved } });
      const file = /: (.+)\n@@/.exec(stdout)?.[1] ?? '';
      expect(file.startsWith(home)).toBe(true);
      const key = host === 'vscode' ? 'servers' : 'mcpServers';
      const type = host === 'vscode' && { type: 'stdio' };
      expect(await servers(file)).toEqual({ [key]: { 'seller-commerce': { ...type, ...entry } } });
    }
  });

  it('adds members of the host to an entry that lacks them, and keeps what somebody set', async () => {
    const file = join(home, '.copilot', 'mcp-config.json');
    await mkdir(dirname(file));
    const found = { ...entry, tools: ['read_operation'] };
    await writeFile(file, JSON.stringify({ mcpServers: { 'seller-commerce': found } }));
    await run(['copilot-cli'], { values: approved });
    const put = { ...found, deferTools: 'never' };
    expect(await servers(file)).toEqual({ mcpServers: { 'seller-commerce': put } });
    expect((await run(['copilot-cli'], { values: approved })).stdout).toMatch(/^Nothing to do/);
  });

  it('prints the entry of a host that is configured in TOML, and writes nothing', async () => {
    const { code, stdout } = await run(['codex'], { flags: { region: 'eu' } });
    expect(code).toBe(0);
    const table = [
      '[mcp_servers.seller-commerce]',
      'command = "/usr/bin/node"',
      'args = ["/opt/seller tools/dist/main.mjs"]',
      'env = { SELLER_REGION = "eu" }',
    ].join('\n');
    expect(stdout).toContain(`\n\n${table}\n\n`);
    expect(await readdir(home)).toEqual([]);
    await expect(run(['codex'], { command: uninstall })).rejects.toThrow(InputError);
  });

  it('writes settings given as flags, and no other', async () => {
    const env = {
      SELLER_MARKETPLACE_ID: 'FROM_SHELL',
      SELLER_REFRESH_TOKEN: 'hunter2',
      SELLER_CLIENT_SECRET: 'swordfish',
    };
    const flags = { region: 'eu', account: 'default', sandbox: true, 'data-dir': 'defs' };
    const { stdout } = await run(['cursor'], { values: approved, flags, env });
    expect(await servers(cursorFile())).toMatchObject({
      mcpServers: {
        'seller-commerce': {
          env: {
            SELLER_ACCOUNT: 'default',
            SELLER_REGION: 'eu',
            SELLER_SANDBOX: 'true',
            SELLER_DATA_DIR: join(process.cwd(), 'defs'),
          },
        },
      },
    });
    expect(stdout).toContain('Not written, being secret: SELLER_CLIENT_SECRET, SELLER_REFRESH_TOKEN.');
    const written = await readFile(cursorFile(), 'utf8');
    for (const word of ['hunter2', 'swordfish', 'FROM_SHELL']) expect(stdout + written).not.toContain(word);
  });

  const csvOf = async (locale: string, more: Run = {}) => {
    await rm(cursorFile(), { force: true });
    await run(['cursor'], { values: approved, locale, ...more });
    return servers(cursorFile());
  };

  it.each([
    ['de_DE.UTF-8', 'semicolon'],
    ['fr_FR@euro', 'semicolon'],
    ['pt_BR', 'semicolon'],
    ['en_US.UTF-8', 'comma'],
    ['ja_JP.UTF-8', 'comma'],
    ['de_CH.UTF-8', 'semicolon-point'],
  ])('writes how spreadsheets of %s separate a CSV: %s', async (locale, csv) => {
    expect(await csvOf(locale)).toEqual({
      mcpServers: { 'seller-commerce': { ...entry, env: { SELLER_CSV: csv } } },
    });
  });

  it.each(['C', 'C.UTF-8', 'POSIX', '', 'xx_YY.UTF-8', '../../etc', 'ar_EG.UTF-8'])(
    'writes nothing of it where the locale says nothing: %j',
    async (locale) => {
      expect(await csvOf(locale)).toEqual({ mcpServers: { 'seller-commerce': entry } });
    },
  );

  it('writes what is asked for instead, and leaves what stands there', async () => {
    const asked = await csvOf('de_DE.UTF-8', { flags: { csv: 'comma' } });
    expect(asked).toHaveProperty('mcpServers.seller-commerce.env', { SELLER_CSV: 'comma' });
    await run(['cursor'], { values: approved, locale: 'de_DE.UTF-8' });
    expect(await servers(cursorFile())).toEqual(asked);
    const args = [...entry.args, '--csv=comma'];
    await writeCursor(JSON.stringify({ mcpServers: { 'seller-commerce': { ...entry, args } } }));
    await run(['cursor'], { values: approved, locale: 'de_DE.UTF-8' });
    expect(await servers(cursorFile())).toEqual({ mcpServers: { 'seller-commerce': { ...entry, args } } });
  });

  it('refuses a marketplace that is no country, with the nearest', async () => {
    const attempt = run(['cursor'], { values: approved, flags: { 'marketplace-id': 'Germnay' } });
    await expect(attempt).rejects.toThrow(/did you mean Germany\?/);
    expect(await readdir(home)).toEqual([]);
  });

  it('refuses a secret in a setting', async () => {
    const attempt = run(['cursor'], { values: approved, flags: { 'seller-id': 'Atzr|IwEBIabc' } });
    await expect(attempt).rejects.toThrow(/^SELLER_ID holds a secret/);
    expect(await readdir(home)).toEqual([]);
  });

  it('shows an entry of another program as a change, its secrets masked', async () => {
    await writeCursor(
      '{"mcpServers":{"seller-commerce":{"command":"other","args":["--key=SECRET"],"env":{"K":"SECRET"}}}}',
    );
    const { stdout } = await run(['cursor'], { values: approved });
    expect(stdout).toContain('Note: the existing entry "seller-commerce" starts another program.');
    expect(stdout).toContain('"other"');
    expect(stdout).not.toContain('SECRET');
    expect(await servers(cursorFile())).toEqual({ mcpServers: { 'seller-commerce': entry } });
  });

  it('keeps what a person added to our entry', async () => {
    const text =
      '{\n  // mine\n  "mcpServers": { "seller-commerce": { "command": "npx", "args": ["seller-commerce-mcp"], "off": 1 } }\n}';
    await writeCursor(text);
    await run(['cursor'], { values: { ...approved, command: 'npx' } });
    const written = await readFile(cursorFile(), 'utf8');
    expect(written).toContain('// mine');
    expect(written).toContain('"off": 1');
    expect(written).toContain('"-y"');
  });

  it('leaves a malformed file alone', async () => {
    await writeCursor('{\n  "mcpServers": {\n');
    await expect(run(['cursor'], { values: approved })).rejects.toThrow(
      `${cursorFile()}, line 3: close brace expected.`,
    );
    expect(await readFile(cursorFile(), 'utf8')).toBe('{\n  "mcpServers": {\n');
    expect(await readdir(dirname(cursorFile()))).toEqual(['mcp.json']);
  });

  it('follows a link to the file it stands for', async () => {
    const target = join(home, 'dotfiles.json');
    await writeFile(target, '{}');
    await mkdir(dirname(cursorFile()));
    await symlink(target, cursorFile());
    const { stdout } = await run(['cursor'], { values: approved });
    expect(stdout).toContain(`Cursor: ${cursorFile()} -> ${target}\n`);
    expect(await servers(target)).toHaveProperty('mcpServers.seller-commerce');
    expect(await realpath(cursorFile())).toBe(target);
  });

  it('survives runs at the same time', async () => {
    await writeCursor('{}');
    const names = ['one', 'two', 'three', 'four'];
    await Promise.all(names.map((name) => run(['cursor'], { values: { ...approved, name } })));
    expect(await servers(cursorFile())).toEqual({
      mcpServers: Object.fromEntries(names.map((name) => [name, entry])),
    });
    expect((await readdir(dirname(cursorFile()))).filter((name) => /lock|tmp/.test(name))).toEqual([]);
  });

  it('keeps what the host wrote elsewhere in the file while the person was thinking', async () => {
    await writeCursor('{}');
    await run(['cursor'], { typed: 'yes\n', onQuestion: () => writeCursor('{"starts": 2}') });
    expect(await servers(cursorFile())).toEqual({ starts: 2, mcpServers: { 'seller-commerce': entry } });
  });

  it('refuses when the entry itself changed while the person was thinking', async () => {
    const meanwhile = '{"mcpServers":{"seller-commerce":{"command":"new"}}}';
    const attempt = run(['cursor'], { typed: 'y\n', onQuestion: () => writeCursor(meanwhile) });
    await expect(attempt).rejects.toThrow('was changed by another program meanwhile');
    expect(await readFile(cursorFile(), 'utf8')).toBe(meanwhile);
  });

  it.each([
    ['claude-code', '.mcp.json', 'mcpServers'],
    ['vscode', '.vscode/mcp.json', 'servers'],
    ['cursor', '.cursor/mcp.json', 'mcpServers'],
  ])('--project of %s: a shared file without paths of this machine', async (host, file, key) => {
    const entryFile = '/opt/node_modules/seller-commerce-mcp/dist/main.mjs';
    await run([host], {
      values: { ...approved, project: join(home, 'shop') },
      entryFile,
      locale: 'de_DE.UTF-8',
    });
    expect(await servers(join(home, 'shop', file))).toMatchObject({
      [key]: {
        'seller-commerce': { args: expect.arrayContaining(['-y', 'seller-commerce-mcp@1.0.0']) },
      },
    });
    expect(await readFile(join(home, 'shop', file), 'utf8')).not.toContain('SELLER_CSV');
  });

  it('--project from a clone: refused, since the name may be anybody’s in the registry', async () => {
    const attempt = run(['cursor'], { values: { ...approved, project: join(home, 'shop') } });
    await expect(attempt).rejects.toThrow("A project's configuration is shared");
    expect(await readdir(home)).toEqual([]);
  });

  it('started by npx, names npx instead of a cache', async () => {
    const entryFile = '/home/a/.npm/_npx/5f/node_modules/seller-commerce-mcp/dist/main.mjs';
    const { stdout } = await run(['cursor'], { values: approved, entryFile });
    expect(await readFile(cursorFile(), 'utf8')).not.toContain('_npx');
    expect(stdout).toContain('If it does not find npx');
  });

  it.each([
    [['claude-desktop'], { project: '.' }, 'no configuration per project'],
    [[], {}, 'No host given'],
    [['emacs'], {}, 'no host named "emacs"'],
    [['cursor', 'vscode'], {}, 'One host at a time'],
    [['cursor'], { name: 'a b' }, 'cannot be the name of a server'],
    [['cursor'], { command: 'docker' }, '--command docker is not known'],
  ])('refuses %j %j', async (positionals, values, message) => {
    const attempt = run(positionals, { values: { ...values, yes: true } });
    await expect(attempt).rejects.toThrow(InputError);
    await expect(attempt).rejects.toThrow(message);
    expect(await readdir(home)).toEqual([]);
  });
});

describe('install again', () => {
  const npx = {
    command: 'npx',
    args: ['-y', 'seller-commerce-mcp@0.0.9', '--read-only', '--log-level', 'info'],
  };
  const put = (own: unknown) =>
    writeCursor(
      JSON.stringify({ mcpServers: { 'seller-commerce': own, other: { command: 'x', args: ['a'] } } }),
    );
  const own = async () => {
    const { mcpServers } = JSON.parse(await readFile(cursorFile(), 'utf8'));
    return mcpServers['seller-commerce'];
  };

  it('keeps the settings that were given before, whether named again or not', async () => {
    await run(['cursor'], { values: approved, flags: { 'read-only': true, region: 'eu' } });
    await run(['cursor'], { values: approved, flags: { account: 'shop' } });
    expect(await own()).toEqual({
      ...entry,
      env: { SELLER_READ_ONLY: 'true', SELLER_REGION: 'eu', SELLER_ACCOUNT: 'shop' },
    });
    await run(['cursor'], { values: approved, flags: { 'read-only': false, region: 'na' } });
    expect(await own()).toMatchObject({ env: { SELLER_READ_ONLY: 'false', SELLER_REGION: 'na' } });
  });

  it('brings a pinned version up to date, and keeps npx, arguments and every other byte', async () => {
    await put({ ...npx, env: { SELLER_REGION: 'eu', HTTPS_PROXY: 'http://p' } });
    const before = await readFile(cursorFile(), 'utf8');
    await run(['cursor'], { values: approved });
    expect(await readFile(cursorFile(), 'utf8')).toBe(before.replace('@0.0.9', '@1.0.0'));
  });

  it.each([
    [['-y', '--prefer-offline', 'seller-commerce-mcp@0.0.9', '--no-read-only'], { 'read-only': true }],
    [['--yes', 'seller-commerce-mcp', '--region', 'na', '--region=fe'], { region: 'eu' }],
  ])('an older flag does not override what is named now: %j', async (args, flags) => {
    await put({ command: 'npx', args });
    await run(['cursor'], { values: approved, flags });
    const kept = args.filter((word) => word === '--prefer-offline');
    expect((await own()).args).toEqual(['-y', ...kept, 'seller-commerce-mcp@1.0.0']);
  });

  it.each([
    { command: '/opt/old/node', args: ['--use-system-ca', '/opt/seller tools/dist/main.mjs', '--sandbox'] },
    { command: 'node', args: ['--use-system-ca', '/old/seller-commerce-mcp/dist/main.mjs', '--sandbox'] },
  ])('keeps arguments of Node and of the program: %j', async (before) => {
    await put(before);
    await run(['cursor'], { values: approved });
    expect(await own()).toEqual({
      command: '/usr/bin/node',
      args: ['--use-system-ca', '/opt/seller tools/dist/main.mjs', '--sandbox'],
    });
  });

  it.each([
    ['node', '--env-file=/home/u/seller-commerce-mcp/.env', '/opt/seller tools/dist/main.mjs'],
    ['node', '--env-file=/home/u/seller-commerce-mcp/.env', '/old/seller-commerce-mcp/dist/main.mjs'],
    [
      'node',
      '--import=/old/node_modules/seller-commerce-mcp/hook.mjs',
      '/old/seller-commerce-mcp/dist/main.mjs',
    ],
  ])(
    'takes for the program no word before it that only holds its name: %s %s %s',
    async (command, option, file) => {
      const behind = ['--sandbox', '--account', 'seller-commerce-mcp'];
      await put({ command, args: [option, file, ...behind] });
      await run(['cursor'], { values: approved });
      expect((await own()).args).toEqual([option, '/opt/seller tools/dist/main.mjs', ...behind]);
    },
  );

  it('finds the program behind the package that npx is to have', async () => {
    const behind = ['--account', 'seller-commerce-mcp'];
    await put({ command: 'npx', args: ['-y', '--prefer-offline', 'seller-commerce-mcp@0.0.9', ...behind] });
    await run(['cursor'], { values: approved });
    expect((await own()).args).toEqual(['-y', '--prefer-offline', 'seller-commerce-mcp@1.0.0', ...behind]);
  });

  it('keeps the arguments of a program on the PATH, and those of npx no longer than npx starts it', async () => {
    await put({ command: 'seller-commerce-mcp', args: ['--sandbox'] });
    await run(['cursor'], { values: approved });
    expect((await own()).args).toEqual([...entry.args, '--sandbox']);
    await put({ command: 'npx', args: ['-y', '--prefer-offline', 'seller-commerce-mcp', '--sandbox'] });
    await run(['cursor'], { values: { ...approved, command: 'node' } });
    expect((await own()).args).toEqual([...entry.args, '--sandbox']);
  });
});

describe('uninstall', () => {
  const command = uninstall;

  it('takes out what install put in, and no comment', async () => {
    const before = '{\n  // mine\n  "mcpServers": {\n    "other": { "command": "x" } // too\n  }\n}\n';
    await writeCursor(before);
    await run(['cursor'], { values: approved });
    const { stdout } = await run(['cursor'], { values: approved, command });
    expect(stdout).toContain('-    "seller-commerce": {');
    const after = await readFile(cursorFile(), 'utf8');
    expect(after.replace(/\s/g, '')).toBe(before.replace(/\s/g, ''));
    const backups = (await readdir(dirname(cursorFile()))).filter((name) => name.endsWith('.bak'));
    expect(backups).toHaveLength(1);
  });

  it('says when there is nothing, and creates nothing', async () => {
    const { code, stdout } = await run(['cursor'], { values: approved, command });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `Nothing to do: ${cursorFile()} has no entry "seller-commerce".\n`,
    });
    expect(await readdir(home)).toEqual([]);
  });

  it('leaves an entry of another program', async () => {
    const text = '{"mcpServers":{"seller-commerce":{"command":"other"}}}';
    await writeCursor(text);
    await expect(run(['cursor'], { values: approved, command })).rejects.toThrow('starts another program');
    expect(await readFile(cursorFile(), 'utf8')).toBe(text);
  });

  it('asks first', async () => {
    await run(['cursor'], { values: approved });
    expect(await run(['cursor'], { typed: 'n\n', command })).toMatchObject({ code: 1 });
    expect(await servers(cursorFile())).toHaveProperty('mcpServers.seller-commerce');
    expect(await run(['cursor'], { typed: 'y\n', command })).toMatchObject({ code: 0 });
    expect(await servers(cursorFile())).toEqual({ mcpServers: {} });
  });
});
