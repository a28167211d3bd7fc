/** Renders a page of views: one document with its script, style sheet and data, which loads nothing. */

import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { contentSecurityPolicy, documentOf, html, trusted } from './document.ts';

/** The files that the bundler wrote. */
export interface ViewBundle {
  script: string;
  sheet: string;
}

/**
 * Reads the bundle.
 * @param entryFile the running program, whose folder has the files
 */
export async function readViewBundle(entryFile: string): Promise<ViewBundle> {
  const folder = dirname(entryFile);
  const [script, sheet] = await Promise.all(
    ['views.js', 'views.css'].map((name) => readFile(join(folder, name), 'utf8')),
  );
  return { script: script ?? '', sheet: sheet ?? '' };
}

export interface ViewPage {
  html: string;
  /** The policy for the response header; a file contains it. */
  policy: string;
}

/**
 * Renders the page.
 * @param data as in `views/data.ts`
 * @param isFile true for a file that loads nothing more; otherwise it may call its origin
 */
export function renderViews(
  { script, sheet }: ViewBundle,
  data: { title: string },
  { isFile }: { isFile: boolean },
): ViewPage {
  const policy = contentSecurityPolicy({ script, sheet, connects: !isFile });
  // A script element ends only at its end tag, so escaping `<` is enough.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  const content = html`<div id="root"></div>
<noscript><p>This page needs JavaScript. It runs in your browser and asks nobody but your own computer.</p></noscript>
<script type="application/json" id="data">${trusted(json)}</script>
<script>${trusted(script)}</script>`;
  return { html: documentOf(data.title, content, { sheet, policy: isFile ? policy : undefined }), policy };
}
