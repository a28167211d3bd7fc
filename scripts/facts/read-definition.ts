/** Reads one public definition file, as a user's would be read, with what its answers look like. */

import { DefinitionError } from '../../src/definitions/definition-error.ts';
import { checkTree } from '../../src/definitions/read/check-tree.ts';
import { readDocument } from '../../src/definitions/read/document.ts';
import type { OperationDraft } from '../../src/definitions/read/operation-draft.ts';
import { readOperations } from '../../src/definitions/read/read-operations.ts';
import type { JsonSchema } from '../../src/service/facts/operation.ts';
import { type Answer, readAnswers } from './answer-members.ts';

export interface PublicDefinition {
  version: string;
  /** Shapes that requests refer to. */
  defs: Record<string, JsonSchema>;
  /** The schemas that answers refer to, too. */
  answerDefs: Record<string, JsonSchema>;
  operations: { draft: OperationDraft; answers: Answer[] }[];
}

/** @throws Error when the file is not a definition, or holds an operation that cannot be called. */
export async function readDefinition(source: unknown): Promise<PublicDefinition> {
  try {
    checkTree(source);
    const document = readDocument(source);
    // The shapes of requests alone: those of answers are met later, by the same reader.
    const { operations, skipped, defs, readers } = await readOperations(document);
    const [lost] = skipped;
    if (lost !== undefined) throw new Error(`${lost.operation} ${lost.reason}`);
    const answered = operations.map((one) => ({ draft: one.draft, answers: readAnswers(readers, one) }));
    return { version: document.version, defs, operations: answered, answerDefs: readers.schemas.defs };
  } catch (error) {
    if (error instanceof DefinitionError)
      throw new Error(`${error.place}: ${error.message}`, { cause: error });
    throw error;
  }
}
