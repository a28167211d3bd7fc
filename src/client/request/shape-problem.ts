/** One finding of ajv as a sentence for people. */

import type { ErrorObject } from 'ajv';
import type { Problem } from '../../errors.ts';
import { isJsonObject } from '../../json.ts';
import { nearestName, unknownName } from './nearest-name.ts';

export async function shapeProblem(error: ErrorObject): Promise<Problem> {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  const params: Record<string, unknown> = error.params;
  if (error.keyword === 'required') return at([...path, String(params.missingProperty)], 'is required');
  if (error.keyword === 'additionalProperties') {
    const name = String(params.additionalProperty);
    return at([...path, name], await unknownName(name, propertyNames(error.parentSchema)));
  }
  return at(path, (await sentence(error, params)) ?? error.message ?? 'is not valid');
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
  const values = Array.isArray(allowed) ? allowed.map(String) : [];
  const near = typeof data === 'string' ? await nearestName(data, values) : undefined;
  return `must be one of ${values.join(', ')}${near === undefined ? '' : `; did you mean ${near}?`}`;
}

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
