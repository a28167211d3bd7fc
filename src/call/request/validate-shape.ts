/** Checks a value against a JSON Schema and tells what is wrong in plain words; ajv does the checking. */

import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import type { Problem } from '../../base/errors.ts';
import { isJsonObject } from '../../base/json.ts';
import { nearestName } from '../../base/text/nearest-name.ts';
import { quoteName } from '../../base/text/quote-name.ts';
import type { JsonSchema } from '../../service/facts/operation.ts';
import { fitsPlainly } from './fits-plainly.ts';

type Defs = Readonly<Record<string, JsonSchema>>;

const compiled = new WeakMap<JsonSchema, ValidateFunction>();
let loading: Promise<Ajv> | undefined;

/** Problems told at most, so that one wrong list does not fill an answer. */
const MAX_PROBLEMS = 20;

/** A value that an enum does not list, by its path. */
export interface UnlistedValue {
  path: string;
  /** Values that the enum lists. */
  listed: readonly string[];
}

/** A problem of a value. It has `listed` if only an enum refuses the value, and the value is no misspelling of a listed one. */
export interface ShapeProblem extends Problem, Partial<Pick<UnlistedValue, 'listed'>> {}

/**
 * Empty when the value fits. A path is dotted and starts below the value (`capabilities.outbound`, `items.0.sku`).
 * @param defs named schemas that `$ref: '#/$defs/<name>'` refers to; the same ones for the same schema.
 */
export function validateShape(
  schema: JsonSchema,
  value: unknown,
  defs: Defs = {},
): ShapeProblem[] | Promise<ShapeProblem[]> {
  return fitsPlainly(schema, value) ? [] : validateByAjv(schema, value, defs);
}

async function validateByAjv(schema: JsonSchema, value: unknown, defs: Defs): Promise<ShapeProblem[]> {
  const validate = compiled.get(schema) ?? (await compile(schema, defs));
  if (validate(value)) return [];
  const problems = await Promise.all((validate.errors ?? []).map(shapeProblem));
  // Arguments that cannot be sent come first, so that unlisted values never hide them.
  const isSendable = ({ listed }: ShapeProblem) => listed !== undefined;
  return [...problems.filter((one) => !isSendable(one)), ...problems.filter(isSendable)].slice(
    0,
    MAX_PROBLEMS,
  );
}

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
    // The readers of definitions check the schemas themselves; compiling the meta schema takes longer than all the others.
    meta: false,
    validateSchema: false,
    code: { regExp: Object.assign(openPattern, { code: 'openPattern' }) },
  });
}

/** Characters of a text that a pattern is held against; a longer text is the service's to judge. */
const MAX_PATTERN_TEXT = 2_000;

function openPattern(pattern: string, flags: string) {
  const expression = new RegExp(pattern, flags);
  return {
    test: (text: string) => text.length > MAX_PATTERN_TEXT || expression.test(text),
    // ajv tells patterns apart by their text.
    toString: () => String(expression),
  };
}

/** One finding of ajv as a sentence for people. */
async function shapeProblem(error: ErrorObject): Promise<ShapeProblem> {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  const params: Record<string, unknown> = error.params;
  if (error.keyword === 'required') return at([...path, String(params.missingProperty)], 'is required');
  if (error.keyword === 'additionalProperties') {
    const name = String(params.additionalProperty);
    return at([...path, name], await unknownName(name, propertyNames(error.parentSchema)));
  }
  const problem = at(path, (await sentence(error, params)) ?? error.message ?? 'is not valid');
  const listed = error.keyword === 'enum' ? await unlistedIn(error.data, params.allowedValues) : undefined;
  return listed === undefined ? problem : { ...problem, listed };
}

async function sentence(error: ErrorObject, params: Record<string, unknown>): Promise<string | undefined> {
  if (error.keyword === 'type') return `must be ${withArticle(params.type)}, not ${kindOf(error.data)}`;
  if (error.keyword === 'enum') return enumSentence(error.data, params.allowedValues);
  const bound = BOUNDS[error.keyword];
  if (bound !== undefined) return bound(String(params.limit));
  return error.keyword === 'pattern' ? `must match ${String(params.pattern)}` : undefined;
}

const BOUNDS: Readonly<Record<string, (limit: string) => string>> = {
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
  minLength: (limit) => `must have at least ${limit} characters`,
  maxLength: (limit) => `must have at most ${limit} characters`,
  minItems: (limit) => `must have at least ${limit} elements`,
  maxItems: (limit) => `must have at most ${limit} elements`,
};

async function enumSentence(data: unknown, allowed: unknown): Promise<string> {
  const values = Array.isArray(allowed) ? allowed.map((value) => quoteName(String(value))) : [];
  const near = typeof data === 'string' ? nearestName(data, values) : undefined;
  return `must be one of ${values.join(', ')}${near === undefined ? '' : `; did you mean ${near}?`}`;
}

/** Returns the listed values; undefined for what is no text, and for a misspelling of exactly one of them. */
async function unlistedIn(data: unknown, allowed: unknown): Promise<string[] | undefined> {
  if (typeof data !== 'string' || data.trim() === '' || !Array.isArray(allowed)) return undefined;
  const listed = allowed.map(String);
  if (data.length > MAX_COMPARED) return listed;
  const plain = plainText(data);
  const { distance } = await import('fastest-levenshtein');
  const isMisspelled = (one: string) =>
    digitsOf(one) === digitsOf(plain) && distance(one, plain) <= maxEdits(plain);
  const near = listed.map(plainText).filter(isMisspelled);
  return near.includes(plain) || near.length === 1 ? undefined : listed;
}

/** Letters and digits alone, because case and punctuation tell no two values apart. */
const plainText = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Values that differ in a digit (FC_70, FC_77) are different values. */
const digitsOf = (text: string) => text.replace(/\P{N}/gu, '');

/** How many edits a misspelling of so many characters has at most, since a short word is soon another word. */
const maxEdits = ({ length }: string) => (length >= 8 ? 2 : length >= 4 ? 1 : 0);

function at(path: readonly string[], message: string): Problem {
  return { path: path.join('.'), message };
}

function propertyNames(schema: unknown): string[] {
  return isJsonObject(schema) && isJsonObject(schema.properties) ? Object.keys(schema.properties) : [];
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function kindOf(data: unknown): string {
  if (data === null) return 'null';
  if (Array.isArray(data)) return 'a list';
  return withArticle(typeof data);
}

function withArticle(type: unknown): string {
  const names = Array.isArray(type) ? type.map(String) : [String(type)];
  return names.map((name) => ARTICLES[name] ?? name).join(' or ');
}

const ARTICLES: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'an object',
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
};

/** Characters of a name that is compared with others: the work grows with both lengths. */
const MAX_COMPARED = 200;

/** `is not known here. Did you mean x? Valid: x, y, z.` */
export async function unknownName(wrong: string, names: readonly string[]): Promise<string> {
  const near = nearestName(wrong, names);
  const meant = near === undefined ? '' : ` Did you mean ${quoteName(near)}?`;
  return `is not known here.${meant} ${names.length === 0 ? 'None is accepted.' : `Valid: ${names.map(quoteName).join(', ')}.`}`;
}
