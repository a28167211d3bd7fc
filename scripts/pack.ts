/** Packs everything that is released into build/: desktop bundle, npm tarball, registry entry and SBOM, from one build. */

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import prettyBytes from 'pretty-bytes';
import { buildServerJson } from './generate/server-json.ts';
import { packBundle } from './package/mcpb.ts';
import { readPackageJson } from './package/package-json.ts';
import { buildProgram } from './package/program.ts';
import { packTarball } from './package/tarball.ts';

const TARGET = 'build';
const STAGING = join(TARGET, 'staging');

/** What one pack made. Files lie in build/. */
export type Packed = Awaited<ReturnType<typeof pack>>;

/** @throws Error when something does not belong in a package, or a package is too large. */
export async function pack() {
  const about = await readPackageJson();
  const name = join(TARGET, `${about.name}-${about.version}`);
  const program = join(STAGING, 'program');
  await rm(STAGING, { recursive: true, force: true });
  await mkdir(STAGING, { recursive: true });
  const sbom = `${name}.cdx.json`;
  await buildProgram(program, sbom);
  const bundle = await packBundle(program, join(STAGING, 'mcpb'), `${name}.mcpb`);
  const tarball = await packTarball(program, join(STAGING, 'npm'), TARGET);
  const registryEntry = join(TARGET, 'server.json');
  await writeFile(registryEntry, `${JSON.stringify(buildServerJson(about, bundle.sha256), undefined, 2)}\n`);
  return { bundle, tarball, sbom, registryEntry };
}

if (import.meta.filename === process.argv[1]) {
  const { bundle, tarball, sbom, registryEntry } = await pack();
  console.log(`${bundle.file}  ${prettyBytes(bundle.bytes)}  sha256 ${bundle.sha256}`);
  console.log(`${tarball.file}  ${prettyBytes(tarball.bytes)}, ${tarball.files} files`);
  console.log(`${sbom}\n${registryEntry}`);
}
