/** Reads every operation of a definition into one form, whatever its format. */

import { isJsonObject } from '../../base/json.ts';
import { type JsonSchema, METHODS, type Operation } from '../../service/facts/operation.ts';
import { DefinitionError, pointerTo } from '../definition-error.ts';
import { MAX_OPERATIONS } from '../limits.ts';
import { type DefinitionDocument, serverPath } from './document.ts';
import {
  checkPath,
  findIdempotencyKey,
  NotCallable,
  nameOf,
  type OperationDraft,
  parseRate,
  type SkippedOperation,
} from './operation-draft.ts';
import { type DefinitionReaders, readInputs } from './read-parameters.ts';
import { type Located, openReferences } from './references.ts';
import { SchemaReader } from './schema-reader.ts';

/** An operation with its source in the file, from which other modules read more. */
export interface ReadOperation {
  draft: OperationDraft;
  source: Located;
}

export interface ReadDefinition {
  operations: ReadOperation[];
  skipped: SkippedOperation[];
  /** The shapes that the operations refer to by `#/$defs/<name>`. */
  defs: Record<string, JsonSchema>;
  readers: DefinitionReaders;
}

const OTHER_METHODS = ['head', 'options', 'trace'] as const;

/**
 * Reads all operations.
 * @throws DefinitionError
 */
export async function readOperations(document: DefinitionDocument): Promise<ReadDefinition> {
  const references = await openReferences(document.root);
  const readers = { references, schemas: new SchemaReader(references) };
  const found: ReadDefinition = { operations: [], skipped: [], defs: {}, readers };
  for (const [path, item] of Object.entries(document.paths)) {
    if (path.startsWith('x-')) continue;
    readPath(document, path, item, found);
    if (found.operations.length + found.skipped.length > MAX_OPERATIONS) {
      throw new DefinitionError('#/paths', `holds more than ${MAX_OPERATIONS} operations`);
    }
  }
  refuseTwins(found.operations);
  return { ...found, defs: readers.schemas.defs };
}

function readPath(document: DefinitionDocument, path: string, item: unknown, found: ReadDefinition): void {
  const { readers } = found;
  const pointer = pointerTo('#/paths', path);
  checkPath(path, pointer);
  const pathItem = readers.references.open(item, pointer);
  for (const method of OTHER_METHODS) {
    if (isJsonObject(pathItem.value[method])) {
      found.skipped.push({
        operation: `${method.toUpperCase()} ${path}`,
        reason: 'the method answers with no body',
      });
    }
  }
  for (const method of METHODS) {
    const key = method.toLowerCase();
    if (pathItem.value[key] === undefined) continue;
    const source = readers.references.open(pathItem.value[key], pointerTo(pathItem.pointer, key));
    try {
      found.operations.push({
        draft: readOperation(readers, document, { path, method, pathItem, source }),
        source,
      });
    } catch (error) {
      if (!(error instanceof NotCallable)) throw error;
      found.skipped.push({ operation: `${method} ${path}`, reason: error.message });
    }
  }
}

interface PathEntry {
  path: string;
  method: Operation['method'];
  pathItem: Located;
  source: Located;
}

function readOperation(
  readers: DefinitionReaders,
  document: DefinitionDocument,
  entry: PathEntry,
): OperationDraft {
  const { source, pathItem, method } = entry;
  const path = basePathOf(document, entry) + entry.path;
  const names = checkPath(path, source.pointer);
  const inputs = readInputs(readers, source, pathItem);
  const isFilled = (name: string) => inputs.parameters.some((one) => one.in === 'path' && one.name === name);
  const unfilled = names.find((name) => !isFilled(name));
  if (unfilled !== undefined) {
    throw new DefinitionError(
      source.pointer,
      `the path has the placeholder {${unfilled}}, but no parameter describes it`,
    );
  }
  const parameters = inputs.parameters.filter((one) => one.in !== 'path' || names.includes(one.name));
  const { description, deprecated } = source.value;
  const [requestsPerSecond, burst] = (typeof description === 'string' && parseRate(description)) || [];
  const key = findIdempotencyKey(parameters, inputs.body?.schema, readers.schemas.defs);
  return {
    name: nameOf(source, method, entry.path),
    method,
    path,
    ...inputs,
    parameters,
    ...(requestsPerSecond !== undefined && {
      rate: { requestsPerSecond, ...(burst !== undefined && { burst }) },
    }),
    ...(key && { idempotencyKey: key }),
    ...(deprecated === true && { deprecated: true }),
    ...(pathItem.value['x-amzn-api-sandbox-only'] === true && { sandboxOnly: true }),
  };
}

/** OpenAPI allows a path or an operation to have servers of its own. */
function basePathOf(document: DefinitionDocument, { source, pathItem }: PathEntry): string {
  if (document.format === 'swagger') return document.basePath;
  for (const { value, pointer } of [source, pathItem]) {
    if (value.servers !== undefined) return serverPath(value.servers, pointerTo(pointer, 'servers'));
  }
  return document.basePath;
}

/**
 * Refuses two operations with the same name and method, from which IDs are built, or with the same method and
 * path.
 */
function refuseTwins(operations: readonly ReadOperation[]): void {
  const seen = new Map<string, string>();
  for (const { draft, source } of operations) {
    const endpoint = `${draft.method} ${draft.path.replace(/\{[^}]*\}/g, '{}')}`;
    for (const key of [`the operationId ${draft.name} with ${draft.method}`, `the operation ${endpoint}`]) {
      const first = seen.get(key);
      if (first !== undefined)
        throw new DefinitionError(source.pointer, `is ${key} a second time; the first is ${first}`);
      seen.set(key, source.pointer);
    }
  }
}
