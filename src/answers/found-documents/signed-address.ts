/** Addresses that are a key to a document: whoever has one can fetch it until it ends. */

const LONGEST = 8_192;

/** What signs an address, by what it comes with: S3, CloudFront and older S3, Google, Azure. */
const SIGNATURES: readonly (readonly [signature: string, beside: readonly string[]])[] = [
  ['x-amz-signature', []],
  ['x-goog-signature', []],
  ['signature', ['expires', 'key-pair-id', 'awsaccesskeyid', 'policy']],
  ['sig', ['se', 'sv']],
];

/** The address where a text is one, in base64 too, as customizations of direct fulfilment have it. */
export function addressOf(text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  const plain = /^aHR0c[A-Za-z0-9+/_-]{15,}={0,2}$/.test(text)
    ? Buffer.from(text, 'base64').toString()
    : text;
  return /^https?:\/\/\S{3,}$/i.test(plain) && URL.canParse(plain) ? plain : undefined;
}

export function isSigned(address: string): boolean {
  const names = new Set([...new URL(address).searchParams.keys()].map((name) => name.toLowerCase()));
  return SIGNATURES.some(
    ([signature, beside]) =>
      names.has(signature) && (beside.length === 0 || beside.some((name) => names.has(name))),
  );
}

/** `PDF` of `/labels/1.pdf?...`, where the path says so: only a guess at what lies there. */
export function guessKind(address: string): string | undefined {
  const [, ending] = /\.([a-z]{3,4})$/i.exec(new URL(address).pathname) ?? [];
  const name = ending?.toUpperCase() ?? '';
  return GUESSED.has(name) ? name : undefined;
}

const GUESSED: ReadonlySet<string> = new Set([
  'CSV',
  'PDF',
  'PNG',
  'TSV',
  'TXT',
  'XLSX',
  'XML',
  'ZIP',
  'ZPL',
]);
