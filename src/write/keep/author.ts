/** Who made a change: kept beside each entry of an account that several people use, and told with it. */

import * as z from 'zod';
import { quotePerson } from '../../base/text/quote-name.ts';

export const authorSchema = z.object({
  /** As colleagues know them: letters, digits and little else, so that it can stand in any text. */
  name: z.string(),
  /** Tells two of the same name apart. */
  id: z.string(),
});

export type Author = z.output<typeof authorSchema>;

/** `, by Anna`; empty on a computer of one person. */
export const byWords = (by: Author | undefined): string =>
  by === undefined ? '' : `, by ${quotePerson(by.name)}`;
