/** Compares what arrived at the service with what the case declares, independently of how the service matched it. */

import { isDeepStrictEqual } from 'node:util';
import type { RecordedRequest } from '../../sandbox/sandbox.ts';
import { isJsonObject } from '../../src/base/json.ts';
import type { ListedCase } from '../../src/definitions/cases/replay-cases.ts';

/**
 * Every difference in one clause; empty when exactly the declared request arrived.
 * @param filledIn query parameters that the program says it filled in: no difference where the case declares none
 */
export function compareRequest(
  { replayed, operation }: ListedCase,
  arrived: RecordedRequest,
  filledIn: readonly string[] = [],
): string[] {
  const { path, query, header, body } = replayed.request;
  const found: string[] = [];
  const check = (what: string, wanted: unknown, got: unknown) => {
    if (!isDeepStrictEqual(got, wanted)) found.push(`${what} is ${show(got)}, declared ${show(wanted)}`);
  };
  check('method', operation.method, arrived.method);
  check('path', fill(operation.path, path), arrived.path.split('/').map(decodeURIComponent).join('/'));
  check('query', Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value].flat()])), {
    ...Object.fromEntries(
      Object.entries(arrived.query).filter(
        ([name]) => !filledIn.includes(name) || Object.hasOwn(query, name),
      ),
    ),
  });
  for (const [name, value] of Object.entries(header))
    check(`header ${name}`, value, arrived.headers[name.toLowerCase()]);
  check('body', plain(body), withoutKey(arrived.body, body, replayed.mayAdd));
  return found;
}

function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{([^{}]+)\}/g, (_all, name: string) => values[name] ?? '');
}

/** An idempotency key that the program added is not a difference. */
function withoutKey(arrived: unknown, declared: unknown, mayAdd: readonly string[]): unknown {
  if (!isJsonObject(arrived) || !isJsonObject(declared)) return arrived;
  return Object.fromEntries(
    Object.entries(arrived).filter(([name]) => !mayAdd.includes(name) || Object.hasOwn(declared, name)),
  );
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
