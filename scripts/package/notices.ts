/** Writes the notices of everything bundled: name, version, license and the license's full text. */

import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import type { Bom, Component } from './bom.ts';
import { isAllowed } from './licenses.ts';

const RULE = '-'.repeat(80);

const factsSchema = z.object({
  provenance: z.object({ repository: z.string(), commit: z.string(), licence: z.string(), note: z.string() }),
});

/** @throws Error naming every component that may not be shipped: its license is not allowed, or its text is missing. */
export async function buildNotices({ name, components }: Bom): Promise<string> {
  const wrong = components.flatMap(findFault);
  if (wrong.length > 0) throw new Error(`These may not be bundled:\n${wrong.join('\n')}`);
  const intro = `${name} contains the following third-party software and data.`;
  return `${[intro, await factsNotice(), ...components.map(toNotice)].join(`\n\n${RULE}\n\n`)}\n`;
}

function findFault({ name, version, license, texts }: Component): string[] {
  if (!isAllowed(license)) return [`${name}@${version}: license ${license || 'not declared'}`];
  return texts.length === 0 ? [`${name}@${version}: no license text in its package`] : [];
}

const toNotice = ({ name, version, license, texts }: Component): string =>
  [`${name} ${version} (${license})`, ...texts.map((text) => text.trim().replaceAll('\r\n', '\n'))].join(
    '\n\n',
  );

/** The facts from the public definitions are data, so no SBOM of packages lists them. */
async function factsNotice(): Promise<string> {
  const text = await readFile('src/service/facts/generated/facts.json', 'utf8');
  const { repository, commit, licence } = factsSchema.parse(JSON.parse(text)).provenance;
  return [
    `Facts of the public API definitions (${licence})`,
    `Names, methods, paths, shapes and limits of operations, taken from ${repository}, commit ${commit}.`,
    'The text of the Apache License 2.0 is below, under @modelcontextprotocol/server.',
  ].join('\n');
}
