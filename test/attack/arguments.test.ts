/** The worst arguments that a client can send, within the limits and beyond: each call ends, and the server goes on. */

import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MAX_LINE_VALUES } from '../../src/protocol/line-assembler.ts';
import { MAX_NAME_CHARACTERS, MAX_VALUES } from '../../src/render/arguments/argument-bounds.ts';
import { type RawServer, startRawServer } from '../helpers/raw-server.ts';
import { deep, memberNames, read, WORST_ARGUMENTS, write } from './worst-arguments.ts';

/** A hang, not a speed: each of these took from 15 s to minutes. */
const HANG_MS = 60_000;

let server: RawServer;
beforeAll(async () => {
  server = startRawServer(['--sandbox', '--log-level=silent'], { HOME: '/nonexistent' });
  await server.initialize();
}, 60_000);
afterEach(async () => {
  expect(await server.request('ping')).toMatchObject({ result: {} });
});
afterAll(() => server.stop());

/** The whole answer as text, an error of the protocol included. */
const call = async (name: string, args: unknown) =>
  JSON.stringify(await server.request('tools/call', { name, arguments: args }));

describe('beyond the limits: refused by name', () => {
  it.each<[string, string, () => unknown, string]>([
    [
      '24,000 unknown names',
      'read_operation',
      () => read(memberNames(24_000)),
      '23950 more problems are not listed',
    ],
    [
      '24,000 unknown parameters',
      'read_operation',
      () => read({ parameters: memberNames(24_000) }),
      'takes at most 200 members',
    ],
    [
      '1.3 million paths',
      'read_operation',
      () => read({ select: Array(1_300_000).fill('') }),
      `more than ${MAX_LINE_VALUES}`,
    ],
    [
      '49,000 paths',
      'read_operation',
      () => read({ select: Array(49_000).fill('') }),
      'takes at most 50 paths',
    ],
    [
      '49,000 paths that are none',
      'read_operation',
      () => read({ select: Array(49_000).fill(0) }),
      'takes at most 50 paths',
    ],
    [
      'a search of 4 MB',
      'list_known_operations',
      () => ({ search: 'ab '.repeat(1_300_000) }),
      'must have 1 to 200 characters',
    ],
    [
      'a group of 4 MB',
      'list_known_operations',
      () => ({ group: 'x'.repeat(4_000_000) }),
      'must have 1 to 100 characters',
    ],
    [
      'an operation of 4 MB',
      'describe_operation',
      () => ({ operation: 'x'.repeat(4_000_000) }),
      'must have 1 to 300 characters',
    ],
    [
      '270,000 leaves, 80 deep',
      'write_operation',
      () => write(deep(80, Array(270_000).fill(0))),
      `more than ${MAX_LINE_VALUES}`,
    ],
    [
      '49,000 leaves, 80 deep',
      'write_operation',
      () => write(deep(80, Array(49_000).fill(0))),
      'nested deeper than 64 levels',
    ],
    [
      'a million objects',
      'write_operation',
      () => write(Array(1_000_000).fill({})),
      `more than ${MAX_LINE_VALUES}`,
    ],
    [
      'many values',
      'write_operation',
      () => write(Array(MAX_VALUES).fill(0)),
      `more than ${MAX_VALUES} values`,
    ],
    [
      'a long name',
      'write_operation',
      () => write({ ['n'.repeat(MAX_NAME_CHARACTERS + 1)]: 1 }),
      `more than ${MAX_NAME_CHARACTERS} characters`,
    ],
  ])('%s', { timeout: HANG_MS }, async (_kind, tool, make, words) => {
    const text = await call(tool, make());
    expect(text).toContain(words);
    expect(text.length).toBeLessThan(6_000);
  });
});

describe('within the limits: answered', () => {
  it.each(WORST_ARGUMENTS)('$kind', { timeout: HANG_MS }, async ({ tool, make }) => {
    expect((await call(tool, make())).length).toBeLessThan(200_000);
  });

  it('any arguments of any tool', { timeout: HANG_MS }, async () => {
    const tools = [
      'read_operation',
      'write_operation',
      'update_supply_source',
      'get_catalog_item',
      'describe_operation',
      'list_known_operations',
    ];
    const args = fc.dictionary(
      fc.constantFrom(
        'operation',
        'parameters',
        'body',
        'select',
        'search',
        'account',
        'changes',
        'supplySourceId',
        'asin',
        '__proto__',
        'x',
      ),
      fc.oneof(
        fc.constantFrom<unknown>(
          'getListingsItem',
          'putListingsItem',
          'a'.repeat(100_000),
          Array(20_000).fill('a'),
        ),
        fc.jsonValue(),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...tools), args, async (tool, given) => {
        expect((await call(tool, { ...given, dryRun: true })).length).toBeLessThan(200_000);
      }),
      { seed: 20261121, numRuns: 150 },
    );
  });
});
