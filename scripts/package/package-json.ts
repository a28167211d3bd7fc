/** Reads package.json, the one place that holds the version and the addresses. */

import { readFile } from 'node:fs/promises';
import * as z from 'zod';

const packageSchema = z.looseObject({
  name: z.string(),
  version: z.string().regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/),
  description: z.string(),
  license: z.string(),
  mcpName: z.string(),
  homepage: z.url(),
  repository: z.object({ type: z.literal('git'), url: z.string() }),
  bugs: z.object({ url: z.url() }),
  keywords: z.array(z.string()),
  /** The Node that the program runs on; `engines` is that of npm in a clone, which brings the other. */
  config: z.object({ node: z.string() }),
});

export type PackageJson = z.infer<typeof packageSchema>;

export async function readPackageJson(): Promise<PackageJson> {
  return packageSchema.parse(JSON.parse(await readFile('package.json', 'utf8')));
}

/** The repository's web address, without a slash at its end. */
export const webAddress = ({ repository }: PackageJson): string =>
  repository.url.replace(/^git\+/, '').replace(/\.git$/, '');

/** A Node that npm scripts find first in a clone is no part of what is published. */
export const isPinnedNode = (name: string) => /^node-(?:darwin|linux|win)-/.test(name);
