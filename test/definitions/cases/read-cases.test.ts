/** Declared cases in the many forms in which they are written. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toReplayCase } from '../../../src/definitions/cases/replay-cases.ts';
import { buildUserOperations } from '../../../src/definitions/store/user-operations.ts';
import { compile, get, swagger } from '../helpers.ts';

const fixture = (name: string) =>
  compile(readFileSync(join(import.meta.dirname, '../fixtures', name), 'utf8'), name);

const parameters = [
  { name: 'ids', in: 'query', type: 'array', items: { type: 'integer' }, collectionFormat: 'pipes' },
  { name: 'name', in: 'query', type: 'string' },
  { name: 'locale', in: 'header', type: 'boolean' },
  {
    name: 'theBody',
    in: 'body',
    schema: { properties: { size: { type: 'integer' }, value: { type: 'string' } } },
  },
];

test.each([
  ['wrapped', { parameters: { name: { value: 'x' } } }, { parameters: { name: 'x' } }],
  ['bare', { parameters: { name: 'x' } }, { parameters: { name: 'x' } }],
  ['another case of letters', { parameters: { Name: 'x' } }, { parameters: { name: 'x' } }],
  [
    'a list of names and values',
    { parameters: [{ name: 'name', value: 'x' }] },
    { parameters: { name: 'x' } },
  ],
  ['outside of parameters', { name: { value: 'x' } }, { parameters: { name: 'x' } }],
  [
    'by place',
    { parameters: { query: { name: 'x' } }, headers: { locale: 'true' } },
    { parameters: { name: 'x', locale: true } },
  ],
  ['a list joined as it is sent', { parameters: { ids: '1|2' } }, { parameters: { ids: [1, 2] } }],
  ['a number for a text', { parameters: { name: 7 } }, { parameters: { name: '7' } }],
  ['no value', { parameters: { name: { value: null } } }, { parameters: {} }],
  [
    'a value of a wrong type stays',
    { parameters: { locale: 'maybe', ids: ['x'] } },
    { parameters: { locale: 'maybe', ids: ['x'] } },
  ],
  ['an unknown name stays', { parameters: { colour: 'red' } }, { parameters: { colour: 'red' } }],
  [
    'a body under its own name',
    { parameters: { theBody: { value: { size: 1 } } } },
    { parameters: {}, body: { size: 1 } },
  ],
  ['a body under body, bare', { parameters: { body: { size: 1 } } }, { parameters: {}, body: { size: 1 } }],
  ['a body beside the parameters', { body: { size: 1 } }, { parameters: {}, body: { size: 1 } }],
  [
    'a body whose member is called value',
    { parameters: { body: { value: 'x', size: 1 } } },
    { parameters: {}, body: { value: 'x', size: 1 } },
  ],
  [
    'body members as parameters',
    { parameters: { size: { value: 1 }, value: { value: 'x' } } },
    { parameters: {}, body: { size: 1, value: 'x' } },
  ],
  [
    'a parameter inside the body’s entry',
    { parameters: { body: { value: { size: 1 }, name: { value: 'x' } } } },
    { parameters: { name: 'x' }, body: { size: 1 } },
  ],
])('a request: %s', async (_, request, expected) => {
  const responses = { 200: { 'x-amzn-api-sandbox': { static: [{ request, response: 1 }] } } };
  const { cases } = await compile(
    swagger({ '/a': { post: { operationId: 'post', parameters, responses } } }),
  );
  expect(cases).toEqual([
    {
      id: 'post POST 200 #0',
      kind: 'sandbox',
      operation: 0,
      ...expected,
      response: { status: 200, body: 1 },
    },
  ]);
});

test('an empty body means none where the operation takes none', async () => {
  const responses = {
    200: { 'x-amzn-api-sandbox': { static: [{ request: { parameters: { body: {} } }, response: 1 }] } },
  };
  const { cases } = await compile(swagger({ '/a': get({ responses }) }));
  expect(cases[0]).not.toHaveProperty('body');
});

test('answers: status, headers, none for 204; at the operation instead of a response; in a shared response', async () => {
  const set = (...pairs: unknown[]) => ({ 'x-amzn-api-sandbox': { static: pairs } });
  const file = swagger(
    {
      '/a': get({
        ...set({ request: {}, response: 'at the operation' }),
        responses: {
          202: set({
            request: {},
            response: {},
            responseHeaders: { Location: { value: '/x' }, 'Content-Length': { value: 9 }, 'bad name': 'x' },
          }),
          204: set({ request: {}, response: {} }),
          '4XX': { $ref: '#/responses/Shared' },
        },
      }),
    },
    { responses: { Shared: set({ request: {}, response: { errors: [] } }) } },
  );
  expect((await compile(file)).cases.map(({ response }) => response)).toEqual([
    { status: 202, headers: { Location: '/x' }, body: {} },
    { status: 204 },
    { status: 400, body: { errors: [] } },
    { status: 202, body: 'at the operation' },
  ]);
});

test('examples of both formats, by reference and as text', async () => {
  const { cases } = await fixture('stalls.yaml');
  expect(cases.map(({ id, kind, response }) => [id, kind, response.status, response.body])).toEqual([
    ['stalls.get-one GET 200 example small', 'example', 200, { row: 1, goods: [] }],
    [
      'stalls.get-one GET 200 example shared',
      'example',
      200,
      {
        row: 2,
        goods: [
          { name: 'apples', kinds: ['red', 'green'] },
          { name: 'pears', kinds: [] },
        ],
      },
    ],
    ['stalls.get-one GET 404 example', 'example', 404, { code: 'NoStall', message: 'there is no stall' }],
    ['changeStall PATCH 2XX example', 'example', 200, { changed: true }],
  ]);
  const examples = { 'application/json': { a: 1 } };
  const file = await compile(swagger({ '/a': get({ responses: { 200: { examples } } }) }));
  expect(file.cases.map(({ response }) => response.body)).toEqual([{ a: 1 }]);
});

test('what says too little is listed with its reason', async () => {
  expect((await fixture('parcels.json')).unusable).toEqual([
    { id: 'listParcels GET default #0', reason: 'its status is not known (default)' },
    { id: 'createParcel POST 400 #5', reason: 'it is not an object' },
  ]);
});

test('as the service sees it: wire values, joined as the definition says, and only known names', async () => {
  const { cases, ...file } = await fixture('parcels.json');
  const [list] = buildUserOperations([{ ...file, cases }]);
  const [declared] = cases;
  if (list === undefined || declared === undefined) throw new Error('the fixture has changed');
  expect(
    toReplayCase('x', { ...declared, parameters: { ...declared.parameters, colour: 'red' } }, list),
  ).toMatchObject({
    id: 'x',
    operationId: 'listParcels',
    method: 'GET',
    pathTemplate: '/depot/v2/parcels',
    request: {
      path: {},
      query: { states: 'NEW,SENT', tags: ['a b', 'c&d'], limit: '2', open: 'true' },
      header: {},
    },
    auth: 'seller',
  });
});
