/** A file or a folder of definitions, compiled whole: one that is malformed refuses all of them. */

import { InputError } from '../../errors.ts';
import { compileFile } from './compile.ts';
import type { Compiled } from './compiled.ts';
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
