/** Checks the documents against the repository: links, paths, scripts, commands, flags, variables, names, the table of folders; and the length of sentences. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkCommands } from './check-docs/check-commands.ts';
import { checkLinks, checkTargets } from './check-docs/check-links.ts';
import { checkMap, findCircles, findImports } from './check-docs/check-map.ts';
import { checkNames } from './check-docs/check-names.ts';
import { checkPaths } from './check-docs/check-paths.ts';
import { checkSentences } from './check-docs/check-sentences.ts';
import { checkVersions } from './check-docs/check-versions.ts';
import { type Facts, gatherFacts } from './check-docs/facts.ts';
import type { Finding } from './check-docs/finding.ts';
import { type Document, readDocument } from './check-docs/read-document.ts';

/** These documents must exist, because a check of nothing must not pass. */
const REQUIRED = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs/security.md'];

/** These documents need short sentences, because readers decide from them whether to trust this program. */
const IN_SHORT_SENTENCES: ReadonlySet<string> = new Set(['docs/security.md']);

export function checkDocuments(documents: readonly Document[], facts: Facts): Finding[] {
  return documents
    .flatMap((document) => [
      ...checkTargets(document, facts),
      ...checkPaths(document, facts),
      ...checkCommands(document, facts),
      ...checkNames(document, facts),
      ...checkVersions(document, facts),
      ...(IN_SHORT_SENTENCES.has(document.path) ? checkSentences(document) : []),
    ])
    .sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
}

/** @returns the exit code */
async function main(root: string): Promise<number> {
  const facts = await gatherFacts(root);
  const paths = [...facts.files].filter((path) => /^(docs\/)?[\w.-]+\.md$/.test(path)).sort();
  const documents = paths.map((path) => readDocument(path, readFileSync(join(root, path), 'utf8')));
  const missing = REQUIRED.filter((path) => !paths.includes(path));
  const imports = findImports();
  const findings = [
    ...missing.map((path) => ({ path, line: 1, message: 'this document is missing' })),
    ...(await checkLinks(root, paths)),
    ...checkDocuments(documents, facts),
    ...documents.filter(({ path }) => path === 'CONTRIBUTING.md').flatMap((map) => checkMap(map, imports)),
    ...findCircles(imports),
  ];
  const lines = new Set(findings.map(({ path, line, message }) => `${path}:${line}: ${message}`));
  for (const line of lines) console.error(line);
  if (lines.size === 0) console.log(`${documents.length} documents agree with the repository`);
  return lines.size === 0 ? 0 : 1;
}

if (process.argv[1]?.endsWith('check-docs.ts')) process.exitCode = await main(process.cwd());
