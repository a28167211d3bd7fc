/** Links must lead to an existing file and heading (remark-validate-links), and not out of the repository. */

import { posix } from 'node:path';
import { PassThrough } from 'node:stream';
import remarkParse from 'remark-parse';
import remarkValidateLinks from 'remark-validate-links';
import { type Plugin, unified } from 'unified';
import { engine, type FileSet, type Options } from 'unified-engine';
import * as z from 'zod';
import type { Facts } from './facts.ts';
import { type Finding, finding } from './finding.ts';
import type { Document, Part } from './read-document.ts';

const fileSetSchema = z.custom<FileSet>(
  (value) => typeof value === 'object' && value !== null && 'files' in value,
);

type Root = Parameters<ReturnType<typeof remarkValidateLinks>>[0];
const isRoot = (node: { type: string }): node is Root => node.type === 'root';

/** @param paths relative to `root`; headings are looked up only in these. Nothing outside the machine is contacted. */
export function checkLinks(root: string, paths: readonly string[]): Promise<Finding[]> {
  const validateLinks: Plugin<unknown[]> = (_settings, fileSet) => {
    const validate = remarkValidateLinks({ repository: false, root }, fileSetSchema.parse(fileSet));
    return async (tree, file) => (isRoot(tree) ? validate(tree, file) : undefined);
  };
  const settings: Options = {
    processor: unified().use(remarkParse),
    plugins: [validateLinks],
    files: [...paths],
    cwd: root,
    output: false,
    // It would print its own report.
    streamError: new PassThrough(),
  };
  return new Promise((resolve, reject) => {
    engine(settings, (error, _code, context) => {
      if (error !== undefined && error !== null) return reject(error);
      const files = context?.files ?? [];
      resolve(
        files.flatMap(({ path, messages }) =>
          messages.map(({ line = 1, reason }) => ({ path, line, message: reason })),
        ),
      );
    });
  });
}

/** Checks the links that the library does not: HTML links, and links that lead outside. */
export function checkTargets(document: Document, { files }: Pick<Facts, 'files'>): Finding[] {
  const outside = [...document.links, ...document.htmlLinks].filter(({ text }) => isOutside(document, text));
  const absent = document.htmlLinks.filter(
    (link) => !outside.includes(link) && !isThere(document, link, files),
  );
  return [
    ...outside.map((link) => finding(document, link, `the link ${link.text} leads out of the repository`)),
    ...absent.map((link) => finding(document, link, `the link ${link.text} leads to what is not there`)),
  ];
}

function isOutside(document: Document, text: string): boolean {
  return /^(\.\.|\/)/.test(targetOf(document, text) ?? '');
}

function isThere(document: Document, { text }: Part, files: ReadonlySet<string>): boolean {
  const path = targetOf(document, text);
  return path === undefined || files.has(path) || files.has(`${path.replace(/\/$/, '')}/`);
}

/** Relative to the root; undefined for an address, and for a heading in the document itself. */
function targetOf({ path }: Document, text: string): string | undefined {
  const [target = ''] = text.split('#');
  if (target === '' || /^[a-z][a-z0-9+.-]*:/i.test(target)) return undefined;
  return posix.join(posix.dirname(path), target);
}
