/**
 * Compares paths with path templates by segment. Encoded content is decoded, and matching takes linear time.
 */

/** The maximum number of decoding rounds; a segment that needs more is treated as malicious. */
const MAX_ROUNDS = 8;

/** Decodes a segment until it no longer changes; undefined when it never stabilizes. */
function decodeWhole(segment: string): string | undefined {
  let text = segment;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const decoded = text.replace(/%[0-7][0-9a-f]/gi, (code) =>
      String.fromCharCode(Number.parseInt(code.slice(1), 16)),
    );
    if (decoded === text) return text;
    text = decoded;
  }
  return undefined;
}

/** Matches `.` and `..`, even with path parameters that some servers strip first (`..;x`). */
const DOT_SEGMENT = /^\.{1,2}(?:;|$)/;

/**
 * Returns true for a segment that any server on the way could read as a dot segment. That includes segments
 * that decode to several ones, however often they are encoded.
 */
export function hidesDotSegment(segment: string): boolean {
  if (!segment.includes('.') && !segment.includes('%')) return false;
  const decoded = decodeWhole(segment);
  return decoded === undefined || decoded.split(/[/\\]/).some((part) => DOT_SEGMENT.test(part));
}

/** Returns true for a segment that ends the path when decoded: a query, a fragment or a control character. */
export function hidesEndOfPath(segment: string): boolean {
  const decoded = decodeWhole(segment);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return decoded === undefined || /[?#\u0000-\u001f\u007f]/.test(decoded);
}

/** Returns the names of the placeholders of a path template, in order. */
export function placeholdersOf(path: string): string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
}

const PLACEHOLDER = /\{[^{}]+\}/;

/**
 * Returns the values of the placeholders of one segment (`{id}.json`), in order; undefined when it does not
 * match. A value may be empty; if two divisions are possible, the earlier placeholder takes more.
 */
export function matchSegment(template: string, segment: string): string[] | undefined {
  const texts = template.split(PLACEHOLDER);
  const [first = '', ...others] = texts;
  const last = others.pop();
  if (last === undefined) return template === segment ? [] : undefined;
  if (!segment.startsWith(first) || !segment.endsWith(last)) return undefined;
  if (segment.length < first.length + last.length) return undefined;
  return divide(segment.slice(first.length, segment.length - last.length), others);
}

/** Divides from the right, so that each text matches as late as the rest allows. */
function divide(middle: string, texts: readonly string[]): string[] | undefined {
  const values: string[] = [];
  let rest = middle;
  for (const text of texts.toReversed()) {
    const at = rest.lastIndexOf(text);
    if (at < 0) return undefined;
    values.unshift(rest.slice(at + text.length));
    rest = rest.slice(0, at);
  }
  return [rest, ...values];
}

/** Returns true when an encoded path matches the template and every placeholder has a value. */
export function fitsTemplate(template: string, path: string): boolean {
  const wanted = template.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return false;
  return wanted.every((segment, i) => {
    const values = matchSegment(segment, given[i] ?? '');
    return values?.every((value) => value !== '') ?? false;
  });
}

/**
 * Returns the values of the placeholders of a whole path, by name; undefined when it does not match.
 * @throws URIError on a broken escape
 */
export function matchPath(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const params: [string, string][] = [];
  for (const [i, segment] of wanted.entries()) {
    const names = placeholdersOf(segment);
    const values = matchSegment(segment, decodeURIComponent(given[i] ?? ''));
    if (values === undefined) return undefined;
    params.push(...values.map((value, at): [string, string] => [names[at] ?? '', value]));
  }
  return Object.fromEntries(params);
}
