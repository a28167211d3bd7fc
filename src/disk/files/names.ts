/** Which names a file may have: plain ones that mean the same on every system; any other is refused, with one that would do. */

import { Buffer } from 'node:buffer';
import filenameReservedRegex, { windowsReservedNameRegex } from 'filename-reserved-regex';
import filenamify from 'filenamify';
import { InputError } from '../../base/errors.ts';
import { escapeText, hasHidden, quoteText } from '../../base/text/escape-text.ts';
import { shortenToCharacters } from '../../base/text/shorten.ts';
import { ENDINGS, foreignEnding, splitEnding, withEnding } from './endings.ts';
import { MAX_NAME_BYTES } from './limits.ts';

/** Characters of a name that an error repeats. */
const MOST_SHOWN = 80;

/** Of a name that is proposed. */
const MOST_PROPOSED = 60;

/**
 * The name of a file to save, with its ending.
 * @param ending what the content is, where that is known
 * @throws InputError for a name that is no plain one, or not that of a document
 */
export function nameToSave(name: string, ending?: string): string {
  const plain = plainName(name, ending);
  const foreign = foreignEnding(plain);
  if (foreign !== undefined) {
    const reason = `only documents and tables are saved, so that opening a file never runs it, and .${foreign} is the ending of neither`;
    throw refused(name, reason, ending, `Endings: ${ENDINGS.join(', ')}.`);
  }
  return withEnding(plain, ending);
}

/**
 * The name of a file that is there.
 * @throws InputError for one that is no plain name
 */
export function nameToOpen(name: string): string {
  return plainName(name);
}

/** True for what can be opened, and is shown. */
export function isPlainName(name: string): boolean {
  return problemOf(name.normalize('NFC')) === undefined;
}

/** Names that some systems take for the same are the same here: `Labels.pdf` and `labels.pdf`, composed or not. */
export function foldName(name: string): string {
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
    name === '' ? 'An empty name' : `The name ${quoteText(shortenToCharacters(name, MOST_SHOWN))}`;
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

/** The first of them, spelled out. */
function hiddenIn(name: string): string {
  const hidden = Array.from(name).find(hasHidden) ?? '';
  return escapeText(hidden) === hidden ? 'of a picture' : escapeText(hidden);
}

/** What is left of a name when everything is taken out that cannot be in one. */
function proposeName(name: string, ending?: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const visible = Array.from(last.slice(0, 1_000).normalize('NFC'), (char) =>
    hasHidden(char) ? '' : char,
  ).join('');
  const clean = shorten(filenamify(visible, { replacement: '-', maxLength: MOST_PROPOSED })).replace(
    /^[.~ -]+/,
    '',
  );
  const base = foreignEnding(clean) === undefined ? clean : splitEnding(clean).base;
  const proposed = withEnding(base === '' ? 'file' : base, ending ?? 'txt');
  return problemOf(proposed) === undefined && foreignEnding(proposed) === undefined
    ? proposed
    : withEnding('file', ending ?? 'txt');
}

/** So many characters can still be too many bytes; the ending stays. */
function shorten(name: string): string {
  const { base, ending } = splitEnding(name);
  const characters = Array.from(base);
  while (
    Buffer.byteLength(characters.join('') + ending, 'utf8') > MAX_NAME_BYTES - 10 &&
    characters.length > 0
  ) {
    characters.pop();
  }
  return characters.join('') + ending;
}
