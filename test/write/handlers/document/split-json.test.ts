/** Strings of a JSON document are replaced one by one, and nothing else of it changes. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitJson } from '../../../../src/write/handlers/document/split-json.ts';

it('gives back any JSON text when its pieces are joined, with the values of its strings', () => {
  const strings = (value: unknown): string[] => {
    if (typeof value === 'string') return [value];
    if (Array.isArray(value)) return value.flatMap(strings);
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([name, member]) => [name, ...strings(member)]);
  };
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(0, 2), (json, indent) => {
      const text = JSON.stringify(JSON.parse(json), undefined, indent);
      const pieces = splitJson(text);
      expect(pieces.map(({ written }) => written).join('')).toBe(text);
      const values = pieces.flatMap(({ value }) => (value === undefined ? [] : [value]));
      expect(values).toEqual(strings(JSON.parse(text)));
    }),
  );
});

it('keeps long numbers and members that are there twice', () => {
  const text = '{"id": 12345678901234567890, "a": 1, "a": 2.10, "name": "x\\"y"}';
  const pieces = splitJson(text);
  expect(pieces.map(({ written }) => written).join('')).toBe(text);
  expect(pieces.map(({ value }) => value).filter((value) => value !== undefined)).toEqual([
    'id',
    'a',
    'a',
    'name',
    'x"y',
  ]);
});
