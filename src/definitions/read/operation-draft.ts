/**
 * One operation as a file describes it, before it has an ID: its schema, and the parsing of name, path, rate
 * limit and idempotency key.
 */

import * as z from 'zod';
import { trimBothOf } from '../../base/text/trim-character.ts';
import {
  bodySchema,
  describedSchema,
  type JsonSchema,
  jsonSchemaSchema,
  type Operation,
  type Parameter,
  parameterSchema,
} from '../../service/facts/operation.ts';
import { hidesDotSegment, hidesEndOfPath, placeholdersOf } from '../../service/facts/path-template.ts';
import { resolveSchema, type SchemaDefs } from '../../service/facts/schema-parts.ts';
import { DefinitionError, pointerTo } from '../definition-error.ts';
import { MAX_DESCRIPTION, MAX_KEY, MAX_NAME, MAX_PATH } from '../limits.ts';
import { checkName } from './check-name.ts';
import type { Located } from './references.ts';

/** The members of an operation that one file defines; shapes are shared by the whole file. */
export const operationDraftSchema = z.object({
  ...describedSchema.shape,
  parameters: z.array(parameterSchema),
  body: bodySchema.optional(),
  /** The response schema of a read operation: names and types. */
  answer: jsonSchemaSchema.optional(),
});
export type OperationDraft = z.infer<typeof operationDraftSchema>;

/** An operation that cannot be called, and the reason. */
export const skippedOperationSchema = z.object({ operation: z.string(), reason: z.string() });
export type SkippedOperation = z.infer<typeof skippedOperationSchema>;

/**
 * Thrown for an operation that is well described but cannot be called; the other operations of its file stay
 * valid.
 */
export class NotCallable extends Error {}

/**
 * Returns the name of an operation.
 * @throws DefinitionError for an operationId that is no text.
 */
export function nameOf({ value, pointer }: Located, method: Operation['method'], path: string): string {
  const { operationId } = value;
  if (operationId === undefined) return clean(`${method.toLowerCase()} ${path}`);
  const at = pointerTo(pointer, 'operationId');
  if (typeof operationId !== 'string') throw new DefinitionError(at, 'is not a name');
  checkName(operationId, at, MAX_KEY);
  const name = clean(operationId);
  if (name === '') throw new DefinitionError(at, 'is not a name');
  return name;
}

function clean(name: string): string {
  return trimBothOf(name.replace(/[^\w.-]+/g, '-'), '-').slice(0, MAX_NAME);
}

/** The characters of RFC 3986 paths, percent-encoding, and placeholders. */
const ALLOWED = /^[\w.~!$&'()*+,;=:@%/{}-]*$/;
/** The allowed names of a placeholder, which appear in the path wherever the operation is described. */
const PLACEHOLDER = /\{[\w.~$@: -]{1,120}\}/g;
/** Characters that need no encoding. Encoding them only disguises a path as another one. */
const NEEDLESS = /%(?:2d|2e|3[0-9]|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae]|25)/i;

/**
 * Returns the names of the placeholders, in order.
 * @throws DefinitionError
 */
export function checkPath(path: string, pointer: string): string[] {
  const wrong = problemWith(path);
  if (wrong !== undefined) throw new DefinitionError(pointer, wrong);
  const names = placeholdersOf(path);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new DefinitionError(pointer, `names the placeholder {${twice}} twice`);
  return names;
}

function problemWith(path: string): string | undefined {
  if (!path.startsWith('/')) return 'is not a path: it does not start with a slash';
  if (path.length > MAX_PATH) return `is longer than ${MAX_PATH} characters`;
  const outside = path.replace(PLACEHOLDER, '');
  if (/[{}]/.test(outside))
    return 'has a placeholder that is empty, not closed, or with other characters than a name has';
  if (!ALLOWED.test(outside))
    return 'holds characters that a path cannot have (a query or fragment belongs elsewhere)';
  if (/%(?![0-9a-f]{2})/i.test(outside)) return 'has a broken percent-encoding';
  const segments = path.slice(1).split('/');
  if (segments.some(hidesDotSegment)) return 'has a dot segment ("." or "..")';
  if (segments.slice(0, -1).includes('') || /%(?:2f|5c)/i.test(outside))
    return 'has an empty segment or an encoded slash';
  if (NEEDLESS.test(outside)) return 'encodes what needs no encoding';
  return segments.some(hidesEndOfPath) ? 'holds an encoded query, fragment or control character' : undefined;
}

/**
 * Parses `[requests per second, burst]`, without a burst below one call. Undefined when the table is missing,
 * has no numbers, or has a rate of zero or less.
 */
export function parseRate(description: string): [rate: number, burst?: number] | undefined {
  const lines = description
    .slice(0, MAX_DESCRIPTION)
    .split(/\n|\\n/)
    .map((line) => line.trim());
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
    const perSecond = Number(cells[rate] || Number.NaN);
    const atOnce = Number(cells[burst] || Number.NaN);
    if (!Number.isFinite(perSecond) || !Number.isFinite(atOnce) || perSecond <= 0) continue;
    return atOnce >= 1 ? [perSecond, atOnce] : [perSecond];
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
  defs: SchemaDefs,
): Operation['idempotencyKey'] {
  const header = parameters.find(
    (parameter) => parameter.in === 'header' && /idempoten/i.test(parameter.name),
  );
  if (header !== undefined) return { in: 'header', name: header.name };
  const shape = body === undefined ? {} : resolveSchema(body, defs);
  const member = Object.keys(shape.properties ?? {}).find((name) => BODY_KEY.test(name));
  return member === undefined ? undefined : { in: 'body', name: member };
}
