import { describe, expect, it } from 'vitest';
import { cursorInstallLink, vscodeInstallLink } from '../../src/hosts/install-links.ts';

describe('one-click links', () => {
  it('VS Code: a redirect that carries the whole server', () => {
    const link = new URL(vscodeInstallLink());
    expect(link.origin + link.pathname).toBe('https://insiders.vscode.dev/redirect');
    const [address, payload] = link.searchParams.get('url')?.split('?') ?? [];
    expect(address).toBe('vscode:mcp/install');
    expect(JSON.parse(decodeURIComponent(payload ?? ''))).toEqual({
      name: 'seller-commerce',
      type: 'stdio',
      command: 'npx',
      args: ['-y', 'seller-commerce-mcp'],
    });
  });

  it('Cursor: name and base64 configuration', () => {
    const link = new URL(cursorInstallLink());
    expect(link.origin + link.pathname).toBe('https://cursor.com/en/install-mcp');
    expect(link.searchParams.get('name')).toBe('seller-commerce');
    const config = Buffer.from(link.searchParams.get('config') ?? '', 'base64').toString();
    expect(JSON.parse(config)).toEqual({ command: 'npx', args: ['-y', 'seller-commerce-mcp'] });
  });

  it('survives Markdown: no character ends the link early', () => {
    for (const link of [vscodeInstallLink(), cursorInstallLink()]) expect(link).toMatch(/^[^\s()<>"']+$/);
  });
});
