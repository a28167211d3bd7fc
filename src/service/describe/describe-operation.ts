/** Tells an assistant all it needs to call one operation, in at most 2,000 tokens. */

import { byteLength, jsonText } from '../../json.ts';
import { quoteName } from '../../text/quote-name.ts';
import { tokensOf } from '../../text/shorten.ts';
import { accountValueOf } from '../facts/account-values.ts';
import type { Operation, Parameter } from '../facts/operation.ts';
import { describeHead, toolOf } from './describe-head.ts';
import { buildExample, type ExampleCall, isToBeGiven } from './example.ts';
import { findMember } from './member.ts';
import { type Notation, type NotationLimits, renderNotation } from './notation.ts';
import { notesOf } from './notes.ts';
import { reportRequests } from './report-warnings.ts';

export interface Description {
  /** The whole description, for people and assistants. */
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
  /** UTF-8 bytes / 3 of the text, rounded up. */
  tokens: number;
}

/** 2,000 tokens, for all members together as JSON: some hosts show that instead of the text. */
const longest = 6_000;
const all = Number.POSITIVE_INFINITY;

/** From everything down to the names of the top members; the first that fits is shown. */
const attempts: readonly NotationLimits[] = [
  { depth: all, enumValues: all },
  { depth: all, enumValues: 12 },
  ...[all, 7, 6, 5, 4, 3, 2, 1, 0].map((depth) => ({ depth, enumValues: 4 })),
];

interface Options {
  member?: string | undefined;
  /** About report types, where the operation takes one: see `reportLinesOf`. */
  reportLines?: readonly string[];
}

/** Lines on report types for the operations that request one; their table is loaded for no other. */
export async function reportLinesOf({ id }: Operation): Promise<readonly string[]> {
  return reportRequests.includes(id) ? (await import('./report-lines.ts')).mostUsedLines() : [];
}

/**
 * `member`: a parameter or a body member (`capabilities.outbound`) to be shown alone, with more depth.
 * @throws InputError for a member that does not exist.
 */
export function describeOperation(operation: Operation, options: Options = {}): Description {
  const { member, reportLines = [] } = options;
  const notes = [...notesOf(operation), ...reportLines];
  const facts = {
    id: operation.id,
    method: operation.method,
    path: operation.path,
    effect: operation.effect,
    tool: toolOf(operation),
    source: operation.source,
    example: cutExample(buildExample(operation)),
  };
  const { text, collapsed } = firstThatFits(longest - bytesAsJson(facts) - bytesOfTheRest, (limits) =>
    member === undefined ? describeAll(operation, limits, notes) : describeMember(operation, member, limits),
  );
  return { text, ...facts, collapsed, tokens: tokensOf(text) };
}

/** `collapsed`, `tokens` and the text's own name. */
const bytesOfTheRest = 80;

function bytesAsJson(value: unknown): number {
  return byteLength(jsonText(value));
}

/** Of an example, in bytes; no built-in operation has a longer one. */
const longestExample = 2_000;

/** What there is no room for is left out whole: a user's file may have names of any kind and number. */
function cutExample(example: ExampleCall): ExampleCall {
  const { body: _, ...withoutBody } = example;
  const bare = { operation: example.operation, parameters: {} };
  return [example, withoutBody].find((one) => bytesAsJson(one) <= longestExample) ?? bare;
}

type Rendered = Pick<Description, 'text' | 'collapsed'>;

function firstThatFits(room: number, render: (limits: NotationLimits) => Rendered): Rendered {
  let shortest: Rendered = { text: '', collapsed: true };
  for (const limits of attempts) {
    shortest = render(limits);
    if (bytesAsJson(shortest.text) <= room) return shortest;
  }
  return cutToFit(room, shortest.text);
}

/** Hundreds of parameters or members, which no built-in operation has: the rest is left out and says so. */
function cutToFit(room: number, text: string): Rendered {
  const note = `\n…cut. ${howToSeeMore}`;
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
    ...(collapsed ? [howToSeeMore] : []),
    ...notes,
    `Example: ${toolOf(operation)} ${JSON.stringify(buildExample(operation))}`,
  ];
  return { text: lines.join('\n'), collapsed };
}

const howToSeeMore =
  'Shortened (…). To see a part whole: describe_operation with member set to a parameter, a dotted body member or a shape name.';

function describeMember(operation: Operation, member: string, limits: NotationLimits): Rendered {
  const notation = renderNotation(findMember(operation, member), operation.defs ?? {}, limits);
  const head = `${operation.id}, ${quoteName(member)}:`;
  const more = notation.collapsed ? [howToSeeMore] : [];
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
