/** Describes for an assistant how to call one operation, in at most 2,000 tokens. */

import { InputError } from '../../base/errors.ts';
import { byteLength, jsonText } from '../../base/json.ts';
import { escapeInJson } from '../../base/text/escape-text.ts';
import { quoteName } from '../../base/text/quote-name.ts';
import { tokensOf } from '../../base/text/shorten.ts';
import { documentOf } from '../facts/documented-operations.ts';
import { formatEndingParts } from '../facts/endings.ts';
import { reviewed } from '../facts/generated/reviewed.ts';
import { documentEntries } from '../facts/groups.ts';
import { membersAdded } from '../facts/merge.ts';
import type { JsonSchema, Operation, Parameter } from '../facts/operation.ts';
import { accountValueOf } from '../facts/parameters.ts';
import { finalName, nameOfRef, own, partsOf, resolveSchema, type SchemaDefs } from '../facts/schema-parts.ts';
import { buildExample, type ExampleCall, isToBeGiven } from './example.ts';
import { notesOf } from './notes.ts';
import { reportRequests } from './type-warnings.ts';

export interface Description {
  /** The whole description, for users and assistants. */
  text: string;
  id: string;
  method: Operation['method'];
  path: string;
  effect: Operation['effect'];
  /** The tool that calls it. */
  tool: 'read_operation' | 'write_operation';
  source: Operation['source'];
  example: ExampleCall;
  /** True when deep members or long enums were shortened; `member` shows them. */
  collapsed: boolean;
  /** The tokens of the text: UTF-8 bytes / 3, rounded up. */
  tokens: number;
}

/**
 * The limit of 2,000 tokens applies to all members together as JSON, because some hosts show that instead of
 * the text.
 */
const MAX_BYTES = 6_000;
const UNLIMITED = Number.POSITIVE_INFINITY;

/** The levels of detail, from everything to the names of the top members; the first one that fits is used. */
const DETAIL_LEVELS: readonly NotationLimits[] = [
  { depth: UNLIMITED, enumValues: UNLIMITED },
  { depth: UNLIMITED, enumValues: 12 },
  ...[UNLIMITED, 7, 6, 5, 4, 3, 2, 1, 0].map((depth) => ({ depth, enumValues: 4 })),
];

interface DescriptionOptions {
  member?: string | undefined;
  /** Lines about report types, if the operation takes one: see `reportLinesOf`. */
  reportLines?: readonly string[];
  /** The text for a `member` that is no member of a request: a table, a report type. */
  memberText?: string | undefined;
  /** Describes how the last call in the session was refused (403). */
  refused?: string | undefined;
  /** Returns lines about the tables that collecting it gives, in at most `bytes` bytes as JSON. */
  tableLines?: ((bytes: number) => readonly string[]) | undefined;
}

/**
 * Returns lines about report types for the operations that request one; their table is loaded for no other.
 */
export async function reportLinesOf({ id }: Operation): Promise<readonly string[]> {
  return reportRequests.includes(id) ? (await import('./report-lines.ts')).mostUsedLines() : [];
}

/**
 * Describes an operation. `member` selects a parameter or a body member (`capabilities.outbound`), which is
 * shown alone with more depth.
 * @throws InputError for a member that does not exist.
 */
export function describeOperation(operation: Operation, options: DescriptionOptions = {}): Description {
  const { member, memberText, reportLines = [], refused, tableLines = () => [] } = options;
  const refusalLines =
    refused === undefined
      ? []
      : [`In this session: ${refused}. A call still goes out, and clears this once it is answered`];
  const notes = [...refusalLines, ...notesOf(operation), ...reportLines];
  const facts = {
    id: operation.id,
    method: operation.method,
    path: operation.path,
    effect: operation.effect,
    tool: toolOf(operation),
    source: operation.source,
    example: cutExample(buildExample(operation)),
  };
  const room = MAX_BYTES - bytesAsJson(facts) - OTHER_BYTES;
  const { text, collapsed } = firstThatFits(room, (limits) => {
    if (member === undefined) return describeAll(operation, limits, notes);
    return memberText === undefined
      ? describeMember(operation, member, limits)
      : { text: `${operation.id}, ${quoteName(member)}:\n${memberText}`, collapsed: false };
  });
  // The call has priority; the tables get the remaining space.
  const left = Math.min(room - bytesAsJson(text), MAX_TABLE_BYTES);
  const whole = member === undefined ? [text, ...tableLines(left)].join('\n') : text;
  return { text: whole, ...facts, collapsed, tokens: tokensOf(whole) };
}

/** The maximum size of the lines about tables, in bytes. */
const MAX_TABLE_BYTES = 1_500;

/** The size of `collapsed`, `tokens` and the name of the text member. */
const OTHER_BYTES = 80;

function bytesAsJson(value: unknown): number {
  return byteLength(jsonText(value));
}

/** The maximum size of an example in bytes; no built-in operation has a longer one. */
const MAX_EXAMPLE_BYTES = 2_000;

/** Leaves out whole parts that do not fit, because a user's file may have names of any kind and number. */
function cutExample(example: ExampleCall): ExampleCall {
  const { body: _, ...withoutBody } = example;
  const bare = { operation: example.operation, parameters: {} };
  return [example, withoutBody].find((one) => bytesAsJson(one) <= MAX_EXAMPLE_BYTES) ?? bare;
}

type Rendered = Pick<Description, 'text' | 'collapsed'>;

function firstThatFits(room: number, render: (limits: NotationLimits) => Rendered): Rendered {
  let shortest: Rendered = { text: '', collapsed: true };
  for (const limits of DETAIL_LEVELS) {
    shortest = render(limits);
    if (bytesAsJson(shortest.text) <= room) return shortest;
  }
  return cutToFit(room, shortest.text);
}

/**
 * Cuts a description with hundreds of parameters or members, which no built-in operation has, and adds a
 * note.
 */
function cutToFit(room: number, text: string): Rendered {
  const note = `\n…cut. ${SEE_MORE}`;
  let kept = text.slice(0, Math.max(room - byteLength(note), 0));
  while (kept !== '' && bytesAsJson(kept + note) > room) kept = kept.slice(0, Math.floor(kept.length * 0.95));
  return { text: kept + note, collapsed: true };
}

function describeAll(operation: Operation, limits: NotationLimits, notes: readonly string[]): Rendered {
  const parameters = operation.parameters.map((parameter) => describeParameter(operation, parameter, limits));
  const body = operation.body && renderNotation(operation.body.schema, operation.defs ?? {}, limits);
  const collapsed = [...parameters, ...(body ? [body] : [])].some((part) => part.collapsed);
  const lines = [
    ...describeHead(operation),
    parameters.length === 0 ? 'Parameters: none' : 'Parameters (? may be left out):',
    ...parameters.map(({ text }) => `  ${text}`),
    ...(body ? bodyLines(body, operation.body?.required === true) : ['Body: none']),
    ...(collapsed ? [SEE_MORE] : []),
    ...notes,
    `Example: ${toolOf(operation)} ${JSON.stringify(buildExample(operation))}`,
  ];
  return { text: lines.join('\n'), collapsed };
}

const SEE_MORE =
  'Shortened (…). To see a part whole: describe_operation with member set to a parameter, a dotted body member or a shape name.';

function describeMember(operation: Operation, member: string, limits: NotationLimits): Rendered {
  const notation = renderNotation(findMember(operation, member), operation.defs ?? {}, limits);
  const head = `${operation.id}, ${quoteName(member)}:`;
  const more = notation.collapsed ? [SEE_MORE] : [];
  return {
    text: [head, notation.text, ...notation.shapes, ...more].join('\n'),
    collapsed: notation.collapsed,
  };
}

function describeParameter(operation: Operation, parameter: Parameter, limits: NotationLimits): Notation {
  const notation = renderNotation(parameter.schema, {}, limits);
  const mark = isToBeGiven(operation, parameter) ? '' : '?';
  const joined = parameter.collectionFormat === undefined ? '' : `, ${parameter.collectionFormat}`;
  const filled = mark === '?' && parameter.required ? `, ${whoFillsIn(parameter)}` : '';
  return {
    ...notation,
    text: `${quoteName(parameter.name)}${mark}: ${notation.text} (${parameter.in}${joined}${filled})`,
  };
}

function whoFillsIn({ name }: Parameter): string {
  return accountValueOf(name) === undefined ? 'made by this server' : 'filled in from the account';
}

function bodyLines(body: Notation, required: boolean): string[] {
  return [
    `Body${required ? '' : ' (may be left out)'}: ${body.text}`,
    ...body.shapes.map((shape) => `  ${shape}`),
  ];
}

// The lines before parameters and body show endpoint, limits, token and source.

/** Returns the tool of this server that calls the operation. */
function toolOf(operation: Operation): 'read_operation' | 'write_operation' {
  return operation.effect === 'read' ? 'read_operation' : 'write_operation';
}

function describeHead(operation: Operation): string[] {
  const { id, method, path, version, effect, rate, idempotencyKey, previewMode } = operation;
  return [
    `${method} ${path}`,
    `${id} · ${groupOf(operation)}${version === undefined ? '' : ` · version ${quoteName(version)}`} · effect ${effect}${effect === 'request' ? ' (changes nothing, sent at once)' : ''} · call it with ${toolOf(operation)}`,
    previewMode &&
      `With ${previewMode.parameter}=${previewMode.value} it is only checked: sent at once, nothing changes`,
    endingLine(operation),
    operation.sandboxOnly ? "Answers only in the service's sandbox" : undefined,
    rate === undefined
      ? 'Limit: not known'
      : `Limit: ${rate.requestsPerSecond} requests per second${rate.burst === undefined ? '' : `, burst ${rate.burst}`} (default)`,
    `Token: ${tokenOf(operation)}`,
    idempotencyKey &&
      `Idempotency key: ${idempotencyKey.in} ${quoteName(idempotencyKey.name)}, made by this server when left out`,
    ...sourceLines(operation),
  ].flatMap((line) => line ?? []);
}

/** Quotes the title of a user's file, which may contain any text. */
function groupOf({ source, group }: Operation): string {
  return source === 'user' ? escapeInJson(JSON.stringify(group)) : group;
}

/** Formats `Deprecated, says the definition; removal date 2027-03-27; use ...`. */
function endingLine(operation: Operation): string | undefined {
  const { deprecated, ending = {} } = operation;
  const parts = formatEndingParts(ending);
  if (deprecated === true) return [`Deprecated, says ${whoDeprecates(operation)}`, ...parts].join('; ');
  return parts.length === 0 ? undefined : `Amazon's ${parts.join('; ')}`;
}

function whoDeprecates(operation: Operation): string {
  const byDocument = documentEntries.some(
    ({ group, name, deprecated }) => deprecated && group.name === operation.group && name === operation.name,
  );
  return byDocument ? 'the interface document' : 'the definition';
}

function tokenOf(operation: Operation): string {
  const { auth } = operation;
  if (auth.kind === 'grantless') return `grantless, of the application itself, scope ${auth.scope}`;
  if (auth.kind === 'restricted') return 'a restricted data token, which the server gets by itself';
  const elements = reviewed[operation.id]?.personalData;
  if (elements === undefined) return "the seller's access token";
  const which = elements.length === 0 ? '' : ` (${elements.join(', ')})`;
  return `the seller's access token; personal data${which} needs a restricted data token`;
}

function sourceLines(operation: Operation): string[] {
  const document = documentOf(operation);
  if (document === undefined || operation.source === 'document')
    return [`Source: ${sources[operation.source]}`];
  const added = membersAdded(document, operation);
  return [
    'Source: the interface document; required members, bounds and value sets are from the public definitions',
    ...(added.length === 0 ? [] : [`Not in the document, but in the definitions: ${added.join(', ')}`]),
  ];
}

const sources: Readonly<Record<Operation['source'], string>> = {
  document: 'the interface document',
  both: 'named in the interface document; these facts are from the public definitions',
  definitions: 'public definitions only; not in the interface document',
  user: 'a definition that you added',
};

// A member of an operation's parameters or body is found by its dotted path.

/**
 * Finds `capabilities.outbound` (arrays are passed through implicitly), a parameter's name, or the name of a
 * shared shape.
 * @throws InputError naming the missing step and the existing names.
 */
function findMember(operation: Operation, path: string): JsonSchema {
  const parameter = operation.parameters.find(({ name }) => name === path);
  if (parameter !== undefined) return parameter.schema;
  const defs = operation.defs ?? {};
  const steps = path.split('.').map((step) => step.replace(/\[\d*\]$/, ''));
  const [first = ''] = steps;
  const start = operation.body?.schema ?? {};
  const shape = stepInto(start, first, defs) === undefined ? own(defs, first) : undefined;
  return shape === undefined
    ? follow(start, steps, operation, defs)
    : follow(shape, steps.slice(1), operation, defs);
}

function follow(
  start: JsonSchema,
  steps: readonly string[],
  operation: Operation,
  defs: SchemaDefs,
): JsonSchema {
  return steps.reduce((schema, step) => {
    const next = stepInto(schema, step, defs);
    if (next === undefined) throw noMember(step, schema, operation, defs);
    return next;
  }, start);
}

function stepInto(schema: JsonSchema, name: string, defs: SchemaDefs): JsonSchema | undefined {
  const { properties = {}, additionalProperties: rest } = throughArrays(schema, defs);
  if (Object.hasOwn(properties, name)) return properties[name];
  return typeof rest === 'object' ? rest : undefined;
}

/** The maximum depth of nested arrays, even when a shape is an array of itself. */
const MAX_ARRAY_DEPTH = 10;

function throughArrays(schema: JsonSchema, defs: SchemaDefs): JsonSchema {
  let current = resolveSchema(schema, defs);
  for (let level = 0; current.items !== undefined && level < MAX_ARRAY_DEPTH; level += 1) {
    current = resolveSchema(current.items, defs);
  }
  return current;
}

function noMember(step: string, schema: JsonSchema, operation: Operation, defs: SchemaDefs): InputError {
  const here = Object.keys(throughArrays(schema, defs).properties ?? {});
  const isTop = schema === operation.body?.schema || operation.body === undefined;
  const names = isTop ? [...here, ...operation.parameters.map(({ name }) => name)] : here;
  return new InputError(
    `${operation.id} has no member ${JSON.stringify(step.slice(0, 100))} there`,
    names.length === 0
      ? 'There is nothing inside it.'
      : `The names there are: ${names.map(quoteName).join(', ')}.`,
  );
}

// Shapes are written in a short TypeScript-like notation: `{sku: string(1..40), tags?: ("A"|"B")[]}`; shared
// shapes are named once.

interface NotationLimits {
  /** The levels of objects that are written out; deeper ones show only the names of their members. */
  depth: number;
  /** The maximum number of shown enum values. */
  enumValues: number;
}

interface Notation {
  /** The notation of the shape itself. */
  text: string;
  /** The lines `Name = {...}`, one for each shape that is used more than once. */
  shapes: string[];
  /** True when something was left out for brevity. */
  collapsed: boolean;
}

const MAX_PATTERN_LENGTH = 80;
const MAX_INLINE_ENUM = 40;

/** Renders a schema; `defs` are the shapes that it refers to. */
function renderNotation(schema: JsonSchema, defs: SchemaDefs, limits: NotationLimits): Notation {
  const writer = new NotationWriter(defs, limits, countUses(schema, defs));
  const text = writer.write(schema, limits.depth);
  return { text, shapes: writer.writeShapes(), collapsed: writer.collapsed };
}

/** Counts how often each reachable shape is referred to. */
function countUses(schema: JsonSchema, defs: SchemaDefs): Map<string, number> {
  const uses = new Map<string, number>();
  const visit = (part: JsonSchema): void => {
    if (part.$ref !== undefined) {
      const name = finalName(nameOfRef(part.$ref), defs);
      uses.set(name, (uses.get(name) ?? 0) + 1);
      const target = own(defs, name);
      if (uses.get(name) === 1 && target !== undefined) visit(target);
    }
    partsOf(part).forEach(visit);
  };
  visit(schema);
  return uses;
}

/** Writes the notation, and tracks the named shapes still to be written and whether anything was left out. */
class NotationWriter {
  collapsed = false;
  readonly #defs: SchemaDefs;
  readonly #limits: NotationLimits;
  readonly #uses: ReadonlyMap<string, number>;
  /** The named shapes found so far, with the maximum remaining depth of any use. */
  readonly #shapes = new Map<string, number>();

  constructor(defs: SchemaDefs, limits: NotationLimits, uses: ReadonlyMap<string, number>) {
    this.#defs = defs;
    this.#limits = limits;
    this.#uses = uses;
  }

  writeShapes(): string[] {
    const written = new Map<string, { depth: number; text: string }>();
    const next = () => [...this.#shapes].find(([name, depth]) => (written.get(name)?.depth ?? -1) < depth);
    for (let shape = next(); shape !== undefined; shape = next()) {
      const [name, depth] = shape;
      written.set(name, { depth, text: `${name} = ${this.write(own(this.#defs, name) ?? {}, depth)}` });
    }
    return [...written.values()].map(({ text }) => text);
  }

  write(schema: JsonSchema, depth: number): string {
    if (schema.$ref !== undefined) return this.#writeReference(nameOfRef(schema.$ref), depth);
    if (schema.enum !== undefined) return this.#writeEnum(schema.enum);
    if (schema.items !== undefined) return `${group(this.write(schema.items, depth))}[${countOf(schema)}]`;
    if (schema.properties !== undefined) return this.#writeObject(schema, depth);
    if (typeof schema.additionalProperties === 'object') {
      return `{[name]: ${this.write(schema.additionalProperties, depth)}}`;
    }
    if (schema.type === 'array') return `any[${countOf(schema)}]`;
    return `${schema.type ?? 'any'}${boundsOf(schema)}`;
  }

  #writeReference(reference: string, depth: number): string {
    const name = finalName(reference, this.#defs);
    const shape = own(this.#defs, name) ?? {};
    if ((this.#uses.get(name) ?? 0) < 2 || !isWorthNaming(shape)) return this.write(shape, depth);
    if (depth > 0) this.#shapes.set(name, Math.max(this.#shapes.get(name) ?? 0, depth));
    else this.collapsed = true;
    return name;
  }

  #writeEnum(values: readonly (string | number | boolean)[]): string {
    const shown = values.slice(0, this.#limits.enumValues).map((value) => JSON.stringify(value));
    const left = values.length - shown.length;
    if (left > 0) this.collapsed = true;
    return [...shown, ...(left > 0 ? [`…${left} more`] : [])].join('|');
  }

  #writeObject(schema: JsonSchema, depth: number): string {
    const names = Object.entries(schema.properties ?? {});
    if (depth <= 0) {
      this.collapsed ||= names.length > 0;
      return `{${names.map(([name]) => quoteName(name)).join(', ')}: …}`;
    }
    const members = names.map(([name, member]) => {
      const mark = schema.required?.includes(name) === true ? '' : '?';
      return `${quoteName(name)}${mark}: ${this.write(member, depth - 1)}`;
    });
    return `{${members.join(', ')}}`;
  }
}

/** Returns true for objects and long enums; shorter shapes are written inline. */
function isWorthNaming(shape: JsonSchema): boolean {
  if (shape.enum !== undefined) return JSON.stringify(shape.enum).length > MAX_INLINE_ENUM;
  return [shape.properties, shape.items, shape.additionalProperties].some((part) => typeof part === 'object');
}

function group(text: string): string {
  return text.includes('|') && !text.startsWith('{') ? `(${text})` : text;
}

/** Formats `1..20`, or an empty text. */
function countOf({ minItems, maxItems }: JsonSchema): string {
  return rangeOf(minItems, maxItems);
}

function rangeOf(low: number | undefined, high: number | undefined): string {
  return low === undefined && high === undefined ? '' : `${low ?? ''}..${high ?? ''}`;
}

function boundsOf(schema: JsonSchema): string {
  const { pattern, format, multipleOf } = schema;
  const parts = [
    rangeOf(schema.minLength ?? schema.minimum, schema.maxLength ?? schema.maximum),
    format ?? '',
    pattern !== undefined && pattern.length <= MAX_PATTERN_LENGTH ? `/${pattern}/` : '',
    multipleOf === undefined ? '' : `multiple of ${multipleOf}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `(${parts.join(', ')})`;
}
