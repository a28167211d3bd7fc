/** Defines the argument `document`, whose content comes from a file, a text or a query. */

import * as z from 'zod';
import { InputError } from '../../../base/errors.ts';
import { MAX_SQL_CHARACTERS } from '../../../data/tables/table-types.ts';
import { boundedText } from '../../../render/arguments/arguments.ts';

/** The maximum length of a text that passes through the assistant; a longer one is a file or a query. */
const MAX_TEXT = 200_000;

export const documentArgument = z
  .strictObject({
    file: boundedText(120).optional().describe('Name of a file in the files folder'),
    text: boundedText(MAX_TEXT, '; longer ones go as file or query').optional().describe('The content'),
    query: boundedText(MAX_SQL_CHARACTERS).optional().describe('SELECT whose rows are the content'),
    contentType: boundedText(200)
      .optional()
      .describe('Such as application/pdf, where the name does not tell'),
  })
  .optional()
  .describe('What createFeed, an upload or an attachment sends: one of file, text and query');

export type DocumentArgument = NonNullable<z.output<typeof documentArgument>>;

/** @throws InputError unless exactly one way is given */
export function requireOneDocumentSource({ file, text, query }: DocumentArgument): void {
  const given = [file, text, query].filter((one) => one !== undefined).length;
  if (given === 1) return;
  throw new InputError(
    `document takes exactly one of file, text and query, not ${given}; nothing was sent.`,
    'Such as {"file": "prices.txt"}: a name in the files folder.',
  );
}
