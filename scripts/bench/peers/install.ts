/** Installs the libraries that people use today into a temporary folder, without running their scripts. */

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const PACKAGES = ['amazon-sp-api@1.2.1', '@sp-api-sdk/auth@3.1.4', '@sp-api-sdk/common@4.0.4'];

export interface InstalledPeers {
  folder: string;
  remove(): Promise<void>;
}

export async function installPeers(): Promise<InstalledPeers> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-peers-'));
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }\n');
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', ...PACKAGES];
  await promisify(execFile)('npm', args, { cwd: folder });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
