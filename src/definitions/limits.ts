/** How much of a user's definitions is taken in: enough for the largest public ones, too little to hurt. */

/** Largest file read, in bytes. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;
/** Longest YAML, in characters: reading it takes far more work than JSON, some of it quadratic. */
export const MAX_YAML_LENGTH = 1024 * 1024;
/** Files taken from one folder. */
export const MAX_FILES = 500;
/** Files and folders looked at in one folder. */
export const MAX_ENTRIES = 20_000;
/** Operations of one file. */
export const MAX_OPERATIONS = 5_000;
/** Values in a file once its YAML aliases are expanded. */
export const MAX_VALUES = 2_000_000;
/** References followed one inside the other; how deep the values themselves may nest is `MAX_DEPTH` of src/base/json.ts. */
export const MAX_REFERENCE_DEPTH = 400;
/** Longest name of an operation, parameter, member or file, in characters. */
export const MAX_NAME = 120;
/** Longest key of any object beside: a path, a media type, the name of an example. */
export const MAX_KEY = 1_000;
/** Longest path of an operation, with the base path before it; longest address of a server. */
export const MAX_PATH = 1_000;
/** Characters of a description that are searched for a limit. */
export const MAX_DESCRIPTION = 5_000;
/** Parameters of one operation. */
export const MAX_PARAMETERS = 200;
/** Members of one shape. */
export const MAX_MEMBERS = 2_000;
/** Schemas in one `allOf`, `oneOf` or `anyOf`. */
export const MAX_PARTS = 1_000;
/** Values of one enum, and characters of one of them; a list beyond that is not checked. */
export const MAX_ENUM = 2_000;
export const MAX_ENUM_VALUE = 200;
/** Schemas, members and enum values of one file, each counted as often as it is used. */
export const MAX_SCHEMA_PARTS = 500_000;
