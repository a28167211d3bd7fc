/** Checks a path template before anything is built from it: a plain path below the base address, nothing else. */

import { DefinitionError } from '../definition-error.ts';

const LONGEST = 1_000;
/** Characters of RFC 3986 paths, percent-encoding, and placeholders. */
const ALLOWED = /^[\w.~!$&'()*+,;=:@%/{}-]*$/;

/** Names of the placeholders, in order. @throws DefinitionError */
export function checkPath(path: string, pointer: string): string[] {
  const wrong = problemWith(path);
  if (wrong !== undefined) throw new DefinitionError(pointer, wrong);
  const names = [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '');
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new DefinitionError(pointer, `names the placeholder {${twice}} twice`);
  return names;
}

function problemWith(path: string): string | undefined {
  if (!path.startsWith('/')) return 'is not a path: it does not start with a slash';
  if (path.length > LONGEST) return `is longer than ${LONGEST} characters`;
  const outside = path.replace(/\{[^{}/]+\}/g, '');
  if (/[{}]/.test(outside)) return 'has a placeholder that is empty or not closed';
  if (!ALLOWED.test(outside))
    return 'holds characters that a path cannot have (a query or fragment belongs elsewhere)';
  if (/%(?![0-9a-f]{2})/i.test(outside)) return 'has a broken percent-encoding';
  const decoded = path.replace(/%2e/gi, '.').replace(/%2f|%5c/gi, '/');
  if (/\/\/|\\/.test(decoded)) return 'has an empty segment';
  if (decoded.split('/').some((segment) => /^\.{1,2}(;.*)?$/.test(segment)))
    return 'has a dot segment ("." or "..")';
  return undefined;
}
