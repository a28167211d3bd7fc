/** Reads the parameters and body of one operation, from either format, into one form. */

import * as z from 'zod';
import { isJsonObject } from '../../base/json.ts';
import { quoteName } from '../../base/text/quote-name.ts';
import type { JsonSchema, Parameter } from '../../service/facts/operation.ts';
import { isSettableHeader } from '../../service/facts/parameters.ts';
import { DefinitionError, pointerTo } from '../definition-error.ts';
import { MAX_PARAMETERS } from '../limits.ts';
import { checkName } from './check-name.ts';
import { NotCallable, type OperationDraft } from './operation-draft.ts';
import type { Located, References } from './references.ts';
import type { SchemaReader } from './schema-reader.ts';

export type OperationInputs = Pick<OperationDraft, 'parameters' | 'body'>;

export interface DefinitionReaders {
  references: References;
  schemas: SchemaReader;
}

const LOCATIONS = ['path', 'query', 'header', 'cookie', 'body', 'formData'] as const;
const parameterSchema = z.looseObject({
  name: z.string('is missing or not a text').min(1, 'is empty'),
  in: z.enum(LOCATIONS, `is none of ${LOCATIONS.join(', ')}`),
  required: z.boolean('is not true or false').optional(),
});
type RawParameter = z.infer<typeof parameterSchema> & { pointer: string };

/**
 * The client sets the headers for transport and access token itself, although an operation may require them.
 */
const OWN_HEADERS = new Set(['accept', 'content-type', 'authorization', 'x-amz-access-token', 'user-agent']);

/**
 * Reads the inputs; the operation's own parameters come before those of its path.
 * @throws DefinitionError | NotCallable
 */
export function readInputs(
  readers: DefinitionReaders,
  operation: Located,
  pathItem: Located,
): OperationInputs {
  const own = listParameters(readers, operation);
  const isOwn = ({ name, in: location }: RawParameter) =>
    own.some((one) => one.name === name && one.in === location);
  const all = [...own, ...listParameters(readers, pathItem).filter((parameter) => !isOwn(parameter))];
  if (all.length > MAX_PARAMETERS)
    throw new DefinitionError(operation.pointer, `takes more than ${MAX_PARAMETERS} parameters`);
  const parameters = all
    .filter((parameter) => !(parameter.in === 'header' && OWN_HEADERS.has(parameter.name.toLowerCase())))
    .flatMap((parameter) => readParameter(readers, parameter) ?? []);
  const sameName = parameters.find(({ name }, i) => parameters.findIndex((one) => one.name === name) !== i);
  if (sameName !== undefined) throw new NotCallable(`takes ${quoteName(sameName.name)} in two places`);
  return { parameters, ...readBody(readers, operation, all) };
}

function listParameters({ references }: DefinitionReaders, { value, pointer }: Located): RawParameter[] {
  const at = pointerTo(pointer, 'parameters');
  if (value.parameters === undefined) return [];
  if (!Array.isArray(value.parameters)) throw new DefinitionError(at, 'is not a list');
  if (value.parameters.length > MAX_PARAMETERS)
    throw new DefinitionError(at, `lists more than ${MAX_PARAMETERS} parameters`);
  const list = value.parameters.map((entry: unknown, i): RawParameter => {
    const found = references.open(entry, pointerTo(at, i));
    const parsed = parameterSchema.safeParse(found.value);
    if (parsed.success) {
      checkName(parsed.data.name, pointerTo(found.pointer, 'name'));
      return { ...parsed.data, pointer: found.pointer };
    }
    const [issue] = parsed.error.issues;
    throw new DefinitionError(
      pointerTo(found.pointer, ...(issue?.path.map(String) ?? [])),
      issue?.message ?? 'is wrong',
    );
  });
  const twice = list.findIndex(({ name, in: location }, i) =>
    list.slice(0, i).some((one) => one.name === name && one.in === location),
  );
  if (twice >= 0)
    throw new DefinitionError(
      pointerTo(at, twice),
      `names the parameter ${quoteName(list[twice]?.name ?? '')} a second time`,
    );
  return list;
}

function readParameter({ schemas }: DefinitionReaders, raw: RawParameter): Parameter | undefined {
  const { name, in: location, required = false } = raw;
  if (location === 'body') return undefined;
  if (location === 'header' && !isSettableHeader(name)) {
    if (required) throw new NotCallable(reasonFor(location, name));
    return undefined;
  }
  const schema = schemaOf(schemas, raw);
  const listFormat = listFormatOf(raw, schema);
  if (location === 'cookie' || location === 'formData' || listFormat === 'none') {
    if (required) throw new NotCallable(reasonFor(location, name));
    return undefined;
  }
  const parameter = { name, in: location, required: required || location === 'path', schema };
  return listFormat === undefined ? parameter : { ...parameter, collectionFormat: listFormat };
}

function reasonFor(location: RawParameter['in'], name: string): string {
  if (location === 'cookie') return `needs the cookie ${quoteName(name)}`;
  if (location === 'header') return `needs the header ${quoteName(name)}, which a definition cannot set`;
  return location === 'formData'
    ? 'takes a form, not JSON'
    : `takes the object ${quoteName(name)} outside its body`;
}

/**
 * Returns the schema, written out without named shapes. OpenAPI has it under `schema`, Swagger in the
 * parameter itself; a parameter with `content` is JSON text.
 */
function schemaOf(schemas: SchemaReader, raw: RawParameter) {
  const { pointer, required: _, name: _name, in: _in, ...facts } = raw;
  if (facts.content !== undefined) return { type: 'string' } as const;
  if (facts.schema !== undefined) return schemas.readWhole(facts.schema, pointerTo(pointer, 'schema'));
  return schemas.readWhole(facts, pointer);
}

function readBody(
  readers: DefinitionReaders,
  operation: Located,
  all: readonly RawParameter[],
): Pick<OperationInputs, 'body'> {
  const raw = all.find((parameter) => parameter.in === 'body');
  if (raw !== undefined) {
    const schema = readers.schemas.read(raw.schema, pointerTo(raw.pointer, 'schema'));
    return { body: { required: raw.required ?? false, schema } };
  }
  const { requestBody } = operation.value;
  if (requestBody === undefined) return {};
  const { value, pointer } = readers.references.open(
    requestBody,
    pointerTo(operation.pointer, 'requestBody'),
  );
  const media = jsonMedia(value.content);
  if (media === undefined) {
    if (value.required === true) throw new NotCallable('takes a body that is not JSON');
    return {};
  }
  const schema = readers.schemas.read(
    media.value.schema,
    pointerTo(pointer, 'content', media.type, 'schema'),
  );
  return { body: { required: value.required === true, schema } };
}

/** Returns the JSON media type of a body or response, preferring `application/json`. */
export function jsonMedia(content: unknown): { type: string; value: Record<string, unknown> } | undefined {
  if (!isJsonObject(content)) return undefined;
  const types = Object.keys(content).filter((type) =>
    /^(application\/json|[\w.+/-]+\+json|\*\/\*|application\/\*)\s*(;|$)/i.test(type),
  );
  const type = types.find((one) => /^application\/json/i.test(one)) ?? types[0];
  const value = type === undefined ? undefined : content[type];
  return type !== undefined && isJsonObject(value) ? { type, value } : undefined;
}

type ListFormat = Parameter['collectionFormat'];

/**
 * Returns how a list is joined. `none` means that the value cannot be sent as the file requires (an object,
 * or a special style).
 */
function listFormatOf(raw: Readonly<Record<string, unknown>>, schema: JsonSchema): ListFormat | 'none' {
  const { style, in: location } = raw;
  if (style === 'matrix' || style === 'label' || style === 'deepObject') return 'none';
  if (schema.type === 'object' || schema.properties !== undefined) return 'none';
  if (schema.type !== 'array') return undefined;
  if (raw.schema === undefined || typeof raw.collectionFormat === 'string')
    return swaggerFormat(raw.collectionFormat);
  if (location !== 'query') return 'csv';
  if (raw.explode !== false)
    return style === undefined || style === 'form' || raw.explode === true ? 'multi' : openapiFormat(style);
  return openapiFormat(style);
}

function swaggerFormat(format: unknown): ListFormat {
  if (format === 'ssv' || format === 'tsv' || format === 'pipes' || format === 'multi') return format;
  return 'csv';
}

function openapiFormat(style: unknown): ListFormat {
  if (style === 'spaceDelimited') return 'ssv';
  return style === 'pipeDelimited' ? 'pipes' : 'csv';
}
