/** YAML to a value, with bounded nesting and aliases; a file of its own, so that the library is loaded for YAML only. */

import { Lexer, parseDocument } from 'yaml';
import { MAX_DEPTH } from '../../json.ts';
import { DefinitionError } from '../definition-error.ts';

/** Expansions of aliases, one inside the other counted by their product. */
const MAX_ALIASES = 1_000;
/** Characters of indentation and dashes before what a line says. */
const MAX_INDENT = 800;

/** @throws DefinitionError with `line:column`; RangeError when the text is nested too deep. */
export function parseYaml(text: string): unknown {
  if (isTooDeep(text)) throw new RangeError('nested too deep');
  const document = parseDocument(text, { version: '1.2', uniqueKeys: true, prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined) {
    const [at] = error.linePos ?? [];
    const reason = error.message.split(/ at line |\n/)[0];
    throw new DefinitionError(at === undefined ? '' : `${at.line}:${at.col}`, `is not YAML: ${reason}`);
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    return value;
  } catch (problem) {
    if (problem instanceof RangeError) throw problem;
    const reason = problem instanceof Error ? problem.message : problem;
    throw new DefinitionError('', `is not usable YAML: ${reason}`);
  }
}

/** The library composes by recursion, and an overflow inside a regular expression ends the process: look before. */
function isTooDeep(text: string): boolean {
  if (new RegExp(`^[ \\t?-]{${MAX_INDENT}}`, 'm').test(text)) return true;
  return deepestBracket(text) > MAX_DEPTH && deepestBracket(flowTokens(text)) > MAX_DEPTH;
}

function deepestBracket(tokens: Iterable<string>): number {
  let depth = 0;
  let deepest = 0;
  for (const token of tokens) {
    if (token === '[' || token === '{') deepest = Math.max(deepest, ++depth);
    else if (token === ']' || token === '}') depth = Math.max(0, depth - 1);
  }
  return deepest;
}

/** What the lexer puts before a scalar, whose text may be a bracket. */
const SCALAR = '\x1f';

function* flowTokens(text: string): Iterable<string> {
  let isScalar = false;
  for (const token of new Lexer().lex(text)) {
    if (!isScalar) yield token;
    isScalar = token === SCALAR;
  }
}
