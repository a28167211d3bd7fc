/** The endings that files are saved with: those of documents and tables, which no system runs when they are opened. */

const TEXTS = ['txt', 'csv', 'tsv', 'tab', 'json', 'jsonl', 'ndjson', 'xml', 'zpl', 'epl'];
const IMAGES = ['png', 'jpg', 'jpeg', 'gif', 'webp', 'bmp', 'tif', 'tiff'];

/** Not html and svg: pages, which may hold a program. Not xls and doc: they may hold macros. */
export const ENDINGS: readonly string[] = ['pdf', ...IMAGES, ...TEXTS, 'xlsx', 'ods', 'zip', 'gz', 'dat'];

/** Of a content that nothing is known of; no program opens it by itself. */
const UNKNOWN = 'dat';

/** A page that this program made, whose one script is its own: what came from elsewhere is never saved as one. */
export const OWN_PAGE = 'page of our own';
const PAGE = 'html';

/** Texts that would be opened as a page. */
const PAGES = ['html', 'htm', 'xhtml', 'svg'];

/** Other endings that a content of this kind may have. */
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

/** True where the ending is that of a text. */
export function isTextName(name: string): boolean {
  return TEXTS.includes(endingOf(name) ?? '');
}

/** What stands behind the last dot, in lower case; undefined where nothing does. */
function endingOf(name: string): string | undefined {
  return /[^.]\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
}

/** True where a page is asked for. */
export const isPageName = (name: string): boolean => endingOf(name) === PAGE;

/** An ending that reads like one, and is not that of a document: `exe`. */
export function foreignEnding(name: string): string | undefined {
  const ending = endingOf(name);
  return ending !== undefined && /^[a-z][\w-]{0,31}$/.test(ending) && !ENDINGS.includes(ending)
    ? ending
    : undefined;
}

/**
 * The name with an ending that fits what is known of the content: kept, put in the place of another document's, or
 * added. Whatever comes out ends in one of `ENDINGS`, or is a page of our own.
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

/** `labels` and `.pdf` of `labels.pdf`. */
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
