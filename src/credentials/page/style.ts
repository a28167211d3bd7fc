/** The page's only style sheet, small enough to stand in the page, and the hash that lets it through the policy. */

import { createHash } from 'node:crypto';

export const style = `
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
header .good svg{display:block;color:var(--good)}
code{font:.9375em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
footer{margin-top:1.5rem;padding-top:1rem;border-top:1px solid var(--rule);font-size:.875rem;color:var(--soft)}
`;

/** Nothing is loaded, nothing runs, nothing frames the page; the one style is let through by its hash. */
export function buildContentSecurityPolicy(): string {
  const hash = createHash('sha256').update(style).digest('base64');
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}
