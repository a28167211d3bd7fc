/** The operations that the document describes in full, as records (sections 4.2 and 4.3). */

import * as z from 'zod';
import { supplySourceSchema } from '../shapes/supply-source.ts';
import { endings } from './generated/endings.ts';
import { type JsonSchema, jsonSchemaSchema, type Operation } from './operation.ts';

/**
 * Section 4.2: deprecated, and withdrawn from catalog v0 on 2022-09-30. The length bound is ours, because
 * section 8 has none.
 */
export const catalogItemV0: Operation = {
  id: 'catalog-v0/getCatalogItem',
  group: 'Catalog v0 (deprecated)',
  name: 'getCatalogItem',
  method: 'GET',
  edition: 1,
  path: '/catalog/v0/items/{asin}',
  version: 'v0',
  parameters: [
    { name: 'asin', in: 'path', required: true, schema: { type: 'string', minLength: 1, maxLength: 100 } },
    { name: 'MarketplaceId', in: 'query', required: true, schema: { type: 'string', minLength: 1 } },
  ],
  effect: 'read',
  auth: { kind: 'seller' },
  deprecated: true,
  ending: endings['catalog-v0/getCatalogItem'],
  source: 'document',
};

/** Returns the document's own record of an operation that it describes in full. */
export function documentOf({ id }: Operation): Operation | undefined {
  return [catalogItemV0, supplySourceWrite()].find((one) => one.id === id);
}

let supplySource: Operation | undefined;

/**
 * Returns the supply source write of section 4.3, as only the document describes it (the body is section 2.4,
 * from its zod schema). Its name `updateSupplySource`, and the supply source ID as the last path segment, are
 * our decisions.
 */
export function supplySourceWrite(): Operation {
  supplySource ??= buildSupplySourceWrite();
  return supplySource;
}

function buildSupplySourceWrite(): Operation {
  const { schema, defs } = bodyFromZod(supplySourceSchema);
  return {
    id: 'supply-sources/updateSupplySource',
    group: 'Supply Sources',
    name: 'updateSupplySource',
    method: 'PUT',
    edition: 1,
    path: '/supplySources/2020-07-01/supplySources/{supplySourceId}',
    version: '2020-07-01',
    parameters: [
      {
        name: 'supplySourceId',
        in: 'path',
        required: true,
        schema: { type: 'string', minLength: 1, maxLength: 256 },
      },
    ],
    body: { required: true, schema },
    defs,
    effect: 'write',
    auth: { kind: 'seller' },
    source: 'document',
  };
}

const withDefs = z.object({ $defs: z.record(z.string(), jsonSchemaSchema).optional() });

/** Converts a zod schema into an operation's body; named sub-objects (`.meta({ id })`) become `defs`. */
function bodyFromZod(schema: z.ZodType): {
  schema: JsonSchema;
  defs: Readonly<Record<string, JsonSchema>>;
} {
  const json = z.toJSONSchema(schema, { io: 'input', override: dropSafeIntegerBounds });
  return { schema: jsonSchemaSchema.parse(json), defs: withDefs.parse(json).$defs ?? {} };
}

/**
 * Removes the bounds of JavaScript's safe integers, which zod adds and which are no fact about the service.
 */
function dropSafeIntegerBounds({ jsonSchema }: { jsonSchema: { minimum?: number; maximum?: number } }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
