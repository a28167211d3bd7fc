/** Tests that entries used last stay: at least half of what fits, and never more than all. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createBoundedMap } from '../../../src/privacy/personal/bounded-map.ts';

it('the last half is always there with its last values, and no more than all', () => {
  const step = fc.record({ key: fc.nat({ max: 30 }).map(String), weight: fc.nat({ max: 4 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.constantFrom(4, 8, 20), (steps, most) => {
      const recent = createBoundedMap<{ weight: number }>(most, ({ weight }) => weight);
      const values = new Map<string, { weight: number }>();
      for (const { key, weight } of steps) {
        // A known key keeps its weight, because it is the same entry.
        const value = { weight: recent.get(key)?.weight ?? weight };
        recent.set(key, value);
        values.delete(key);
        values.set(key, value);
      }
      let sum = 0;
      for (const [key, value] of [...values].reverse()) {
        sum += value.weight;
        if (sum > most / 2) break;
        expect(recent.get(key)).toBe(value);
      }
      const kept = [...values].filter(([key]) => recent.get(key) !== undefined);
      const largest = Math.max(0, ...kept.map(([, { weight }]) => weight));
      expect(kept.reduce((all, [, { weight }]) => all + weight, 0)).toBeLessThanOrEqual(most + largest);
      for (const [key, value] of kept) expect(recent.get(key)).toBe(value);
    }),
  );
});

it('one entry counts as one where nothing else is said', () => {
  const recent = createBoundedMap<number>(4);
  for (const at of [1, 2, 3, 4, 5]) recent.set(String(at), at);
  expect([1, 2, 3, 4, 5].map((at) => recent.get(String(at)))).toEqual([undefined, undefined, 3, 4, 5]);
});
