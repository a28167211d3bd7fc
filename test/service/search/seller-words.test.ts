import { expect, test } from 'vitest';
import { endingOf, isGone } from '../../../src/service/facts/endings.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';
import { sellerWords } from '../../../src/service/search/generated/seller-words.ts';
import { synonyms } from '../../../src/service/search/generated/synonyms.ts';

test('every operation that is not gone has words of sellers, and no words are left over', async () => {
  const registry = await loadRegistry();
  const { operations } = await registry.list({ limit: 500 });
  const used = new Set<string>();
  for (const { id, name } of operations) {
    const ending = endingOf(id);
    if (ending !== undefined && isGone(ending, Date.parse('2026-11-29'))) continue;
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

test('no word leads to a secret first but one that names it', async () => {
  const registry = await loadRegistry();
  const secret = /rotateApplicationClientSecret/;
  const namesIt = /secret|credential|token|rotate|application|app\b|renew|expir/i;
  for (const word of synonyms.flat().filter((one) => !namesIt.test(one))) {
    for (const asked of [word, `${word} orders`, `repeat ${word}`]) {
      const { operations } = await registry.list({ search: asked, limit: 1 });
      expect(operations[0]?.id ?? '', asked).not.toMatch(secret);
    }
  }
});

test.each(['low stock', 'low in stock', 'sold out', 'dearer abroad', 'what is new'])(
  '%s: a review has it, with a statement that works',
  async (search) => {
    const registry = await loadRegistry();
    const { hints } = await registry.list({ search, limit: 5 });
    expect(hints?.join(' ')).toMatch(/review_listings.* FROM listings WHERE quantity < 5/);
  },
);

test.each(['repeat buyers', 'bought twice', 'the same customer', 'my best customers'])(
  '%s: where they are, and that they can be counted',
  async (search) => {
    const registry = await loadRegistry();
    const { hints } = await registry.list({ search, limit: 5 });
    expect(hints?.join(' ')).toMatch(/orders\/searchOrders, includedData \[BUYER\]/);
  },
);
