/** Finds the header or top-level body member by which a service knows a repeated request. */

import type { JsonSchema, Operation, Parameter } from '../../service/facts/operation.ts';
import { type Defs, resolveSchema } from '../../service/facts/schema-parts.ts';

const BODY_KEY = /^(idempotency(key|token)?|client(request)?token)$/i;

export function findIdempotencyKey(
  parameters: readonly Parameter[],
  body: JsonSchema | undefined,
  defs: Defs,
): Operation['idempotencyKey'] {
  const header = parameters.find(
    (parameter) => parameter.in === 'header' && /idempoten/i.test(parameter.name),
  );
  if (header !== undefined) return { in: 'header', name: header.name };
  const shape = body === undefined ? {} : resolveSchema(body, defs);
  const member = Object.keys(shape.properties ?? {}).find((name) => BODY_KEY.test(name));
  return member === undefined ? undefined : { in: 'body', name: member };
}
