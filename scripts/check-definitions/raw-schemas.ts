/** A definition's schemas exactly as in the file, given to ajv without the program's own reading of them. */

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { isJsonObject } from '../../src/base/json.ts';

/** What a definition says about a request; if both are empty, it is allowed. */
export interface Verdict {
  /** Members whose values the definition forbids: the request must be refused. */
  forbidden: readonly string[];
  /** Members that fit none of several alternatives (`oneOf`, `anyOf`): refused, or left to the service. */
  doubtful: readonly string[];
  /** Forbidden members whose only fault is a text that an enum does not list. */
  unlisted?: readonly string[];
}

export type Raw = Record<string, unknown>;

export interface RawSchemas {
  /** The value itself, or its target within the file if it is a reference. */
  follow(value: unknown): Raw;
  /** Which members of a value a schema forbids; paths begin with `base`. */
  judge(schema: Raw, value: unknown, base: string): Verdict;
}

export const ALLOWED: Verdict = { forbidden: [], doubtful: [] };

export function openSchemas(root: Raw): RawSchemas {
  const shared = { definitions: clean(root.definitions ?? {}), components: clean(root.components ?? {}) };
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    ownProperties: true,
    strict: false,
    validateFormats: false,
    validateSchema: false,
    logger: false,
  });
  const compiled = new WeakMap<Raw, ValidateFunction>();
  const compile = (schema: Raw): ValidateFunction => {
    const validate = compiled.get(schema) ?? ajv.compile({ allOf: [clean(schema)], ...shared });
    compiled.set(schema, validate);
    return validate;
  };
  return {
    follow: (value) => follow(root, value),
    judge(schema, value, base) {
      const validate = compile(schema);
      return validate(value) ? ALLOWED : toVerdict(validate.errors ?? [], base);
    },
  };
}

function follow(root: Raw, value: unknown): Raw {
  let current: unknown = value;
  for (let hops = 0; isJsonObject(current) && typeof current.$ref === 'string' && hops < 20; hops += 1) {
    current = current.$ref.split('/').slice(1).map(decodeURIComponent).map(readToken).reduce(step, root);
  }
  return isJsonObject(current) ? current : {};
}

function step(at: unknown, key: string): unknown {
  return (isJsonObject(at) || Array.isArray(at)) && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined;
}

const readToken = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

/** An error at or below a place where several alternatives failed may be an error in only one of them. */
function toVerdict(errors: readonly ErrorObject[], base: string): Verdict {
  const unions = errors.filter(({ keyword }) => ['oneOf', 'anyOf', 'not', 'if'].includes(keyword));
  const isDoubtful = ({ instancePath }: ErrorObject) =>
    unions.some((union) => `${instancePath}/`.startsWith(`${union.instancePath}/`));
  const real = errors.filter((error) => !isReadOnly(error));
  const paths = (some: readonly ErrorObject[]) => some.map((error) => pathOf(error, base));
  const certain = real.filter((error) => !isDoubtful(error));
  const isUnlisted = ({ keyword, data }: ErrorObject) => keyword === 'enum' && typeof data === 'string';
  const otherwise = paths(certain.filter((error) => !isUnlisted(error)));
  return {
    forbidden: paths(certain),
    doubtful: paths(real.filter(isDoubtful)),
    unlisted: paths(certain.filter(isUnlisted)).filter((path) => !otherwise.includes(path)),
  };
}

/** Members that only the service writes are not required from a caller. */
function isReadOnly({ keyword, params, parentSchema }: ErrorObject): boolean {
  if (keyword !== 'required' || !isJsonObject(parentSchema?.properties)) return false;
  const missing = parentSchema.properties[String(Reflect.get(params, 'missingProperty'))];
  return isJsonObject(missing) && missing.readOnly === true;
}

function pathOf({ instancePath, params }: ErrorObject, base: string): string {
  const member: unknown = Reflect.get(params, 'missingProperty') ?? Reflect.get(params, 'additionalProperty');
  const path = [base, ...instancePath.split('/').slice(1).map(readToken)];
  return [...path, ...(typeof member === 'string' ? [member] : [])].join('.');
}

const NAMED = ['properties', 'definitions', 'schemas', 'patternProperties'];

/** Swagger writes some keywords in forms that JSON Schema has dropped; those say nothing about what is allowed. */
function clean(value: unknown): Raw {
  const visit = (part: unknown, named: boolean): unknown => {
    if (Array.isArray(part)) return part.map((item) => visit(item, false));
    if (!isJsonObject(part)) return part;
    const entries = Object.entries(part).filter(([key, inner]) => named || !isForeign(key, inner));
    return Object.fromEntries(
      entries.map(([key, inner]) => [
        key,
        key === 'enum' && !named ? inner : visit(inner, !named && NAMED.includes(key)),
      ]),
    );
  };
  const cleaned = visit(value, false);
  return isJsonObject(cleaned) ? cleaned : {};
}

const PROSE = ['example', 'examples', 'default', 'discriminator', 'xml', 'id', 'description', 'title'];
const NUMBERS = ['maxLength', 'minLength', 'maxItems', 'minItems', 'maximum', 'minimum', 'multipleOf'];

function isForeign(key: string, value: unknown): boolean {
  if (key.startsWith('x-') || PROSE.includes(key)) return true;
  if (key === 'required') return !Array.isArray(value);
  if (key.startsWith('exclusiveM') || NUMBERS.includes(key)) return typeof value !== 'number';
  if (key === 'type') return value === 'file';
  if (key === 'pattern') return !isCheckedPattern(String(value));
  return key === 'nullable' && value !== true;
}

/** The program leaves out patterns with repeated groups and says so. */
function isCheckedPattern(text: string): boolean {
  if (/\)[*+{]|\\[1-9k]/.test(text)) return false;
  try {
    return new RegExp(text, 'u') !== undefined;
  } catch {
    return false;
  }
}
