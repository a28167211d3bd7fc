/** The facts of several definition files together: ids first, since what goes with what is told by ids. */

import type { Facts } from '../../src/service/facts/facts-file.ts';
import { definitionFiles } from '../../src/service/facts/groups.ts';
import { type IdParts, idsOf } from '../../src/service/facts/operation-ids.ts';
import { encodeSchema } from './compact.ts';
import { encodeOperation } from './encode-operation.ts';
import type { Known } from './find-readings.ts';
import type { PublicDefinition } from './read-definition.ts';
import { recognise } from './recognise.ts';

export interface Collected {
  files: Facts['files'];
  /** The decisions that a reviewer has to make before the facts are complete. */
  problems: string[];
}

/** One operation with what its file says of it. */
export interface KnownOfFile extends Known, IdParts {
  file: string;
}

/**
 * @param definitions name of the file (one of `definitionFiles`) -> what it holds.
 * @param beside operations of files that are not among them: an id depends on all that share its name.
 */
export function collectFacts(
  definitions: Readonly<Record<string, PublicDefinition>>,
  beside: readonly IdParts[] = [],
): Collected {
  const known = listKnown(definitions, beside);
  const problems: string[] = [];
  const files = Object.entries(definitions).map(([file, { version, defs }]) => {
    const own = known.filter((one) => one.file === file);
    const readers = own.filter(({ method }) => method === 'GET');
    const operations = own.map((one) => {
      const recognised = recognise(one, readers);
      problems.push(...recognised.problems.map((problem) => `${one.id}: ${problem}`));
      return encodeOperation(one.draft, recognised);
    });
    const shapes = Object.entries(defs).map(([name, schema]) => [name, encodeSchema(schema)]);
    return [file, { version, defs: Object.fromEntries(shapes), operations }] as const;
  });
  return { files: Object.fromEntries(files), problems };
}

/** The operations of all files, each with its id. */
export function listKnown(
  definitions: Readonly<Record<string, PublicDefinition>>,
  beside: readonly IdParts[] = [],
): KnownOfFile[] {
  const found = Object.entries(definitions).flatMap(([file, { version, defs, operations }]) => {
    const definitionFile = definitionFiles[file];
    if (definitionFile === undefined) throw new Error(`${file} belongs to no group`);
    return operations.map(({ draft, answers }) => ({
      file,
      version,
      defs,
      draft,
      answers,
      slug: definitionFile.group.slug,
      edition: definitionFile.edition,
      name: draft.name,
      method: draft.method,
    }));
  });
  const ids = idsOf([...found, ...beside]);
  return found.map((one, index) => ({ ...one, id: ids[index] ?? '' }));
}
