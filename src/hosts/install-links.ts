/** One-click links for a README: the host opens and asks whether to add the server. */

import { DEFAULT_SERVER_NAME, PACKAGE_NAME } from './entry.ts';

const launch = { command: 'npx', args: ['-y', PACKAGE_NAME] };

/** A web address, since pages such as a README on GitHub do not link to `vscode:` addresses; it forwards to one. */
export function vscodeInstallLink(): string {
  const server = { name: DEFAULT_SERVER_NAME, type: 'stdio', ...launch };
  const address = `vscode:mcp/install?${encodeURIComponent(JSON.stringify(server))}`;
  return `https://insiders.vscode.dev/redirect?url=${encodeURIComponent(address)}`;
}

/** A web address for the same reason; it forwards to `cursor://anysphere.cursor-deeplink/mcp/install`. */
export function cursorInstallLink(): string {
  const config = Buffer.from(JSON.stringify(launch)).toString('base64');
  return `https://cursor.com/en/install-mcp?${new URLSearchParams({ name: DEFAULT_SERVER_NAME, config })}`;
}
