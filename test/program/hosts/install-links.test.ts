/** The one-click links of docs/hosts.md carry what `install` would write. */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { version } from '../../../package.json';
import { buildEntry, DEFAULT_SERVER_NAME } from '../../../src/program/hosts/entry.ts';
import { getHost } from '../../../src/program/hosts/hosts.ts';

const hosts = readFileSync(new URL('../../../docs/hosts.md', import.meta.url), 'utf8');
const linkTo = (start: string) => new URL(/^[^\s)]+/.exec(hosts.slice(hosts.indexOf(start)))?.[0] ?? 'none:');

const linux = { platform: 'linux', env: {}, home: '/home/a' } as const;
const program = { entryFile: '', execPath: '', version };
const { command, args } = buildEntry(getHost('vscode'), linux, program, 'npx', {});

it('VS Code: a redirect to an address that holds the whole server', () => {
  const link = linkTo('https://insiders.vscode.dev/redirect');
  const [address, payload] = link.searchParams.get('url')?.split('?') ?? [];
  expect(address).toBe('vscode:mcp/install');
  const server: unknown = JSON.parse(decodeURIComponent(payload ?? ''));
  expect(server).toEqual({ name: DEFAULT_SERVER_NAME, type: 'stdio', command, args });
});

it('Cursor: name and base64 configuration', () => {
  const link = linkTo('https://cursor.com/en/install-mcp');
  expect(link.searchParams.get('name')).toBe(DEFAULT_SERVER_NAME);
  const config = Buffer.from(link.searchParams.get('config') ?? '', 'base64').toString();
  expect(JSON.parse(config)).toEqual({ command, args });
});

it('each names the exact version: whoever takes the name later is not started by an old link', () => {
  expect(args).toEqual(['-y', `seller-commerce-mcp@${version}`]);
  for (const [start] of hosts.matchAll(/npx -y seller-commerce-mcp\S*/g))
    expect(start).toContain(`@${version}`);
  expect(hosts).not.toMatch(/"seller-commerce-mcp"\]/);
});
