/** Splits a Markdown document into what can be checked: links and code, each with its line. */

import { fromMarkdown } from 'mdast-util-from-markdown';
import { visit } from 'unist-util-visit';

export interface Part {
  text: string;
  /** Counted from 1. */
  line: number;
}

export interface Document {
  /** Relative to the repository's root, with slashes. */
  path: string;
  text: string;
  /** Targets of links and images. */
  links: Part[];
  /** Targets of those in HTML. */
  htmlLinks: Part[];
  /** Text between single backticks, without them. */
  spans: Part[];
  /** Lines of fenced code, each with the language of its fence. */
  lines: (Part & { language: string })[];
}

export function readDocument(path: string, text: string): Document {
  const links: Part[] = [];
  const htmlLinks: Part[] = [];
  const spans: Part[] = [];
  const lines: Document['lines'] = [];
  visit(fromMarkdown(text), (node) => {
    const line = node.position?.start.line ?? 1;
    if (node.type === 'link' || node.type === 'image' || node.type === 'definition')
      links.push({ text: node.url, line });
    if (node.type === 'html') htmlLinks.push(...linksOfHtml(node.value, line));
    if (node.type === 'inlineCode') spans.push({ text: node.value, line });
    if (node.type === 'code') {
      const first = isFenced(text, line) ? line + 1 : line;
      const language = node.lang ?? '';
      lines.push(...node.value.split('\n').map((one, i) => ({ text: one, line: first + i, language })));
    }
  });
  return { path, text, links, htmlLinks, spans, lines };
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
