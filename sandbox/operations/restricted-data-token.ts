/** createRestrictedDataToken: a token that opens the named resources and nothing else. */

import * as z from 'zod';
import { fail } from '../answer.ts';
import type { Route } from '../router.ts';
import type { TokenBook } from '../tokens/token-book.ts';

const bodySchema = z.looseObject({
  restrictedResources: z
    .array(
      z.looseObject({
        method: z.enum(['GET', 'PUT', 'POST', 'DELETE']),
        path: z.string().startsWith('/'),
        dataElements: z.array(z.string()).optional(),
      }),
    )
    .min(1)
    .max(50),
});

export function buildRestrictedDataTokenRoute(book: TokenBook, lifetimeSeconds: number): Route {
  return {
    operation: 'createRestrictedDataToken',
    method: 'POST',
    path: '/tokens/2021-03-01/restrictedDataToken',
    auth: 'seller',
    handle({ body }) {
      const parsed = bodySchema.safeParse(body);
      if (!parsed.success) {
        const details = parsed.error.issues
          .map((issue) => `${issue.path.join('.')}: ${issue.message}`)
          .join('; ');
        return fail(400, { code: 'InvalidRequest', message: 'The request is missing or invalid.', details });
      }
      const restrictedDataToken = book.issue('restricted', parsed.data.restrictedResources);
      return { status: 200, body: { restrictedDataToken, expiresIn: lifetimeSeconds } };
    },
  };
}
