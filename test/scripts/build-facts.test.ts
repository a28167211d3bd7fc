import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildFacts, formatFacts, strangers } from '../../scripts/build-facts.ts';
import { parseRate } from '../../src/definitions/read/operation-draft.ts';
import { decodeFacts } from '../../src/service/facts/facts.ts';
import { factsSchema } from '../../src/service/facts/facts-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'facts-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const table =
  'Some prose.\n\n| Rate (requests per second) | Burst |\n| ---- | ---- |\n| 0.5 | 30 |\n\nMore prose.';

/** A made-up definition under the name of a file that the project knows. */
const sales = {
  swagger: '2.0',
  info: { title: 'Prose', version: 'v9' },
  basePath: '/',
  paths: {
    '/sales/v9/metrics/{metricId}': {
      parameters: [
        { name: 'metricId', in: 'path', required: true, type: 'string', maxLength: 9, description: 'Prose' },
      ],
      'x-amzn-api-sandbox-only': true,
      get: {
        operationId: 'getMetric',
        description: table,
        deprecated: true,
        parameters: [
          {
            name: 'ids',
            in: 'query',
            type: 'array',
            items: { type: 'string', enum: ['A', 'B'] },
            collectionFormat: 'multi',
          },
          {
            name: 'days',
            in: 'query',
            required: true,
            type: 'array',
            items: { type: 'integer', format: 'int32' },
            maxItems: 7,
          },
        ],
        responses: {},
      },
      put: {
        operationId: 'putMetric',
        description: table.replaceAll('\n', '\\n').replace('0.5', 'n'),
        parameters: [
          { name: 'X-Amzn-IdempotencyKey', in: 'header', type: 'string' },
          { name: 'body', in: 'body', schema: { $ref: '#/definitions/Metric' } },
        ],
        responses: {},
      },
      post: {
        operationId: 'addMetric',
        parameters: [
          {
            name: 'body',
            in: 'body',
            required: true,
            schema: {
              type: 'object',
              properties: { clientToken: { type: 'string' }, metric: { $ref: '#/definitions/Metric' } },
            },
          },
        ],
        responses: {},
      },
    },
  },
  definitions: {
    Metric: {
      description: 'Prose',
      allOf: [
        { $ref: '#/definitions/Named' },
        {
          type: 'object',
          required: ['parts'],
          properties: { parts: { type: 'array', items: { $ref: '#/definitions/Metric' } } },
        },
      ],
    },
    Named: {
      type: 'object',
      required: ['name', 'ghost'],
      properties: {
        name: { $ref: '#/definitions/Name' },
        rest: { type: 'object', additionalProperties: {} },
      },
    },
    Name: { type: 'string', minLength: 1, example: 'Prose', description: 'Prose' },
    Unused: { type: 'object', properties: { never: { type: 'string' } } },
  },
};

function writeFile(name: string, content: unknown): void {
  writeFileSync(
    join(folder, `${name}.json`),
    typeof content === 'string' ? content : JSON.stringify(content),
  );
}

async function operations() {
  writeFile('sales', sales);
  const { facts, problems } = await buildFacts(folder, ['sales']);
  const text = formatFacts(facts);
  return { text, problems, list: decodeFacts(factsSchema.parse(JSON.parse(text))) };
}

describe('a made-up definition', () => {
  test('names, methods, paths, versions, limits and marks arrive', async () => {
    expect((await operations()).list.map(({ id }) => id)).toEqual([
      'sales/getMetric',
      'sales/addMetric',
      'sales/putMetric',
    ]);
    const metric = (await operations()).list.find(({ name }) => name === 'getMetric');
    expect(metric).toMatchObject({
      method: 'GET',
      path: '/sales/v9/metrics/{metricId}',
      version: 'v9',
      group: 'Sales',
      rate: { requestsPerSecond: 0.5, burst: 30 },
      deprecated: true,
      sandboxOnly: true,
      source: 'definitions',
    });
    expect((await operations()).list.find(({ name }) => name === 'putMetric')?.rate).toBeUndefined();
  });

  test('parameters keep place, shape, need and joining; those of the path item count too', async () => {
    const metric = (await operations()).list.find(({ name }) => name === 'getMetric');
    expect(metric?.parameters).toEqual([
      {
        name: 'ids',
        in: 'query',
        required: false,
        collectionFormat: 'multi',
        schema: { type: 'array', items: { type: 'string', enum: ['A', 'B'] } },
      },
      {
        name: 'days',
        in: 'query',
        required: true,
        collectionFormat: 'csv',
        schema: { type: 'array', items: { type: 'integer' }, maxItems: 7 },
      },
      { name: 'metricId', in: 'path', required: true, schema: { type: 'string', maxLength: 9 } },
    ]);
  });

  test('bodies keep their whole tree: allOf merged, recursion by name, plain values in place', async () => {
    const put = (await operations()).list.find(({ name }) => name === 'putMetric');
    expect(put?.body).toEqual({ required: false, schema: { $ref: '#/$defs/Metric' } });
    expect(put?.defs).toEqual({
      Metric: {
        type: 'object',
        properties: {
          name: { type: 'string', minLength: 1 },
          rest: { type: 'object', additionalProperties: true },
          parts: { type: 'array', items: { $ref: '#/$defs/Metric' } },
        },
        required: ['name', 'parts'],
      },
    });
  });

  test('idempotency keys are found in headers and at the top of bodies', async () => {
    const keys = (await operations()).list.map(({ name, idempotencyKey }) => [name, idempotencyKey]);
    expect(keys).toEqual([
      ['getMetric', undefined],
      ['addMetric', { in: 'body', name: 'clientToken' }],
      ['putMetric', { in: 'header', name: 'X-Amzn-IdempotencyKey' }],
    ]);
  });

  test('no prose comes along', async () => {
    expect((await operations()).text).not.toMatch(/Prose|prose|description|example/);
  });
});

describe('what is refused', () => {
  test.each([
    ['not JSON', '{', /sales\.json/],
    ['another version', { ...sales, swagger: '3.0' }, /sales\.json/],
    ['a reference to nothing', { ...sales, definitions: {} }, /refers to nothing/],
  ])('%s, naming the file', async (_, content, message) => {
    writeFile('sales', content);
    await expect(buildFacts(folder, ['sales'])).rejects.toThrow(message);
  });

  test('a missing file; strangers are told, older versions are expected', async () => {
    await expect(buildFacts(folder, ['sales'])).rejects.toThrow(/sales\.json/);
    writeFile('unheardOf_2030-01-01', sales);
    writeFile('catalogItems_2020-12-01', sales);
    expect(strangers(folder)).toEqual(['unheardOf_2030-01-01']);
  });
});

test.each([
  ['none', 'Just prose', undefined],
  ['no numbers', table.replace('0.5', 'n').replace('30', 'n'), undefined],
  [
    'by plan',
    '| Plan type | Rate (requests per second) | Burst |\n| - | - | - |\n|Default| 5 | 10 |\n|Other| Variable | Variable |',
    [5, 10],
  ],
  ['a burst of none', table.replace('30', '0'), [0.5]],
  ['a burst of half a call', table.replace('30', '0.5'), [0.5]],
  ['a rate of none', table.replace('0.5', '0'), undefined],
  ['a rate below none', table.replace('0.5', '-1'), undefined],
  ['escaped line ends', table.replaceAll('\n', '\\n'), [0.5, 30]],
])('rate table: %s', (_, description, expected) => {
  expect(parseRate(description)).toEqual(expected);
});

test('the committed file is in the form that the script writes', () => {
  const path = join(import.meta.dirname, '../../src/service/facts/generated/facts.json');
  const text = readFileSync(path, 'utf8');
  expect(formatFacts(factsSchema.parse(JSON.parse(text)))).toBe(text);
  expect(Buffer.byteLength(text)).toBeLessThan(225_000);
});

test('the command says how it is used, and --check fails on a folder that lacks the files', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build-facts.ts', ...args], {
      cwd: join(import.meta.dirname, '../..'),
      encoding: 'utf8',
    });
  expect(run()).toMatchObject({ status: 2, stderr: expect.stringContaining('usage') });
  expect(run(folder, '--check').status).toBe(1);
});
