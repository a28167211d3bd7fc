/** Builds the address of a call: checks the base address before a token goes there, and fills in the path so that it leads nowhere else. */

import { toUSVString } from 'node:util';
import { ConfigError, type Problem } from '../../base/errors.ts';
import { isLoopback } from '../../base/loopback.ts';
import { trimEndOf } from '../../base/text/trim-character.ts';
import { hidesDotSegment } from '../../service/facts/path-template.ts';

/** A base address that a token may go to. */
export interface ServiceAddress {
  origin: string;
  /** Path included, without trailing slashes. */
  base: string;
}

/** The same few addresses come with every call. */
const checked = new Map<string, ServiceAddress>();
const MAX_CHECKED = 100;

/**
 * The last check of an address, whoever configured it.
 * @throws ConfigError unless it is https, or http to the machine itself.
 */
export function serviceAddress(address: string): ServiceAddress {
  const known = checked.get(address);
  if (known !== undefined) return known;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const safe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url === undefined || !safe || url.username !== '' || url.password !== '') {
    throw new ConfigError(
      'The address of the service or of the identity provider must start with https:// and hold no user name.',
      'Correct base-url and auth-url; http:// is accepted for loopback only.',
    );
  }
  const { origin, pathname } = url;
  const found = { origin, base: trimEndOf(origin + pathname, '/') };
  if (checked.size < MAX_CHECKED) checked.set(address, found);
  return found;
}

/** Longest value of one path parameter, in UTF-8 bytes. */
export const MAX_SEGMENT_BYTES = 2048;

export type EncodedPath = { ok: true; path: string } | { ok: false; problems: Problem[] };

/**
 * Every segment is looked at as it will be sent, template and values together, and decoded until nothing changes.
 * @param values path parameters by name, already text.
 * @param isPath true for a parameter whose value is a path itself: its slashes stay what they are
 */
export function encodePath(
  template: string,
  values: Readonly<Record<string, string>>,
  isPath: (name: string) => boolean = () => false,
): EncodedPath {
  const problems: Problem[] = [];
  const segments: string[] = [];
  for (const segment of template.split('/')) {
    const [, name] = segment.startsWith('{') ? (/^\{([^{}]+)\}$/.exec(segment) ?? []) : [];
    if (name === undefined || !isPath(name) || !Object.hasOwn(values, name)) {
      segments.push(encodeSegment(segment, values, problems));
      continue;
    }
    // One slash before it is how people write it.
    const parts = (values[name] ?? '').replace(/^\//, '').split('/');
    for (const part of parts) segments.push(encodeSegment(segment, { [name]: part }, problems));
  }
  // The first is empty, since a path starts with a slash; the last is where the path ends with one.
  if (segments.slice(1, -1).includes(''))
    problems.push({ path: '', message: 'an empty segment in the path' });
  return problems.length > 0 ? { ok: false, problems } : { ok: true, path: segments.join('/') };
}

function encodeSegment(
  template: string,
  values: Readonly<Record<string, string>>,
  problems: Problem[],
): string {
  if (!template.includes('{') && !hidesDotSegment(template)) return template;
  const names: string[] = [];
  const before = problems.length;
  const fill = (name: string) => {
    names.push(name);
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const wrong = problemWith(value);
    if (wrong !== undefined) problems.push({ path: name, message: wrong });
    return value === undefined || wrong !== undefined ? 'x' : encodeURIComponent(value);
  };
  const [, only] = /^\{([^{}]+)\}$/.exec(template) ?? [];
  const segment =
    only === undefined ? template.replace(/\{([^{}]+)\}/g, (_all, name: string) => fill(name)) : fill(only);
  if (problems.length === before && hidesDotSegment(segment)) {
    const [path = ''] = names;
    problems.push({ path, message: 'must not be a dot segment ("." or ".."), in whatever encoding' });
  }
  return segment;
}

function problemWith(value: string | undefined): string | undefined {
  if (value === undefined) return 'is required';
  if (value === '') return 'must not be empty';
  const bytes = Buffer.byteLength(value);
  if (bytes > MAX_SEGMENT_BYTES) return `is ${bytes} bytes long; at most ${MAX_SEGMENT_BYTES} are accepted`;
  if (toUSVString(value) !== value) return 'is not well-formed text';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(value)) return 'must not hold control characters';
  return undefined;
}

/** True when the address, read as the transport reads it, leads to that very path at that very origin. */
export function leadsTo(url: string, base: string, path: string): boolean {
  try {
    const { origin, pathname, hash } = new URL(url);
    return origin + pathname === base + path && hash === '';
  } catch {
    return false;
  }
}
