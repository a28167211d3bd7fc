/**
 * The file extensions for saved files: those of documents and tables, which no system runs when they are
 * opened.
 */

const TEXTS = ['txt', 'csv', 'tsv', 'tab', 'json', 'jsonl', 'ndjson', 'xml', 'zpl', 'epl'];
const IMAGES = ['png', 'jpg', 'jpeg', 'gif', 'webp', 'bmp', 'tif', 'tiff'];

/** The list excludes html and svg, which may contain scripts, and xls and doc, which may contain macros. */
export const ENDINGS: readonly string[] = ['pdf', ...IMAGES, ...TEXTS, 'xlsx', 'ods', 'zip', 'gz', 'dat'];

/** The extension for unknown content; no program opens it by itself. */
const UNKNOWN = 'dat';

/** A page made by this program, whose only script is our own; foreign content is never saved as one. */
export const OWN_PAGE = 'page of our own';
const PAGE = 'html';

/** Texts that a system would open as a page. */
const PAGES = ['html', 'htm', 'xhtml', 'svg'];

/** Other extensions that content of this kind may have. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  jpg: ['jpeg'],
  jpeg: ['jpg'],
  tif: ['tiff'],
  tiff: ['tif'],
  tsv: ['tab'],
  jsonl: ['ndjson'],
  zip: ['xlsx', 'ods'],
  txt: TEXTS,
};

/** Returns true when the extension is that of a text. */
export function isTextName(name: string): boolean {
  return TEXTS.includes(endingOf(name) ?? '');
}

/** Returns the text after the last dot, in lower case; undefined when there is none. */
function endingOf(name: string): string | undefined {
  return /[^.]\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
}

/** Returns true when the name asks for a page. */
export const isPageName = (name: string): boolean => endingOf(name) === PAGE;

/** Returns a plausible extension that is not that of a document, such as `exe`. */
export function foreignEnding(name: string): string | undefined {
  const ending = endingOf(name);
  return ending !== undefined && /^[a-z][\w-]{0,31}$/.test(ending) && !ENDINGS.includes(ending)
    ? ending
    : undefined;
}

/**
 * Returns the name with an extension that fits the content: unchanged, replaced or added. The result always
 * ends in one of `ENDINGS`, or is a page of our own.
 */
export function withEnding(name: string, content?: string): string {
  const found = endingOf(name);
  if (content === OWN_PAGE) return found === PAGE ? name : `${splitEnding(name).base}.${PAGE}`;
  const isDocument = found !== undefined && ENDINGS.includes(found);
  const known = knownEnding(content);
  if (known === undefined) return isDocument ? name : `${name}.${UNKNOWN}`;
  if (!isDocument) return `${name}.${known}`;
  return fits(found, known) ? name : `${splitEnding(name).base}.${known}`;
}

/** Splits `labels.pdf` into `labels` and `.pdf`. */
export function splitEnding(name: string): { base: string; ending: string } {
  const at = name.lastIndexOf('.');
  return at <= 0 ? { base: name, ending: '' } : { base: name.slice(0, at), ending: name.slice(at) };
}

function knownEnding(content: string | undefined): string | undefined {
  const ending = content?.toLowerCase();
  if (ending === undefined || ending === UNKNOWN) return undefined;
  if (PAGES.includes(ending)) return 'txt';
  return ENDINGS.includes(ending) ? ending : undefined;
}

function fits(found: string, content: string): boolean {
  if (found === content || ALSO[content]?.includes(found) === true) return true;
  return found === 'txt' && TEXTS.includes(content);
}
