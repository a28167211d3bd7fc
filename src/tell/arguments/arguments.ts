/** Arguments that several tools take, named and worded once. */

import * as z from 'zod';
import { isGivenName } from '../../accounts/account.ts';
import { MAX_SQL_CHARACTERS } from '../../data/tables/tables.ts';

/** A text of 1 to `most` characters, the bound advertised and told. */
export const shortText = (most: number) =>
  z.string().min(1).max(most, `must have at most ${most} characters`);

/** The same where the bound is so far away that it is told only where it is exceeded: schemas cost tokens. */
export const boundedText = (most: number, more = '') =>
  z.string().refine((text) => text !== '' && text.length <= most, `must have 1 to ${most} characters${more}`);

/** Checked, not advertised: a name that no account can have is not repeated in an answer, however long it is. */
export const accountArgument = z
  .string()
  .refine(
    (name) => /^[\w.@-]{1,64}$/.test(name) || isGivenName(name),
    'is 1 to 64 letters, digits, or any of _ . @ -',
  )
  .optional()
  .describe('Default: the configured one');

const MOST_PATHS = 50;
const LONGEST_PATH = 500;
const PATHS = `takes at most ${MOST_PATHS} paths of at most ${LONGEST_PATH} characters`;

export const selectArgument = z
  .array(z.string().refine((path) => path.length <= LONGEST_PATH, PATHS))
  .max(MOST_PATHS, PATHS)
  .optional()
  .describe('Members to return, dotted: summaries.itemName, issues.0, items.0-49');

/** Longer than any id, that of an operation of a user's definition included. */
const LONGEST_OPERATION = 300;

export const dryRunArgument = z.boolean().optional().describe('Preview only');

export const confirmationCodeArgument = z
  .string()
  .refine((code) => code.length <= 100, 'must have at most 100 characters')
  .optional()
  .describe('From the preview, after the person agreed');

/** Ends a list between two of its items. */
export const stopArgument = z.boolean().optional().describe('Ends a list');

export const operationArgument = boundedText(LONGEST_OPERATION).describe(
  'Id (orders/getOrder) or a name that is unique',
);

/** As many as one operation of a user's definition may have; built-in ones have far fewer. */
const MOST_PARAMETERS = 200;

export const parametersArgument = z
  .record(z.string(), z.unknown())
  .refine(
    (members) => Object.keys(members).length <= MOST_PARAMETERS,
    `takes at most ${MOST_PARAMETERS} members`,
  )
  .optional()
  .describe('Path, query and header parameters by exact name, flat');

export const bodyArgument = z.unknown().optional().describe('JSON body, where the operation takes one');

/** Bytes of a name in UTF-8 are bounded where files are saved. */
const LONGEST_NAME = 120;

export const saveAsArgument = boundedText(LONGEST_NAME)
  .optional()
  .describe('File name: saves its documents (labels.pdf)');

export const sqlArgument = z
  .string()
  .max(MAX_SQL_CHARACTERS, `is longer than ${MAX_SQL_CHARACTERS} characters; write it shorter`);
