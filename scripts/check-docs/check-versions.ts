/** Wherever a document fetches the package from the registry, it must name the version in package.json, no other and never none. */

import type { Facts } from './facts.ts';
import { type Finding, finding } from './finding.ts';
import type { Document } from './read-document.ts';

/** Matches a command that fetches the package, with its version if it has one, but no repository or file. */
const FETCHED = /\bnpx\s+(?:(?:-y|--yes)\s+)?seller-commerce-mcp(?:@(\S*?))?(?=[\s`"',;)]|$)/g;
const VERSIONED = /(?<![\w/.-])seller-commerce-mcp@([\w.-]+)/g;

export function checkVersions(document: Document, { version }: Pick<Facts, 'version'>): Finding[] {
  // It keeps what was true of earlier versions.
  if (document.path === 'CHANGELOG.md') return [];
  return [...document.spans, ...document.lines].flatMap((part) =>
    problemsOf(part.text, version).map((problem) => finding(document, part, problem)),
  );
}

function problemsOf(text: string, version: string): string[] {
  const unpinned = [...text.matchAll(FETCHED)].filter(([, named]) => named === undefined);
  const others = [...text.matchAll(VERSIONED)].filter(([, named]) => named !== version);
  return [
    ...unpinned.map(() => `npx would take any version: write seller-commerce-mcp@${version}`),
    ...others.map(([, named]) => `this is version ${version}, not ${named}`),
  ];
}
