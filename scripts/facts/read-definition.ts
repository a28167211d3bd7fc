/** Turns one public definition file, read as a user's would be, into the facts file's notation. */

import { DefinitionError } from '../../src/definitions/definition-error.ts';
import { checkTree } from '../../src/definitions/read/check-tree.ts';
import { readDocument } from '../../src/definitions/read/document.ts';
import type { OperationDraft } from '../../src/definitions/read/operation-draft.ts';
import { readOperations } from '../../src/definitions/read/read-operations.ts';
import type { Facts, OperationFacts } from '../../src/service/facts/facts.ts';
import type { JsonSchema, Parameter } from '../../src/service/facts/operation.ts';
import { encodeSchema } from './compact.ts';

type FileFacts = Facts['files'][string];

/** @throws Error when the file is not a definition, or contains an operation that cannot be called. */
export async function readDefinition(source: unknown): Promise<FileFacts> {
  try {
    checkTree(source);
    const document = readDocument(source);
    const { operations, skipped, defs } = await readOperations(document);
    const [lost] = skipped;
    if (lost !== undefined) throw new Error(`${lost.operation} ${lost.reason}`);
    return {
      version: document.version,
      defs: encodeAll(defs),
      operations: operations.map(({ draft }) => encodeOperation(draft)),
    };
  } catch (error) {
    if (error instanceof DefinitionError)
      throw new Error(`${error.place}: ${error.message}`, { cause: error });
    throw error;
  }
}

function encodeOperation(draft: OperationDraft): OperationFacts {
  const { name, method, path, parameters, body, rate, idempotencyKey: key } = draft;
  return {
    name,
    method,
    path,
    ...(parameters.length > 0 && {
      parameters: Object.fromEntries(parameters.map((one) => [keyOf(one), encodeSchema(one.schema)])),
    }),
    ...(body && { body: encodeSchema(body.schema) }),
    ...(body && !body.required && { bodyOptional: true }),
    ...(rate && { rate: [rate.requestsPerSecond, rate.burst ?? 1] }),
    ...(key && { key: `${key.in} ${key.name}` }),
    ...(draft.deprecated && { deprecated: true }),
    ...(draft.sandboxOnly && { sandboxOnly: true }),
  };
}

function keyOf({ name, in: place, required, collectionFormat = 'csv' }: Parameter): string {
  const joining = collectionFormat === 'csv' ? '' : `${collectionFormat} `;
  return `${place} ${joining}${name}${required ? '*' : ''}`;
}

function encodeAll(defs: Readonly<Record<string, JsonSchema>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(defs).map(([name, schema]) => [name, encodeSchema(schema)]));
}
