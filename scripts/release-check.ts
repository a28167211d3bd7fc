/** Verifies that a release is consistent: versions agree, packages are valid, small, licensed and reproducible. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import prettyBytes from 'pretty-bytes';
import { pack } from './pack.ts';
import { parseBom } from './package/bom.ts';
import { readPackageJson } from './package/package-json.ts';
import { runQuietly } from './process/run.ts';
import { checkVersions } from './release/agreement.ts';
import { check, expectNone, type Finding } from './release/check.ts';
import { checkInstalledSize, checkProductionTree } from './release/production-tree.ts';
import {
  checkAudit,
  checkBundle,
  checkPlugin,
  checkPublint,
  checkRegistryEntry,
} from './release/validators.ts';

const SIGN = { ok: 'ok          ', failed: 'FAILED      ', 'not checked': 'not checked ' } as const;

const { values } = parseArgs({ options: { gate: { type: 'boolean', default: false } } });
const isGate = values.gate;

const about = await readPackageJson();
const folder = await mkdtemp(join(tmpdir(), 'seller-release-'));
const findings: Finding[] = [];
const add = async (name: string, run: () => Promise<string>) => void findings.push(await check(name, run));

try {
  await add('generated files', async () => {
    await runQuietly('npm', ['run', '--silent', 'generate', '--', '--check']);
    return 'up to date';
  });
  // Packing itself refuses anything that may not be bundled, does not belong in a package, or is too large.
  const packed = await pack('build');
  const { bundle, tarball, program, staging, registryEntry } = packed;
  await add('desktop bundle', async () => `${prettyBytes(bundle.bytes)}, sha256 ${bundle.sha256}`);
  await add('npm tarball', async () => `${prettyBytes(tarball.bytes)}, ${tarball.files} files`);
  await add('packed twice', async () => {
    const again = await pack(folder);
    if (again.bundle.sha256 !== bundle.sha256) throw new Error(`the second bundle is ${again.bundle.sha256}`);
    return 'the same byte for byte';
  });
  await add('SBOM', async () => {
    const { components } = parseBom(await readFile(packed.sbom, 'utf8'));
    expectNone(components.length === 0 ? ['it names no component'] : []);
    return `CycloneDX 1.6, ${components.length} bundled packages, each with an allowed license and its text`;
  });
  await add('versions and names', () => checkVersions(about, join(program, 'main.mjs')));
  await add('publint', () => checkPublint(join(staging, 'npm')));
  await add('mcpb', () => checkBundle(join(staging, 'mcpb'), bundle.file));
  await add('registry entry', () => checkRegistryEntry(['server.json', registryEntry]));
  // The hosts' tools are some 600 MB.
  if (!isGate) await add('plugin', checkPlugin);
  await add('production tree', checkProductionTree);
  await add('installed size', () => checkInstalledSize(tarball.file, join(folder, 'install')));
  await add('npm audit', checkAudit);
} finally {
  await rm(folder, { recursive: true, force: true });
}

for (const { name, outcome, detail } of findings) console.log(`${SIGN[outcome]}${name}: ${detail}`);
const count = (wanted: Finding['outcome']) => findings.filter(({ outcome }) => outcome === wanted).length;
console.log(`${count('ok')} passed, ${count('failed')} failed, ${count('not checked')} not checked`);
process.exitCode = count('failed') === 0 ? 0 : 1;
