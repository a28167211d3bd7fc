/** Packs everything that is released into build/ (or the given folder): desktop bundle, npm tarball, registry entry and SBOM, from one build. */

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import prettyBytes from 'pretty-bytes';
import { buildServerJson } from './generate/server-json.ts';
import { packBundle } from './package/mcpb.ts';
import { readPackageJson } from './package/package-json.ts';
import { buildProgram } from './package/program.ts';
import { packTarball } from './package/tarball.ts';

/** The result of one pack. */
export type Packed = Awaited<ReturnType<typeof pack>>;

/** @throws Error when something does not belong in a package, or a package is too large. */
export async function pack(target: string) {
  const about = await readPackageJson();
  const name = join(target, `${about.name}-${about.version}`);
  const staging = join(target, 'staging');
  const program = join(staging, 'program');
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true });
  const sbom = `${name}.cdx.json`;
  await buildProgram(program, sbom);
  const bundle = await packBundle(program, join(staging, 'mcpb'), `${name}.mcpb`);
  const tarball = await packTarball(program, join(staging, 'npm'), target);
  const registryEntry = join(target, 'server.json');
  await writeFile(registryEntry, `${JSON.stringify(buildServerJson(about, bundle.sha256), undefined, 2)}\n`);
  return { program, staging, bundle, tarball, sbom, registryEntry };
}

if (import.meta.filename === process.argv[1]) {
  const { bundle, tarball, sbom, registryEntry } = await pack(process.argv[2] ?? 'build');
  console.log(`${bundle.file}  ${prettyBytes(bundle.bytes)}  sha256 ${bundle.sha256}`);
  console.log(`${tarball.file}  ${prettyBytes(tarball.bytes)}, ${tarball.files} files`);
  console.log(`${sbom}\n${registryEntry}`);
}
