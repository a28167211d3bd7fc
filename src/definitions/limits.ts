/**
 * Limits on the user's definitions: high enough for the largest public ones, low enough to protect the
 * process.
 */

/** The maximum size of a file, in bytes. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;
/**
 * The maximum length of YAML, in characters. It is lower, because parsing YAML takes far more work than JSON,
 * some of it quadratic.
 */
export const MAX_YAML_LENGTH = 1024 * 1024;
/** The maximum number of files read from one folder. */
export const MAX_FILES = 500;
/** The maximum number of files and folders visited in one folder. */
export const MAX_ENTRIES = 20_000;
/** The maximum number of operations in one file. */
export const MAX_OPERATIONS = 5_000;
/** The maximum number of values in a file once its YAML aliases are expanded. */
export const MAX_VALUES = 2_000_000;
/**
 * The maximum depth of nested references; the depth of values themselves is limited by `MAX_DEPTH` of
 * src/base/json.ts.
 */
export const MAX_REFERENCE_DEPTH = 400;
/** The maximum length of the name of an operation, parameter, member or file, in characters. */
export const MAX_NAME = 120;
/** The maximum length of any other object key: a path, a media type, the name of an example. */
export const MAX_KEY = 1_000;
/** The maximum length of an operation's path with its base path, and of a server's address. */
export const MAX_PATH = 1_000;
/** The maximum characters of a description that are searched for a rate limit. */
export const MAX_DESCRIPTION = 5_000;
/** The maximum number of parameters of one operation. */
export const MAX_PARAMETERS = 200;
/** The maximum number of members of one shape. */
export const MAX_MEMBERS = 2_000;
/** The maximum number of schemas in one `allOf`, `oneOf` or `anyOf`. */
export const MAX_PARTS = 1_000;
/**
 * The maximum number of values of one enum, and of characters per value; a list beyond that is not checked.
 */
export const MAX_ENUM = 2_000;
export const MAX_ENUM_VALUE = 200;
/** The maximum number of schemas, members and enum values of one file, each counted every time it is used. */
export const MAX_SCHEMA_PARTS = 500_000;
