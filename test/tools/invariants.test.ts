/** What holds for every tool, instead of a review: names, annotations, words, sizes; its places have every-place.test.ts. */

import { describe, expect, it } from 'vitest';
import { TOOL_LIST } from '../../src/protocol/generated/tool-list.ts';
import { INSTRUCTIONS } from '../../src/protocol/instructions.ts';
import { listTool } from '../../src/protocol/tool-list.ts';
import { loadTool, loadTools } from '../../tools/index.ts';

const TOOLS = await loadTools();

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  const listed = listTool(tool);

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
  // One that is not in it yet is every-place.test.ts's to tell.
  expect(names).toEqual(TOOLS.map(({ name }) => name).filter((name) => names.includes(name)));
});

/** The limits are raised where that is decided for the whole list, never within a change that adds to it. */
const ROOM = `The list is over its budget. Make room in this order: say nothing that the name of an argument says already;
leave to an error what a wrong call would tell, and to describe_operation what one operation alone needs;
describe what several tools share in the same few words; give an argument another form instead of adding one;
drop an argument that another implies. Then npm run generate, and this test again.`;

it('the list is under 36,500 bytes, what a model is shown of it under 26,000', () => {
  expect(bytes({ tools: TOOL_LIST }), ROOM).toBeLessThan(36_500);
  const shown = TOOL_LIST.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  expect(bytes(shown), ROOM).toBeLessThan(26_000);
});

it('the instructions are under 2 KB and name only tools and arguments that exist', () => {
  expect(Buffer.byteLength(INSTRUCTIONS)).toBeLessThan(2_048);
  const named = INSTRUCTIONS.match(/\b[a-z]+(_[a-z]+)+\b/g) ?? [];
  expect(named.length).toBeGreaterThan(3);
  const known = TOOLS.flatMap(({ name, input }) => [name, ...Object.keys(input.shape)]);
  for (const name of named) expect(known).toContain(name);
});

it('a name that is not in the list is an error', async () => {
  await expect(loadTool('get_catalog_items')).rejects.toThrow('get_catalog_items');
  await expect(loadTool('constructor')).rejects.toThrow('constructor');
});
