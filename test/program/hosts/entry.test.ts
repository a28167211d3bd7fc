import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/base/errors.ts';
import {
  buildEntry,
  checkServerName,
  chooseLauncher,
  isTransient,
  refuseSecrets,
} from '../../../src/program/hosts/entry.ts';
import { getHost, HOSTS, type System } from '../../../src/program/hosts/hosts.ts';

const linux: System = { platform: 'linux', env: {}, home: '/home/a' };
const windows: System = { platform: 'win32', env: {}, home: 'C:\\Users\\a' };
const program = { entryFile: '/opt/my tools/dist/main.mjs', execPath: '/usr/bin/node', version: '1.2.3' };
const windowsProgram = {
  entryFile: 'C:\\Program Files\\nodejs\\node_modules\\seller-commerce-mcp\\dist\\main.mjs',
  execPath: 'C:\\Program Files\\nodejs\\node.exe',
  version: '1.2.3',
};

describe('how a host starts the server', () => {
  it.each([
    ['/home/a/.npm/_npx/5f2c/node_modules/seller-commerce-mcp/dist/main.mjs', true],
    [
      'C:\\Users\\Jörg\\AppData\\Local\\npm-cache\\_npx\\5f2c\\node_modules\\seller-commerce-mcp\\dist\\main.mjs',
      true,
    ],
    ['/home/a/.cache/pnpm/dlx/ab12/node_modules/seller-commerce-mcp/dist/main.mjs', true],
    ['/tmp/bunx-0-seller-commerce-mcp@latest/node_modules/seller-commerce-mcp/dist/main.mjs', true],
    ['/usr/local/lib/node_modules/seller-commerce-mcp/dist/main.mjs', false],
    ['C:\\Program Files\\nodejs\\node_modules\\seller-commerce-mcp\\dist\\main.mjs', false],
  ])('%s is transient: %s', (file, expected) => {
    expect(isTransient(file)).toBe(expected);
    expect(chooseLauncher({ entryFile: file, execPath: 'node', version: '1.2.3' }, false)).toBe(
      expected ? 'npx' : 'node',
    );
  });

  it('writes no path of this machine into a shared file, and asks the registry only where it came from there', () => {
    expect(chooseLauncher(windowsProgram, true)).toBe('npx');
    expect(() => chooseLauncher(program, true)).toThrow(`${program.entryFile} is a file of this machine`);
  });

  it('does not hand a source file to plain Node', () => {
    const source = { ...program, entryFile: '/code/src/main.ts' };
    expect(chooseLauncher(source, false)).toBe('node');
    expect(() => buildEntry(getHost('cursor'), linux, source, 'node', {})).toThrow(InputError);
  });

  it('keeps paths with spaces in one argument', () => {
    expect(buildEntry(getHost('vscode'), linux, program, 'node', {})).toEqual({
      type: 'stdio',
      command: '/usr/bin/node',
      args: ['/opt/my tools/dist/main.mjs'],
      env: {},
    });
    expect(buildEntry(getHost('claude-desktop'), windows, windowsProgram, 'node', {})).toMatchObject({
      command: windowsProgram.execPath,
      args: [windowsProgram.entryFile],
    });
  });

  it.each(HOSTS)('$id: npx, wrapped on Windows where the host cannot start a .cmd', (host) => {
    const entry = (system: System) => buildEntry(host, system, program, 'npx', {});
    const plain = { command: 'npx', args: ['-y', 'seller-commerce-mcp@1.2.3'] };
    expect(entry(linux)).toMatchObject(plain);
    expect(entry(windows)).toMatchObject(
      host.id === 'vscode'
        ? plain
        : { command: 'cmd', args: ['/c', 'npx', '-y', 'seller-commerce-mcp@1.2.3'] },
    );
    expect('type' in entry(linux)).toBe(host.id === 'vscode' || host.id === 'claude-code');
  });
});

describe('what is never written', () => {
  it.each(['Atzr|IwEBIabc', 'Atza|IwEBIabc', 'amzn1.oa2-cs.v1.abc', 'prefix-hunter2-suffix'])(
    'refuses %s',
    (value) => {
      const attempt = () => refuseSecrets({ SELLER_ID: value }, ['hunter2']);
      expect(attempt).toThrow(InputError);
      expect(attempt).toThrow(/^SELLER_ID holds a secret/);
      expect(attempt).not.toThrow(value);
    },
  );

  it('lets settings pass', () => {
    expect(() => refuseSecrets({ SELLER_REGION: 'eu', SELLER_ID: 'A1B2C3' }, ['hunter2', ''])).not.toThrow();
  });

  it.each(['', 'has space', '__proto__', 'a.b', 'é', 'x'.repeat(65)])('refuses the name %j', (name) => {
    expect(() => checkServerName(name)).toThrow(InputError);
  });
});
