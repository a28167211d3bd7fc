/** Packs the desktop bundle: staged, zipped, with its SHA-256 next to it. */

import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { findDesktopChunks } from './desktop-part.ts';
import { listFiles, zipFolder } from './zip.ts';

const MAX_BYTES = 2_000_000;

/** The files of the bundle besides the program. */
const FILES = ['manifest.json', 'LICENSE', 'README.md', 'PRIVACY.md', 'assets/icon.png'];

export interface PackedBundle {
  file: string;
  bytes: number;
  sha256: string;
}

/**
 * @param program folder of the built program; @param staging is emptied first.
 * @throws Error when the bundle is too large or contains a native module.
 */
export async function packBundle(program: string, staging: string, file: string): Promise<PackedBundle> {
  await rm(staging, { recursive: true, force: true });
  for (const name of FILES) {
    await mkdir(dirname(join(staging, name)), { recursive: true });
    await cp(name, join(staging, name));
  }
  const chunks = await findDesktopChunks(program);
  await cp(program, join(staging, 'dist'), {
    recursive: true,
    filter: (source) =>
      !source.endsWith('.mjs') || chunks.has(relative(program, source).replaceAll('\\', '/')),
  });
  const native = (await listFiles(staging)).filter((name) => /\.(node|dll|so|dylib|exe)$/.test(name));
  if (native.length > 0) throw new Error(`Native modules do not belong in the bundle: ${native.join(', ')}`);
  await zipFolder(staging, file);
  const { size } = await stat(file);
  if (size >= MAX_BYTES) throw new Error(`${file} is ${size} bytes; the limit is ${MAX_BYTES}`);
  const sha256 = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  await writeFile(`${file}.sha256`, `${sha256}  ${basename(file)}\n`);
  return { file, bytes: size, sha256 };
}
