/** Reads the top level of a definition: format, title, version and base path. */

import { isJsonObject } from '../../base/json.ts';
import { hasHidden } from '../../base/text/escape-text.ts';
import { trimEndOf } from '../../base/text/trim-character.ts';
import { DefinitionError, pointerTo } from '../definition-error.ts';
import { MAX_NAME, MAX_PATH } from '../limits.ts';

export interface DefinitionDocument {
  format: 'swagger' | 'openapi';
  root: Record<string, unknown>;
  title: string;
  version: string;
  /** The path before every operation's own, without a trailing slash. */
  basePath: string;
  paths: Record<string, unknown>;
}

/** Returns true for a value that declares itself an API definition of any version. */
export function isDefinition(root: unknown): root is Record<string, unknown> {
  return isJsonObject(root) && (root.swagger !== undefined || root.openapi !== undefined);
}

/**
 * Reads the top level.
 * @throws DefinitionError
 */
export function readDocument(root: unknown): DefinitionDocument {
  if (!isDefinition(root))
    throw new DefinitionError('#', 'is no API definition: it says neither "swagger" nor "openapi"');
  const format = formatOf(root);
  const { info, paths } = root;
  if (!isJsonObject(info)) throw new DefinitionError('#/info', 'is missing or not an object');
  if (!isJsonObject(paths)) throw new DefinitionError('#/paths', 'is missing or not an object');
  return {
    format,
    root,
    title: textOf(info.title, '#/info/title'),
    version: textOf(info.version, '#/info/version'),
    basePath: format === 'swagger' ? swaggerBase(root) : serverPath(root.servers, '#/servers'),
    paths,
  };
}

function formatOf(root: Record<string, unknown>): DefinitionDocument['format'] {
  if (String(root.swagger) === '2.0' || root.swagger === 2) return 'swagger';
  if (typeof root.openapi === 'string' && /^3\.[01](\.|$)/.test(root.openapi)) return 'openapi';
  const version = JSON.stringify(root.openapi ?? root.swagger)?.slice(0, 40);
  const at = root.openapi === undefined ? '#/swagger' : '#/openapi';
  throw new DefinitionError(at, `is ${version}; Swagger 2.0, OpenAPI 3.0 and 3.1 are understood`);
}

/** A number is accepted, because YAML parses `version: 1.0` as one. */
function textOf(value: unknown, pointer: string): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || value.trim() === '')
    throw new DefinitionError(pointer, 'is missing or not a text');
  if (hasHidden(value)) throw new DefinitionError(pointer, 'holds hidden or control characters');
  return value.trim().slice(0, MAX_NAME);
}

function swaggerBase({ basePath = '' }: Record<string, unknown>): string {
  if (typeof basePath !== 'string') throw new DefinitionError('#/basePath', 'is not a text');
  if (basePath !== '' && !basePath.startsWith('/'))
    throw new DefinitionError('#/basePath', 'does not start with a slash');
  return trimEndOf(checkLength(basePath, '#/basePath'), '/');
}

function checkLength(path: string, pointer: string): string {
  if (path.length <= MAX_PATH) return path;
  throw new DefinitionError(pointer, `is longer than ${MAX_PATH} characters`);
}

/**
 * Returns the path of the first server; its host is ignored, because calls go to the account's own address.
 */
export function serverPath(servers: unknown, pointer: string): string {
  if (servers === undefined) return '';
  if (!Array.isArray(servers)) throw new DefinitionError(pointer, 'is not a list');
  const [first]: unknown[] = servers;
  if (!isJsonObject(first) || typeof first.url !== 'string') return '';
  const variables = isJsonObject(first.variables) ? first.variables : {};
  const at = pointerTo(pointer, 0, 'url');
  const url = checkLength(first.url, at).replace(/\{([^{}]+)\}/g, (_all, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return isJsonObject(variable) ? checkLength(String(variable.default), at) : '';
  });
  const path = checkLength(url, at).replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  return trimEndOf(path, '/').replace(/^(?=[^/])/, '/');
}
