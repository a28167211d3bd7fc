import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { InputError } from '../../../src/base/errors.ts';
import { describeUnknownName, parseArguments } from '../../../src/render/arguments/parse-arguments.ts';

const schema = z.strictObject({
  name: z.string(),
  count: z.int().min(1).default(5),
  kind: z.enum(['small', 'large']).optional(),
  parts: z.array(z.strictObject({ label: z.string(), size: z.number().optional() })).optional(),
  more: z.record(z.string(), z.unknown()).optional(),
});

const problemsOf = (args: unknown, at?: string, of: z.ZodObject = schema) => {
  try {
    parseArguments(of, args, at);
  } catch (error) {
    if (error instanceof InputError) return error.problems.map(({ path, message }) => `${path}: ${message}`);
    throw error;
  }
  throw new Error('it did not fail');
};

describe('parseArguments', () => {
  it('gives back the parsed value with its defaults', () => {
    expect(parseArguments(schema, { name: 'a', more: { any: [1] } })).toEqual({
      name: 'a',
      count: 5,
      more: { any: [1] },
    });
  });

  it('takes no arguments at all as an empty object', () => {
    expect(problemsOf(undefined)).toEqual(['name: is missing; it is a string']);
  });

  it('tells every problem, each by its path', () => {
    const args = { name: 1, count: 'x', kind: 'medium', parts: [{ label: 'a' }, { size: '2' }] };
    expect(problemsOf(args)).toEqual([
      'name: must be a string, not a number',
      'count: must be a number, not a string',
      'kind: must be one of: small, large',
      'parts.1.label: is missing; it is a string',
      'parts.1.size: must be a number, not a string',
    ]);
  });

  it('names the nearest and all valid names, at the top and inside lists', () => {
    expect(problemsOf({ name: 'a', nmae: 1, parts: [{ label: 'a', sice: 1 }] })).toEqual([
      'parts.0.sice: is not known; did you mean size? Valid names: label, size',
      'nmae: is not known; did you mean name? Valid names: name, count, kind, parts, more',
    ]);
  });

  it('puts a given place before every path', () => {
    expect(problemsOf({}, 'changes')).toEqual(['changes.name: is missing; it is a string']);
  });

  it.each([null, 5, 'text', ['a']])('%j is not an object', (args) => {
    if (args === null) return expect(problemsOf(args)).toEqual(['name: is missing; it is a string']);
    expect(problemsOf(args)).toEqual([expect.stringContaining('must be an object')]);
  });

  it.each([
    [5, 'stores.0: must be a string or an object, not a number'],
    [{ id: 7, all: true }, 'stores.0.id: must be a string, not a number'],
    [{ id: 'a', idd: 'b' }, 'stores.0.idd: is not known; did you mean id? Valid names: id, inside'],
    [{ id: 'a', inside: [['x'], 3] }, 'stores.0.inside.1: must be an array, not a number'],
  ])('of several forms tells what is wrong in the one that %j has', (store, problem) => {
    const inside = z.array(z.array(z.string())).optional();
    const forms = z.strictObject({
      stores: z.array(z.union([z.string(), z.strictObject({ id: z.string(), inside })])),
    });
    expect(problemsOf({ stores: [store] }, undefined, forms)).toContain(problem);
  });

  it('takes no member from the prototype', () => {
    const args: unknown = JSON.parse('{"name":"a","__proto__":{"count":9},"constructor":1}');
    expect(problemsOf(args).join('\n')).toContain('constructor: is not known');
  });
});

it('unknownName takes a long name without slowing down', () => {
  const started = performance.now();
  expect(describeUnknownName('x'.repeat(1_000_000), ['name', 'count']).length).toBeLessThan(200);
  expect(performance.now() - started).toBeLessThan(1_000);
});
