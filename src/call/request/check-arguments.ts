/** Everything that is wrong with a call's arguments, found before anything is sent. */

import { isDeepStrictEqual } from 'node:util';
import type { Problem } from '../../base/errors.ts';
import type { Operation, Parameter } from '../../service/facts/operation.ts';
import { parametersOfPage } from '../../service/facts/parameters.ts';
import { own } from '../../service/facts/schema-parts.ts';
import { checkInnerRequests } from './check-inner-requests.ts';
import { withIdempotencyKey } from './parameters.ts';
import { type ShapeProblem, unknownName, validateShape } from './validate-shape.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Paths are those of the arguments: parameter names, and `body.` before members of the body.
 * @returns at once where nothing is wrong, as nearly always
 */
export function checkArguments(
  operation: Operation,
  values: Values,
  body: unknown,
  answeredBody?: unknown,
): ShapeProblem[] | Promise<ShapeProblem[]> {
  const checks = [
    unknownParameters(operation, values),
    ...operation.parameters.map((parameter) =>
      checkParameter(operation, parameter, own(values, parameter.name)),
    ),
    besideToken(operation, values),
    checkBody(operation, body, answeredBody),
    checkInnerRequests(operation, body),
  ].filter((check) => check instanceof Promise || check.length > 0);
  return checks.length === 0 ? [] : Promise.all(checks).then((found) => found.flat());
}

function unknownParameters(operation: Operation, values: Values): Problem[] | Promise<Problem[]> {
  const { parameters } = operation;
  const isKnown = (given: string) => parameters.some(({ name }) => name === given);
  const wrong = Object.keys(values).filter((name) => values[name] !== undefined && !isKnown(name));
  if (wrong.length === 0) return [];
  const names = parameters.map(({ name }) => name);
  return Promise.all(wrong.map(async (path) => ({ path, message: await unknownName(path, names) })));
}

/** Reports what must not stand beside a page token, because some services then answer with the first page again. */
function besideToken(operation: Operation, values: Values): Problem[] {
  const { paging } = operation;
  if (paging?.input.in !== 'query' || paging.alone !== true) return [];
  const { name: token } = paging.input;
  const given = own(values, token);
  if (given === undefined) return [];
  const wanted = parametersOfPage(operation, values, given);
  return Object.keys(values).flatMap((path) => {
    if (values[path] === undefined || values[path] === wanted[path]) return [];
    const message = path in wanted ? `must be ${String(wanted[path])}` : 'must be left out';
    return [{ path, message: `${message} beside ${token}` }];
  });
}

/** The max length of a parameter: no server takes a longer address or header. */
const MAX_TEXT = 64_000;

function checkParameter(
  operation: Operation,
  parameter: Parameter,
  value: unknown,
): ShapeProblem[] | Promise<ShapeProblem[]> {
  if (value === undefined) {
    return isMissing(operation, parameter) ? [{ path: parameter.name, message: 'is required' }] : [];
  }
  const isTooLong = (text: unknown) => typeof text === 'string' && text.length > MAX_TEXT;
  if (Array.isArray(value) ? value.some(isTooLong) : isTooLong(value))
    return [{ path: parameter.name, message: `must be at most ${MAX_TEXT} characters` }];
  const found = validateShape(parameter.schema, value, operation.defs);
  const placed = (problems: readonly ShapeProblem[]) =>
    problems.map((problem) => ({ ...problem, path: join(parameter.name, problem.path) }));
  return found instanceof Promise ? found.then(placed) : placed(found);
}

/** The idempotency key is added at the last moment, so its absence is no fault of the caller's. */
function isMissing(operation: Operation, parameter: Parameter): boolean {
  const key = operation.idempotencyKey;
  return (
    parameter.required && !(parameter.in === 'header' && key?.in === 'header' && key.name === parameter.name)
  );
}

function checkBody(
  operation: Operation,
  body: unknown,
  answeredBody: unknown,
): ShapeProblem[] | Promise<ShapeProblem[]> {
  if (operation.body !== undefined) return checkDeclaredBody(operation, operation.body, body, answeredBody);
  return body === undefined ? [] : [{ path: 'body', message: 'is not taken by this operation' }];
}

async function checkDeclaredBody(
  operation: Operation,
  declared: NonNullable<Operation['body']>,
  body: unknown,
  answeredBody: unknown,
): Promise<ShapeProblem[]> {
  if (body === undefined) return declared.required ? [{ path: 'body', message: 'is required' }] : [];
  // A key in the body is added at the last moment too.
  const keyed = withIdempotencyKey(operation, {}, body).body;
  const problems = await validateShape(declared.schema, keyed, operation.defs);
  const own = problems.filter(({ path }) => !isAsTheServiceAnswered(path, body, answeredBody));
  return own.map((problem) => ({ ...problem, path: join('body', problem.path) }));
}

/** True where the body repeats what the service answered: a member that no definition names yet, say. */
function isAsTheServiceAnswered(path: string, body: unknown, answeredBody: unknown): boolean {
  if (path === '') return false;
  const answered = memberAt(answeredBody, path.split('.'));
  return answered !== undefined && isDeepStrictEqual(answered, memberAt(body, path.split('.')));
}

function memberAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const member = Object.entries(value).find(([key]) => key === name);
  return member === undefined ? undefined : memberAt(member[1], rest);
}

function join(head: string, tail: string): string {
  return tail === '' ? head : `${head}.${tail}`;
}
