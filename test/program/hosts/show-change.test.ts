import { describe, expect, it } from 'vitest';
import { showChange } from '../../../src/program/hosts/show-change.ts';

const own = ['mcpServers', 'seller-commerce'];
const visible = new Set(['SELLER_REGION']);
const show = (before: unknown, after: unknown, foreign = false) =>
  showChange(JSON.stringify(before, null, 1), JSON.stringify(after, null, 1), { own, visible, foreign });

const entry = { command: 'npx', args: ['-y', 'seller-commerce-mcp'], env: { SELLER_REGION: 'eu' } };

describe('showing a change', () => {
  it('is empty when nothing differs', () => {
    expect(show({ a: 1 }, { a: 1 })).toBe('');
  });

  it('shows the lines that go and come', () => {
    const shown = show({ mcpServers: {} }, { mcpServers: { 'seller-commerce': entry } });
    expect(shown).toMatch(/^@@ -1,3 \+1,\d+ @@\n/);
    expect(shown).toContain('+   "command": "npx",\n');
    expect(shown).toContain('"seller-commerce-mcp"');
    expect(shown).toContain('"SELLER_REGION": "eu"');
  });

  it('masks the secrets of other servers, of other programs and in our own variables', () => {
    const other = {
      command: 'x',
      args: ['--key=SECRET1'],
      env: { X: 'SECRET2' },
      headers: { Authorization: 'SECRET3' },
      url: 'https://u:SECRET4@h',
      apiKey: 'SECRET5',
    };
    const before = {
      oauthToken: 'SECRET6',
      mcpServers: { other, 'seller-commerce': { ...other, command: 'y' } },
    };
    const ours = { ...entry, env: { SELLER_REGION: 'eu', SELLER_REFRESH_TOKEN: 'SECRET7' } };
    const shown = show(
      before,
      { oauthToken: 'SECRET6', mcpServers: { other, 'seller-commerce': ours } },
      true,
    );
    expect(shown).not.toContain('SECRET');
    expect(shown).toContain('-   "command": "y",');
    expect(shown).toContain('"SELLER_REFRESH_TOKEN": "***"');
  });

  it('takes out the escape sequences of a comment and cuts long lines', () => {
    const before = `// \u001b[31mred ${'x'.repeat(500)}\n{}`;
    const shown = showChange(before, `${before}\n`, { own, visible, foreign: false });
    const changed = showChange(before, before.replace('{}', '{"a":1}'), { own, visible, foreign: false });
    expect(shown + changed).not.toContain('\u001b');
    expect(Math.max(...changed.split('\n').map((line) => line.length))).toBeLessThan(250);
  });
});
