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
/** `request`: asks for something (a report, a place to upload to, a preview) that changes nothing of the seller's. */
export type Effect = 'read' | 'request' | 'write' | 'delete';

/** `vendor`: those who sell to the operator of the service; `external`: warehouses run by others. */
export type Audience = 'vendor' | 'external';

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

/** A value that goes in as a query parameter, or at a dotted path of the body. */
export interface InputPlace {
  in: 'query' | 'body';
  name: string;
}

/** How a list is read page by page. Paths are dotted from the answer's root. */
export interface Paging {
  /** `token`: takes what the page before gave out; `offset`: takes the number of items to pass over. */
  by: 'token' | 'offset';
  input: InputPlace;
  /** Where the answer holds the next page's token (absent or empty on the last page), or how many items there are. */
  output: string;
  /** The list of items; `.*` at its end: each member of the object before it is a list. */
  list: string;
  /** Member of an item, dotted, that no other item of the list shares; absent where none does. */
  key?: string;
  /** The token has to be sent without any other parameter. */
  alone?: true;
}

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

/** A query parameter's value with which a write is only checked, and nothing is changed. */
export interface PreviewMode {
  parameter: string;
  value: string;
}

export interface Operation {
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
  name: string;
  method: Method;
  /** Path template with `{name}` placeholders, from the root of the base address. */
  path: string;
  version?: string;
  parameters: readonly Parameter[];
  body?: { required: boolean; schema: JsonSchema };
  /** Named schemas that `body` refers to by `$ref: '#/$defs/<name>'`. */
  defs?: Readonly<Record<string, JsonSchema>>;
  effect: Effect;
  /** `seller`: access token of the account; `restricted`: a restricted data token; `grantless`: a client_credentials token with `scope`. */
  auth: { kind: 'seller' } | { kind: 'restricted' } | { kind: 'grantless'; scope: string };
  /** Default limit where one is known: requests per second, and how many may come at once. */
  rate?: { requestsPerSecond: number; burst?: number };
  idempotencyKey?: IdempotencyKey;
  /** Where it answers with a list in pages. */
  paging?: Paging;
  /** For a write: shows the state that it changes. */
  state?: Reading;
  /** For one that only starts work: tells how far that work has come, and what came of it. */
  progress?: Reading;
  /** Signs in a 2xx answer that something was not accepted. */
  refusals?: readonly Refusal[];
  /** With this parameter a write counts as a request. */
  previewMode?: PreviewMode;
  deprecated?: boolean;
  /** Id of what to use instead, where it is deprecated or withdrawn. */
  successor?: string;
  /** Answers only in the service's sandbox, never in production. */
  sandboxOnly?: boolean;
  /** When and by what it was replaced, where it no longer answers. */
  withdrawn?: string;
  /** Who describes it. `document`: the interface document; `definitions`: public definitions; `user`: a file that the user added. */
  source: 'document' | 'definitions' | 'both' | 'user';
}

/** What says how an answer of it is shown; plain data, for other threads too. */
export type AnsweredOperation = Pick<Operation, 'id' | 'name' | 'group' | 'effect' | 'paging' | 'state'>;
