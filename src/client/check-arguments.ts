/** Everything that is wrong with a call's arguments, found before anything is sent. */

import type { Problem } from '../errors.ts';
import type { Operation, Parameter } from '../service/operation.ts';
import { unknownName } from './nearest-name.ts';
import { validateShape } from './validate-shape.ts';

type Values = Readonly<Record<string, unknown>>;

/** Paths are those of the arguments: parameter names, and `body.` before members of the body. */
export async function checkArguments(
  operation: Operation,
  values: Values,
  body: unknown,
): Promise<Problem[]> {
  const found = await Promise.all([
    unknownParameters(operation, values),
    ...operation.parameters.map((parameter) => checkParameter(operation, parameter, values[parameter.name])),
    checkBody(operation, body),
  ]);
  return found.flat();
}

async function unknownParameters(operation: Operation, values: Values): Promise<Problem[]> {
  const names = operation.parameters.map(({ name }) => name);
  const known = new Set(names);
  const wrong = Object.keys(values).filter((name) => values[name] !== undefined && !known.has(name));
  return Promise.all(wrong.map(async (path) => ({ path, message: await unknownName(path, names) })));
}

async function checkParameter(
  operation: Operation,
  parameter: Parameter,
  value: unknown,
): Promise<Problem[]> {
  if (value === undefined)
    return parameter.required ? [{ path: parameter.name, message: 'is required' }] : [];
  const problems = await validateShape(parameter.schema, value, operation.defs);
  return problems.map(({ path, message }) => ({ path: join(parameter.name, path), message }));
}

async function checkBody(operation: Operation, body: unknown): Promise<Problem[]> {
  if (operation.body === undefined) {
    return body === undefined ? [] : [{ path: 'body', message: 'is not taken by this operation' }];
  }
  if (body === undefined) return operation.body.required ? [{ path: 'body', message: 'is required' }] : [];
  const problems = await validateShape(operation.body.schema, withKey(operation, body), operation.defs);
  return problems.map(({ path, message }) => ({ path: join('body', path), message }));
}

/** The idempotency key is added at the last moment, so its absence is no fault of the caller's. */
function withKey(operation: Operation, body: unknown): unknown {
  const { idempotencyKey } = operation;
  if (idempotencyKey?.in !== 'body' || typeof body !== 'object' || Array.isArray(body)) return body;
  return { [idempotencyKey.name]: crypto.randomUUID(), ...body };
}

function join(head: string, tail: string): string {
  return tail === '' ? head : `${head}.${tail}`;
}
