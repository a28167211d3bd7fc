/** Arguments that several tools take, named and worded once. */

import * as z from 'zod';
import { isGivenName } from '../credentials/given-accounts.ts';

/** Checked, not advertised: a name that no account can have is not repeated in an answer, however long it is. */
export const accountArgument = z
  .string()
  .refine(
    (name) => /^[\w.@-]{1,64}$/.test(name) || isGivenName(name),
    'is 1 to 64 letters, digits, or any of _ . @ -',
  )
  .optional()
  .describe('Account name; default: the configured one');

export const selectArgument = z
  .array(z.string())
  .refine(
    (paths) => paths.length <= 50 && paths.every((path) => path.length <= 500),
    'takes at most 50 paths of at most 500 characters',
  )
  .optional()
  .describe('Members to return, dotted: summaries.itemName, issues.0, items.0-49');

export const dryRunArgument = z.boolean().optional().describe('Preview only; sends no write');

export const confirmationCodeArgument = z
  .string()
  .optional()
  .describe('From the preview, after the person agreed');

export const operationArgument = z.string().min(1).describe('Id (orders/getOrder) or a name that is unique');

export const parametersArgument = z
  .record(z.string(), z.unknown())
  .optional()
  .describe('Path, query and header parameters by exact name, flat');

export const bodyArgument = z.unknown().optional().describe('JSON body, where the operation takes one');
