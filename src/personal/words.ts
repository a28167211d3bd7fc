/** A name's words, whatever way it is written: `AddressLine1`, `address-line-1` and `ADDRESS_LINE_1` are one. */

/** Between blanks, so that a phrase is found with one at either end: ` address line 1 `; accents of Latin letters are left out. */
export function wordsOf(name: string): string {
  const cut = name.slice(0, LONGEST);
  return ` ${(isAscii(cut) ? asciiWords(cut) : unicodeWords(cut)).trim()} `;
}

/** Characters of a name that are read: no name of the service is longer. */
const LONGEST = 200;

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what ASCII is.
const isAscii = (name: string) => /^[\u0000-\u007F]*$/.test(name);

/** The same as the other in a quarter of its time: nearly all names are of this kind, and answers may hold any number. */
function asciiWords(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/([A-Za-z])([0-9])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ');
}

function unicodeWords(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/gu, '')
    .normalize('NFC')
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})(\p{N})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, ' ');
}
