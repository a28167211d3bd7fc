import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileCacheFolder } from '../../src/program/compile-cache.ts';
import { PROGRAM } from '../helpers/sessions.ts';

describe('the compile cache', () => {
  it("stands in the user's own cache folder of each system", () => {
    const home = path.join('/home', 'user');
    expect(compileCacheFolder('linux', {}, home)).toBe(
      path.join(home, '.cache', 'seller-commerce-mcp', 'compiled'),
    );
    expect(compileCacheFolder('linux', { XDG_CACHE_HOME: '/cache' }, home)).toBe(
      path.join('/cache', 'seller-commerce-mcp', 'compiled'),
    );
    expect(compileCacheFolder('darwin', {}, home)).toContain(path.join('Library', 'Caches'));
    expect(compileCacheFolder('win32', { LOCALAPPDATA: '/local' }, home)).toContain('local');
  });

  it('is no condition: the program runs where the folder cannot be written, and on a Node without it', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'cache-'));
    const env = { PATH: process.env.PATH ?? '', XDG_CACHE_HOME: '/dev/null' };
    const refused = spawnSync(process.execPath, [PROGRAM, '--version'], { env, encoding: 'utf8' });
    expect(refused).toMatchObject({ status: 0, stderr: '' });
    const writable = { ...env, XDG_CACHE_HOME: folder };
    const kept = spawnSync(process.execPath, [PROGRAM, '--version'], { env: writable, encoding: 'utf8' });
    expect(kept).toMatchObject({ status: 0, stderr: '' });
    const [major = 0] = process.versions.node.split('.').map(Number);
    expect(existsSync(path.join(folder, 'seller-commerce-mcp'))).toBe(
      major >= 22 && process.platform === 'linux',
    );
  });
});
