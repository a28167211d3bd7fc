/** The one shape of an operation of the service, whether the document, the public definitions or a user described it. */

import * as z from 'zod';
import type { Ending } from './endings.ts';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/**
 * A JSON Schema (draft-07 subset: type, properties, required, items, enum, additionalProperties, bounds, `$ref` to
 * `#/$defs/Name`). Members outside the subset (descriptions, `$schema`) are dropped.
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
  /** Null is accepted too (only beside `type`). */
  nullable: z.boolean().optional(),
  $ref: z.string().optional(),
});
export type JsonSchema = z.infer<typeof jsonSchemaSchema>;

/** `request`: asks for something (a report, a place to upload to, a preview) that changes nothing of the seller's. */
export type Effect = 'read' | 'request' | 'write' | 'delete';

/** `vendor`: those who sell to the operator of the service; `external`: warehouses run by others. */
export type Audience = 'vendor' | 'external';

export const parameterSchema = z.object({
  /** Exactly as the service spells it. */
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean(),
  schema: jsonSchemaSchema,
  /** How an array is put into one value; `multi` repeats the name. */
  collectionFormat: z.enum(['csv', 'ssv', 'tsv', 'pipes', 'multi']).optional(),
});
export type Parameter = z.infer<typeof parameterSchema>;

export const bodySchema = z.object({ required: z.boolean(), schema: jsonSchemaSchema });

/** What every file that describes an operation says of it, the facts file and a user's alike. */
export const describedSchema = z.object({
  name: z.string(),
  method: z.enum(METHODS),
  /** Path template with `{name}` placeholders, from the root of the base address. */
  path: z.string().startsWith('/'),
  /** Default limit where one is known: requests per second, and how many may come at once. */
  rate: z
    .object({ requestsPerSecond: z.number().positive(), burst: z.number().min(1).optional() })
    .optional(),
  /** Where the service takes an idempotency key: a header, or a top-level body member. */
  idempotencyKey: z.object({ in: z.enum(['header', 'body']), name: z.string() }).optional(),
  deprecated: z.boolean().optional(),
  /** Answers only in the service's sandbox, never in production. */
  sandboxOnly: z.boolean().optional(),
});

/** How a list is read page by page. Paths are dotted from the answer's root. */
export const pagingSchema = z.strictObject({
  /** `token`: takes what the page before gave out; `offset`: takes the number of items to pass over. */
  by: z.enum(['token', 'offset']),
  /** A query parameter, or a dotted path of the body. */
  input: z.strictObject({ in: z.enum(['query', 'body']), name: z.string() }),
  /** Where the answer holds the next page's token (absent or empty on the last page), or how many items there are. */
  output: z.string(),
  /** The list of items; `.*` at its end: each member of the object before it is a list. */
  list: z.string(),
  /** Member of an item, dotted, that no other item of the list shares; absent where none does. */
  key: z.string().optional(),
  /** The token has to be sent without any other parameter that is not required. */
  alone: z.literal(true).optional(),
  /** Parameters that have another value beside a token, by name. */
  with: z.record(z.string(), z.string()).optional(),
});
export type Paging = z.infer<typeof pagingSchema>;

/** A query parameter's value with which a write is only checked, and nothing is changed. */
export const previewModeSchema = z.strictObject({ parameter: z.string(), value: z.string() });
export type PreviewMode = z.infer<typeof previewModeSchema>;

/** A reading operation that goes with a write, and where each of its parameters comes from. */
export interface Reading {
  /** Id of the operation. */
  operation: string;
  parameters: Readonly<Record<string, ReadingValue>>;
}

/** A parameter of the write, a dotted path of its body or of its answer, or (`constant`) the value itself. */
export interface ReadingValue {
  from: 'parameter' | 'body' | 'answer' | 'constant';
  name: string;
}

/** A member of a 2xx answer that says that the call, or one of its items, was not accepted. */
export interface Refusal {
  /** Dotted from the answer's root; after `[]` each item of the list speaks for itself. */
  member: string;
  /** `filled`: it holds anything at all; `status`: an HTTP status of 300 or more; otherwise the values that say so. */
  when: 'filled' | 'status' | readonly string[];
}

/** What a 2xx answer is made of: names and types. */
export interface AnswerShape {
  schema: JsonSchema;
  /** Named schemas that it refers to by `$ref: '#/$defs/<name>'`. */
  defs: Readonly<Record<string, JsonSchema>>;
}

export interface Operation extends z.infer<typeof describedSchema> {
  /** `<group>/<name>`, with `@<version>` where a group holds the name twice. Stable and exact. */
  id: string;
  /** Ids under which it was listed before; they are found, and never listed. */
  formerIds?: readonly string[];
  /** Group of section 4.4 or of the further public operations, or the title of a user's definition. */
  group: string;
  /** Whose operation it is, where it is not every seller's. */
  audience?: Audience;
  /** Which edition of the facts brought it: a bare name keeps the group that had it first. Absent for a user's. */
  edition?: number;
  version?: string;
  parameters: readonly Parameter[];
  body?: z.infer<typeof bodySchema>;
  /** Named schemas that `body` refers to by `$ref: '#/$defs/<name>'`. */
  defs?: Readonly<Record<string, JsonSchema>>;
  effect: Effect;
  /** `seller`: access token of the account; `restricted`: a restricted data token; `grantless`: a client_credentials token with `scope`. */
  auth: { kind: 'seller' } | { kind: 'restricted' } | { kind: 'grantless'; scope: string };
  /** Where it answers with a list in pages. */
  paging?: Paging;
  /** For a write: shows the state that it changes. */
  state?: Reading;
  /** For one that only starts work: tells how far that work has come, and what came of it. */
  progress?: Reading;
  /** From a user's definition; of all others see answer-shapes.ts. */
  answer?: AnswerShape;
  /** Signs in a 2xx answer that something was not accepted. */
  refusals?: readonly Refusal[];
  /** With this parameter a write counts as a request. */
  previewMode?: PreviewMode;
  /** Is present where it is deprecated, or its removal has a date. */
  ending?: Ending;
  /** Who describes it. `document`: the interface document; `definitions`: public definitions; `user`: a file that the user added. */
  source: 'document' | 'definitions' | 'both' | 'user';
}
