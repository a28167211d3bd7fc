/** Reads one Swagger 2.0 file into its facts. */

import * as z from 'zod';
import { isRecord } from '../../src/service/compact-schema.ts';
import type { Facts, OperationFacts } from '../../src/service/facts.ts';
import type { JsonSchema } from '../../src/service/operation.ts';
import { encodeSchema } from './compact.ts';
import { parseRate } from './rate.ts';
import { SwaggerSchemas } from './swagger-schema.ts';

type FileFacts = Facts['files'][string];

const parameterSchema = z.looseObject({
  name: z.string(),
  in: z.enum(['path', 'query', 'header', 'body']),
  required: z.boolean().default(false),
  collectionFormat: z.enum(['csv', 'ssv', 'tsv', 'pipes', 'multi']).default('csv'),
  schema: z.unknown().optional(),
});
type SwaggerParameter = z.infer<typeof parameterSchema>;

const operationSchema = z.looseObject({
  operationId: z.string(),
  description: z.string().default(''),
  parameters: z.array(parameterSchema).default([]),
  deprecated: z.boolean().default(false),
});

const definitionSchema = z.looseObject({
  swagger: z.literal('2.0'),
  info: z.looseObject({ version: z.string() }),
  basePath: z.string().default(''),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  definitions: z.record(z.string(), z.unknown()).default({}),
});

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
const methodName = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
const pathParameters = z.array(parameterSchema);

/** @throws ZodError | Error when the file is not a Swagger 2.0 definition of the expected shape. */
export function readDefinition(source: unknown): FileFacts {
  const file = definitionSchema.parse(source);
  const schemas = new SwaggerSchemas(file.definitions);
  const operations = Object.entries(file.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => isRecord(item[method]))
      .map((method) =>
        readOperation(schemas, {
          method: methodName.parse(method.toUpperCase()),
          path: file.basePath.replace(/\/$/, '') + path,
          shared: pathParameters.parse(item.parameters ?? []),
          sandboxOnly: item['x-amzn-api-sandbox-only'] === true,
          operation: operationSchema.parse(item[method]),
        }),
      ),
  );
  return { version: file.info.version, defs: encodeAll(schemas.defs), operations };
}

interface Source {
  method: z.infer<typeof methodName>;
  path: string;
  shared: SwaggerParameter[];
  sandboxOnly: boolean;
  operation: z.infer<typeof operationSchema>;
}

function readOperation(schemas: SwaggerSchemas, source: Source): OperationFacts {
  const { operation } = source;
  const all = [...operation.parameters, ...source.shared];
  const body = all.find((parameter) => parameter.in === 'body');
  const bodySchema = body && schemas.read(body.schema);
  const flat = all.filter((parameter) => parameter.in !== 'body');
  const rate = parseRate(operation.description);
  const key = findKey(flat, bodySchema, schemas.defs);
  return {
    name: operation.operationId,
    method: source.method,
    path: source.path,
    ...(flat.length > 0 && {
      parameters: Object.fromEntries(
        flat.map((parameter) => [
          keyOf(parameter),
          encodeSchema(schemas.read({ ...parameter, required: undefined })),
        ]),
      ),
    }),
    ...(bodySchema && { body: encodeSchema(bodySchema) }),
    ...(body && !body.required && { bodyOptional: true }),
    ...(rate && { rate }),
    ...(key && { key }),
    ...(operation.deprecated && { deprecated: true }),
    ...(source.sandboxOnly && { sandboxOnly: true }),
  };
}

function keyOf(parameter: SwaggerParameter): string {
  const isJoined = parameter.type === 'array' && parameter.collectionFormat !== 'csv';
  const joining = isJoined ? `${parameter.collectionFormat} ` : '';
  return `${parameter.in} ${joining}${parameter.name}${parameter.required ? '*' : ''}`;
}

const bodyKey = /^(idempotency(key|token)?|client(request)?token)$/i;

/** A header or top-level body member by which the service knows a repeated request. */
function findKey(
  flat: readonly SwaggerParameter[],
  body: JsonSchema | undefined,
  defs: Readonly<Record<string, JsonSchema>>,
): string | undefined {
  const header = flat.find((parameter) => parameter.in === 'header' && /idempoten/i.test(parameter.name));
  if (header) return `header ${header.name}`;
  const shape = body?.$ref === undefined ? body : defs[body.$ref.replace('#/$defs/', '')];
  const member = Object.keys(shape?.properties ?? {}).find((name) => bodyKey.test(name));
  return member && `body ${member}`;
}

function encodeAll(defs: Readonly<Record<string, JsonSchema>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(defs).map(([name, schema]) => [name, encodeSchema(schema)]));
}
