/** A report's text in the bytes of its charset. */

export type Charset = 'UTF-8' | 'Cp1252';

/** What Cp1252 has where Latin-1 has control characters. */
const EXTRA = new Map(
  Object.entries({
    '€': 0x80,
    '‚': 0x82,
    '„': 0x84,
    '…': 0x85,
    '‘': 0x91,
    '’': 0x92,
    '“': 0x93,
    '”': 0x94,
    '–': 0x96,
    '—': 0x97,
    '™': 0x99,
  }),
);

/** What Cp1252 has no byte for becomes a question mark, as the service does it. */
export function encode(text: string, charset: Charset): Buffer {
  if (charset === 'UTF-8') return Buffer.from(text, 'utf8');
  return Buffer.from(
    [...text].map((char) => {
      const code = char.codePointAt(0) ?? 0;
      return EXTRA.get(char) ?? (code < 0x80 || (code >= 0xa0 && code <= 0xff) ? code : 0x3f);
    }),
  );
}
