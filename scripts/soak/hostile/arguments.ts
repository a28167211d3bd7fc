/** Hostile arguments of every tool, within what one message may hold: by its schema, each member random. */

import * as z from 'zod';
import { isJsonObject } from '../../../src/base/json.ts';
import { MAX_LINE_BYTES } from '../../../src/protocol/line-assembler.ts';
import type { ListedTool } from '../../../src/protocol/tool-list.ts';
import { buildExample } from '../../../src/service/describe/example.ts';
import type { Operation } from '../../../src/service/facts/operation.ts';
import { type Made, makeValue } from './bodies.ts';
import type { Chance } from './chance.ts';
import { statementOf } from './statements.ts';
import { textOf } from './texts.ts';

/** Escapes make more of what is sent. */
const MOST_BYTES = MAX_LINE_BYTES * 0.7;

interface Schema {
  type?: string | undefined;
  properties?: Record<string, Schema> | undefined;
  required?: string[] | undefined;
  items?: Schema | undefined;
  maxLength?: number | undefined;
  enum?: unknown[] | undefined;
  const?: unknown;
}

/** What of a schema decides whether a value is looked at any further. */
const schemaSchema: z.ZodType<Schema> = z.looseObject({
  type: z.string().optional(),
  get properties() {
    return z.record(z.string(), schemaSchema).optional();
  },
  required: z.array(z.string()).optional(),
  get items() {
    return schemaSchema.optional();
  },
  maxLength: z.number().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
});

/** @param operations that the tool calls, where it calls any */
export function argumentsOf(
  chance: Chance,
  { inputSchema }: ListedTool,
  operations: readonly [Operation, ...Operation[]],
): Made<Record<string, unknown>> {
  const schema = schemaSchema.parse(inputSchema);
  const names = namesOf(chance, schema);
  const example = buildExample(chance.pick(operations));
  const large = chance.between(0, Math.max(0, names.length - 1));
  const made = names.map((name, at) => {
    const below = schema.properties?.[name] ?? {};
    // Several would only share the room.
    const { value, how } = argumentOf(chance, name, below, at === large ? MOST_BYTES : 200);
    if (name === 'operation') return [name, example.operation, example.operation] as const;
    if (name === 'parameters' || name === 'body')
      return [name, within(chance, example[name], value), how] as const;
    return [name, value, how] as const;
  });
  const takesParameters = schema.properties?.parameters !== undefined && names.includes('operation');
  return {
    value: {
      ...(takesParameters ? { parameters: example.parameters } : {}),
      ...Object.fromEntries(made.map(([name, value]) => [name, value])),
    },
    how: made.map(([name, , how]) => `${name}: ${how}`).join('; '),
  };
}

/** With one of these the call ends before much is looked at. */
const RARE = /^(?:account|save_as|confirmationCode|stop)$/;

function namesOf(chance: Chance, { properties = {}, required = [] }: Schema): string[] {
  return Object.keys(properties).filter(
    (name) => required.includes(name) || chance.percent(RARE.test(name) ? 5 : 50),
  );
}

/** What is right as it is, with one member of it hostile. */
function within(chance: Chance, example: unknown, value: unknown): unknown {
  if (!isJsonObject(example) || chance.percent(30)) return isJsonObject(value) ? value : { a: value };
  const [first = 'a', ...others] = Object.keys(example);
  return { ...example, [chance.pick([first, ...others])]: value };
}

function argumentOf(chance: Chance, name: string, schema: Schema, most: number): Made {
  const { type, items, enum: values, maxLength = most } = schema;
  const [first, ...others] = values ?? [];
  if (schema.const !== undefined) return { value: schema.const, how: 'as it has to be' };
  if (first !== undefined)
    return { value: chance.pick([first, ...others]), how: 'one of those that are taken' };
  if (/^(?:sql|query)$/.test(name)) return { value: statementOf(chance), how: 'a statement' };
  if (type === 'boolean' || type === 'integer') return { value: type === 'boolean' || 7, how: type };
  if (type === 'string') {
    const { text, how } = textOf(chance, chance.size(1, Math.min(maxLength, most)));
    return { value: text.slice(0, maxLength), how: `${text.length} characters, ${how}` };
  }
  if (type === 'array' && items?.type !== undefined) {
    const { value, how } = argumentOf(chance, name, items, Math.min(most, 2_000));
    return { value: Array(chance.size(1, 50)).fill(value), how: `many of ${how}` };
  }
  if (schema.properties !== undefined && chance.percent(80)) return membersOf(chance, schema, most);
  const made = makeValue(chance, most);
  return type === 'array' && !Array.isArray(made.value) ? { ...made, value: [made.value] } : made;
}

function membersOf(chance: Chance, schema: Schema, most: number): Made {
  const made = namesOf(chance, schema).map((name) => ({
    name,
    ...argumentOf(chance, name, schema.properties?.[name] ?? {}, most / 4),
  }));
  return {
    value: Object.fromEntries(made.map(({ name, value }) => [name, value])),
    how: made.map(({ name, how }) => `${name}: ${how}`).join(', '),
  };
}
