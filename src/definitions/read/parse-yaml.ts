/**
 * Parses YAML with limited nesting and aliases; a separate file, so that the library is loaded for YAML only.
 */

import { type Document, isScalar, Lexer, LineCounter, parseDocument, visit } from 'yaml';
import { MAX_DEPTH } from '../../base/json.ts';
import { DefinitionError } from '../definition-error.ts';
import { MAX_YAML_LENGTH } from '../limits.ts';

/** The maximum number of aliases in one file, and of their expansions; nested ones count by their product. */
const MAX_ALIASES = 1_000;
/** The maximum number of indentation characters and dashes before the content of a line. */
const MAX_INDENT = 800;

/**
 * Parses the text.
 * @throws DefinitionError with `line:column`; RangeError when the text is nested too deep.
 */
export function parseYaml(text: string): unknown {
  if (text.length > MAX_YAML_LENGTH) {
    const limit = `${MAX_YAML_LENGTH / 1024 / 1024} MB, the most that is read of YAML; save it as JSON`;
    throw new DefinitionError('', `is larger than ${limit}`);
  }
  if (isTooDeep(text)) throw new RangeError('nested too deep');
  const lines = new LineCounter();
  const options = { version: '1.2', uniqueKeys: false, prettyErrors: false, lineCounter: lines } as const;
  const document = parseDocument(text, options);
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw new DefinitionError(`${line}:${col}`, `is not YAML: ${error.message.split('\n')[0]}`);
  }
  checkKeys(document, lines);
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    return value;
  } catch (problem) {
    if (problem instanceof RangeError) throw problem;
    const reason = problem instanceof Error ? problem.message : problem;
    throw new DefinitionError('', `is not usable YAML: ${reason}`);
  }
}

/**
 * Checks keys and aliases itself, because the library's checks are quadratic: it compares each key of a map
 * with every other one, and searches the whole file for each alias.
 */
function checkKeys(document: Document, lines: LineCounter): void {
  let aliases = 0;
  visit(document, {
    Alias() {
      aliases += 1;
      if (aliases > MAX_ALIASES) throw new DefinitionError('', `holds more than ${MAX_ALIASES} YAML aliases`);
    },
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) {
          const { line, col } = lines.linePos(key.range?.[0] ?? 0);
          throw new DefinitionError(`${line}:${col}`, 'is not YAML: Map keys must be unique');
        }
        seen.add(key.value);
      }
    },
  });
}

/**
 * Detects deep nesting before parsing, because the library recurses, and an overflow inside a regular
 * expression ends the process.
 */
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

/** The token that the lexer emits before a scalar, whose text may be a bracket. */
const SCALAR = '\x1f';

function* flowTokens(text: string): Iterable<string> {
  let isScalar = false;
  for (const token of new Lexer().lex(text)) {
    if (!isScalar) yield token;
    isScalar = token === SCALAR;
  }
}
