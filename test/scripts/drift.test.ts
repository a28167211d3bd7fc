/** How check:definitions tells that the folder and the committed facts have drifted apart. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildFacts } from '../../scripts/build-facts.ts';
import { committedFacts, describeDrift } from '../../scripts/check-definitions/drift.ts';

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
  expect(await describeDrift([source], facts)).toEqual([
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
  expect(await describeDrift(sources, facts)).toEqual([
    'facts: 4 operations in the folder, 2 of them missing here, 1 differ, 1 left out as older versions; 1 of ours gone',
    'missing  sales: getThree (GET /sales/v1/three)',
    'missing  unheardOf: getThing (GET /new/v1/thing)',
    'differs  sales/getOne: deprecated none, now true; parameter query a is another; parameter query b is gone; parameter query c is new',
    'gone  sales: getTwo (GET /sales/v1/two)',
    'not in the folder  1 files with 1 operations of ours: sellers',
    expect.stringContaining('not compared  broken: '),
  ]);
});

test('a part of the public definitions is compared by the ids that all of them give', async () => {
  const facts = committedFacts();
  const [head, absent] = await describeDrift([], facts);
  expect(head).toContain('0 operations in the folder');
  expect(absent).toMatch(/^not in the folder {2}\d\d files with 366 operations of ours$/);
});
