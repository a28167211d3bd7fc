/** Parameters whose shape is only named (OpenAPI 3, `schema: {$ref}`) are called like any other, with a body and without. */

import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/base/errors.ts';
import { buildRequest } from '../../../src/call/request/build-request.ts';
import { buildUserOperations } from '../../../src/definitions/store/user-operations.ts';
import { describeOperation } from '../../../src/service/describe/describe-operation.ts';
import type { Operation } from '../../../src/service/facts/operation.ts';
import { failureOf } from '../../helpers/test-client.ts';
import { compile } from '../helpers.ts';

const named = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const schemas = {
  Mode: { type: 'string', enum: ['FAST', 'SLOW'] },
  Also: named('Mode'),
  Modes: { type: 'array', maxItems: 2, items: named('Also') },
  Ids: { type: 'array', items: { type: 'string' } },
  Endless: { type: 'array', items: named('Endless') },
  Filter: { type: 'object', properties: { inner: named('Filter') } },
  Thing: { type: 'object', properties: { mode: named('Mode') } },
};
const query = (name: string, schema: unknown, more = {}) => ({ name, in: 'query', schema, ...more });
const PARAMETERS = [
  query('mode', named('Also'), { required: true }),
  query('modes', named('Modes')),
  query('ids', named('Ids')),
  query('joined', named('Ids'), { explode: false }),
  query('items', { type: 'array', items: named('Mode') }),
  query('marketplaceIds', named('Ids'), { required: true }),
  query('filter', named('Filter')),
  query('endless', named('Endless')),
];
const requestBody = { content: { 'application/json': { schema: named('Thing') } } };

async function read(method: 'get' | 'post', parameters: unknown = PARAMETERS): Promise<Operation[]> {
  const operation = { operationId: 'it', parameters, ...(method === 'post' && { requestBody }) };
  const file = {
    openapi: '3.0.0',
    info: { title: 'T', version: '1' },
    paths: { '/a': { [method]: operation } },
  };
  return buildUserOperations([await compile({ ...file, components: { schemas } })]);
}

const ACCOUNT = { baseUrl: 'https://service.example', marketplaceId: 'M1' };

describe.each(['get', 'post'] as const)('%s', (method) => {
  const build = async (parameters: Record<string, unknown>) => {
    const [operation] = await read(method);
    if (operation === undefined) throw new Error('it was not read');
    const body = method === 'post' ? { body: { mode: 'FAST' } } : {};
    return buildRequest(operation, ACCOUNT, { parameters, ...body });
  };

  it('is sent in the form that the shape asks for, the account filled in', async () => {
    const lists = { modes: ['FAST', 'SLOW'], ids: ['a', 'b'], joined: ['a', 'b'], items: ['SLOW'] };
    const { url, filledIn } = await build({ mode: 'FAST', ...lists });
    expect(url).toBe(
      'https://service.example/a?mode=FAST&modes=FAST&modes=SLOW&ids=a&ids=b&joined=a%2Cb&items=SLOW&marketplaceIds=M1',
    );
    expect(filledIn).toEqual({ marketplaceIds: 'M1' });
  });

  it.each([
    ['mode', 'OTHER', 'FAST, SLOW'],
    ['modes', ['FAST', 'OTHER'], 'FAST, SLOW'],
    ['modes', ['FAST', 'FAST', 'FAST'], 'at most 2'],
    ['items', ['OTHER'], 'FAST, SLOW'],
    ['ids', 'a', 'must be a list'],
  ])('%s %j is refused with what is allowed', async (name, value, allowed) => {
    const error = await failureOf(build({ mode: 'FAST', [name]: value }));
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ message: expect.stringContaining(allowed) });
  });

  it('is described with its values', async () => {
    const [operation] = await read(method);
    const text = operation === undefined ? '' : describeOperation(operation).text;
    expect(text).toMatch(/mode: "FAST"\|"SLOW" \(query\)/);
    expect(text).toMatch(/modes\?: \("FAST"\|"SLOW"\)\[\.\.2\] \(query, multi\)/);
  });

  it('an object is no parameter, and a list of itself ends', async () => {
    const [operation] = await read(method);
    expect(operation?.parameters.map(({ name }) => name)).not.toContain('filter');
    expect(JSON.stringify(operation?.parameters)).not.toContain('$ref');
    expect(await read(method, [query('filter', named('Filter'), { required: true })])).toEqual([]);
  });
});
