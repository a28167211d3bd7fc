import { expect, test } from 'vitest';
import { loadRegistry } from '../../../src/service/registry/registry.ts';
import { sellerQuestions } from './seller-questions.ts';

test('60 different questions, each with operations that exist, or with none where another tool is the answer', async () => {
  const { operations } = await loadRegistry();
  const ids = new Set(operations.map(({ id }) => id));
  expect(new Set(sellerQuestions.map(([asked]) => asked.toLowerCase())).size).toBe(60);
  expect(sellerQuestions).toHaveLength(60);
  for (const [asked, ...means] of sellerQuestions) {
    expect(
      means.filter((id) => !ids.has(id)),
      asked,
    ).toEqual([]);
    expect(means.length > 0 || asked === 'undo', asked).toBe(true);
  }
});
