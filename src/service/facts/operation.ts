/**
 * The single type of an operation of the service, whether the document, the public definitions or a user
 * describes it.
 */

import * as z from 'zod';
import type { Ending } from './endings.ts';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/**
 * The schema of a JSON Schema (draft-07 subset: type, properties, required, items, enum,
 * additionalProperties, bounds, `$ref` to `#/$defs/Name`). Members outside the subset (descriptions,
 * `$schema`) are dropped.
 */
export const jsonSchemaSchema = z.object({
  type: z.enum(['object', 'array', 'string', 'integer', 'number', 'boolean']).optional(),
  get properties() {
    return z.record(z.string(), jsonSchemaSchema).optional();
  },
  required: z.array(z.string()).readonly().optional(),
  get items() {
    return jsonSchemaSchema.optional();
  },
  enum: z
    .array(z.union([z.string(), z.number(), z.boolean()]))
    .readonly()
    .optional(),
  get additionalProperties() {
    return z.union([z.boolean(), jsonSchemaSchema]).optional();
  },
  format: z.string().optional(),
  pattern: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  multipleOf: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  /** True when null is accepted too (only with `type`). */
  nullable: z.boolean().optional(),
  $ref: z.string().optional(),
});
export type JsonSchema = z.infer<typeof jsonSchemaSchema>;

/**
 * The effect of an operation. A `request` asks for something (a report, an upload destination, a preview) and
 * changes nothing of the seller's.
 */
export type OperationEffect = 'read' | 'request' | 'write' | 'delete';

/**
 * The users of an operation: a `vendor` sells to the operator of the service; `external` means warehouses
 * that others run.
 */
export type Audience = 'vendor' | 'external';

export const parameterSchema = z.object({
  /** The name exactly as the service spells it. */
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean(),
  schema: jsonSchemaSchema,
  /** The way in which an array is joined into one value; `multi` repeats the name. */
  collectionFormat: z.enum(['csv', 'ssv', 'tsv', 'pipes', 'multi']).optional(),
});
export type Parameter = z.infer<typeof parameterSchema>;

export const bodySchema = z.object({ required: z.boolean(), schema: jsonSchemaSchema });

/** The members that every source of an operation has, the facts file and a user's alike. */
export const describedSchema = z.object({
  name: z.string(),
  method: z.enum(METHODS),
  /** The path template with `{name}` placeholders, from the root of the base address. */
  path: z.string().startsWith('/'),
  /** The known default rate limit: requests per second, and the burst. */
  rate: z
    .object({ requestsPerSecond: z.number().positive(), burst: z.number().min(1).optional() })
    .optional(),
  /** The idempotency key, if the service accepts one: a header, or a top-level body member. */
  idempotencyKey: z.object({ in: z.enum(['header', 'body']), name: z.string() }).optional(),
  deprecated: z.boolean().optional(),
  /** True when it answers only in the service's sandbox, never in production. */
  sandboxOnly: z.boolean().optional(),
});

/** The paging of a list. Paths are dotted from the answer's root. */
export const pagingSchema = z.strictObject({
  /** `token`: the request takes the previous page's token; `offset`: it takes the number of items to skip. */
  by: z.enum(['token', 'offset']),
  /** A query parameter, or a dotted path of the body. */
  input: z.strictObject({ in: z.enum(['query', 'body']), name: z.string() }),
  /** The path of the next page's token (absent or empty on the last page), or of the number of items. */
  output: z.string(),
  /** The path of the list of items; with `.*` at its end, each member of the object before it is a list. */
  list: z.string(),
  /** The dotted path of an item's unique member; absent when there is none. */
  key: z.string().optional(),
  /** True when the token has to be sent without any optional parameter. */
  alone: z.literal(true).optional(),
  /** Parameters that have another value with a token, by name. */
  with: z.record(z.string(), z.string()).optional(),
});
export type Paging = z.infer<typeof pagingSchema>;

/** A query parameter's value with which a write is only checked, and nothing is changed. */
export const previewModeSchema = z.strictObject({ parameter: z.string(), value: z.string() });
export type PreviewMode = z.infer<typeof previewModeSchema>;

/** A read operation that belongs to a write, with the source of each parameter. */
export interface RelatedRead {
  /** The ID of the operation. */
  operation: string;
  parameters: Readonly<Record<string, RelatedReadValue>>;
}

/** A parameter of the write, a dotted path of its body or answer, or (`constant`) the value itself. */
export interface RelatedReadValue {
  from: 'parameter' | 'body' | 'answer' | 'constant';
  name: string;
}

/** A member of a 2xx answer that shows that the call, or one of its items, was not accepted. */
export interface RefusalSign {
  /** The path from the answer's root; after `[]` each item of the list is checked by itself. */
  member: string;
  /**
   * The refusal condition. `filled`: the member is not empty; `status`: an HTTP status of 300 or more;
   * otherwise the values that mean a refusal.
   */
  when: 'filled' | 'status' | readonly string[];
}

/** The names and types of a 2xx answer. */
export interface AnswerShape {
  schema: JsonSchema;
  /** The named schemas that it refers to by `$ref: '#/$defs/<name>'`. */
  defs: Readonly<Record<string, JsonSchema>>;
}

export interface Operation extends z.infer<typeof describedSchema> {
  /** `<group>/<name>`, with `@<version>` if a group has the name twice. The ID is stable and exact. */
  id: string;
  /** Former IDs, which are found but never listed. */
  formerIds?: readonly string[];
  /** The group of section 4.4 or of the further public operations, or the title of a user's definition. */
  group: string;
  /** The users of the operation, if it is not for every seller. */
  audience?: Audience;
  /**
   * The edition of the facts that added it; a bare name belongs to the group that had it first. Absent for a
   * user's operation.
   */
  edition?: number;
  version?: string;
  parameters: readonly Parameter[];
  body?: z.infer<typeof bodySchema>;
  /** The named schemas that `body` refers to by `$ref: '#/$defs/<name>'`. */
  defs?: Readonly<Record<string, JsonSchema>>;
  effect: OperationEffect;
  /**
   * `seller`: access token of the account; `restricted`: a restricted data token; `grantless`: a
   * client_credentials token with `scope`.
   */
  auth: { kind: 'seller' } | { kind: 'restricted' } | { kind: 'grantless'; scope: string };
  /** The paging of an operation that returns a list in pages. */
  paging?: Paging;
  /** The operation that shows the state that a write changes. */
  state?: RelatedRead;
  /** The operation that reports the progress and outcome of work that this one only starts. */
  progress?: RelatedRead;
  /** The response schema of a user's definition; answer-shapes.ts has all others. */
  answer?: AnswerShape;
  /** The signs in a 2xx answer that something was not accepted. */
  refusals?: readonly RefusalSign[];
  /** The parameter that makes a write count as a request. */
  previewMode?: PreviewMode;
  /** Present when it is deprecated, or its removal has a date. */
  ending?: Ending;
  /**
   * The source of the description. `document`: the interface document; `definitions`: public definitions;
   * `user`: a file that the user added.
   */
  source: 'document' | 'definitions' | 'both' | 'user';
}
