/** The members of an operation's 2xx answers, by dotted path, for whoever looks for tokens, lists, ids and refusals in them. */

import { readAnswerBodies } from '../../src/definitions/read/read-answers.ts';
import type { ReadOperation } from '../../src/definitions/read/read-operations.ts';
import type { DefinitionReaders } from '../../src/definitions/read/read-parameters.ts';
import type { JsonSchema } from '../../src/service/facts/operation.ts';
import { resolveSchema, type SchemaDefs } from '../../src/service/facts/schema-parts.ts';

export interface AnswerMember {
  /** Dotted from the answer's root; `[]` after a list stands for every item. */
  path: string;
  schema: JsonSchema;
  required: boolean;
}

export interface Answer {
  status: number;
  schema: JsonSchema;
  members: AnswerMember[];
}

const DEEPEST = 24;

/** Empty where no 2xx answer has a body. */
export function readAnswers(readers: DefinitionReaders, { source }: ReadOperation): Answer[] {
  return readAnswerBodies(readers, source).map(({ status, schema }) => ({
    status,
    schema,
    members: listMembers(schema, readers.schemas.defs),
  }));
}

/** All members that a shape names, at any depth; one that holds itself is followed once. */
export function listMembers(root: JsonSchema, defs: SchemaDefs): AnswerMember[] {
  const found: AnswerMember[] = [];
  const visit = (part: JsonSchema, path: string, required: boolean, above: readonly JsonSchema[]): void => {
    const schema = resolveSchema(part, defs);
    if (above.includes(schema) || above.length > DEEPEST) return;
    if (path !== '') found.push({ path, schema, required });
    const inside = [...above, schema];
    if (schema.items !== undefined) visit(schema.items, `${path}[]`, true, inside);
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const at = path === '' ? name : `${path}.${name}`;
      visit(member, at, schema.required?.includes(name) === true, inside);
    }
  };
  visit(root, '', true, []);
  return found;
}

/** `payload.pagination.nextToken` -> `payload.pagination`; the root is empty. */
export function parentOf(path: string): string {
  const dot = path.lastIndexOf('.');
  return dot < 0 ? '' : path.slice(0, dot);
}

/** `payload.Orders[]` -> `Orders[]`. */
export function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
