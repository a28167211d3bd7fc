import { expect, it } from 'vitest';
import { replacePart } from '../../scripts/generate/replace-part.ts';

const document = 'before\n<!-- figures -->\nold\n<!-- /figures -->\nafter\n';

it('replaces what stands between the marks and nothing else', () => {
  const changed = replacePart(document, 'figures', 'new');
  expect(changed).toBe('before\n<!-- figures -->\nnew\n<!-- /figures -->\nafter\n');
  expect(replacePart(changed, 'figures', 'new')).toBe(changed);
});

it('says which part a document lacks', () => {
  expect(() => replacePart(document, 'peers', 'new')).toThrow('no part named peers');
});
