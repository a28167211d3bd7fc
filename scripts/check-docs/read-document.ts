/** Takes a Markdown document apart into what can be checked: links, code, headings, tables, each with its line. */

import Slugger from 'github-slugger';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString as textOf } from 'mdast-util-to-string';
import { visit } from 'unist-util-visit';

export interface Part {
  text: string;
  /** Counted from 1. */
  line: number;
}

export interface Document {
  /** From the root of the repository, with slashes. */
  path: string;
  text: string;
  /** Targets of links and pictures, those in HTML included. */
  links: Part[];
  /** What stands between single backticks, without them. */
  spans: Part[];
  /** Lines of fenced code, each with the language of its fence. */
  lines: (Part & { language: string })[];
  /** What a link to a heading may name after `#`. */
  anchors: ReadonlySet<string>;
}

export function readDocument(path: string, text: string): Document {
  const links: Part[] = [];
  const spans: Part[] = [];
  const lines: Document['lines'] = [];
  const anchors = new Set<string>();
  const slugger = new Slugger();
  visit(fromMarkdown(text), (node) => {
    const line = node.position?.start.line ?? 1;
    if (node.type === 'link' || node.type === 'image' || node.type === 'definition')
      links.push({ text: node.url, line });
    if (node.type === 'html') links.push(...linksOfHtml(node.value, line));
    if (node.type === 'inlineCode') spans.push({ text: node.value, line });
    if (node.type === 'heading') anchors.add(slugger.slug(textOf(node)));
    if (node.type === 'code') {
      const first = isFenced(text, line) ? line + 1 : line;
      const language = node.lang ?? '';
      lines.push(...node.value.split('\n').map((one, i) => ({ text: one, line: first + i, language })));
    }
  });
  return { path, text, links, spans, lines, anchors };
}

function isFenced(text: string, line: number): boolean {
  return /^\s*(?:[-*+]\s+|\d+\.\s+)?(```|~~~)/.test(text.split('\n')[line - 1] ?? '');
}

function linksOfHtml(html: string, line: number): Part[] {
  return [...html.matchAll(/\b(?:src|href)="([^"]*)"/g)].map((match) => ({
    text: match[1] ?? '',
    line: line + html.slice(0, match.index).split('\n').length - 1,
  }));
}
