/** Anything that looks like a path in this repository, in backticks or in a shell line, must exist. */

import type { Facts } from './facts.ts';
import { type Finding, finding } from './finding.ts';
import type { Document, Part } from './read-document.ts';

const SHELL = new Set(['sh', 'bash', 'shell', 'console']);
const FILE = /^[\w.][\w.-]*\.(ts|mts|mjs|js|md|json|sh|grit|png|svg|yml|yaml)$/;
/** Files and folders of other programs, and protocol methods, which only look like paths. */
const ELSEWHERE =
  /^(node_modules|\.cursor|\.vscode|\.claude)\/|^(\.?mcp|claude_desktop_config|\.claude)\.json$|^tools\/(list|call)$/;

export function checkPaths(document: Document, facts: Pick<Facts, 'files' | 'made'>): Finding[] {
  const shell = document.lines.filter(({ language }) => SHELL.has(language));
  const parts: Part[] = [...document.spans, ...shell];
  return parts.flatMap((part) =>
    wordsOf(part.text).flatMap((word) =>
      isPath(word, facts) && !isThere(word, facts) ? [finding(document, part, `${word} is not there`)] : [],
    ),
  );
}

/** Words that a shell would see, without redirections, option values and line numbers. */
function wordsOf(text: string): string[] {
  return text
    .split(/[\s"'()=,;]+/)
    .map((word) =>
      word
        .replace(/^\.\/(?=.)/, '')
        .replace(/(?<=\.\w+):\d+(-\d+)?$/, '')
        .replace(/[.:]$/, ''),
    )
    .filter((word) => word !== '' && !/[<>{}$~|\\]|^[/@-]|:\/\//.test(word));
}

/** A file by its extension, anything else by the folder that it begins with. */
function isPath(word: string, { files, made }: Pick<Facts, 'files' | 'made'>): boolean {
  const [first = '', ...rest] = word.split('/');
  if (ELSEWHERE.test(word) || made.has(first) || first === '..') return false;
  const last = rest.filter((one) => one !== '').at(-1) ?? first;
  return FILE.test(last) || (rest.length > 0 && files.has(`${first}/`));
}

function isThere(word: string, { files }: Pick<Facts, 'files'>): boolean {
  if (word.includes('*')) return matches(word, files);
  if (files.has(word) || files.has(`${word.replace(/\/$/, '')}/`)) return true;
  // A file named without its folder, where it is clear which one is meant.
  return !word.includes('/') && [...files].some((file) => file.endsWith(`/${word}`));
}

/** `docs/*.md` and `src/call/**` must match at least one file. */
function matches(pattern: string, files: ReadonlySet<string>): boolean {
  const source = pattern
    .split(/(\*\*\/?|\*)/)
    .map((part) =>
      part === '*' ? '[^/]*' : part.startsWith('**') ? '.*' : part.replace(/[.+?^$()[\]]/g, '\\$&'),
    )
    .join('');
  const expression = new RegExp(`^${source}$`);
  return [...files].some((file) => expression.test(file));
}
