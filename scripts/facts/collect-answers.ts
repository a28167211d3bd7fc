/** Collects the answers of the reading operations of all files, in the notation of the facts file. */

import { bareAnswers, type ResponseShapes } from '../../src/service/facts/answer-shapes.ts';
import { effectOf } from '../../src/service/facts/effects.ts';
import type { JsonSchema } from '../../src/service/facts/operation.ts';
import type { KnownOfFile } from './collect.ts';
import { encodeSchema } from './compact.ts';
import type { PublicDefinition } from './read-definition.ts';

/** Files without any are left out. */
export function collectAnswers(
  definitions: Readonly<Record<string, PublicDefinition>>,
  known: readonly KnownOfFile[],
): ResponseShapes {
  const files = Object.entries(definitions).map(([file, { answerDefs }]) => {
    const answered = known
      .filter((one) => one.file === file && effectOf(one.id, one.method) === 'read')
      .flatMap(({ id, answers }) => {
        const shape = answers.find(({ members }) => members.length > 0)?.schema;
        return shape === undefined ? [] : [[id, shape] as const];
      });
    const bare = bareAnswers(answered, answerDefs);
    return [
      file,
      { answers: encodeEach(bare.answers), defs: encodeEach(Object.entries(bare.defs)) },
    ] as const;
  });
  return Object.fromEntries(files.filter(([, { answers }]) => Object.keys(answers).length > 0));
}

function encodeEach(shapes: readonly (readonly [string, JsonSchema])[]): Record<string, unknown> {
  return Object.fromEntries(shapes.map(([name, shape]) => [name, encodeSchema(shape)]));
}
