/** Secrets told by their looks: the public service's prefixes, bearer tokens, and members that are named after one. */

const names = [
  'client_secret',
  'clientSecret',
  'refresh_token',
  'refreshToken',
  'access_token',
  'accessToken',
  'restrictedDataToken',
  'x-amz-access-token',
  'SELLER_CLIENT_SECRET',
  'SELLER_REFRESH_TOKEN',
];

/** Names of members whose value is a secret, in lower case. */
export const SECRET_MEMBERS: ReadonlySet<string> = new Set(names.map((name) => name.toLowerCase()));

const name = `(?:${names.join('|')})`;

/** A masked token (`Atza|…(382 characters)`) is shown on purpose. */
const unlessMasked = '(?![^"\'…]{0,20}…\\()';

/**
 * Each pattern keeps its first group and loses the rest. All are linear: no repetition stands beside another that takes
 * the same characters, and every optional run is bounded. None repeats a group: that takes stack for each round.
 */
const patterns: readonly RegExp[] = [
  /(\bBearer[ \t]{1,8})[\w~+/|=.%-]{12,}/gi,
  /(Atz[a-z.]{0,10}(?:\||%7C|\\u007c))[\w~+/|=.%-]+/gi,
  /(amzn1\.oa2-cs\.)[\w.-]+/gi,
  // JSON inside a JSON string, any number of times escaped.
  new RegExp(`(\\\\"${name}\\\\{1,8}"\\s{0,8}:\\s{0,8}\\\\{1,8}")${unlessMasked}[^"\\\\]+`, 'gi'),
  // What Node prints of an object.
  new RegExp(`(${name}'?\\s{0,8}[:=]\\s{0,8}')${unlessMasked}[^']+`, 'gi'),
  // A form, an address, an environment block.
  new RegExp(`(\\b${name}=)(?=[^\\s&'"])${unlessMasked}[^\\s&'"]+`, 'gi'),
];

/** JSON up to the value, which is whole or cut off in the middle. */
const jsonMember = new RegExp(`"${name}"\\s{0,8}:\\s{0,8}"(?!")${unlessMasked}`, 'gi');

/** Every pattern needs one of these words: a text without them is left as it is, at the price of one search. */
const hint = /bearer|atz|amzn1|client_?secret|refresh_?token|access_?token|access-token|restricteddatatoken/i;

/** False where no shape can be found. */
export function mayHoldShape(text: string): boolean {
  return hint.test(text);
}

export function redactShapes(text: string, mark: string): string {
  if (!mayHoldShape(text)) return text;
  let clean = blotJsonMembers(text, mark);
  for (const pattern of patterns) {
    clean = clean.replace(pattern, (whole: string, kept: string) =>
      whole === `${kept}${mark}` ? whole : `${kept}${mark}`,
    );
  }
  return clean;
}

function blotJsonMembers(text: string, mark: string): string {
  let clean = '';
  let done = 0;
  for (const match of text.matchAll(jsonMember)) {
    // Inside a value that is gone already.
    if (match.index < done) continue;
    const start = match.index + match[0].length;
    clean += text.slice(done, start) + mark;
    done = endOfString(text, start);
  }
  return clean + text.slice(done);
}

/** Where the JSON string that goes on at `from` ends: its closing quote, or the end of the text. */
function endOfString(text: string, from: number): number {
  let end = from;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return Math.min(end, text.length);
}
