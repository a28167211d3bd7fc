/** Explains what to install when the running Node is too old. */

import { config } from '../../package.json';

/**
 * Checks the version of Node.
 * @param version such as 24.10.0
 * @param path of its executable
 * @returns one line; undefined when the version suffices
 */
export function refusalOfNode(version: string, path: string): string | undefined {
  const least = config.node.replace('>=', '');
  if (version.localeCompare(least, 'en', { numeric: true }) >= 0) return undefined;
  return `seller-commerce-mcp needs Node ${least} or newer; this is Node ${version} (${path}). Install a newer one from https://nodejs.org, or name it as the command in the host's settings.`;
}
