/** Every case that an operation's responses declare: `x-amzn-api-sandbox` pairs and example answers. */

import { isJsonObject } from '../../json.ts';
import type { Defs } from '../../service/facts/schema-parts.ts';
import { pointerTo } from '../definition-error.ts';
import type { ReadOperation } from '../read/read-operations.ts';
import { jsonMedia } from '../read/read-parameters.ts';
import type { Located, References } from '../read/references.ts';
import type { CaseBudget } from './case-budget.ts';
import type { Cases, DeclaredCase } from './declared-case.ts';
import { readCaseRequest } from './read-case-request.ts';
import { readExamples } from './read-examples.ts';

const EXTENSION = 'x-amzn-api-sandbox';

export interface CaseParts {
  references: References;
  defs: Defs;
  budget: CaseBudget;
}

/** @param index position of the operation within its file. @throws DefinitionError for a response that is none. */
export function readCases(parts: CaseParts, operation: ReadOperation, index: number): Cases {
  const found: Cases = { cases: [], unusable: [] };
  const { value, pointer } = operation.source;
  const responses = parts.references.open(value.responses ?? {}, pointerTo(pointer, 'responses'));
  for (const [status, raw] of Object.entries(responses.value)) {
    if (status.startsWith('x-')) continue;
    const response = parts.references.open(raw, pointerTo(responses.pointer, status));
    addSandboxCases(parts, { operation, index, status, sets: sandboxSets(response) }, found);
    addExamples(parts, { operation, index, status, response }, found);
  }
  addSandboxCases(
    parts,
    { operation, index, status: firstSuccess(responses.value), sets: [value[EXTENSION]] },
    found,
  );
  return found;
}

/** The extension stands in the response, or with its JSON. */
function sandboxSets({ value }: Located): unknown[] {
  return [value[EXTENSION], jsonMedia(value.content)?.value[EXTENSION]];
}

function firstSuccess(responses: Readonly<Record<string, unknown>>): string {
  return Object.keys(responses).find((status) => /^2\d\d$/.test(status)) ?? 'no 2xx response';
}

interface SandboxPlace {
  operation: ReadOperation;
  index: number;
  status: string;
  sets: readonly unknown[];
}

function addSandboxCases(parts: CaseParts, place: SandboxPlace, found: Cases): void {
  const { draft } = place.operation;
  const pairs = place.sets.flatMap((set): unknown[] =>
    isJsonObject(set) && Array.isArray(set.static) ? set.static : [],
  );
  for (const [i, pair] of pairs.entries()) {
    const id = `${draft.name} ${draft.method} ${place.status} #${i}`;
    parts.budget.take(place.operation.source.pointer, pair);
    const status = statusOf(pair, place.status);
    if (!isJsonObject(pair)) found.unusable.push({ id, reason: 'it is not an object' });
    else if (status === undefined)
      found.unusable.push({ id, reason: `its status is not known (${place.status})` });
    else {
      const request = readCaseRequest(draft, pair.request, parts.defs);
      if ('reason' in request) found.unusable.push({ id, reason: request.reason });
      else
        found.cases.push({
          id,
          kind: 'sandbox',
          operation: place.index,
          ...request,
          response: responseOf(pair, status),
        });
    }
  }
}

function statusOf(pair: unknown, declared: string): number | undefined {
  const own = isJsonObject(pair) ? (pair.statusCode ?? pair.status) : undefined;
  const status = Number(own ?? (/^[2-5]XX$/i.test(declared) ? `${declared[0]}00` : declared));
  return Number.isInteger(status) && status >= 200 && status <= 599 ? status : undefined;
}

function responseOf(pair: Record<string, unknown>, status: number): DeclaredCase['response'] {
  const headers = isJsonObject(pair.responseHeaders) ? headersOf(pair.responseHeaders) : {};
  const hasBody = pair.response !== undefined && status !== 204 && status !== 304;
  return {
    status,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(hasBody && { body: pair.response }),
  };
}

/** Names and values that HTTP can carry; the length and the encoding are the transport's. */
function headersOf(headers: Record<string, unknown>): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, raw]) => {
    const value = String(isJsonObject(raw) ? raw.value : raw);
    const sendable = /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\x20-\x7e]*$/.test(value);
    return sendable && !/^(content-|transfer-|connection$)/i.test(name) ? [[name, value] as const] : [];
  });
  return Object.fromEntries(entries);
}

interface ExamplePlace {
  operation: ReadOperation;
  index: number;
  status: string;
  response: Located;
}

function addExamples(
  { references, budget }: CaseParts,
  { operation, index, status: text, response }: ExamplePlace,
  found: Cases,
): void {
  const status = statusOf(undefined, text);
  const { draft } = operation;
  if (status === undefined) return;
  for (const { name, body } of readExamples(references, response)) {
    budget.take(operation.source.pointer, body);
    const id = `${draft.name} ${draft.method} ${text} example${name === '' ? '' : ` ${name}`}`;
    found.cases.push({
      id,
      kind: 'example',
      operation: index,
      parameters: {},
      response: responseOf({ response: body }, status),
    });
  }
}
