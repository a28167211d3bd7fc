/** Every case that an operation's responses declare: `x-amzn-api-sandbox` pairs and example answers. */

import { isJsonObject, parseJson } from '../../base/json.ts';
import { type Defs, own, resolveSchema } from '../../service/facts/schema-parts.ts';
import { DefinitionError, pointerTo } from '../definition-error.ts';
import { MAX_CASE_VALUES, MAX_CASES } from '../limits.ts';
import type { OperationDraft } from '../read/operation-draft.ts';
import type { ReadDefinition, ReadOperation } from '../read/read-operations.ts';
import { jsonMedia } from '../read/read-parameters.ts';
import type { Located, References } from '../read/references.ts';
import type { Cases, DeclaredCase } from './declared-case.ts';
import { fromWire } from './wire-values.ts';

const EXTENSION = 'x-amzn-api-sandbox';

interface CaseParts {
  references: References;
  defs: Defs;
  budget: CaseBudget;
  found: Cases;
}

/** One operation of the file, with its position there. */
interface Place extends ReadOperation {
  index: number;
}

/** @throws DefinitionError for a response that is none, or for more than a file may declare. */
export function readCases({ operations, readers: { references }, defs }: ReadDefinition): Cases {
  const found: Cases = { cases: [], unusable: [] };
  const parts = { references, defs, budget: new CaseBudget(), found };
  for (const [index, operation] of operations.entries()) readResponses(parts, { ...operation, index });
  return found;
}

function readResponses(parts: CaseParts, place: Place): void {
  const { value, pointer } = place.source;
  const responses = parts.references.open(value.responses ?? {}, pointerTo(pointer, 'responses'));
  for (const [status, raw] of Object.entries(responses.value)) {
    if (status.startsWith('x-')) continue;
    const response = parts.references.open(raw, pointerTo(responses.pointer, status));
    addSandboxCases(parts, place, status, sandboxSets(response));
    addExamples(parts, place, status, response);
  }
  addSandboxCases(parts, place, firstSuccess(responses.value), [value[EXTENSION]]);
}

/** The extension stands in the response, or with its JSON. */
function sandboxSets({ value }: Located): unknown[] {
  return [value[EXTENSION], jsonMedia(value.content)?.value[EXTENSION]];
}

function firstSuccess(responses: Readonly<Record<string, unknown>>): string {
  return Object.keys(responses).find((status) => /^2\d\d$/.test(status)) ?? 'no 2xx response';
}

function addSandboxCases(
  { budget, defs, found }: CaseParts,
  { draft, source, index }: Place,
  declared: string,
  sets: readonly unknown[],
): void {
  const pairs = sets.flatMap((set): unknown[] =>
    isJsonObject(set) && Array.isArray(set.static) ? set.static : [],
  );
  for (const [i, pair] of pairs.entries()) {
    const id = `${draft.name} ${draft.method} ${declared} #${i}`;
    budget.take(source.pointer, pair);
    const status = statusOf(pair, declared);
    if (!isJsonObject(pair)) found.unusable.push({ id, reason: 'it is not an object' });
    else if (status === undefined)
      found.unusable.push({ id, reason: `its status is not known (${declared})` });
    else {
      const request = readCaseRequest(draft, pair.request, defs);
      if ('reason' in request) found.unusable.push({ id, reason: request.reason });
      else
        found.cases.push({
          id,
          kind: 'sandbox',
          operation: index,
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

function addExamples(
  { references, budget, found }: CaseParts,
  { draft, source, index }: Place,
  declared: string,
  response: Located,
): void {
  const status = statusOf(undefined, declared);
  if (status === undefined) return;
  for (const { name, body } of readExamples(references, response)) {
    budget.take(source.pointer, body);
    const id = `${draft.name} ${draft.method} ${declared} example${name === '' ? '' : ` ${name}`}`;
    found.cases.push({
      id,
      kind: 'example',
      operation: index,
      parameters: {},
      response: responseOf({ response: body }, status),
    });
  }
}

// The request of a declared sandbox case, in the many forms in which such cases are written.

type Request = Pick<DeclaredCase, 'parameters' | 'body'>;

/** Names under which a body is given when it is not under the operation's own. */
const BODY_NAMES = new Set(['body', 'requestbody', 'payload']);
const GROUPS = new Set([
  'parameters',
  'path',
  'query',
  'header',
  'headers',
  'pathparameters',
  'queryparameters',
]);

/** Parameters are turned into what a caller gives; a name that the operation does not know is kept as it is. */
function readCaseRequest(draft: OperationDraft, raw: unknown, defs: Defs): Request | { reason: string } {
  if (raw !== undefined && raw !== null && !isJsonObject(raw))
    return { reason: 'its request is not an object' };
  const placer = new Placer(draft, defs);
  for (const [name, value] of entriesOf(raw ?? {})) placer.place(name, value);
  return placer.request();
}

/** A record of values, or a list of `{ name, value }`. */
function entriesOf(raw: Readonly<Record<string, unknown>> | readonly unknown[]): [string, unknown][] {
  if (!Array.isArray(raw)) return Object.entries(raw);
  return raw.flatMap((entry: unknown): [string, unknown][] =>
    isJsonObject(entry) && typeof entry.name === 'string' ? [[entry.name, { value: entry.value }]] : [],
  );
}

class Placer {
  readonly #draft: OperationDraft;
  readonly #members: Readonly<Record<string, unknown>>;
  readonly #parameters = new Map<string, unknown>();
  #body: unknown;
  #grown: Record<string, unknown> | undefined;

  constructor(draft: OperationDraft, defs: Defs) {
    this.#draft = draft;
    this.#members = draft.body === undefined ? {} : (resolveSchema(draft.body.schema, defs).properties ?? {});
  }

  place(name: string, raw: unknown): void {
    const parameter = this.#find(name);
    if (parameter !== undefined) {
      const value = this.#unwrap(raw);
      if (value !== undefined && value !== null)
        this.#parameters.set(parameter.name, fromWire(parameter, value));
    } else if (
      name === this.#draft.bodyName ||
      (BODY_NAMES.has(name.toLowerCase()) && !this.#isMember(name))
    ) {
      this.#placeBody(raw);
    } else if (
      GROUPS.has(name.toLowerCase()) &&
      !this.#isMember(name) &&
      (isJsonObject(raw) || Array.isArray(raw))
    ) {
      for (const [inner, value] of entriesOf(raw)) this.place(inner, value);
    } else if (this.#isMember(name)) {
      this.#addMember(name, this.#unwrap(raw));
    } else {
      this.#parameters.set(name, this.#unwrap(raw));
    }
  }

  request(): Request {
    return {
      parameters: Object.fromEntries(this.#parameters),
      ...(this.#body !== undefined && { body: this.#body }),
    };
  }

  /** Into an object of its own, which grows: copied for each member, a long request would take for ever. */
  #addMember(name: string, value: unknown): void {
    if (this.#grown === undefined || this.#grown !== this.#body) {
      this.#grown = isJsonObject(this.#body) ? { ...this.#body } : {};
      this.#body = this.#grown;
    }
    this.#grown[name] = value;
  }

  /** By its exact name, or by the only one that differs in case alone. */
  #find(name: string) {
    const { parameters } = this.#draft;
    const alike = parameters.filter((one) => one.name.toLowerCase() === name.toLowerCase());
    return parameters.find((one) => one.name === name) ?? (alike.length === 1 ? alike[0] : undefined);
  }

  #isMember(name: string): boolean {
    return own(this.#members, name) !== undefined;
  }

  /** A body may be bare; an operation without one is often given an empty one, which means none. */
  #placeBody(raw: unknown): void {
    const value = this.#isWrapped(raw) ? this.#unwrap(raw) : raw;
    const isEmpty =
      value === null || value === undefined || (isJsonObject(value) && Object.keys(value).length === 0);
    if (isEmpty && this.#draft.body === undefined) return;
    const rest = isJsonObject(this.#body) && isJsonObject(value) ? this.#body : {};
    this.#body = isJsonObject(value) ? { ...rest, ...value } : value;
  }

  /** `{ value }`, but not a body whose own member is called `value`. */
  #isWrapped(raw: unknown): raw is Record<string, unknown> {
    if (!isJsonObject(raw) || !Object.hasOwn(raw, 'value')) return false;
    if (!this.#isMember('value')) return true;
    return (
      isJsonObject(raw.value) && Object.keys(raw).every((name) => name === 'value' || !this.#isMember(name))
    );
  }

  /** The value itself; what stands beside it under a parameter's name is that parameter, put one level too deep. */
  #unwrap(raw: unknown): unknown {
    if (!isJsonObject(raw) || !Object.hasOwn(raw, 'value')) return raw;
    for (const [name, value] of Object.entries(raw)) {
      const misplaced = name === 'value' ? undefined : this.#find(name);
      if (misplaced !== undefined && !this.#parameters.has(misplaced.name)) this.place(name, value);
    }
    return raw.value;
  }
}

// The example answers of one response: Swagger's `examples` by media type, OpenAPI's `example` and `examples`.

interface ExampleAnswer {
  /** Empty where the file gives none. */
  name: string;
  body: unknown;
}

function readExamples(references: References, { value, pointer }: Located): ExampleAnswer[] {
  const swagger = jsonMedia(value.examples);
  if (isJsonObject(value.examples) && value.content === undefined) {
    const type = Object.keys(value.examples).find((one) => /json/i.test(one));
    const body = type === undefined ? swagger?.value : value.examples[type];
    return body === undefined ? [] : [{ name: '', body: unwrapText(body) }];
  }
  const media = jsonMedia(value.content);
  if (media === undefined) return [];
  const { example, examples } = media.value;
  const alone = example === undefined ? [] : [{ name: '', body: unwrapText(example) }];
  if (!isJsonObject(examples)) return alone;
  const at = pointerTo(pointer, 'content', media.type, 'examples');
  const named = Object.entries(examples).flatMap(([name, raw]) => {
    const found = references.open(raw, pointerTo(at, name)).value;
    return found.value === undefined ? [] : [{ name, body: unwrapText(found.value) }];
  });
  return [...alone, ...named];
}

/** Some files give the JSON of an answer as a text. */
function unwrapText(body: unknown): unknown {
  return typeof body === 'string' && /^\s*[[{]/.test(body) ? (parseJson(body) ?? body) : body;
}

/** Characters of a text that count as one value. */
const CHARACTERS = 200;

/** Counts the declared cases of one file: what is written once and referred to from everywhere is kept as often. */
class CaseBudget {
  #cases = 0;
  #values = 0;

  /** One case and everything in it. @throws DefinitionError when the file declares too much. */
  take(pointer: string, ...contents: readonly unknown[]): void {
    this.#cases += 1;
    if (this.#cases > MAX_CASES)
      throw new DefinitionError(pointer, `more than ${MAX_CASES} cases are declared`);
    const waiting: unknown[] = [...contents];
    while (waiting.length > 0) {
      const value = waiting.pop();
      this.#values += 1 + (typeof value === 'string' ? Math.floor(value.length / CHARACTERS) : 0);
      if (this.#values > MAX_CASE_VALUES)
        throw new DefinitionError(pointer, `more than ${MAX_CASE_VALUES} values are declared in cases`);
      if (typeof value !== 'object' || value === null) continue;
      for (const member of Object.values(value)) waiting.push(member);
    }
  }
}
