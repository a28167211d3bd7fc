/**
 * Handles answers that are secrets: the server stores them for the calls they cover and shows them masked.
 */

import * as z from 'zod';
import type { CallResult } from '../call/client-types.ts';
import { maskToken } from '../privacy/secrets/redact.ts';
import type { Operation } from '../service/facts/operation.ts';
import type { ReadingSession } from './reading-session.ts';

const requestSchema = z.object({
  /** Names another application, which alone can use the token. */
  targetApplication: z.never().optional(),
  restrictedResources: z.array(z.looseObject({ method: z.string(), path: z.string() })),
});
/** An invalid lifetime must not leave the token unmasked: it falls back to the documented hour. */
const answerSchema = z.looseObject({
  restrictedDataToken: z.string(),
  expiresIn: z.coerce.number().positive().catch(3600),
});

const NO_CALL = 'no call of this server: only the application that was named as targetApplication can use it';

interface SecretAnswerParts {
  operation: Operation;
  /** The body that was sent. */
  body: unknown;
  result: CallResult;
  session: ReadingSession;
}

/** True if the operation's answer is a secret. */
export const isSecret = ({ name }: Operation) => name === 'createRestrictedDataToken';

/**
 * Returns the answer's body in a form that may be shown; a restricted data token in it is used for later
 * calls.
 */
export async function hideSecretAnswer({
  operation,
  body,
  result,
  session,
}: SecretAnswerParts): Promise<unknown> {
  if (!isSecret(operation)) return result.body;
  const answer = answerSchema.safeParse(result.body);
  if (!answer.success) return result.body;
  const { restrictedDataToken, expiresIn } = answer.data;
  session.redactor.add(restrictedDataToken);
  const request = requestSchema.safeParse(body);
  if (request.success) {
    const client = await session.client();
    client.rememberRestrictedToken(
      result.owner,
      request.data.restrictedResources,
      restrictedDataToken,
      expiresIn,
    );
  }
  return {
    ...answer.data,
    restrictedDataToken: maskToken(restrictedDataToken),
    keptFor: request.success ? 'the calls that it covers' : NO_CALL,
  };
}
