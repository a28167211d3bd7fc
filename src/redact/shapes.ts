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
 * the same characters, and every optional run is bounded.
 */
const patterns: readonly RegExp[] = [
  /(\bBearer[ \t]{1,8})[\w~+/|=.%-]{12,}/gi,
  /(Atz[a-z.]{0,10}(?:\||%7C|\\u007c))[\w~+/|=.%-]+/gi,
  /(amzn1\.oa2-cs\.)[\w.-]+/gi,
  // JSON, whole or cut off in the middle of the value.
  new RegExp(`("${name}"\\s{0,8}:\\s{0,8}")(?!")${unlessMasked}[^"\\\\]*(?:\\\\[^][^"\\\\]*)*`, 'gi'),
  // JSON inside a JSON string, any number of times escaped.
  new RegExp(`(\\\\{1,8}"${name}\\\\{1,8}"\\s{0,8}:\\s{0,8}\\\\{1,8}")${unlessMasked}[^"\\\\]+`, 'gi'),
  // What Node prints of an object.
  new RegExp(`(${name}'?\\s{0,8}[:=]\\s{0,8}')${unlessMasked}[^']+`, 'gi'),
  // A form, an address, an environment block.
  new RegExp(`(\\b${name}=)(?=[^\\s&'"])${unlessMasked}[^\\s&'"]+`, 'gi'),
];

/** Every pattern needs one of these words: a text without them is left as it is, at the price of one search. */
const hint = /bearer|atz|amzn1|client_?secret|refresh_?token|access_?token|access-token|restricteddatatoken/i;

/** False where no shape can be found. */
export function mayHoldShape(text: string): boolean {
  return hint.test(text);
}

export function redactShapes(text: string, mark: string): string {
  if (!mayHoldShape(text)) return text;
  let clean = text;
  for (const pattern of patterns) {
    clean = clean.replace(pattern, (whole: string, kept: string) =>
      whole === `${kept}${mark}` ? whole : `${kept}${mark}`,
    );
  }
  return clean;
}
