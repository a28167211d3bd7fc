/** The frame around each of the page's states, and the three small pictures drawn in place. */

import { type Html, html, trusted } from './html.ts';
import { style } from './style.ts';

function icon(path: string, size: number): Html {
  return trusted(
    `<svg width="${size}" height="${size}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" ` +
      `stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${path}</svg>`,
  );
}

const key =
  '<circle cx="8" cy="15" r="4.5"/><path d="m11.2 11.8 9.3-9.3M16.5 6.5l3 3"/><path d="M8 15h.01" stroke-width="2.5"/>';
const check = '<circle cx="12" cy="12" r="9.5"/><path d="m7.5 12.5 3 3 6-6.5"/>';
const tick = '<path d="m4 12.5 5.5 5.5L20 6.5"/>';

export const keyIcon = () => icon(key, 36);
export const checkIcon = () => html`<span class="good">${icon(check, 40)}</span>`;
export const tickIcon = () => icon(tick, 16);

/** A whole document; `title` is what the browser's tab says. */
export function renderDocument(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${trusted(style)}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`.html;
}
