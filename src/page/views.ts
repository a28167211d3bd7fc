/** A page of views: one document that holds its script, its style sheet and its data, and loads nothing. */

import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { contentSecurityPolicy, documentOf, html, trusted } from './document.ts';

/** As the bundler wrote them. */
export interface ViewBundle {
  script: string;
  sheet: string;
}

/** @param entryFile the running program, beside which they stand */
export async function readViewBundle(entryFile: string): Promise<ViewBundle> {
  const folder = dirname(entryFile);
  const [script, sheet] = await Promise.all(
    ['views.js', 'views.css'].map((name) => readFile(join(folder, name), 'utf8')),
  );
  return { script: script ?? '', sheet: sheet ?? '' };
}

export interface ViewPage {
  html: string;
  /** For the header of the answer; a file has it in itself. */
  policy: string;
}

/**
 * @param data as `views/data.ts` has it
 * @param isFile asks nobody for more; else it may, where it came from
 */
export function renderViews(
  { script, sheet }: ViewBundle,
  data: { title: string },
  { isFile }: { isFile: boolean },
): ViewPage {
  const policy = contentSecurityPolicy({ script, sheet, connects: !isFile });
  // Within a script nothing but its end is read as markup.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  const content = html`<div id="root"></div>
<noscript><p>This page needs JavaScript. It runs in your browser and asks nobody but your own computer.</p></noscript>
<script type="application/json" id="data">${trusted(json)}</script>
<script>${trusted(script)}</script>`;
  return { html: documentOf(data.title, content, { sheet, policy: isFile ? policy : undefined }), policy };
}
