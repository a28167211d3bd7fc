/** One operation as a file describes it, before it has an id: its form, and how name, path, limit and key are read. */

import type { JsonSchema, Operation, Parameter } from '../../service/facts/operation.ts';
import { type Defs, resolveSchema } from '../../service/facts/schema-parts.ts';
import { hasHidden } from '../../text/escape-text.ts';
import { DefinitionError, pointerTo } from '../definition-error.ts';
import { MAX_NAME } from '../limits.ts';
import type { Located } from './references.ts';

/** Everything of an operation that one file says; shapes are shared by the whole file. */
export interface OperationDraft {
  name: string;
  method: Operation['method'];
  path: string;
  parameters: Parameter[];
  body?: NonNullable<Operation['body']>;
  /** What a Swagger file calls the body; declared cases use that name. */
  bodyName?: string;
  rate?: NonNullable<Operation['rate']>;
  idempotencyKey?: NonNullable<Operation['idempotencyKey']>;
  deprecated?: boolean;
  sandboxOnly?: boolean;
}

/** An operation that cannot be called from here, and why. */
export interface SkippedOperation {
  operation: string;
  reason: string;
}

/** Thrown for an operation that is well described but cannot be called: the others of its file stay. */
export class NotCallable extends Error {}

/** @throws DefinitionError for an operationId that is no text. */
export function nameOf({ value, pointer }: Located, method: Operation['method'], path: string): string {
  const { operationId } = value;
  if (operationId === undefined) return clean(`${method.toLowerCase()} ${path}`);
  if (typeof operationId !== 'string' || hasHidden(operationId) || clean(operationId) === '') {
    throw new DefinitionError(pointerTo(pointer, 'operationId'), 'is not a name');
  }
  return clean(operationId);
}

function clean(name: string): string {
  return name
    .replace(/[^\w.-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_NAME);
}

const LONGEST = 1_000;
/** Characters of RFC 3986 paths, percent-encoding, and placeholders. */
const ALLOWED = /^[\w.~!$&'()*+,;=:@%/{}-]*$/;

/** Names of the placeholders, in order. @throws DefinitionError */
export function checkPath(path: string, pointer: string): string[] {
  const wrong = problemWith(path);
  if (wrong !== undefined) throw new DefinitionError(pointer, wrong);
  const names = [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '');
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new DefinitionError(pointer, `names the placeholder {${twice}} twice`);
  return names;
}

function problemWith(path: string): string | undefined {
  if (!path.startsWith('/')) return 'is not a path: it does not start with a slash';
  if (path.length > LONGEST) return `is longer than ${LONGEST} characters`;
  const outside = path.replace(/\{[^{}/]+\}/g, '');
  if (/[{}]/.test(outside)) return 'has a placeholder that is empty or not closed';
  if (!ALLOWED.test(outside))
    return 'holds characters that a path cannot have (a query or fragment belongs elsewhere)';
  if (/%(?![0-9a-f]{2})/i.test(outside)) return 'has a broken percent-encoding';
  const decoded = path.replace(/%2e/gi, '.').replace(/%2f|%5c/gi, '/');
  if (/\/\/|\\/.test(decoded)) return 'has an empty segment';
  if (decoded.split('/').some((segment) => /^\.{1,2}(;.*)?$/.test(segment)))
    return 'has a dot segment ("." or "..")';
  return undefined;
}

/** `[requests per second, burst]`, or undefined where the table is missing or holds no numbers. */
export function parseRate(description: string): [number, number] | undefined {
  const lines = description.split(/\n|\\n/).map((line) => line.trim());
  const heading = lines.findIndex(
    (line) => line.startsWith('|') && /rate \(requests per second\)/i.test(line),
  );
  if (heading < 0) return undefined;
  const columns = cellsOf(lines[heading]);
  const rate = columns.findIndex((cell) => /^rate/i.test(cell));
  const burst = columns.findIndex((cell) => /^burst/i.test(cell));
  for (const line of lines.slice(heading + 2)) {
    if (!line.startsWith('|')) return undefined;
    const cells = cellsOf(line);
    const numbers: [number, number] = [Number(cells[rate] || Number.NaN), Number(cells[burst] || Number.NaN)];
    if (numbers.every(Number.isFinite)) return numbers;
  }
  return undefined;
}

function cellsOf(line: string | undefined): string[] {
  return (line ?? '')
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
}

const BODY_KEY = /^(idempotency(key|token)?|client(request)?token)$/i;

export function findIdempotencyKey(
  parameters: readonly Parameter[],
  body: JsonSchema | undefined,
  defs: Defs,
): Operation['idempotencyKey'] {
  const header = parameters.find(
    (parameter) => parameter.in === 'header' && /idempoten/i.test(parameter.name),
  );
  if (header !== undefined) return { in: 'header', name: header.name };
  const shape = body === undefined ? {} : resolveSchema(body, defs);
  const member = Object.keys(shape.properties ?? {}).find((name) => BODY_KEY.test(name));
  return member === undefined ? undefined : { in: 'body', name: member };
}
