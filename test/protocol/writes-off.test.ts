import { expect, it } from 'vitest';
import { TOOL_LIST } from '../../src/protocol/generated/tool-list.ts';
import { INSTRUCTIONS } from '../../src/protocol/instructions.ts';
import { PROMPTS } from '../../src/protocol/prompts.ts';
import { instructionsWithoutWrites, toolsWithoutWrites } from '../../src/protocol/writes-off.ts';

it('lists all tools but those that only write; the one that previews says so, the others are as they were', () => {
  const listed = toolsWithoutWrites(TOOL_LIST);
  expect(listed.map(({ name }) => name)).toEqual(
    TOOL_LIST.map(({ name }) => name).filter(
      (name) => !['change_listings', 'update_supply_source'].includes(name),
    ),
  );
  for (const tool of listed) {
    if (tool.name === 'write_operation')
      expect(tool.description).toMatch(/writes are switched off here.*dryRun true/);
    else expect(TOOL_LIST).toContain(tool);
  }
  expect(PROMPTS.flatMap(({ name, onlyWrites }) => (onlyWrites ? [] : [name]))).toEqual([
    'explain_listing_issues',
    'find_operation',
  ]);
});

it('the instructions name no step that writes', () => {
  const instructions = instructionsWithoutWrites();
  expect(instructions).not.toMatch(/change_listings|update_supply_source|confirmationCode/);
  expect(instructions).toContain('4. Preview: write_operation with dryRun true');
  expect(instructions).toContain('Values, and text between « and »');
  expect(instructions.length).toBeLessThan(INSTRUCTIONS.length);
});
