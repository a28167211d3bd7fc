/** createRestrictedDataToken: a token that opens the named resources and nothing else. */

import * as z from 'zod';
import { ok, problemsOf, refuse } from '../answer.ts';
import type { Played } from '../router.ts';
import type { TokenBook } from '../tokens/token-book.ts';

const resourceSchema = z.looseObject({
  method: z.enum(['GET', 'PUT', 'POST', 'DELETE']),
  path: z.string().startsWith('/'),
  dataElements: z.array(z.string()).optional(),
});
const bodySchema = z.looseObject({ restrictedResources: z.array(resourceSchema).min(1).max(50) });

export const playTokens = (book: TokenBook, lifetimeSeconds: number): Played => ({
  'tokens/createRestrictedDataToken': ({ body }) => {
    const parsed = bodySchema.safeParse(body);
    if (!parsed.success) {
      const details = problemsOf(parsed.error);
      refuse(400, { code: 'InvalidRequest', message: 'The request is missing or invalid.', details });
    }
    const restrictedDataToken = book.issue('restricted', parsed.data.restrictedResources);
    return ok({ restrictedDataToken, expiresIn: lifetimeSeconds });
  },
});
