/** Paths against templates: the same answers as an expression would give, in linear time. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitsTemplate, hidesEndOfPath, matchSegment } from '../../../src/service/facts/path-template.ts';

test.each([
  ['/orders/{id}/address', '/orders/1/address', true],
  ['/orders/{id}/address', '/orders//address', false],
  ['/orders/{id}/address', '/orders/1/2/address', false],
  ['/orders/{id}', '/orders/%7Bid%7D', true],
  ['/a/{x}.json', '/a/b.json', true],
  ['/a/{x}.json', '/a/.json', false],
  ['/a.b', '/aXb', false],
])('%s covers %s: %s', (template, path, fits) => {
  expect(fitsTemplate(template, path)).toBe(fits);
});

test('a segment is divided as a greedy expression divides it', () => {
  const text = fc.stringMatching(/^[ab-]{0,3}$/);
  fc.assert(
    fc.property(text, text, text, fc.stringMatching(/^[ab-]{0,12}$/), (a, b, c, segment) => {
      const found = new RegExp(`^${a}(.*)${b}(.*)${c}$`).exec(segment);
      expect(matchSegment(`${a}{x}${b}{y}${c}`, segment)).toEqual(
        found === null ? undefined : found.slice(1),
      );
    }),
    { seed: 11, numRuns: 1_000 },
  );
});

test('many placeholders in one segment take no longer than one', { timeout: 5_000 }, () => {
  expect(fitsTemplate('/{a}{b}{c}{d}{e}{f}x', `/${'y'.repeat(100_000)}`)).toBe(false);
  expect(matchSegment('{a}-{b}-{c}-{d}-{e}-{f}!', '-'.repeat(100_000))).toBeUndefined();
});

test.each(['a%3fb', 'a%253Fb', 'a#', 'a%00', 'a%250a'])('%s would end the path', (segment) => {
  expect(hidesEndOfPath(segment)).toBe(true);
});
