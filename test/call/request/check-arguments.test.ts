/** Tests the errors in a call's arguments, and what is none: a later key, or a value that the service answered. */

import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkArguments } from '../../../src/call/request/check-arguments.ts';
import type { Operation, Parameter } from '../../../src/service/facts/operation.ts';
import { loadRegistry } from '../../../src/service/registry/registry.ts';
import { operation } from '../../helpers/test-client.ts';

const text = { type: 'string' } as const;
const parameter = (name: string, fields: Partial<Parameter> = {}): Parameter => ({
  name,
  in: 'query',
  required: false,
  schema: text,
  ...fields,
});
const required = (name: string, paged: Parameter['in'] = 'query') =>
  parameter(name, { in: paged, required: true });
const check = (fields: Partial<Operation>, values: Record<string, unknown> = {}, body?: unknown) =>
  checkArguments(operation(fields), values, body);

describe('a parameter', () => {
  it('that is given as nothing is left out, known or not', async () => {
    expect(await check({ parameters: [parameter('a')] }, { a: undefined, b: undefined })).toEqual([]);
  });

  it('is told with the place inside it', async () => {
    const list = parameter('skus', { schema: { type: 'array', items: text } });
    expect(await check({ parameters: [list] }, { skus: ['a', 7] })).toEqual([
      { path: 'skus.1', message: 'must be text, not a number' },
    ]);
  });

  it('takes a text as long as any server takes one, alone or in a list, and no longer one', async () => {
    const longest = 'x'.repeat(64_000);
    const longer = `${longest}x`;
    const any = { parameters: [parameter('a', { schema: {} })] };
    const refused = [{ path: 'a', message: 'must be at most 64000 characters' }];
    expect(await check(any, { a: longest })).toEqual([]);
    expect(await check(any, { a: ['x', longest] })).toEqual([]);
    expect(await check(any, { a: longer })).toEqual(refused);
    expect(await check(any, { a: ['x', longer] })).toEqual(refused);
    // The check of shapes handles values that have a length but are no text.
    expect(await check(any, { a: { length: 64_001 } })).toEqual([]);
  });
});

describe('a required parameter that is left out', () => {
  const missing = (path: string) => [{ path, message: 'is required' }];

  it('is told, and one that is not required is not', async () => {
    expect(await check({ parameters: [required('a'), parameter('b')] })).toEqual(missing('a'));
  });

  it('is no fault where it is the idempotency key in a header, and only there', async () => {
    const inHeader: Partial<Operation> = { idempotencyKey: { in: 'header', name: 'X-Key' } };
    const inBody: Partial<Operation> = { idempotencyKey: { in: 'body', name: 'X-Key' } };
    const header = [required('X-Key', 'header')];
    expect(await check({ ...inHeader, parameters: header })).toEqual([]);
    expect(await check({ ...inBody, parameters: header })).toEqual(missing('X-Key'));
    expect(await check({ parameters: header })).toEqual(missing('X-Key'));
    expect(await check({ ...inHeader, parameters: [required('X-Key')] })).toEqual(missing('X-Key'));
    const other = [required('X-Other', 'header')];
    expect(await check({ ...inHeader, parameters: other })).toEqual(missing('X-Other'));
  });
});

describe('a body', () => {
  const taking = (isRequired: boolean): Partial<Operation> => ({
    body: { required: isRequired, schema: { type: 'object', properties: { a: text } } },
  });

  it('may be left out where it is not required', async () => {
    expect(await check(taking(false))).toEqual([]);
    expect(await check(taking(true))).toEqual([{ path: 'body', message: 'is required' }]);
    expect(await check({}, {}, null)).toEqual([{ path: 'body', message: 'is not taken by this operation' }]);
  });

  it('is told as a whole, and by the member that is wrong', async () => {
    expect(await check(taking(true), {}, 'x')).toEqual([
      { path: 'body', message: 'must be an object, not text' },
    ]);
    expect(await check(taking(true), {}, { a: 1 })).toMatchObject([{ path: 'body.a' }]);
  });

  it('is looked into for the requests that it holds', async () => {
    const problems = await check({ id: 'product-pricing/getItemOffersBatch', ...taking(true) }, {}, { b: 1 });
    expect(problems).toMatchObject([{ path: 'body.b' }]);
  });
});

describe('a body that was built from an answer', () => {
  const inner = {
    type: 'object',
    properties: { n: { type: 'integer' } },
    additionalProperties: false,
  } as const;
  const schema = {
    type: 'object',
    properties: { a: inner, b: inner, list: { type: 'array', items: inner } },
    required: ['a'],
    additionalProperties: false,
  } as const;
  const changing = operation({ body: { required: true, schema } });
  const pathsOf = async (body: unknown, answered?: unknown) =>
    (await checkArguments(changing, {}, body, answered)).map(({ path }) => path);

  it('may repeat what the service answered, wherever it stands, and nothing else that does not fit', async () => {
    const part = fc.record(
      { n: fc.constantFrom<unknown>(1, 'x'), more: fc.constantFrom(1, 2) },
      { requiredKeys: [] },
    );
    const whole = fc.record({ a: part, b: part, list: fc.array(part, { maxLength: 2 }), new: part });
    await fc.assert(
      fc.asyncProperty(whole, whole, async (body, answered) => {
        const wrongIn = (one: object, path: string, before: object) =>
          Object.entries(one).flatMap(([name, value]) => {
            if (name === 'n' && value === 1) return [];
            const was = Object.entries(before).find(([key]) => key === name)?.[1];
            return isDeepStrictEqual(value, was) ? [] : [`${path}.${name}`];
          });
        const wrong = [
          ...wrongIn(body.a, 'body.a', answered.a),
          ...wrongIn(body.b, 'body.b', answered.b),
          ...body.list.flatMap((one, i) => wrongIn(one, `body.list.${i}`, answered.list[i] ?? {})),
          ...(isDeepStrictEqual(body.new, answered.new) ? [] : ['body.new']),
        ];
        expect((await pathsOf(body, answered)).sort()).toEqual(wrong.sort());
      }),
      { numRuns: 200 },
    );
  });

  it('must hold what is required although the answer does not, and be of its kind although the answer is not', async () => {
    expect(await pathsOf({}, {})).toEqual(['body.a']);
    expect(await pathsOf('x', 'x')).toEqual(['body']);
  });

  it.each([[null], ['x'], [{ a: null }], [{ a: 7 }], [{}]])(
    'is judged without the answer %j',
    async (answered) => {
      expect(await pathsOf({ a: { n: 'x' } }, answered)).toEqual(['body.a.n']);
    },
  );

  it('is no list where the answer is a text of the same characters', async () => {
    expect(await pathsOf({ a: {}, list: ['x'] }, { list: 'x' })).toEqual(['body.list.0']);
  });

  it('is judged by its own values where its names are those of every object', async () => {
    expect(await pathsOf({ a: {}, toString: 1 }, {})).toEqual(['body.toString']);
    expect(await pathsOf({ a: {}, constructor: 1 }, { a: {}, constructor: 1 })).toEqual([]);
  });
});

it('refuses what must not stand beside a page token, since the service would answer with the first page again', async () => {
  const { find } = await loadRegistry();
  const wrong = async (id: string, values: Readonly<Record<string, unknown>>) =>
    (await checkArguments(find(id), values, undefined)).map(({ path }) => path);
  const shipments = 'inbound-fulfilment/getShipments';
  const paged = { MarketplaceId: 'ATVPDKIKX0DER', NextToken: 't' };
  expect(await wrong(shipments, { ...paged, QueryType: 'NEXT_TOKEN' })).toEqual([]);
  expect(await wrong(shipments, { ...paged, QueryType: 'SHIPMENT' })).toEqual(['QueryType']);
  const more = { ...paged, QueryType: 'NEXT_TOKEN', ShipmentStatusList: ['WORKING'] };
  expect(await wrong(shipments, more)).toEqual(['ShipmentStatusList']);
  expect(await wrong('reports/getReports', { nextToken: 't', pageSize: 10 })).toEqual(['pageSize']);
  expect(await wrong('orders/searchOrders', { paginationToken: 't', maxResultsPerPage: 10 })).toEqual([]);
});

/** Every parameter with an enum, of all operations, with the values that its definition lists. */
async function enumsOfAll() {
  const { operations } = await loadRegistry();
  return operations.flatMap((each) =>
    each.parameters.flatMap((parameter) => {
      const isList = parameter.schema.type === 'array';
      const listed = isList ? parameter.schema.items?.enum : parameter.schema.enum;
      return listed === undefined ? [] : [{ each, parameter, isList, listed: listed.map(String) }];
    }),
  );
}

it('tells a new value of any enum of any operation from a misspelled one', async () => {
  const enums = await enumsOfAll();
  expect(enums.length).toBeGreaterThan(50);
  for (const { each, parameter, isList, listed } of enums) {
    const problemsOf = async (value: string) =>
      checkArguments(
        { ...each, body: undefined, parameters: [parameter] },
        { [parameter.name]: isList ? [value] : value },
        undefined,
      );
    expect(await problemsOf('ZZ_A_VALUE_OF_NEXT_YEAR')).toMatchObject([{ listed }]);
    const [first = ''] = listed;
    const [misspelled, ...others] = await problemsOf(`-${first.toLowerCase()}`);
    expect(others).toEqual([]);
    expect(misspelled).not.toHaveProperty('listed');
    expect(misspelled?.message).toContain(first);
  }
});

it.each([
  ['a missing letter', 'MENTION', false],
  ['two letters of a long word', 'STAR_RATTING_IMPCT', false],
  ['another case', 'mentions', false],
  ['another digit', 'A4_22', true],
  ['another short word', 'PDE', true],
  ['a word that is near two of them', 'HOURS_OR_DAYS', true],
  ['a new word', 'HELPFULNESS', true],
  ['nothing', ' ', false],
])('takes %s (%s) for a new value: %s', async (_, value, isNew) => {
  const listed = ['MENTIONS', 'STAR_RATING_IMPACT', 'A4_21', 'PDF'];
  const operation = (await loadRegistry()).find('customer-feedback/getItemReviewTopics');
  const parameters = operation.parameters
    .filter(({ name }) => name === 'sortBy')
    .map((parameter) => ({ ...parameter, schema: { type: 'string' as const, enum: listed } }));
  const [problem] = await checkArguments({ ...operation, parameters }, { sortBy: value }, undefined);
  expect(problem?.listed).toEqual(isNew ? listed : undefined);
});
