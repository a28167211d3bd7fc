/** The advertised form of the tools: what tools/list says, made from the definitions. */

import * as z from 'zod';
import { isJsonObject, type JsonObject, toObject } from '../base/json.ts';
import { MAX_ANSWER_TOKENS } from '../base/settings.ts';
import { advertisedSchemaOf } from '../render/arguments/arguments.ts';
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
  _meta?: HostHints;
}

/** Members that Claude Code reads; other hosts ignore them. */
type HostHints = {
  /** Shows the tool to the model from the start, also where the others are deferred. */
  'anthropic/alwaysLoad'?: true;
  /** Raises the length up to which the host shows an answer instead of storing it in a file. */
  'anthropic/maxResultSizeChars'?: number;
};

/** The longest form of an answer under any settings, because the list does not vary with them; a token is three bytes. */
const MAX_ANSWER_CHARACTERS = 3 * MAX_ANSWER_TOKENS;

/** The only place where an effect becomes annotations. */
export function annotationsOf(
  tool: Pick<Tool, 'effect' | 'destructive' | 'idempotent' | 'openWorld'>,
): ListedTool['annotations'] {
  const { effect, destructive = true, idempotent = false, openWorld: openWorldHint = true } = tool;
  if (effect === 'read') return { readOnlyHint: true, openWorldHint };
  return { readOnlyHint: false, destructiveHint: destructive, idempotentHint: idempotent, openWorldHint };
}

function hintsOf({ alwaysLoad = false, longAnswers = false }: Tool): Pick<ListedTool, '_meta'> {
  if (!alwaysLoad && !longAnswers) return {};
  return {
    _meta: {
      ...(alwaysLoad && { 'anthropic/alwaysLoad': true as const }),
      ...(longAnswers && { 'anthropic/maxResultSizeChars': MAX_ANSWER_CHARACTERS }),
    },
  };
}

export function toListedTool(tool: Tool): ListedTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: toSchema(tool.input, 'input'),
    outputSchema: toSchema(tool.output, 'output'),
    annotations: annotationsOf(tool),
    ...hintsOf(tool),
  };
}

/** Leaves out what tells a model nothing and costs bytes in every list. */
function toSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    override({ zodSchema, jsonSchema, path }) {
      dropNoise(jsonSchema);
      // Unknown members inside arguments are refused too, as the description of the arguments says.
      if (path.length > 0 && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
      const shown = advertisedSchemaOf(zodSchema);
      if (shown !== undefined) Object.assign(jsonSchema, toSchema(shown, io));
    },
  });
  return toObject(JSON.parse(JSON.stringify(json), splitTypes));
}

/** Names are strings, integers fit JavaScript, and open objects are open: all of that goes without saying. */
function dropNoise(jsonSchema: z.core.JSONSchema.BaseSchema): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (isAnything(jsonSchema.additionalProperties)) delete jsonSchema.additionalProperties;
  delete jsonSchema.propertyNames;
}

/** A list of types is legal JSON Schema that some hosts refuse (those that declare functions in OpenAPI's terms). */
function splitTypes(_name: string, value: unknown): unknown {
  if (!isJsonObject(value) || !Array.isArray(value.type)) return value;
  const { type: types, ...rest } = value;
  return { ...rest, anyOf: types.map((type: unknown) => ({ type })) };
}

function isAnything(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0;
}
