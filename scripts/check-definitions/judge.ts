/**
 * Decides from the definition file itself, not from the program's reading of it, whether a request is allowed. So a
 * mistake in the program's own reading shows as a difference.
 */

import { readFileSync } from 'node:fs';
import { isJsonObject } from '../../src/base/json.ts';
import type { ListedCase } from '../../src/definitions/cases/replay-cases.ts';
import { parseText } from '../../src/definitions/read/read-file.ts';
import { ALLOWED, openSchemas, type Raw, type RawSchemas, type Verdict } from './raw-schemas.ts';

export interface Judge {
  judge(listed: ListedCase): Verdict;
}

/** @param source path of the definition file. */
export async function openJudge(source: string): Promise<Judge> {
  const root = await parseText(readFileSync(source, 'utf8'), source);
  if (!isJsonObject(root)) throw new Error(`${source} is not a definition`);
  const schemas = openSchemas(root);
  return { judge: (listed) => judgeCase(root, schemas, listed) };
}

function judgeCase(root: Raw, schemas: RawSchemas, listed: ListedCase): Verdict {
  const { operation, declared } = listed;
  const { key, item, raw } = findRaw(root, schemas, operation.method, operation.path);
  const lists = [raw.parameters, item.parameters].flatMap((list: unknown) =>
    Array.isArray(list) ? list : [],
  );
  const all = lists.map(schemas.follow);
  const names = new Set(operation.parameters.map(({ name }) => name));
  const unknown = Object.keys(declared.parameters).filter((name) => !names.has(name));
  const verdicts: Verdict[] = [
    { forbidden: unknown, doubtful: [] },
    ...all
      .filter(isCallers)
      .map((parameter) => judgeParameter(schemas, parameter, nameOf(parameter, key, operation.path), listed)),
    judgeBody(schemas, all, raw, listed),
  ];
  return {
    forbidden: verdicts.flatMap(({ forbidden }) => forbidden),
    doubtful: verdicts.flatMap(({ doubtful }) => doubtful),
    unlisted: verdicts.flatMap(({ unlisted = [] }) => unlisted),
  };
}

function findRaw(root: Raw, { follow }: RawSchemas, method: string, path: string) {
  const paths = isJsonObject(root.paths) ? root.paths : {};
  const blank = (text: string) => text.replace(/\{[^}]*\}/g, '{}').replace(/\/$/, '');
  const fitting = Object.keys(paths).filter((one) => blank(path).endsWith(blank(one)));
  const [key = ''] = fitting.sort((a, b) => b.length - a.length);
  const item = follow(paths[key]);
  return { key, item, raw: follow(item[method.toLowerCase()]) };
}

/** Sent by the client itself, whatever a definition says about them. */
const CLIENT_HEADERS = ['accept', 'content-type', 'authorization', 'x-amz-access-token', 'user-agent'];

function isCallers({ in: place, name }: Raw): boolean {
  if (place === 'header') return !CLIENT_HEADERS.includes(String(name).toLowerCase());
  return place === 'path' || place === 'query';
}

/** The file may name a placeholder differently from the operation: the one in the same position is meant. */
function nameOf({ name, in: place }: Raw, key: string, path: string): string {
  if (place !== 'path') return String(name);
  const namesOf = (template: string) =>
    [...template.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '');
  return namesOf(path).at(namesOf(key).indexOf(String(name)) - namesOf(key).length) ?? String(name);
}

function judgeParameter(
  schemas: RawSchemas,
  raw: Raw,
  name: string,
  { operation, declared }: ListedCase,
): Verdict {
  const value: unknown = Object.hasOwn(declared.parameters, name) ? declared.parameters[name] : undefined;
  const isPath = raw.in === 'path';
  const isRequired = isPath || raw.required === true;
  if (value === undefined)
    return isRequired && operation.idempotencyKey?.name !== name ? forbid(name) : ALLOWED;
  if (isPath && value === '') return forbid(name);
  if (Array.isArray(value) && value.length === 0 && isRequired) return forbid(name);
  if (raw.content !== undefined) return typeof value === 'string' ? ALLOWED : forbid(name);
  const { name: _, in: _in, required: _required, ...facts } = raw;
  return schemas.judge(isJsonObject(raw.schema) ? raw.schema : facts, value, name);
}

const forbid = (name: string): Verdict => ({ forbidden: [name], doubtful: [] });

function judgeBody(
  schemas: RawSchemas,
  all: readonly Raw[],
  raw: Raw,
  { operation, declared }: ListedCase,
): Verdict {
  const swagger = all.find((parameter) => parameter.in === 'body');
  const request = schemas.follow(raw.requestBody);
  const { body } = declared;
  if (swagger === undefined && raw.requestBody === undefined)
    return body === undefined ? ALLOWED : forbid('body');
  if (body === undefined) return (swagger ?? request).required === true ? forbid('body') : ALLOWED;
  const schema = swagger?.schema ?? jsonSchemaOf(schemas, request.content);
  if (!isJsonObject(schema)) return ALLOWED;
  // The program adds the key of a repeatable write.
  const key = operation.idempotencyKey?.name;
  return schemas.judge(
    schema,
    key !== undefined && isJsonObject(body) ? { [key]: 'any', ...body } : body,
    'body',
  );
}

function jsonSchemaOf({ follow }: RawSchemas, content: unknown): unknown {
  if (!isJsonObject(content)) return undefined;
  const type = Object.keys(content).find((one) => /json|\*/.test(one));
  return type === undefined ? undefined : follow(content[type]).schema;
}
