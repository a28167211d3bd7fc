/** How much of a user's definitions is taken in: enough for the largest public ones, too little to hurt. */

/** Largest file read, in bytes. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;
/** Files taken from one folder. */
export const MAX_FILES = 500;
/** Files and folders looked at in one folder. */
export const MAX_ENTRIES = 20_000;
/** Operations of one file. */
export const MAX_OPERATIONS = 5_000;
/** Values in a file once its YAML aliases are expanded. */
export const MAX_VALUES = 2_000_000;
/** References followed one inside the other; how deep the values themselves may nest is `MAX_DEPTH` of src/json.ts. */
export const MAX_REFERENCE_DEPTH = 400;
/** Longest name of an operation, parameter or file, in characters. */
export const MAX_NAME = 120;
