/** A generated file: what every generator returns, and how it is written or compared with the existing file. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface GeneratedFile {
  /** Relative to the root. */
  path: string;
  /** The whole content. */
  text: string;
}

/** False when the file already had this text; with `isCheck` nothing is written. */
export async function update({ path, text }: GeneratedFile, isCheck: boolean): Promise<boolean> {
  const current = await readFile(path, 'utf8').catch(() => undefined);
  if (current === text) return false;
  if (isCheck) return true;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return true;
}
