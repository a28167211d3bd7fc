/** Raw messages of every odd shape, generated: each request with an id gets exactly one answer, and the server lives on. */

import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RawServer, startRawServer } from '../helpers/raw-server.ts';

const SEED = 20_261_121;
const BOUND_MS = 60_000;

let server: RawServer;
beforeAll(async () => {
  server = startRawServer(['--sandbox', '--log-level=silent']);
  await server.initialize();
});
afterAll(() => server.stop());

const names = fc.constantFrom('__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', 'id', '');
const methods = fc.constantFrom(
  'ping',
  'initialize',
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'resources/subscribe',
  'completion/complete',
  'logging/setLevel',
  'server/discover',
  'tasks/get',
  'nothing',
  '__proto__',
  'constructor',
  'toString',
);
const odd = fc.oneof(
  fc.constant(null),
  fc.constant([]),
  fc.constant({}),
  fc.string(),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.jsonValue({ maxDepth: 3 }),
);
const params = fc.oneof(
  odd,
  fc.record({ name: fc.oneof(names, odd), arguments: odd }, { requiredKeys: [] }),
  fc.record({ uri: fc.oneof(names, odd), cursor: odd }, { requiredKeys: [] }),
  fc.record({ _meta: fc.oneof(odd, fc.record({ progressToken: odd })) }),
  fc.record({
    ref: fc.oneof(
      odd,
      fc.record({
        type: fc.constant('ref/prompt'),
        name: fc.constantFrom('edit_supply_source', '__proto__'),
      }),
      fc.record({
        type: fc.constant('ref/resource'),
        uri: fc.constantFrom('seller://operations/{+id}', '__proto__'),
      }),
    ),
    argument: fc.oneof(odd, fc.record({ name: names, value: fc.oneof(fc.string(), odd) })),
  }),
);
const message = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 6, arbitrary: fc.constant('2.0') }, { weight: 1, arbitrary: odd }),
    method: fc.oneof({ weight: 6, arbitrary: methods }, { weight: 1, arbitrary: odd }),
    params: fc.oneof(params, odd),
    extra: odd,
  },
  { requiredKeys: [] },
);

/** Ids that the server has answered, each as often as it did. */
const answered = (prefix: string) =>
  server.lines
    .map((line): unknown => JSON.parse(line))
    .flatMap((value) =>
      typeof value === 'object' && value !== null && 'id' in value && !('method' in value) ? [value.id] : [],
    )
    .filter((id) => String(id).startsWith(prefix));

it(
  'every request with an id gets exactly one answer',
  async () => {
    const messages = fc.sample(message, { seed: SEED, numRuns: 1_500 });
    const ids = messages.map((_, at) => `fuzz-${at}`);
    const text = messages.map((one, at) => `${JSON.stringify({ ...one, id: ids[at] })}\n`).join('');
    await server.write(text);
    await expect.poll(() => answered('fuzz-').length, { timeout: 40_000 }).toBeGreaterThanOrEqual(ids.length);
    expect(await server.request('ping')).toMatchObject({ result: {} });
    expect(answered('fuzz-').sort()).toEqual([...ids].sort());
  },
  BOUND_MS,
);

it(
  'what is no request gets no answer, or one that names no id of anybody',
  async () => {
    const before = server.lines.length;
    const notifications = fc.sample(message, { seed: SEED + 1, numRuns: 300 });
    const lines = notifications.map((one) => JSON.stringify(one));
    const oddIds = fc
      .sample(
        fc.tuple(message, fc.oneof(fc.constant(null), fc.boolean(), fc.constant(1.5), fc.constant([]))),
        {
          seed: SEED + 2,
          numRuns: 100,
        },
      )
      .map(([one, id]) => JSON.stringify({ ...one, id }));
    const garbage = fc.sample(fc.string(), { seed: SEED + 3, numRuns: 200 });
    await server.write(
      `${[...lines, ...oddIds, ...garbage.map((one) => one.replace(/\n/g, ''))].join('\n')}\n`,
    );
    expect(await server.request('ping')).toMatchObject({ result: {} });
    const strays = server.lines
      .slice(before)
      .map((line): unknown => JSON.parse(line))
      .filter((value) => JSON.stringify(value).includes('"id":null'));
    expect(strays).toHaveLength(oddIds.length);
  },
  BOUND_MS,
);

it.each(['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', 'nothing'])(
  'the completion argument %s is an unknown one like any other',
  async (name) => {
    for (const ref of [
      { type: 'ref/prompt', name: 'edit_supply_source' },
      { type: 'ref/resource', uri: 'seller://operations/{+id}' },
    ]) {
      const answer = await server.request('completion/complete', { ref, argument: { name, value: 'a' } });
      expect(answer).toMatchObject({ result: { completion: { values: [] } } });
    }
  },
);

it.each(['tools/list', 'tools/call', 'ping', 'nothing'])('%s with params null is invalid', async (method) => {
  expect(await server.request(method, null)).toMatchObject({ error: { code: -32602 } });
});
