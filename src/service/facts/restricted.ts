/** Which operations take another token than the seller's, as reviewed.yaml says. */

import { reviewed } from './generated/reviewed.ts';
import type { Operation } from './operation.ts';

export function authOf(id: string): Operation['auth'] {
  const { scope, token } = reviewed[id] ?? {};
  if (scope !== undefined) return { kind: 'grantless', scope };
  return { kind: token ?? 'seller' };
}
