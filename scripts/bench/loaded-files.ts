/** Lists the modules of a program that are loaded: Node's coverage names each of them. */

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

const coverageSchema = z.object({ result: z.array(z.object({ url: z.string() })) });

/** @param folder that was NODE_V8_COVERAGE of a program which has ended */
export async function countLoaded(folder: string): Promise<{ files: number; bytes: number }> {
  const files = new Set<string>();
  for (const name of await readdir(folder)) {
    const { result } = coverageSchema.parse(JSON.parse(await readFile(join(folder, name), 'utf8')));
    for (const { url } of result) if (url.startsWith('file:')) files.add(fileURLToPath(url));
  }
  const sizes = await Promise.all([...files].map(async (file) => (await stat(file)).size));
  return { files: files.size, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}
