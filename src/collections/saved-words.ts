/** What was saved of a collection, in both forms: full paths, sizes and kinds. */

import { dirname } from 'node:path';
import { escapeText } from '../text/escape-text.ts';
import { shortenToCharacters } from '../text/shorten.ts';
import { sizeWords } from '../text/size.ts';
import type { RawFile, SavedRaw } from './save-raw.ts';

/** Files that are named; of joined reports there can be a hundred. */
const MOST_NAMED = 10;

const LONGEST_REASON = 300;

export interface SavedCollection {
  lines: string[];
  facts: {
    saved?: { path: string; kind: string; bytes: number; uri: string; report?: string }[];
    saved_files?: number;
    real_values?: string;
    not_saved?: string;
  };
  links: { uri: string; name: string; mimeType: string }[];
}

const REAL_VALUES = 'It holds the real values, those of buyers included.';

/** @param clean takes secrets out of what may hold some */
export function savedCollection(
  saved: SavedRaw | undefined,
  clean: (text: string) => string,
): SavedCollection {
  if (saved === undefined) return { lines: [], facts: {}, links: [] };
  const { files, personal, problem } = saved;
  const named = files.slice(0, MOST_NAMED);
  const real = personal && files.length > 0 ? [REAL_VALUES] : [];
  const reason = problem && shortenToCharacters(clean(`${problem.message} ${problem.hint}`), LONGEST_REASON);
  return {
    lines: [
      ...(files.length === 0 ? [] : [[headWords(files), ...real].join(' ')]),
      ...(reason === undefined ? [] : [`NOT SAVED${files.length === 0 ? '' : ' whole'}: ${reason}`]),
    ],
    facts: {
      saved: named.map(({ path, kind, bytes, uri, label }) => ({
        path: escapeText(path),
        kind: kind.name,
        bytes,
        uri,
        ...(label === undefined ? {} : { report: clean(label) }),
      })),
      ...(files.length > named.length ? { saved_files: files.length } : {}),
      ...(real.length === 0 ? {} : { real_values: REAL_VALUES }),
      ...(reason === undefined ? {} : { not_saved: reason }),
    },
    links: named.slice(0, 1).map(({ uri, name, kind }) => ({ uri, name, mimeType: kind.mimeType })),
  };
}

function headWords(files: readonly RawFile[]): string {
  const [first] = files;
  if (first === undefined || files.length === 1) {
    return first === undefined
      ? ''
      : `Saved ${escapeText(first.path)} (${aboutOf(first)}), as the service sent it.`;
  }
  const names = files.slice(0, MOST_NAMED).map((file) => `${escapeText(file.name)} (${aboutOf(file)})`);
  const more = files.length > MOST_NAMED ? ` and ${files.length - MOST_NAMED} more` : '';
  return `Saved ${files.length} documents in ${escapeText(dirname(first.path))}, as the service sent them: ${names.join(', ')}${more}.`;
}

const aboutOf = ({ kind, bytes }: RawFile) => `${kind.name}, ${sizeWords(bytes)}`;
