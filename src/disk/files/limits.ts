/** How large and how many the files of the person may be: stated in the errors that refuse more. */

/** Of one file, saved or read for an upload; the largest document that is unpacked has as much. */
export const MAX_FILE_BYTES = 2_000_000_000;

/** Of a name in UTF-8. With a number and an ending it still fits where names have 143 bytes (encrypted home folders). */
export const MAX_NAME_BYTES = 120;

/** The last number that a taken name gets. */
export const MAX_SAME_NAMES = 1_000;

/** Files that are listed. */
export const MAX_LISTED = 50;
