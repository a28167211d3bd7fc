/** The author of a change, recorded and shown with each entry of an account that several users share. */

import * as z from 'zod';
import { quoteUserName } from '../../base/text/quote-name.ts';

export const authorSchema = z.object({
  /** The name that colleagues know. It has little but letters and digits, so that it is safe in any text. */
  name: z.string(),
  /** Distinguishes two users of the same name. */
  id: z.string(),
});

export type Author = z.output<typeof authorSchema>;

/** Returns `, by Anna`, or an empty text on a computer of one user. */
export const formatAuthor = (by: Author | undefined): string =>
  by === undefined ? '' : `, by ${quoteUserName(by.name)}`;
