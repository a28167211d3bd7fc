/** Generates the install lines of docs/hosts.md: each names the exact version, in text, in links and in entries written by hand. */

import { buildEntry, DEFAULT_SERVER_NAME } from '../../src/program/hosts/entry.ts';
import { getHost, type Host, type System } from '../../src/program/hosts/hosts.ts';
import type { PackageJson } from '../package/package-json.ts';

/** Returns the entry that `install` of the published package writes for npx. */
export function publishedEntry(id: Host['id'], version: string) {
  const system: System = { platform: 'linux', env: {}, home: '' };
  return buildEntry(getHost(id), system, { entryFile: '', execPath: '', version }, 'npx', {});
}

export function installPart({ name, version }: PackageJson): string {
  const pinned = `${name}@${version}`;
  const byCommand = (host: string) => `\`npx -y ${pinned} install ${host}\``;
  return [
    '| host | how, once the package is published |',
    '|---|---|',
    `| Claude Desktop | ${byCommand('claude-desktop')} |`,
    `| Claude Code | \`claude mcp add ${DEFAULT_SERVER_NAME} -- npx -y ${pinned}\`, or ${byCommand('claude-code')} |`,
    `| VS Code | [![Install in VS Code](https://img.shields.io/badge/VS_Code-Install-0098FF)](${vscodeLink(version)}), or ${byCommand('vscode')} |`,
    `| Cursor | [![Install in Cursor](https://img.shields.io/badge/Cursor-Install-111111)](${cursorLink(version)}), or ${byCommand('cursor')} |`,
  ].join('\n');
}

function vscodeLink(version: string): string {
  const { type, command, args } = publishedEntry('vscode', version);
  const server = JSON.stringify({ name: DEFAULT_SERVER_NAME, type, command, args });
  const address = `vscode:mcp/install?${encodeURIComponent(server)}`;
  return `https://insiders.vscode.dev/redirect?url=${encodeURIComponent(address)}`;
}

function cursorLink(version: string): string {
  const { command, args } = publishedEntry('cursor', version);
  const config = Buffer.from(JSON.stringify({ command, args })).toString('base64');
  return `https://cursor.com/en/install-mcp?name=${DEFAULT_SERVER_NAME}&config=${encodeURIComponent(config)}`;
}
