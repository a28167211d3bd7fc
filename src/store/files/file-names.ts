/**
 * Accepts only plain file names that mean the same on every system; an error for any other proposes a valid
 * one.
 */

import { Buffer } from 'node:buffer';
import filenameReservedRegex, { windowsReservedNameRegex } from 'filename-reserved-regex';
import filenamify from 'filenamify';
import { InputError } from '../../base/errors.ts';
import { escapeText, hasHidden, quoteText } from '../../base/text/escape-text.ts';
import { shortenToCharacters } from '../../base/text/shorten.ts';
import { ENDINGS, foreignEnding, isPageName, OWN_PAGE, splitEnding, withEnding } from './endings.ts';

/**
 * The maximum bytes of a name in UTF-8. A number and an extension still fit where names have 143 bytes
 * (encrypted home folders).
 */
export const MAX_NAME_BYTES = 120;

/** The maximum characters of a name that an error repeats. */
const MAX_SHOWN_LENGTH = 80;

/** The maximum characters of a proposed name. */
const MAX_PROPOSED_LENGTH = 60;

/**
 * Returns the name of a file to save, with its extension.
 * @param ending the kind of the content, if known
 * @throws InputError for a name that is not plain, or not that of a document
 */
export function nameToSave(name: string, ending?: string): string {
  const plain = plainName(name, ending);
  const foreign = foreignEnding(plain);
  if (foreign !== undefined && !(ending === OWN_PAGE && isPageName(plain))) {
    const reason = `only documents and tables are saved, so that opening a file never runs it, and .${foreign} is the ending of neither`;
    throw refused(name, reason, ending, `Endings: ${ENDINGS.join(', ')}.`);
  }
  return withEnding(plain, ending);
}

/**
 * Returns the name of an existing file.
 * @throws InputError for one that is not plain
 */
export function nameToOpen(name: string): string {
  return plainName(name);
}

/** Returns true for a name that can be opened and shown. */
export function isPlainName(name: string): boolean {
  return problemOf(name.normalize('NFC')) === undefined;
}

/** Normalizes names that some systems treat as equal: `Labels.pdf` and `labels.pdf`, composed or not. */
export function normalizeName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function plainName(name: string, ending?: string): string {
  const composed = name.normalize('NFC');
  const problem = problemOf(composed);
  if (problem === undefined) return composed;
  throw refused(name, problem, ending);
}

function refused(name: string, reason: string, ending?: string, more = ''): InputError {
  const shown =
    name === '' ? 'An empty name' : `The name ${quoteText(shortenToCharacters(name, MAX_SHOWN_LENGTH))}`;
  const proposed = proposeName(name, ending);
  return new InputError(
    `${shown} cannot be used: ${reason}. Nothing was read or written.`,
    [`A name that would do: ${quoteText(proposed)}.`, more].filter((part) => part !== '').join(' '),
  );
}

function problemOf(name: string): string | undefined {
  if (name.trim() === '') return 'it must not be empty';
  if (/[/\\]/.test(name) || /^\.+$/.test(name)) {
    return 'it must be a name without a path, since all files are in one folder';
  }
  if (hasHidden(name)) return `it holds characters that cannot be seen (${hiddenIn(name)})`;
  if (/^[.~ -]/.test(name)) return 'it must not begin with a dot, a dash, a tilde or a space';
  if (/[. ]$/.test(name)) return 'it must not end with a dot or a space';
  if (filenameReservedRegex().test(name)) return 'it must not hold any of : * ? " < > |';
  if (windowsReservedNameRegex().test(name)) return 'on Windows it names a device';
  const bytes = Buffer.byteLength(name, 'utf8');
  return bytes > MAX_NAME_BYTES
    ? `it has ${bytes} bytes in UTF-8, and at most ${MAX_NAME_BYTES} are allowed`
    : undefined;
}

/** Returns the first hidden character, escaped. */
function hiddenIn(name: string): string {
  const hidden = Array.from(name).find(hasHidden) ?? '';
  return escapeText(hidden) === hidden ? 'of a picture' : escapeText(hidden);
}

/** Returns the name without all characters that are not allowed. */
function proposeName(name: string, ending?: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const visible = Array.from(last.slice(0, 1_000).normalize('NFC'), (char) =>
    hasHidden(char) ? '' : char,
  ).join('');
  const clean = shorten(filenamify(visible, { replacement: '-', maxLength: MAX_PROPOSED_LENGTH })).replace(
    /^[.~ -]+/,
    '',
  );
  const base = foreignEnding(clean) === undefined ? clean : splitEnding(clean).base;
  const proposed = withEnding(base === '' ? 'file' : base, ending ?? 'txt');
  return problemOf(proposed) === undefined && foreignEnding(proposed) === undefined
    ? proposed
    : withEnding('file', ending ?? 'txt');
}

/**
 * Shortens the name by bytes, because an allowed number of characters may have too many bytes; the extension
 * stays.
 */
function shorten(name: string): string {
  const { base, ending } = splitEnding(name);
  return withRoom(base, ending, MAX_NAME_BYTES - 10);
}

/** Removes characters before the extension until the name fits, but leaves at least `least`. */
function withRoom(base: string, ending: string, maxBytes: number, least = 0): string {
  const characters = Array.from(base);
  while (characters.length > least && Buffer.byteLength(characters.join('') + ending, 'utf8') > maxBytes) {
    characters.pop();
  }
  return `${characters.join('')}${ending}`;
}

/**
 * Returns names for several files that are saved at once: `label.pdf`, or `label-1.pdf`, `label-2.pdf` for
 * two. A long name is shortened for the number, because a name that was valid before the call must suffice
 * for all files.
 * @throws InputError for a name that no file may have
 */
export function numberNames(name: string, count: number): string[] {
  if (count < 2) return [name];
  const { base, ending } = splitEnding(nameToSave(name));
  return Array.from({ length: count }, (_, at) => withRoom(base, `-${at + 1}${ending}`, MAX_NAME_BYTES, 1));
}
