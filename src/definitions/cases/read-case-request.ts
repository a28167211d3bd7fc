/** The request of a declared sandbox case, in the many forms in which such cases are written. */

import { isJsonObject } from '../../json.ts';
import { type Defs, own, resolveSchema } from '../../service/facts/schema-parts.ts';
import type { OperationDraft } from '../read/operation-draft.ts';
import type { DeclaredCase } from './declared-case.ts';
import { fromWire } from './wire-values.ts';

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
export function readCaseRequest(
  draft: OperationDraft,
  raw: unknown,
  defs: Defs,
): Request | { reason: string } {
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
