/** Checks what is installed with the npm package: only allowed licenses, no install scripts, small. */

import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import prettyBytes from 'pretty-bytes';
import * as z from 'zod';
import { isAllowed } from '../package/licenses.ts';
import { isPinnedNode } from '../package/package-json.ts';
import { install } from '../process/install.ts';
import { runQuietly } from '../process/run.ts';
import { expectNone, NotCheckable } from './check.ts';

const MAX_BYTES = 5_000_000;
const MAX_BYTES_WITH_KEYCHAIN = 9_000_000;

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().default(''),
      dev: z.boolean().default(false),
      hasInstallScript: z.boolean().default(false),
    }),
  ),
});

/** Every package that the lock file installs in production, the optional ones of every system included. */
export async function checkProductionTree(): Promise<string> {
  const { packages } = lockSchema.parse(JSON.parse(await readFile('package-lock.json', 'utf8')));
  const installed = Object.entries(packages).filter(
    ([path, { dev }]) => path !== '' && !dev && !isPinnedNode(path.replace('node_modules/', '')),
  );
  const problems = installed.flatMap(([path, { license, hasInstallScript }]) => [
    ...(isAllowed(license) ? [] : [`${path}: license ${license || 'not declared'}`]),
    ...(hasInstallScript ? [`${path} has an install script`] : []),
  ]);
  expectNone(problems);
  return `${installed.length} packages (all optional ones of every system), no install script`;
}

/** @returns the sizes of what is installed, without and with the keychain module. */
export async function checkInstalledSize(tarball: string, folder: string): Promise<string> {
  const bare = await installedSize(tarball, join(folder, 'bare'), ['--omit=optional', '--offline']);
  const whole = await installedSize(tarball, join(folder, 'whole'), ['--prefer-offline']).catch(
    (error: unknown) => {
      throw new NotCheckable(`${prettyBytes(bare)} without the keychain module; with it: ${error}`);
    },
  );
  const sizes = `${prettyBytes(bare)} without the keychain module, ${prettyBytes(whole)} with it`;
  if (bare >= MAX_BYTES || whole >= MAX_BYTES_WITH_KEYCHAIN) {
    const limits = `${prettyBytes(MAX_BYTES)} and ${prettyBytes(MAX_BYTES_WITH_KEYCHAIN)}`;
    throw new Error(`${sizes}; the limits are ${limits}`);
  }
  if (whole === bare) throw new NotCheckable(`${sizes}: npm left it out, as it may for an optional package`);
  return sizes;
}

async function installedSize(tarball: string, folder: string, flags: readonly string[]): Promise<number> {
  await rm(folder, { recursive: true, force: true });
  await install(folder, [resolve(tarball)], { flags });
  const { stdout } = await runQuietly('npx', ['--no-install', 'seller-commerce-mcp', '--version'], {
    cwd: folder,
  });
  if (!/^\d+\.\d+\.\d+/.test(stdout)) throw new Error(`npx seller-commerce-mcp --version printed ${stdout}`);
  return sizeOf(join(folder, 'node_modules'));
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  );
  return sizes.reduce((total, size) => total + size, 0);
}
