/** Installs clients and Node versions from npm, each once into a folder of its own under build/matrix/. */

import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { runQuietly } from '../package/run.ts';

export const HOME_FOLDER = resolve('build/matrix');

/**
 * @param spec name@version; a version that changes is installed anew.
 * @param scripts runs install scripts: only for packages that bring their binary that way.
 * @returns the folder that holds its node_modules.
 * @throws Error when it can be installed neither from the registry nor from npm's cache.
 */
export async function installOnce(spec: string, scripts = false): Promise<string> {
  const folder = join(HOME_FOLDER, spec.replaceAll('/', '-').replace(/^@/, ''));
  const done = join(folder, 'installed');
  if (existsSync(done)) return folder;
  await mkdir(folder, { recursive: true });
  // A package of its own: npm must not look for one in the folders above.
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  const how = ['--no-audit', '--no-fund', '--prefer-offline', ...(scripts ? [] : ['--ignore-scripts'])];
  await runQuietly('npm', ['install', '--prefix', folder, ...how, spec], { cwd: folder, timeoutMs: 300_000 });
  await writeFile(done, `${spec}\n`);
  return folder;
}

/** Node `major` as its npm package brings it. @throws Error when it cannot be installed. */
export async function installNode(major: number): Promise<string> {
  const folder = await installOnce(`node@${major}`, true);
  return join(folder, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
}
