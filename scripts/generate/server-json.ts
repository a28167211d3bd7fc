/** Generates server.json for the MCP registry: how the npm package is started and what can be set. */

import { listSettings, type Setting } from '../../src/base/setting-descriptions.ts';
import { type PackageJson, readPackageJson, webAddress } from '../package/package-json.ts';
import type { GeneratedFile } from './generated-file.ts';
import { DISPLAY_NAME, SHORT_DESCRIPTION } from './words.ts';

export const SERVER_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

export async function generateServerJson(): Promise<GeneratedFile[]> {
  const server = buildServerJson(await readPackageJson());
  return [{ path: 'server.json', text: `${JSON.stringify(server, undefined, 2)}\n` }];
}

/** @param bundleSha256 of the packed desktop bundle; if given, the bundle is listed next to the npm package. */
export function buildServerJson(about: PackageJson, bundleSha256?: string) {
  const web = webAddress(about);
  const npm = {
    registryType: 'npm',
    identifier: about.name,
    version: about.version,
    runtimeHint: 'npx',
    transport: { type: 'stdio' },
    environmentVariables: listSettings().map(toVariable),
  };
  const bundle = {
    registryType: 'mcpb',
    identifier: `${web}/releases/download/v${about.version}/${about.name}-${about.version}.mcpb`,
    version: about.version,
    fileSha256: bundleSha256,
    transport: { type: 'stdio' },
  };
  return {
    $schema: SERVER_SCHEMA,
    name: about.mcpName,
    title: DISPLAY_NAME,
    description: SHORT_DESCRIPTION,
    version: about.version,
    websiteUrl: web,
    repository: { url: web, source: 'github' },
    packages: bundleSha256 === undefined ? [npm] : [npm, bundle],
  };
}

/** A setting without a flag is a secret. */
function toVariable({ env, help, flag, isSwitch, choices, defaultValue }: Setting) {
  return {
    name: env,
    description: help,
    isRequired: false,
    isSecret: flag === undefined,
    format: isSwitch ? 'boolean' : 'string',
    ...(choices !== undefined && { choices }),
    ...(defaultValue !== undefined && { default: defaultValue }),
  };
}
