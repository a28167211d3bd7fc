/** What the system says about the folder of files, with the next step. */

import { AppError, ConfigError } from '../errors.ts';
import { NotAFileError } from '../open-file.ts';
import { quoteText } from '../text/escape-text.ts';

const ANOTHER = 'name another folder with --files-dir (SELLER_FILES_DIR).';
const MAKE_ROOM = `Make room there, or ${ANOTHER}`;

/** What a system says, and what that means: of the folder, and for the person. */
const MEANINGS: Readonly<Record<string, { what: string; next: string }>> = {
  ENOSPC: { what: 'its disk is full', next: MAKE_ROOM },
  EDQUOT: { what: 'your share of its disk is used up', next: MAKE_ROOM },
  EFBIG: { what: 'no file this large can be written there', next: `Save less at once, or ${ANOTHER}` },
  EACCES: { what: 'this program may not use it', next: `Allow it to, or ${ANOTHER}` },
  EPERM: { what: 'this program may not use it', next: `Allow it to, or ${ANOTHER}` },
  EROFS: { what: 'nothing can be written there', next: `Name another one: ${ANOTHER}` },
  ENOTDIR: { what: 'a file stands in its way', next: `Remove it, or ${ANOTHER}` },
  EEXIST: { what: 'something else stands in its way', next: `Remove it, or ${ANOTHER}` },
};

/** Any other error is given back as it is: it comes from the content that was to be saved. */
export function explainFailure(error: unknown, folder: string): unknown {
  if (error instanceof AppError) return error;
  if (error instanceof NotAFileError)
    return failed(folder, `${error.kind} stands in its way`, `Remove it, or ${ANOTHER}`, error);
  const code =
    error instanceof Error && 'code' in error && 'syscall' in error ? String(error.code) : undefined;
  if (code === undefined) return error;
  const { what, next } = MEANINGS[code] ?? {
    what: `the system says ${code}`,
    next: `Look at it, or ${ANOTHER}`,
  };
  return failed(folder, what, next, error);
}

function failed(folder: string, what: string, next: string, cause: unknown): ConfigError {
  return new ConfigError(`The folder of files, ${quoteText(folder)}, cannot be used: ${what}.`, next, {
    cause,
  });
}
