/** A definition that contradicts itself is read as its author meant it: the type says what a value is. */

import { describe, expect, test } from 'vitest';
import { checkArguments } from '../../../src/call/request/check-arguments.ts';
import { buildUserOperations } from '../../../src/definitions/store/user-operations.ts';
import { compile, get, swagger } from '../helpers.ts';

/** The one operation of a file whose query parameter `value` is described so. */
async function withParameter(described: Record<string, unknown>) {
  const parameters = [{ name: 'value', in: 'query', required: true, ...described }];
  const [operation] = buildUserOperations([await compile(swagger({ '/x': get({ parameters }) }))]);
  if (operation === undefined) throw new Error('no operation');
  return operation;
}

async function withBody(schema: Record<string, unknown>) {
  const parameters = [{ name: 'body', in: 'body', required: true, schema }];
  const [operation] = buildUserOperations([
    await compile(swagger({ '/x': { post: { operationId: 'post', parameters, responses: {} } } })),
  ]);
  if (operation === undefined) throw new Error('no operation');
  return operation;
}

describe('a parameter', () => {
  test.each([
    ['a string with items beside it', { type: 'string', items: { type: 'string', enum: ['A', 'B'] } }, 'A'],
    [
      'a string with the items’ enum as its own',
      { type: 'string', enum: ['A'], items: { type: 'string' } },
      'A',
    ],
    ['a string with members', { type: 'string', properties: { a: { type: 'string' } } }, 'A'],
    ['a string that allows other members', { type: 'string', additionalProperties: false }, 'A'],
    ['an integer with items', { type: 'integer', items: { type: 'integer' } }, 7],
    ['a list with members', { type: 'array', properties: { a: {} }, items: { type: 'string' } }, ['A']],
    ['a string whose values are numbers', { type: 'string', enum: [1, 2] }, '2'],
    ['a number whose values are strings', { type: 'integer', enum: ['1', '2'] }, 2],
  ])('%s', async (_, described, value) => {
    const operation = await withParameter(described);
    expect(operation.parameters[0]?.schema.type).toBe(described.type);
    expect(await checkArguments(operation, { value }, undefined)).toEqual([]);
  });

  test('a string is still no list, and a value that is not listed is still refused', async () => {
    const operation = await withParameter({ type: 'string', items: { type: 'string' } });
    expect(operation.parameters[0]?.collectionFormat).toBeUndefined();
    expect(await checkArguments(operation, { value: { a: 1 } }, undefined)).not.toEqual([]);
    const numbers = await withParameter({ type: 'string', enum: [1, 2] });
    expect(await checkArguments(numbers, { value: '3' }, undefined)).not.toEqual([]);
  });

  test('values that can never be of the type are no list of values', async () => {
    const operation = await withParameter({ type: 'integer', enum: ['many', 'few'] });
    expect(operation.parameters[0]?.schema).toEqual({ type: 'integer' });
  });

  test('a format that is no name is left out', async () => {
    const operation = await withParameter({ type: 'string', format: '[A-Z]{2}' });
    expect(operation.parameters[0]?.schema).toEqual({ type: 'string' });
  });
});

describe('a body', () => {
  test('an object with items takes an object, one of several types takes any of them', async () => {
    const operation = await withBody({
      type: 'object',
      properties: {
        thing: { type: 'object', items: { type: 'string' } },
        either: { type: ['string', 'array'], items: { type: 'string' } },
        none: { type: ['string', 'null'], items: { type: 'string' } },
      },
    });
    for (const body of [{ thing: { a: 1 } }, { either: 'A' }, { either: ['A'] }, { none: 'A' }])
      expect(await checkArguments(operation, {}, body), JSON.stringify(body)).toEqual([]);
    expect(await checkArguments(operation, {}, { none: ['A'] })).not.toEqual([]);
  });

  test('without a type, members and items still say it', async () => {
    const operation = await withBody({ properties: { list: { items: { type: 'string' } } } });
    expect(await checkArguments(operation, {}, { list: ['A'] })).toEqual([]);
    expect(await checkArguments(operation, {}, { list: 'A' })).not.toEqual([]);
  });
});
