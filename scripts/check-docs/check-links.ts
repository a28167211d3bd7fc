/** Links within the repository lead to a file that is there, and to a heading that is in it. */

import { posix } from 'node:path';
import type { Facts } from './facts.ts';
import { type Finding, finding } from './finding.ts';
import type { Document, Part } from './read-document.ts';

/** @param documents all of them by path, so that a heading can be looked for in another one. */
export function checkLinks(
  document: Document,
  { files }: Pick<Facts, 'files'>,
  documents: ReadonlyMap<string, Document>,
): Finding[] {
  return document.links.flatMap((link) => {
    const problem = problemWith(link, document, files, documents);
    return problem === undefined ? [] : [finding(document, link, problem)];
  });
}

function problemWith(
  { text }: Part,
  document: Document,
  files: ReadonlySet<string>,
  documents: ReadonlyMap<string, Document>,
): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(text)) return undefined;
  const [target = '', anchor] = text.split('#');
  const path = target === '' ? document.path : posix.join(posix.dirname(document.path), decode(target));
  if (path.startsWith('..') || path.startsWith('/')) return `the link ${text} leads out of the repository`;
  if (target !== '' && !files.has(path) && !files.has(`${path.replace(/\/$/, '')}/`))
    return `the link ${text} leads to ${path}, which is not there`;
  const linked = documents.get(path);
  if (anchor === undefined || linked === undefined || linked.anchors.has(anchor)) return undefined;
  return `the link ${text} names a heading that ${path} does not have`;
}

function decode(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
