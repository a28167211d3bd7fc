/** A name's words, whatever way it is written: `AddressLine1`, `address-line-1` and `ADDRESS_LINE_1` are one. */

/** Between blanks, so that a phrase is found with one at either end: ` address line 1 `; accents of Latin letters are left out. */
export function wordsOf(name: string): string {
  const words = plain(name.slice(0, LONGEST))
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})(\p{N})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return ` ${words} `;
}

function plain(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: whatever is not ASCII.
  if (!/[^\u0000-\u007F]/.test(name)) return name;
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/gu, '')
    .normalize('NFC');
}

/** Characters of a name that are read: no name of the service is longer. */
const LONGEST = 200;
