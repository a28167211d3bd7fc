/** A definition file, or a folder of them, read whole and checked, in the form in which it is kept. */

import { InputError } from '../../errors.ts';
import { CaseBudget } from '../cases/case-budget.ts';
import type { Cases } from '../cases/declared-case.ts';
import { readCases } from '../cases/read-cases.ts';
import { DefinitionError, refuse } from '../definition-error.ts';
import { checkTree } from '../read/check-tree.ts';
import { isDefinition, readDocument } from '../read/document.ts';
import { parseText, readText } from '../read/read-file.ts';
import { type ReadDefinition, readOperations } from '../read/read-operations.ts';
import { COMPILED_FORMAT, type Compiled } from './compiled.ts';
import { findSourceFiles } from './source-files.ts';

export interface CompiledFiles {
  files: Compiled[];
  /** Files of the folder that are no API definitions. */
  others: string[];
}

/** @throws InputError naming file, place and reason; nothing has been kept. */
export async function compileAll(path: string, now: Date): Promise<CompiledFiles> {
  const found = await findSourceFiles(path);
  const compiled: CompiledFiles = { files: [], others: [] };
  for (const file of found.files) {
    const definition = await compileFile({ ...file, now }, found.isFolder);
    if (definition === undefined) compiled.others.push(file.source);
    else compiled.files.push(definition);
  }
  if (compiled.files.length > 0) return compiled;
  throw new InputError(
    `${path}: holds no API definition.`,
    'A definition says "swagger": "2.0" or "openapi": "3.x" at its top.',
  );
}

export interface CompileInput {
  /** Absolute path. */
  source: string;
  /** Under which it will be listed. */
  name: string;
  now: Date;
}

/**
 * Undefined for a file that calls itself no API definition, where `others` are expected beside definitions.
 * @throws InputError naming file, place and reason.
 */
export async function compileFile(input: CompileInput, others = false): Promise<Compiled | undefined> {
  try {
    const { text, sha256 } = await readText(input.source);
    const root = await parseText(text, input.source);
    if (others && !isDefinition(root)) return undefined;
    return { ...(await compileRoot(root)), ...headOf(input), sha256 };
  } catch (error) {
    if (error instanceof DefinitionError) throw refuse(input.source, error);
    if (error instanceof RangeError)
      throw refuse(input.source, new DefinitionError('', 'is nested too deep to be read'));
    throw error;
  }
}

function headOf({ source, name, now }: CompileInput) {
  return { format: COMPILED_FORMAT, name, source, addedAt: now.toISOString() } as const;
}

async function compileRoot(root: unknown) {
  checkTree(root);
  const document = readDocument(root);
  const definition = await readOperations(document);
  if (definition.operations.length + definition.skipped.length === 0) {
    throw new DefinitionError('#/paths', 'holds no operation');
  }
  const { title, version } = document;
  const operations = definition.operations.map(({ draft }) => draft);
  return {
    title,
    version,
    defs: definition.defs,
    operations,
    skipped: definition.skipped,
    ...readAllCases(definition),
  };
}

function readAllCases({ operations, readers, defs }: ReadDefinition): Cases {
  const parts = { references: readers.references, defs, budget: new CaseBudget() };
  const found = operations.map((operation, index) => readCases(parts, operation, index));
  return { cases: found.flatMap(({ cases }) => cases), unusable: found.flatMap(({ unusable }) => unusable) };
}
