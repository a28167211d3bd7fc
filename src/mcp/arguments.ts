/** Arguments that several tools take, named and worded once. */

import * as z from 'zod';

export const accountArgument = z.string().optional().describe('Account name; default: the configured one');

export const selectArgument = z
  .array(z.string().min(1))
  .optional()
  .describe('Members to return, dotted: summaries.itemName, issues.0, items.0-49');

export const dryRunArgument = z.boolean().optional().describe('Preview only; sends no write');

export const confirmationCodeArgument = z
  .string()
  .optional()
  .describe('From the preview, after the person agreed');
