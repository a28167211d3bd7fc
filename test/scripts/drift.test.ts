/** How check:definitions tells that the folder and the committed facts have drifted apart. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildFacts } from '../../scripts/build-facts.ts';
import { changelogOf, committedFacts, describeDrift, findDrift } from '../../scripts/facts/drift.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'drift-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const parameter = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  in: 'query',
  type: 'string',
  ...more,
});
const get = (operationId: string, parameters: unknown[] = []) => ({
  get: { operationId, parameters, responses: {} },
});

function definition(paths: Record<string, unknown>) {
  return { swagger: '2.0', info: { title: 'Made up', version: 'v1' }, paths };
}

function write(name: string, content: unknown) {
  const source = join(folder, `${name}.json`);
  writeFileSync(source, typeof content === 'string' ? content : JSON.stringify(content));
  return { name, source };
}

const before = definition({
  '/sales/v1/one': get('getOne', [parameter('a'), parameter('b')]),
  '/sales/v1/two': get('getTwo'),
});

test('a folder that says what the facts say has drifted nowhere', async () => {
  const source = write('sales', before);
  const { facts } = await buildFacts(folder, ['sales']);
  expect(describeDrift(await findDrift([source], facts))).toEqual([
    'facts: 2 operations in the folder, 0 of them missing here, 0 differ, 0 left out as older versions; 0 of ours gone',
  ]);
});

test('what is new, what differs, what is gone and what cannot be read is named', async () => {
  write('sales', before);
  write('sellers', definition({ '/sellers/v1/account': get('getAccount') }));
  const { facts } = await buildFacts(folder, ['sales', 'sellers']);
  const sources = [
    write(
      'sales',
      definition({
        '/sales/v1/one': {
          get: {
            ...get('getOne', [parameter('a', { type: 'integer' }), parameter('c')]).get,
            deprecated: true,
          },
        },
        '/sales/v1/three': get('getThree'),
      }),
    ),
    write(
      'unheardOf',
      definition({ '/new/v1/thing': get('getThing'), '/catalog/2020-12-01/items': get('old') }),
    ),
    write('broken', '{'),
  ];
  expect(describeDrift(await findDrift(sources, facts))).toEqual([
    'facts: 4 operations in the folder, 2 of them missing here, 1 differ, 1 left out as older versions; 1 of ours gone',
    'missing  sales: getThree (GET /sales/v1/three)',
    'missing  unheardOf: getThing (GET /new/v1/thing)',
    'differs  sales/getOne: parameter a type string, now integer; parameter b is gone; parameter c is new; deprecated none, now true',
    'gone  sales: getTwo (GET /sales/v1/two)',
    'not in the folder  1 files with 1 operations of ours: sellers',
    expect.stringContaining('not compared  broken: '),
  ]);
});

test('a part of the public definitions is compared by the ids that all of them give', async () => {
  const facts = committedFacts();
  const [head, absent] = describeDrift(await findDrift([], facts));
  expect(head).toContain('0 operations in the folder');
  expect(absent).toMatch(/^not in the folder {2}\d\d files with 366 operations of ours$/);
});

test('what changes for users is told by operation, parameter, member, value and limit, as an entry of the changelog', async () => {
  const limited = (rate: number) => ({
    description: `|Rate (requests per second)|Burst|\n|---|---|\n|${rate}|5|`,
  });
  const body = (more: Record<string, unknown>, required: string[]) => ({
    name: 'body',
    in: 'body',
    required: true,
    schema: { type: 'object', required, properties: { status: { type: 'string', ...more } } },
  });
  const post = (rate: number, more: Record<string, unknown>, required: string[], parameters: unknown[]) => ({
    get: {
      ...get('getOne', [body(more, required), ...parameters]).get,
      ...limited(rate),
    },
  });
  write(
    'sales',
    definition({
      '/sales/v1/one': post(
        1,
        { enum: ['OPEN', 'SHUT'] },
        [],
        [parameter('size', { maximum: 20, type: 'integer' })],
      ),
      '/sales/v1/two': get('getTwo'),
    }),
  );
  const { facts } = await buildFacts(folder, ['sales']);
  const sources = [
    write(
      'sales',
      definition({
        '/sales/v1/one': post(
          2,
          { enum: ['OPEN', 'HELD'] },
          ['status'],
          [parameter('size', { maximum: 50, type: 'integer', required: true })],
        ),
        '/sales/v1/three': get('getThree'),
      }),
    ),
  ];
  expect(changelogOf(await findDrift(sources, facts), '2027-01-31')).toEqual([
    'Facts of the service as of 2027-01-31.',
    '',
    '### Added',
    '',
    '- Operation `getThree` (GET /sales/v1/three) of sales.',
    '',
    '### Changed',
    '',
    '- `sales/getOne`: limit 1 a second, burst 5, now 2 a second, burst 5; parameter size required false, now true; ' +
      'parameter size maximum 20, now 50; body.status is required; body.status no longer takes SHUT; body.status takes HELD too.',
    '',
    '### Removed',
    '',
    '- Operation `getTwo` (GET /sales/v1/two) of sales.',
  ]);
});

test('where nothing changes there is no entry', async () => {
  const source = write('sales', before);
  const { facts } = await buildFacts(folder, ['sales']);
  expect(changelogOf(await findDrift([source], facts), '2027-01-31')).toEqual([]);
});
