/**
 * The parts of every page: escaped HTML, the document frame, three icons, a style sheet, and the content
 * security policy.
 */

import { createHash } from 'node:crypto';

/** Markup that is already safe. */
export interface Html {
  readonly html: string;
}

type Insert = Html | string | number | undefined | readonly Html[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

function insert(value: Insert): string {
  if (value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeText(String(value));
  if ('html' in value) return value.html;
  return value.map((part) => part.html).join('');
}

/**
 * A template tag that escapes text and inserts `Html` unchanged. Attributes must be written in double quotes.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Insert[]): Html {
  let out = strings[0] ?? '';
  values.forEach((value, index) => {
    out += insert(value) + (strings[index + 1] ?? '');
  });
  return { html: out };
}

/** Marks our own content as safe: icons, style sheets, scripts, and JSON in which no markup can begin. */
export function trusted(text: string): Html {
  return { html: text };
}

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

/** Renders a whole document; `title` is shown in the browser's tab. */
export function renderDocument(title: string, content: Html): string {
  return documentOf(
    title,
    html`<main>
${content}
</main>`,
    { sheet: style },
  );
}

/**
 * Renders a whole document.
 * @param policy of a file, which has no headers
 */
export function documentOf(
  title: string,
  content: Html,
  { sheet, policy }: { sheet: string; policy?: string | undefined },
): string {
  // The framing rule works only in a header, and browsers report it elsewhere as an error.
  const own = policy?.replace("frame-ancestors 'none'; ", '');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${own === undefined ? undefined : html`<meta http-equiv="Content-Security-Policy" content="${own}">`}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${trusted(sheet)}</style>
</head>
<body>
${content}
</body>
</html>
`.html;
}

/** The style sheet of pages without a script, small enough to embed in each. */
const style = `
:root{color-scheme:light dark;--page:#f3f5f8;--card:#fff;--text:#17212f;--soft:#4c5a6d;--line:#8592a3;--rule:#dce2ea;
--accent:#14549c;--accent-over:#0d3f78;--on-accent:#fff;--calm:#edf4fc;--bad:#a3161b;--bad-back:#fdf0f0;--good:#146c3c}
@media (prefers-color-scheme:dark){:root{--page:#10151c;--card:#1a212b;--text:#e9eef5;--soft:#aab6c6;--line:#76859a;
--rule:#2f3a48;--accent:#8ebdf7;--accent-over:#b5d4fb;--on-accent:#0d1a2b;--calm:#1c2b3e;--bad:#ffa6a2;--bad-back:#3a1d20;--good:#83d6a4}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:35rem;margin:2rem auto;padding:2rem;background:var(--card);border:1px solid var(--rule);border-radius:12px}
@media (max-width:38rem){main{margin:0;padding:1.25rem;border:0;border-radius:0}}
header{display:flex;gap:.875rem;align-items:center;margin-bottom:1rem}
header svg{flex:none;color:var(--accent)}
h1{margin:0;font-size:1.5rem;line-height:1.25}
h2{margin:0 0 .25rem;font-size:1rem}
p{margin:0 0 1rem}
.soft,.hint{color:var(--soft)}
.hint{display:block;font-size:.875rem;margin-bottom:.375rem}
.facts{margin:0 0 1.5rem;padding:.875rem 1rem;background:var(--calm);border-radius:8px;list-style:none;font-size:.9375rem}
.facts li{display:flex;gap:.625rem}
.facts li+li{margin-top:.375rem}
.facts svg{flex:none;margin-top:.25rem;color:var(--accent)}
.field{margin-bottom:1.125rem}
label{display:block;font-weight:600}
input,select{width:100%;padding:.625rem .75rem;font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:6px}
input:focus-visible,select:focus-visible,button:focus-visible,a:focus-visible,summary:focus-visible,[tabindex]:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
[aria-invalid=true]{border:2px solid var(--bad)}
.problem{display:block;color:var(--bad);font-size:.9375rem;margin-bottom:.375rem}
.summary{margin-bottom:1.5rem;padding:1rem;border:2px solid var(--bad);border-radius:8px;background:var(--bad-back)}
.summary ul{margin:.25rem 0 0;padding-left:1.25rem}
.summary p{margin:.25rem 0 0}
.summary a{color:var(--bad)}
details{margin-bottom:1.25rem}
summary{cursor:pointer;color:var(--accent);font-weight:600;border-radius:4px}
details[open]>summary{margin-bottom:.75rem}
details ol{margin:0}
details ol{padding-left:1.5rem}
button{width:100%;padding:.75rem 1rem;font:inherit;font-weight:600;color:var(--on-accent);background:var(--accent);border:1px solid transparent;border-radius:6px;cursor:pointer}
button:hover{background:var(--accent-over)}
.aside{margin:1.25rem 0 .5rem;color:var(--soft);font-size:.875rem}
button.second{color:var(--accent);background:none;border-color:var(--line)}
button.second:hover{background:var(--calm)}
::placeholder{color:var(--soft);opacity:1}
header .good svg{display:block;color:var(--good)}
code{font:.9375em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
footer{margin-top:1.5rem;padding-top:1rem;border-top:1px solid var(--rule);font-size:.875rem;color:var(--soft)}
`;

/** The capabilities of a page beyond display. */
export interface PageCapabilities {
  /** The only script that runs, allowed by its hash. */
  script?: string;
  /** The only style sheet; that of `renderDocument` by default. */
  sheet?: string;
  /** True when its script may connect to the page's own origin. */
  connects?: boolean;
}

/**
 * Builds the policy: nothing is loaded, nothing frames the page, and only the listed capabilities are
 * allowed.
 */
export function contentSecurityPolicy({ script, sheet = style, connects = false }: PageCapabilities): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src ${hash(script)}`]),
    `style-src ${hash(sheet)}`,
    ...(connects ? ["connect-src 'self'"] : []),
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    ...(script === undefined ? [] : ["require-trusted-types-for 'script'", "trusted-types 'none'"]),
  ].join('; ');
}
