/**
 * Compares a folder of newer public API definitions with the committed facts, and prints what changes for users: new,
 * changed and removed operations, parameters, members, values of enums, limits.
 *
 *   npm run facts:changes -- <folder>               also lists files that cannot be read and decisions that are missing
 *   npm run facts:changes -- <folder> --changelog   prints an entry of the changelog, with the day of today
 */

import { readdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import { parseArgs } from 'node:util';
import { provenance } from '../src/service/facts/generated/provenance.ts';
import { changelogOf, committedFacts, describeDrift, findDrift } from './facts/drift.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { changelog: { type: 'boolean', default: false } },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error('usage: npm run facts:changes -- <folder> [--changelog]');
  process.exitCode = 2;
} else {
  const sources = readdirSync(folder)
    .filter((name) => /\.(json|ya?ml)$/.test(name))
    .map((name) => ({ name: parse(name).name, source: join(folder, name) }));
  const drift = await findDrift(sources, committedFacts());
  const today = new Date().toISOString().slice(0, 10);
  const lines = values.changelog
    ? changelogOf(drift, today)
    : [`The committed facts are of ${provenance.asOf}.`, ...describeDrift(drift)];
  console.log(lines.join('\n'));
}
