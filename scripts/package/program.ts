/** Builds the program with everything that must ship with it: the bundle and the notices of what is bundled, and an SBOM next to it. */

import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { cyclonedxEsbuildPlugin } from '@cyclonedx/cyclonedx-esbuild';
import { bundleWithWorkers } from '../bundle.ts';
import { parseBom } from './bom.ts';
import { buildNotices } from './notices.ts';

const NOTICES = 'THIRD-PARTY-NOTICES.txt';

/**
 * Writes `<folder>/main.mjs`, its worker, their chunks and notices, and the CycloneDX 1.6 SBOM to `bomFile`.
 * @throws Error naming what is bundled under a license that we do not ship.
 */
export async function buildProgram(folder: string, bomFile: string): Promise<void> {
  const sbom = cyclonedxEsbuildPlugin({
    specVersion: '1.6',
    // Relative to the bundle's folder unless absolute.
    outputFile: resolve(bomFile),
    gatherLicenseTexts: true,
    outputReproducible: true,
    validate: true,
    logLevel: 'silent',
  });
  await bundleWithWorkers('src/main.ts', folder, { metafile: true, plugins: [sbom] });
  const bom = parseBom(await readFile(bomFile, 'utf8'));
  await writeFile(join(folder, NOTICES), await buildNotices(bom));
}
