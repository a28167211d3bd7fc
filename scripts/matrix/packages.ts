/** Runs whole sessions from the packages: the bundle unpacked and started by its manifest, the tarball installed. */

import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import type { Launch } from '../../test/helpers/launch.ts';
import type { Packed } from '../pack.ts';
import { unzip } from '../package/zip.ts';
import { install } from '../process/install.ts';
import { runEndToEnd, SESSION_FILES } from './end-to-end.ts';
import type { Row } from './row.ts';

export async function runPackages({ bundle, tarball }: Packed, folder: string): Promise<Row[]> {
  const fromBundle = await launchBundle(bundle.file, join(folder, 'Extensions', 'seller'));
  const fromTarball = await launchTarball(tarball.file, join(folder, 'a shop'));
  return [
    await runEndToEnd('desktop bundle, unpacked: sessions', fromBundle, { only: SESSION_FILES }),
    await runEndToEnd('npm tarball, installed: sessions', fromTarball, { only: SESSION_FILES }),
  ];
}

const manifestSchema = z.object({
  server: z.object({
    mcp_config: z.object({
      command: z.literal('node'),
      args: z.tuple([z.string()]),
      env: z.record(z.string(), z.string()),
    }),
  }),
});

/** The environment keeps the manifest's placeholders unless a test sets them. */
async function launchBundle(file: string, folder: string): Promise<Launch> {
  await unzip(file, folder);
  const manifest = manifestSchema.parse(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')));
  const { command, args, env } = manifest.server.mcp_config;
  return { node: command, program: args[0].replaceAll(/\$\{__dirname\}/g, folder), env };
}

async function launchTarball(file: string, folder: string): Promise<Launch> {
  await install(folder, [resolve(file)], { flags: ['--omit=optional', '--offline'] });
  return { program: join(folder, 'node_modules/seller-commerce-mcp/dist/main.mjs') };
}
