/** Checks a value against a JSON Schema and tells what is wrong in plain words; ajv does the checking. */

import type { Ajv, ValidateFunction } from 'ajv';
import type { Problem } from '../../errors.ts';
import type { JsonSchema } from '../../service/facts/operation.ts';
import { shapeProblem } from './shape-problem.ts';

type Defs = Readonly<Record<string, JsonSchema>>;

const compiled = new WeakMap<JsonSchema, ValidateFunction>();
let loading: Promise<Ajv> | undefined;

/** Problems told at most, so that one wrong list does not fill an answer. */
const MAX_PROBLEMS = 20;

/**
 * Empty when the value fits. A path is dotted and starts below the value (`capabilities.outbound`, `items.0.sku`).
 * @param defs named schemas that `$ref: '#/$defs/<name>'` refers to; the same ones for the same schema.
 */
export async function validateShape(schema: JsonSchema, value: unknown, defs: Defs = {}): Promise<Problem[]> {
  if (isPlainString(schema, value)) return [];
  const validate = compiled.get(schema) ?? (await compile(schema, defs));
  if (validate(value)) return [];
  const errors = (validate.errors ?? []).slice(0, MAX_PROBLEMS);
  return Promise.all(errors.map(shapeProblem));
}

/** The commonest case of all needs no ajv. */
function isPlainString(schema: JsonSchema, value: unknown): boolean {
  return (
    typeof value === 'string' &&
    schema.type === 'string' &&
    Object.keys(schema).every((key) => PLAIN.has(key))
  );
}

const PLAIN = new Set(['type', 'description', 'title', 'format']);

async function compile(schema: JsonSchema, defs: Defs): Promise<ValidateFunction> {
  loading ??= loadAjv();
  const validate = (await loading).compile({ ...schema, $defs: defs });
  compiled.set(schema, validate);
  return validate;
}

async function loadAjv(): Promise<Ajv> {
  const { Ajv } = await import('./ajv.ts');
  // Formats are told to the reader by the schema; the service is the judge of them.
  return new Ajv({
    allErrors: true,
    verbose: true,
    strict: false,
    // A definition may call a member `constructor`, which every object has.
    ownProperties: true,
    validateFormats: false,
    logger: false,
    addUsedSchema: false,
  });
}
