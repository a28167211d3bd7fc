/** The manifests of the plugin are the committed files, and each host is told the same version and the same server. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { name, version } from '../../package.json';
import { buildPlugin, PLUGIN_FOLDER } from '../../scripts/generate/plugin.ts';
import { readPackageJson } from '../../scripts/package/package-json.ts';

const files = buildPlugin(await readPackageJson());
const entriesSchema = z.looseObject({ mcpServers: z.record(z.string(), z.unknown()) });

it.each(Object.keys(files))('%s is as it is generated', async (path) => {
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(files[path]);
});

it.each(['.claude-plugin', '.cursor-plugin', '.codex-plugin'])(
  '%s has the version of the package',
  (host) => {
    expect(files[`${PLUGIN_FOLDER}/${host}/plugin.json`]).toMatchObject({ name: 'seller-commerce', version });
  },
);

it.each(['.mcp.json', 'gemini-extension.json'])('%s starts exactly this version', (file) => {
  const { mcpServers } = entriesSchema.parse(files[`${PLUGIN_FOLDER}/${file}`]);
  expect(mcpServers).toEqual({
    'seller-commerce': { command: 'npx', args: ['-y', `${name}@${version}`] },
  });
});

it.each(['.cursor-plugin', '.codex-plugin'])('%s points to a file of the folder', async (host) => {
  const { mcpServers } = z
    .looseObject({ mcpServers: z.string() })
    .parse(files[`${PLUGIN_FOLDER}/${host}/plugin.json`]);
  const servers: unknown = JSON.parse(await readFile(join(PLUGIN_FOLDER, mcpServers), 'utf8'));
  expect(servers).toEqual(files[`${PLUGIN_FOLDER}/.mcp.json`]);
});
