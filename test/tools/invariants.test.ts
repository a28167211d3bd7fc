/**
 * Tests the rules of every tool instead of a review: names, annotations, words, sizes;
 * every-marketplace.test.ts has its marketplaces.
 */

import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../src/base/json.ts';
import { MAX_ANSWER_TOKENS } from '../../src/base/settings.ts';
import { TOOL_LIST } from '../../src/protocol/generated/tool-list.ts';
import { INSTRUCTIONS, instructionsOfDemo } from '../../src/protocol/instructions.ts';
import { toListedTool } from '../../src/protocol/listed-tool.ts';
import { loadTool, loadTools } from '../../tools/index.ts';

const TOOLS = await loadTools();

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  const listed = toListedTool(tool);

  it('is verb_noun, and loaded by its name', async () => {
    expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
    expect(await loadTool(name)).toBe(tool);
  });

  it('has annotations that match its effect', () => {
    const { readOnlyHint, destructiveHint } = listed.annotations;
    expect(readOnlyHint).toBe(tool.effect === 'read');
    if (tool.effect === 'read') expect(destructiveHint).toBeUndefined();
    else expect(typeof destructiveHint).toBe('boolean');
    expect(typeof listed.annotations.openWorldHint).toBe('boolean');
  });

  it('says in its first sentence what it does, and everything within 600 characters', () => {
    const [first = ''] = tool.description.split(/(?<=[.:]) /);
    expect(first).toMatch(/^[A-Z][a-z]+s\b/);
    expect(first.length).toBeGreaterThan(20);
    expect(first.length).toBeLessThan(160);
    expect(tool.description.length).toBeLessThan(600);
    expect(tool.title.length).toBeLessThan(50);
    expect(tool.description).toMatch(/[.]$/);
  });

  it('closes its input and leaves its output open', () => {
    expect(listed.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(listed.outputSchema).toMatchObject({ type: 'object' });
    expect(listed.outputSchema).not.toHaveProperty('additionalProperties');
    expect(JSON.stringify(listed)).not.toMatch(/"(\$schema|propertyNames)"/);
  });
});

it('the generated list names each tool once, in the order of the list', () => {
  const names = TOOL_LIST.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  // One that is not in it yet is tool-locations.test.ts's to tell.
  expect(names).toEqual(TOOLS.map(({ name }) => name).filter((name) => names.includes(name)));
});

/** The limits are raised where that is decided for the whole list, never within a change that adds to it. */
const ROOM = `The list is over its budget. Make room in this order: say nothing that the name of an argument says already;
leave to an error what a wrong call would tell, and to describe_operation what one operation alone needs;
describe what several tools share in the same few words; give an argument another form instead of adding one;
drop an argument that another implies. Then npm run generate, and this test again.`;

/** Today's tools keep to these bytes, and each of three more brings its own room. */
const TOOLS_OF_TODAY = 12;
const MAX_MORE = 3;
const BYTES = { shown: 23_000, whole: 36_500 } as const;
const BYTES_A_TOOL = { shown: 1_000, whole: 1_600 } as const;

it('the list keeps to its budget, and what a model is shown of it too', () => {
  const more = Math.min(MAX_MORE, Math.max(0, TOOL_LIST.length - TOOLS_OF_TODAY));
  const roomFor = (which: keyof typeof BYTES) => BYTES[which] + more * BYTES_A_TOOL[which];
  expect(bytes({ tools: TOOL_LIST }), ROOM).toBeLessThan(roomFor('whole'));
  const shown = TOOL_LIST.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  expect(bytes(shown), ROOM).toBeLessThanOrEqual(roomFor('shown'));
});

it('the instructions are under 2 KB and name only tools and arguments that exist', () => {
  for (const text of [INSTRUCTIONS, instructionsOfDemo(INSTRUCTIONS)])
    expect(Buffer.byteLength(text)).toBeLessThan(2_048);
  const named = INSTRUCTIONS.match(/\b[a-z]+(_[a-z]+)+\b/g) ?? [];
  expect(named.length).toBeGreaterThan(3);
  const known = TOOLS.flatMap(({ name, input }) => [name, ...Object.keys(input.shape)]);
  for (const name of named) expect(known).toContain(name);
});

/** Hosts cut a description that is longer. */
it.each(TOOL_LIST)('the description of $name is at most 2 KB', ({ description }) => {
  expect(Buffer.byteLength(description)).toBeLessThanOrEqual(2_048);
});

/** A host that defers tools finds them by these words in name, title and the beginning of the description. */
it.each([
  [
    'listings',
    [
      'list_known_operations',
      'read_operation',
      'review_listings',
      'query_data',
      'change_listings',
      'undo_change',
    ],
  ],
  ['orders', ['list_known_operations', 'read_operation', 'collect_data', 'query_data', 'write_operation']],
  [
    'inventory',
    [
      'list_known_operations',
      'read_operation',
      'collect_data',
      'query_data',
      'change_listings',
      'undo_change',
    ],
  ],
  ['sales', ['list_known_operations', 'collect_data', 'query_data']],
  [
    'returns',
    [
      'list_known_operations',
      'read_operation',
      'collect_data',
      'query_data',
      'update_supply_source',
      'write_operation',
    ],
  ],
  ['refunds', ['list_known_operations', 'read_operation', 'collect_data', 'write_operation']],
  ['fees', ['list_known_operations', 'read_operation', 'collect_data']],
  ['settlement', ['list_known_operations', 'collect_data']],
  ['store hours', ['update_supply_source', 'undo_change']],
])('a search for %s finds %j', (word, names) => {
  const found = TOOL_LIST.filter(({ name, title, description }) =>
    [name.replaceAll('_', ' '), title, description.slice(0, 100)].join(' ').toLowerCase().includes(word),
  );
  expect(found.map(({ name }) => name)).toEqual(names);
});

it('the instructions carry these words too, because some hosts show nothing else at first', () => {
  for (const word of [
    'listings',
    'orders',
    'inventory',
    'sales',
    'returns',
    'refunds',
    'fees',
    'settlement',
    'store hours',
  ])
    expect(INSTRUCTIONS).toContain(word);
});

/** The paths of schemas inside an input schema that say nothing of the type of a value. */
function untypedIn(schema: unknown, path: string): string[] {
  if (!isJsonObject(schema)) return [path];
  const { type, $ref, anyOf, items, properties = {}, $defs = {}, additionalProperties } = schema;
  const inside = [
    ...Object.entries(Object(properties)).map(([name, one]) => [name, one] as const),
    ...Object.entries(Object($defs)).map(([name, one]) => [`$defs.${name}`, one] as const),
    ...toList(anyOf).map((one, at) => [`anyOf.${at}`, one] as const),
    ...(type === 'array' || items !== undefined ? [['items', items] as const] : []),
    ...(typeof additionalProperties === 'object' ? [['*', additionalProperties] as const] : []),
  ];
  const isUndescribed = type === undefined && $ref === undefined && anyOf === undefined;
  // Some hosts cannot read a list of types.
  const own = isUndescribed || Array.isArray(type) ? [path] : [];
  return [...own, ...inside.flatMap(([name, one]) => untypedIn(one, `${path}.${name}`))];
}

const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

it('every value of every argument has a type', () => {
  expect(TOOL_LIST.flatMap(({ name, inputSchema }) => untypedIn(inputSchema, name))).toEqual([]);
});

it('the tools that answer a first question are never deferred, and say how long an answer may be', () => {
  const loaded = TOOL_LIST.filter(({ _meta }) => _meta?.['anthropic/alwaysLoad'] === true);
  expect(loaded.map(({ name }) => name)).toEqual([
    'list_known_operations',
    'read_operation',
    'review_listings',
    'collect_data',
  ]);
  for (const { _meta } of loaded) {
    const characters = _meta?.['anthropic/maxResultSizeChars'];
    expect(characters).toBe(3 * MAX_ANSWER_TOKENS);
    // The host takes no more.
    expect(characters).toBeLessThanOrEqual(500_000);
  }
});

it('a name that is not in the list is an error', async () => {
  await expect(loadTool('get_catalog_items')).rejects.toThrow('get_catalog_items');
  await expect(loadTool('constructor')).rejects.toThrow('constructor');
});
