/** The one shape of an operation of the service, whether the document, the public definitions or a user described it. */

/** A JSON Schema (draft-07 subset: type, properties, required, items, enum, additionalProperties, bounds, `$ref` to `#/$defs/Name`). */
export interface JsonSchema {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  items?: JsonSchema;
  enum?: readonly (string | number | boolean)[];
  additionalProperties?: boolean | JsonSchema;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  /** Null is accepted too (only beside `type`). */
  nullable?: boolean;
  $ref?: string;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Effect = 'read' | 'write' | 'delete';

export interface Parameter {
  /** Exactly as the service spells it. */
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: JsonSchema;
  /** How an array is put into one value; `multi` repeats the name. */
  collectionFormat?: 'csv' | 'ssv' | 'tsv' | 'pipes' | 'multi';
}

/** Where the service takes an idempotency key: a header, or a top-level body member. */
export interface IdempotencyKey {
  in: 'header' | 'body';
  name: string;
}

export interface Operation {
  /** `<group>/<name>`, with `@<version>` where a group holds the name twice. Stable and exact. */
  id: string;
  /** Group of section 4.4, or the title of a user's definition. */
  group: string;
  name: string;
  method: Method;
  /** Path template with `{name}` placeholders, from the root of the base address. */
  path: string;
  version?: string;
  parameters: readonly Parameter[];
  body?: { required: boolean; schema: JsonSchema };
  /** Named schemas that `body` and parameters refer to by `$ref: '#/$defs/<name>'`. */
  defs?: Readonly<Record<string, JsonSchema>>;
  effect: Effect;
  /** `seller`: access token of the account; `restricted`: a restricted data token; `grantless`: a client_credentials token with `scope`. */
  auth: { kind: 'seller' } | { kind: 'restricted' } | { kind: 'grantless'; scope: string };
  /** Default limit where one is known: requests per second, and how many may come at once. */
  rate?: { requestsPerSecond: number; burst?: number };
  idempotencyKey?: IdempotencyKey;
  deprecated?: boolean;
  /** Answers only in the service's sandbox, never in production. */
  sandboxOnly?: boolean;
  /** When and by what it was replaced, where it no longer answers. */
  withdrawn?: string;
  /** Who describes it. `document`: the interface document; `definitions`: public definitions; `user`: a file that the user added. */
  source: 'document' | 'definitions' | 'both' | 'user';
}
