import { expect, test } from 'vitest';
import { loadRegistry } from '../../../src/service/registry/registry.ts';
import { sellerWords } from '../../../src/service/search/generated/seller-words.ts';
import { synonyms } from '../../../src/service/search/generated/synonyms.ts';

test('every operation has words of sellers, and no words are left over', async () => {
  const registry = await loadRegistry();
  const { operations } = await registry.list({ limit: 500 });
  const used = new Set<string>();
  for (const { id, name } of operations) {
    const [slug = '', tail = ''] = id.split('/');
    const key = [tail, name].find((candidate) => sellerWords[slug]?.[candidate] !== undefined);
    expect(key, id).toBeDefined();
    used.add(`${slug}/${key}`);
  }
  const all = Object.entries(sellerWords).flatMap(([slug, rows]) =>
    Object.keys(rows).map((name) => `${slug}/${name}`),
  );
  expect(all.filter((key) => !used.has(key))).toEqual([]);
});

test('no group of synonyms holds a word twice or alone', () => {
  for (const group of synonyms) {
    expect(new Set(group.map((word) => word.toLowerCase())).size, group.join()).toBe(group.length);
    expect(group.length, group.join()).toBeGreaterThan(1);
  }
});
