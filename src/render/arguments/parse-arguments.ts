/** Checks a tool's arguments and reports each problem by its path, with the valid names. */

import * as z from 'zod';
import { InputError, type Problem } from '../../base/errors.ts';
import { nearestName } from '../../base/text/nearest-name.ts';
import { checkBounds } from './argument-bounds.ts';

/**
 * @param at path of `args` within the tool's arguments, before the path of each problem.
 * @throws InputError listing every problem.
 */
export function parseArguments<Schema extends z.ZodObject>(
  schema: Schema,
  args: unknown,
  at?: string,
): z.output<Schema> {
  checkBounds(args);
  const parsed = schema.safeParse(args ?? {}, { reportInput: true });
  if (parsed.success) return parsed.data;
  const placed = describeIssues(schema, parsed.error.issues).map(({ path, message }) => ({
    path: [at, path].filter(Boolean).join('.'),
    message,
  }));
  const rest = countProblems(parsed.error.issues) - placed.length;
  const hint = rest === 0 ? '' : `${rest} more problems are not listed; correct these first.`;
  throw new InputError('The arguments are not right; nothing was sent.', hint, placed);
}

/** The limit of listed problems; each lists all valid names. */
const MAX_PROBLEMS = 50;

/** @param issues of a parse with `reportInput` */
export function describeIssues(schema: z.ZodType, issues: readonly z.core.$ZodIssue[]): Problem[] {
  const problems: Problem[] = [];
  for (const issue of issues) {
    if (problems.length < MAX_PROBLEMS) problems.push(...describe(schema, issue));
  }
  return problems.slice(0, MAX_PROBLEMS);
}

function countProblems(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((sum, each) => sum + (each.code === 'unrecognized_keys' ? each.keys.length : 1), 0);
}

function describe(schema: z.ZodType, issue: z.core.$ZodIssue): Problem[] {
  const path = issue.path.map(String);
  if (issue.code === 'invalid_union') return describeUnion(schema, issue);
  if (issue.code !== 'unrecognized_keys') return [{ path: path.join('.'), message: messageOf(issue) }];
  const valid = namesAt(schema, path);
  return issue.keys
    .slice(0, MAX_PROBLEMS)
    .map((key) => ({ path: [...path, key].join('.'), message: describeUnknownName(key, valid) }));
}

/**
 * Returns the problems inside the intended form; if the value has the type of none, the types that it may
 * have.
 */
function describeUnion(schema: z.ZodType, issue: z.core.$ZodIssueInvalidUnion): Problem[] {
  const isOfType = (problems: readonly z.core.$ZodIssue[]) =>
    problems.every(({ path, code }) => path.length > 0 || code !== 'invalid_type');
  const meant = issue.errors.find(isOfType);
  if (meant !== undefined) {
    return meant.flatMap((inner) => describe(schema, { ...inner, path: [...issue.path, ...inner.path] }));
  }
  const types = issue.errors.flat().map((inner) => ('expected' in inner ? article(inner.expected) : ''));
  const message = `must be ${[...new Set(types)].filter(Boolean).join(' or ')}, not ${kindOf(issue.input)}`;
  return [{ path: issue.path.map(String).join('.'), message }];
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `must be one of: ${issue.values.map(String).join(', ')}`;
  if (issue.code !== 'invalid_type') return issue.message;
  const expected = article(issue.expected);
  return issue.input === undefined
    ? `is missing; it is ${expected}`
    : `must be ${expected}, not ${kindOf(issue.input)}`;
}

/** Reports an unknown name, with the nearest valid one, if any, and all valid names. */
export function describeUnknownName(name: string, valid: readonly string[]): string {
  if (valid.length === 0) return 'is not known here';
  const near = nearestName(name, valid);
  return `is not known${near === undefined ? '.' : `; did you mean ${near}?`} Valid names: ${valid.join(', ')}`;
}

/** zod's name for an object with free member names (record) means nothing to a caller. */
const article = (kind: string) => {
  const word = kind === 'record' ? 'object' : kind;
  return /^[aeio]/.test(word) ? `an ${word}` : `a ${word}`;
};

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : article(typeof value);
}

/** Returns the member names that the object schema at `path` declares; empty if it is not an object. */
function namesAt(schema: z.ZodType, path: readonly string[]): string[] {
  const here = unwrap(schema);
  if (here instanceof z.ZodArray && path.length > 0) {
    return here.element instanceof z.ZodType ? namesAt(here.element, path.slice(1)) : [];
  }
  if (here instanceof z.ZodUnion) {
    return here.options.flatMap((option) => (option instanceof z.ZodType ? namesAt(option, path) : []));
  }
  if (!(here instanceof z.ZodObject)) return [];
  const [head, ...rest] = path;
  if (head === undefined) return Object.keys(here.shape);
  const member: unknown = here.shape[head];
  return member instanceof z.ZodType ? namesAt(member, rest) : [];
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    const inner: unknown = schema.unwrap();
    return inner instanceof z.ZodType ? unwrap(inner) : schema;
  }
  return schema;
}
