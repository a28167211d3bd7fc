/** A generated file: what every generator gives, and how it is written, or held against what is there. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface GeneratedFile {
  /** From the root. */
  path: string;
  /** The whole of it. */
  text: string;
}

/** False when the file had this text already; `isCheck`: nothing is written. */
export async function update({ path, text }: GeneratedFile, isCheck: boolean): Promise<boolean> {
  const current = await readFile(path, 'utf8').catch(() => undefined);
  if (current === text) return false;
  if (isCheck) return true;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return true;
}
