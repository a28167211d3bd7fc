/** Version and name live in one place: everything that repeats them must agree with package.json. */

import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import type { PackageJson } from '../package/package-json.ts';
import { runQuietly } from '../process/run.ts';
import { expectNone } from './check.ts';

const namedSchema = z.looseObject({ name: z.string(), version: z.string() });
const serverSchema = namedSchema.extend({ packages: z.array(z.looseObject({ version: z.string() })) });

export async function checkVersions(about: PackageJson, program: string): Promise<string> {
  const lock = namedSchema.parse(JSON.parse(await readFile('package-lock.json', 'utf8')));
  const manifest = namedSchema.parse(JSON.parse(await readFile('manifest.json', 'utf8')));
  const server = serverSchema.parse(JSON.parse(await readFile('server.json', 'utf8')));
  const { stdout } = await runQuietly(process.execPath, [program, '--version']);
  const versions: Record<string, string> = {
    'package-lock.json': lock.version,
    'manifest.json': manifest.version,
    'server.json': server.version,
    ...Object.fromEntries(
      server.packages.map((one, index) => [`server.json, package ${index + 1}`, one.version]),
    ),
    'CHANGELOG.md, newest entry': newestEntry(await readFile('CHANGELOG.md', 'utf8')),
    'seller-commerce-mcp --version': stdout.trim(),
  };
  const problems = Object.entries(versions)
    .filter(([, version]) => version !== about.version)
    .map(([place, version]) => `${place} says ${version}, package.json ${about.version}`);
  if (server.name !== about.mcpName)
    problems.push(`server.json is named ${server.name}, mcpName is ${about.mcpName}`);
  if (manifest.name !== about.name) problems.push(`manifest.json is named ${manifest.name}`);
  expectNone(problems);
  return `${about.version} in ${Object.keys(versions).length + 1} places`;
}

/** The first entry that has a date; Unreleased does not count. */
const newestEntry = (changelog: string): string =>
  /^## \[(\d[^\]]*)\] - \d{4}-\d\d-\d\d$/m.exec(changelog)?.[1] ?? 'no dated entry';
