import { expect, it } from 'vitest';
import * as z from 'zod';
import { parseArguments } from '../../../src/render/arguments/parse-arguments.ts';

const schema = z.strictObject({ body: z.unknown() });
const nested = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);

it('takes what is nested as deep as any operation needs', () => {
  expect(parseArguments(schema, { body: nested(63) })).toBeDefined();
});

it.each([64, 5_000])('refuses %i levels in words, whatever walks over them later', (levels) => {
  expect(() => parseArguments(schema, { body: nested(levels) })).toThrow('nested deeper than 64 levels');
});
