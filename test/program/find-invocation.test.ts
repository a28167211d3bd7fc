/** How a person starts the program again, for each way in which it may have been started. */

import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findInvocation } from '../../src/program/find-invocation.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'invocation-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const find = (entryFile: string, more: { platform?: NodeJS.Platform; PATH?: string } = {}) =>
  findInvocation({
    entryFile,
    version: '1.2.3',
    platform: more.platform ?? 'linux',
    env: { PATH: more.PATH ?? '' },
  });

it.each([
  ['/home/a/.npm/_npx/5f/node_modules/seller-commerce-mcp/dist/main.mjs', 'npx -y seller-commerce-mcp@1.2.3'],
  ['C:\\u\\_npx\\5f\\node_modules\\seller-commerce-mcp\\dist\\main.mjs', 'npx -y seller-commerce-mcp@1.2.3'],
  [
    '/h/.cache/pnpm/dlx/1/node_modules/seller-commerce-mcp/dist/main.mjs',
    'pnpm dlx seller-commerce-mcp@1.2.3',
  ],
  ['/tmp/bunx-0-x/node_modules/seller-commerce-mcp/dist/main.mjs', 'bunx seller-commerce-mcp@1.2.3'],
  ['/usr/local/lib/node_modules/seller-commerce-mcp/dist/main.mjs', 'seller-commerce-mcp'],
  [
    '/home/a/shop/node_modules/seller-commerce-mcp/dist/main.mjs',
    'node /home/a/shop/node_modules/seller-commerce-mcp/dist/main.mjs',
  ],
  ['/home/a/clone/dist/main.mjs', 'node /home/a/clone/dist/main.mjs'],
  ["/home/a b/it's/dist/main.mjs", "node '/home/a b/it'\\''s/dist/main.mjs'"],
])('%s: %s', (file, form) => {
  expect(find(file)).toBe(form);
});

it('Windows: a global installation, and a path with blanks', () => {
  const file = 'C:\\Users\\a\\AppData\\Roaming\\npm\\node_modules\\seller-commerce-mcp\\dist\\main.mjs';
  expect(find(file, { platform: 'win32' })).toBe('seller-commerce-mcp');
  expect(find('C:\\my clone\\dist\\main.mjs', { platform: 'win32' })).toBe(
    'node "C:\\my clone\\dist\\main.mjs"',
  );
});

it('what the PATH of a shell leads to is called by its name; what only npm puts there is not', async () => {
  const file = join(root, 'clone', 'dist', 'main.mjs');
  const [bin, own] = [join(root, 'bin'), join(root, 'node_modules', '.bin')];
  for (const folder of [dirname(file), bin, own]) await mkdir(folder, { recursive: true });
  await writeFile(file, '');
  for (const folder of [bin, own]) await symlink(file, join(folder, 'seller-commerce-mcp'));
  expect(find(file, { PATH: own })).toBe(`node ${file}`);
  expect(find(file, { PATH: `${own}:${bin}` })).toBe('seller-commerce-mcp');
});

it('a desktop bundle has no command line, a clone with the same manifest has one', async () => {
  const file = join(root, 'bundle', 'dist', 'main.mjs');
  await mkdir(dirname(file), { recursive: true });
  await writeFile(join(root, 'bundle', 'manifest.json'), '{}');
  expect(find(file)).toBeUndefined();
  await writeFile(join(root, 'bundle', 'package.json'), '{}');
  expect(find(file)).toBe(`npm --prefix ${join(root, 'bundle')} start --`);
});
