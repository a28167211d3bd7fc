/**
 * Reads the 2xx responses of operations in either format. They are only described, so unreadable ones are
 * left out.
 */

import { isJsonObject } from '../../base/json.ts';
import { bareAnswers } from '../../service/facts/answer-shapes.ts';
import type { JsonSchema } from '../../service/facts/operation.ts';
import { DefinitionError, pointerTo } from '../definition-error.ts';
import type { OperationDraft } from './operation-draft.ts';
import type { ReadDefinition, ReadOperation } from './read-operations.ts';
import { type DefinitionReaders, jsonMedia } from './read-parameters.ts';
import type { Located } from './references.ts';
import { SchemaReader } from './schema-reader.ts';

export interface AnswerBody {
  status: number;
  schema: JsonSchema;
}

/**
 * Reads the response bodies; the schema is empty when a response has no JSON body.
 * @throws DefinitionError
 */
export function readAnswerBodies(
  { references, schemas }: DefinitionReaders,
  { value, pointer }: Located,
): AnswerBody[] {
  const { responses } = value;
  if (!isJsonObject(responses)) return [];
  return Object.entries(responses)
    .filter(([code]) => /^2\d\d$/.test(code))
    .map(([code, given]) => {
      const response = references.open(given, pointerTo(pointer, 'responses', code));
      const media = jsonMedia(response.value.content);
      const source = media === undefined ? response.value.schema : media.value.schema;
      const schema = schemas.read(source, pointerTo(response.pointer, 'schema'));
      return { status: Number(code), schema };
    });
}

export interface WithAnswers {
  operations: OperationDraft[];
  /** The shapes that the responses refer to by `#/$defs/<name>`. */
  answerDefs: Record<string, JsonSchema>;
}

/** Returns the operations, with the response schema of those that read. */
export function readAnswerShapes({ operations, readers }: ReadDefinition): WithAnswers {
  // The size of responses does not count against the limit of requests.
  const own = { references: readers.references, schemas: new SchemaReader(readers.references) };
  const answered = operations.flatMap(({ draft, source }) => {
    const answer = answerOf({ draft, source }, own);
    return answer === undefined ? [] : [[draft, answer] as const];
  });
  const { answers, defs } = bareAnswers(answered, own.schemas.defs);
  const shapes = new Map(answers);
  return {
    operations: operations.map(({ draft }) => {
      const answer = shapes.get(draft);
      return answer === undefined ? draft : { ...draft, answer };
    }),
    answerDefs: defs,
  };
}

function answerOf({ draft, source }: ReadOperation, readers: DefinitionReaders): JsonSchema | undefined {
  if (draft.method !== 'GET') return undefined;
  try {
    return readAnswerBodies(readers, source).find(({ schema }) => Object.keys(schema).length > 0)?.schema;
  } catch (error) {
    if (error instanceof DefinitionError) return undefined;
    throw error;
  }
}
