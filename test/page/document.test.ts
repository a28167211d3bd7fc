/** Tests the parts of every page: escaped markup, one style, one policy. */

import { describe, expect, it } from 'vitest';
import { contentSecurityPolicy, html, renderDocument } from '../../src/page/document.ts';

describe('HTML', () => {
  it('escapes text, keeps markup, leaves out what is not there', () => {
    const inner = html`<b>${'&<>"\''}</b>`;
    expect(inner.html).toBe('<b>&amp;&lt;&gt;&quot;&#39;</b>');
    expect(html`${inner}|${[inner, html`x`]}|${undefined}|${7}`.html).toBe(`${inner.html}|${inner.html}x||7`);
  });

  it('lets one style through by its hash, and nothing else', () => {
    expect(renderDocument('x', html`y`).match(/<style>/g)).toHaveLength(1);
    expect(contentSecurityPolicy({})).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; /);
  });

  it('lets one script through by its hash, which makes no markup of text', () => {
    const policy = contentSecurityPolicy({ script: 'f()', sheet: '', connects: true });
    expect(policy).toMatch(/; script-src 'sha256-[\w+/]{43}='; style-src /);
    expect(policy).toMatch(
      /; connect-src 'self'; .*require-trusted-types-for 'script'; trusted-types 'none'$/,
    );
  });
});
