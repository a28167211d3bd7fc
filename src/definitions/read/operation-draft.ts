/** What is read of one operation before it has an id. */

import type { Operation, Parameter } from '../../service/facts/operation.ts';

/** Everything of an operation that one file says; shapes are shared by the whole file. */
export interface OperationDraft {
  name: string;
  method: Operation['method'];
  path: string;
  parameters: Parameter[];
  body?: NonNullable<Operation['body']>;
  /** What a Swagger file calls the body; declared cases use that name. */
  bodyName?: string;
  rate?: NonNullable<Operation['rate']>;
  idempotencyKey?: NonNullable<Operation['idempotencyKey']>;
  deprecated?: boolean;
  sandboxOnly?: boolean;
}

/** An operation that cannot be called from here, and why. */
export interface SkippedOperation {
  operation: string;
  reason: string;
}

/** Thrown for an operation that is well described but cannot be called: the others of its file stay. */
export class NotCallable extends Error {}
