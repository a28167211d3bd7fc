import { expect, it } from 'vitest';
import { findStart, isOurs } from '../../../src/program/hosts/find-start.ts';

const program = { entryFile: '/opt/my tools/dist/main.mjs', execPath: '/usr/bin/node', version: '1.2.3' };

it.each([
  ['npx', ['-y', 'seller-commerce-mcp'], true],
  ['npx', ['-y', 'seller-commerce-mcp@1.2.3'], true],
  ['cmd', ['/c', 'npx', '-y', 'seller-commerce-mcp'], true],
  ['node', ['/opt/my tools/dist/main.mjs'], true],
  ['C:\\nodejs\\node.exe', ['D:\\x\\node_modules\\seller-commerce-mcp\\dist\\main.mjs'], true],
  ['C:\\npm\\seller-commerce-mcp.cmd', [], true],
  ['npx', ['-y', 'other-seller-commerce-mcp'], false],
  ['npx', ['-y', 'seller-commerce-mcp-extra'], false],
  ['node', ['/opt/other/main.mjs'], false],
  ['', [], false],
  ['node', ['--env-file=/home/u/seller-commerce-mcp/.env', '/opt/my tools/dist/main.mjs'], true],
  ['node', ['/usr/local/bin/seller-commerce-mcp'], true],
  ['npx.cmd', ['-y', '--package', 'seller-commerce-mcp@1', 'seller-commerce-mcp'], true],
  ['/home/u/seller-commerce-mcp/dist/main.mjs', [], true],
  ['node', ['--env-file=/home/u/seller-commerce-mcp/.env', '/opt/other/main.mjs'], false],
  ['node', ['--env-file', '/home/u/seller-commerce-mcp/.env', '/opt/other/main.mjs'], false],
  ['node', ['--import=/x/node_modules/seller-commerce-mcp/dist/main.mjs', '/opt/other/main.mjs'], false],
  ['node', ['/home/u/seller-commerce-mcp/other/index.js'], false],
  ['python', ['/home/u/seller-commerce-mcp/serve.py'], false],
  ['uv', ['--directory', '/home/u/seller-commerce-mcp', 'run', 'x'], false],
  ['docker', ['run', '--name', 'seller-commerce-mcp', 'image'], false],
  ['/home/u/seller-commerce-mcp/.venv/bin/python', ['-m', 'x'], false],
])('%s %j is ours: %s', (command, args, expected) => {
  expect(isOurs(command, args, program)).toBe(expected);
});

it('prefers the running file, then the last word that starts us', () => {
  const old = '/old/seller-commerce-mcp/dist/main.mjs';
  expect(findStart('node', [program.entryFile, '--data-dir', old], program)).toBe(0);
  expect(findStart('node', ['/x/node_modules/seller-commerce-mcp/hook.mjs', old], program)).toBe(1);
  expect(findStart('seller-commerce-mcp', ['--account', 'seller-commerce-mcp'], program)).toBe(-1);
});
