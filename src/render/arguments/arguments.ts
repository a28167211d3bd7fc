/** Defines and describes arguments that several tools share. */

import * as z from 'zod';
import { isGivenName } from '../../accounts/account.ts';
import { MAX_SQL_CHARACTERS } from '../../data/tables/table-types.ts';

/** A text of 1 to `max`. The bound appears only in the error, because schemas cost tokens. */
export const boundedText = (max: number, more = '') =>
  z.string().refine((text) => text !== '' && text.length <= max, `must have 1 to ${max} characters${more}`);

const ADVERTISED = new WeakMap<z.core.$ZodType, z.ZodType>();

/**
 * Takes any value and is advertised as `schema`: its owner checks it later, with better messages than a path.
 */
export function checkedLater(schema: z.ZodType): z.ZodUnknown {
  const any = z.unknown();
  ADVERTISED.set(any, schema);
  return any;
}

/** Returns the schema to advertise instead. */
export const advertisedSchemaOf = (schema: z.core.$ZodType): z.ZodType | undefined => ADVERTISED.get(schema);

/**
 * The check is not advertised. A name that no account can have is not repeated in an answer, however long it
 * is.
 */
export const accountArgument = z
  .string()
  .refine(
    (name) => /^[\w.@-]{1,64}$/.test(name) || isGivenName(name),
    'is 1 to 64 letters, digits, or any of _ . @ -',
  )
  .optional()
  .describe('Seller account; default: the configured one');

const MAX_PATHS = 50;
const MAX_PATH = 500;
const PATHS_RULE = `takes at most ${MAX_PATHS} paths of at most ${MAX_PATH} characters`;

export const selectArgument = z
  .array(z.string().refine((path) => path.length <= MAX_PATH, PATHS_RULE))
  .max(MAX_PATHS, PATHS_RULE)
  .optional()
  .describe('Parts of the answer, as dotted paths: summaries.itemName, issues.0, items.0-49');

/** The limit is longer than any id, including operations of a user's definition. */
const MAX_OPERATION = 300;

export const dryRunArgument = z.boolean().optional().describe('true: only preview, send nothing');

export const confirmationCodeArgument = z
  .string()
  .refine((code) => code.length <= 100, 'must have at most 100 characters')
  .optional()
  .describe('Code from the preview, once the person has agreed; enough alone');

/** Ends a batch between two of its items. */
export const stopArgument = z.boolean().optional().describe('true: stop the list that this call started');

export const operationArgument = boundedText(MAX_OPERATION).describe(
  'Name (getOrder), or id (orders/getOrder) where several have that name',
);

/** The limit for one operation of a user's definition; built-in ones have far fewer. */
const MAX_PARAMETERS = 200;

export const parametersArgument = z
  .record(z.string(), z.unknown())
  .refine(
    (members) => Object.keys(members).length <= MAX_PARAMETERS,
    `takes at most ${MAX_PARAMETERS} members`,
  )
  .optional()
  .describe('Path, query and header parameters by exact name, in one object');

const jsonObject = z.record(z.string(), z.unknown());

export const bodyArgument = z
  .union([jsonObject, z.array(z.union([jsonObject, z.string()]))])
  .optional()
  .describe('Body, where the operation takes one');

/** The limit of characters; the bytes of a name in UTF-8 are bounded where files are saved. */
const MAX_FILE_NAME = 120;

export const saveAsArgument = boundedText(MAX_FILE_NAME)
  .optional()
  .describe('File name: saves documents of the answer for the person (label.pdf)');

export const sqlArgument = z
  .string()
  .refine(
    (sql) => sql.length <= MAX_SQL_CHARACTERS,
    `is longer than ${MAX_SQL_CHARACTERS} characters; write it shorter`,
  );
