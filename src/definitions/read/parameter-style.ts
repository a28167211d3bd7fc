/** How the elements of a list parameter are put into the request: Swagger's collectionFormat, OpenAPI's style. */

import type { JsonSchema, Parameter } from '../../service/facts/operation.ts';

type Joining = Parameter['collectionFormat'];

/** `none`: the value cannot be put there as the file asks (an object, or a style of its own). */
export function joiningOf(raw: Readonly<Record<string, unknown>>, schema: JsonSchema): Joining | 'none' {
  const { style, in: place } = raw;
  if (style === 'matrix' || style === 'label' || style === 'deepObject') return 'none';
  if (schema.type === 'object' || schema.properties !== undefined) return 'none';
  if (schema.type !== 'array') return undefined;
  if (raw.schema === undefined || typeof raw.collectionFormat === 'string')
    return swaggerJoining(raw.collectionFormat);
  if (place !== 'query') return 'csv';
  if (raw.explode !== false)
    return style === undefined || style === 'form' || raw.explode === true ? 'multi' : openapiJoining(style);
  return openapiJoining(style);
}

function swaggerJoining(format: unknown): Joining {
  if (format === 'ssv' || format === 'tsv' || format === 'pipes' || format === 'multi') return format;
  return 'csv';
}

function openapiJoining(style: unknown): Joining {
  if (style === 'spaceDelimited') return 'ssv';
  return style === 'pipeDelimited' ? 'pipes' : 'csv';
}
