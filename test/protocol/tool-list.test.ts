import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defineTool } from '../../src/protocol/define-tool.ts';
import { annotationsOf, toListedTool } from '../../src/protocol/listed-tool.ts';

describe('annotationsOf', () => {
  it.each([
    ['read', { readOnlyHint: true, openWorldHint: true }],
    ['write', { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }],
    ['delete', { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }],
  ] as const)('%s', (effect, annotations) => {
    expect(annotationsOf({ effect })).toEqual(annotations);
  });

  it('a tool can say that it is milder than its effect', () => {
    expect(
      annotationsOf({ effect: 'write', destructive: false, idempotent: true, openWorld: false }),
    ).toEqual({ readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false });
  });
});

describe('toListedTool', () => {
  const tool = defineTool({
    name: 'try_it',
    title: 'Try it',
    description: 'Tries it.',
    effect: 'read',
    openWorld: false,
    input: z.strictObject({ count: z.int().default(3), free: z.record(z.string(), z.unknown()).optional() }),
    output: z.looseObject({ done: z.boolean() }),
    run: async () => ({ text: '', structured: { done: true } }),
  });

  it('advertises closed inputs, open outputs, and no noise', () => {
    expect(toListedTool(tool)).toEqual({
      name: 'try_it',
      title: 'Try it',
      description: 'Tries it.',
      inputSchema: {
        type: 'object',
        properties: { count: { type: 'integer', default: 3 }, free: { type: 'object' } },
        additionalProperties: false,
      },
      outputSchema: { type: 'object', properties: { done: { type: 'boolean' } }, required: ['done'] },
      annotations: { readOnlyHint: true, openWorldHint: false },
    });
  });
});
