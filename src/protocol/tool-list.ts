/** The advertised form of the tools: what tools/list says, made from the definitions. */

import * as z from 'zod';
import type { JsonObject } from '../base/json.ts';
import type { Tool } from './define-tool.ts';

/** One entry of tools/list. */
export interface ListedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonObject;
  outputSchema: JsonObject;
  annotations: {
    readOnlyHint: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint: boolean;
  };
}

/** The only place where an effect becomes annotations. */
export function annotationsOf(
  tool: Pick<Tool, 'effect' | 'destructive' | 'idempotent' | 'openWorld'>,
): ListedTool['annotations'] {
  const { effect, destructive = true, idempotent = false, openWorld: openWorldHint = true } = tool;
  if (effect === 'read') return { readOnlyHint: true, openWorldHint };
  return { readOnlyHint: false, destructiveHint: destructive, idempotentHint: idempotent, openWorldHint };
}

export function listTool(tool: Tool): ListedTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: toSchema(tool.input, 'input'),
    outputSchema: toSchema(tool.output, 'output'),
    annotations: annotationsOf(tool),
  };
}

/** Leaves out what tells a model nothing and costs bytes in every list. */
function toSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    override: dropNoise,
  });
  return json;
}

/** Names are strings, integers fit JavaScript, and open objects are open: all of that goes without saying. */
function dropNoise({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (isAnything(jsonSchema.additionalProperties)) delete jsonSchema.additionalProperties;
  delete jsonSchema.propertyNames;
}

function isAnything(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0;
}
