/** Installs packages and Node versions from npm, each into its own folder. */

import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { runQuietly } from './run.ts';

/** The folder in which `installOnce` installs. */
export const INSTALLED_FOLDER = resolve('build/matrix');

/**
 * @param folder is created as a package of its own, since npm must not look for one in the folders above.
 * @param flags for npm, in addition to those that keep it quiet. `scripts`: runs install scripts.
 * @throws Error with what npm printed.
 */
export async function install(
  folder: string,
  specs: readonly string[],
  { flags = [], scripts = false }: { flags?: readonly string[]; scripts?: boolean } = {},
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  const how = ['--no-audit', '--no-fund', ...(scripts ? [] : ['--ignore-scripts']), ...flags];
  await runQuietly('npm', ['install', ...how, ...specs], { cwd: folder, timeoutMs: 300_000 });
}

/**
 * @param spec name@version; a new version is installed again.
 * @param scripts runs install scripts: only for packages that get their binary that way.
 * @returns the folder that holds its node_modules.
 * @throws Error when it can be installed neither from the registry nor from npm's cache.
 */
export async function installOnce(spec: string, scripts = false): Promise<string> {
  const folder = join(INSTALLED_FOLDER, spec.replaceAll('/', '-').replace(/^@/, ''));
  const done = join(folder, 'installed');
  if (existsSync(done)) return folder;
  await install(folder, [spec], { flags: ['--prefer-offline'], scripts });
  await writeFile(done, `${spec}\n`);
  return folder;
}

/** Installs Node of this version or major version from its npm package. @throws Error when it cannot be installed. */
export async function installNode(version: string): Promise<string> {
  const folder = await installOnce(`node@${version}`, true);
  return join(folder, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
}
