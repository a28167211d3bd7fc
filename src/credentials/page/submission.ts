/** One posted form, from its fields to the answer: checked, tried, stored, or said what is wrong. */

import { AppError, type Problem } from '../../errors.ts';
import { howToLogin } from '../../invocation.ts';
import { type AccountInput, parseAccountInput } from '../account-input.ts';
import type { ShownValues } from './fields.ts';
import { sameText } from './page-server.ts';
import { type PageFrame, renderDone, renderForm, type Trouble } from './render.ts';

export interface SubmissionSteps {
  /** Tries the values with the identity provider; resolves to what is to be stored (a rotated refresh token, say). */
  verify?(values: AccountInput, signal: AbortSignal): Promise<AccountInput>;
  save(values: AccountInput): Promise<void>;
}

export interface Answer {
  status: number;
  type: 'text/html' | 'text/plain';
  body: string;
  saved: boolean;
}

type Fields = Readonly<Record<string, string>>;

/** Never throws: each failure becomes an answer. Nothing is stored once `signal` has aborted. */
export async function answerSubmission(
  fields: Fields,
  frame: PageFrame,
  steps: SubmissionSteps,
  signal: AbortSignal,
): Promise<Answer> {
  const { csrfToken = '', ...given } = fields;
  if (!sameText(csrfToken, frame.csrfToken)) {
    const body = 'This form is not from the page that is open now. Load the page again.';
    return { status: 403, type: 'text/plain', body, saved: false };
  }
  const checked = parseAccountInput(given);
  const problems = [...(checked.ok ? [] : checked.problems), ...missingRegion(given, frame)];
  if (!checked.ok || problems.length > 0) return formAgain(422, frame, given, { problems });
  try {
    const values = (await steps.verify?.(checked.value, signal)) ?? checked.value;
    signal.throwIfAborted();
    await steps.save(values);
  } catch (error) {
    const failure = tellFailure(error, [checked.value.clientSecret, checked.value.refreshToken]);
    return formAgain(502, frame, given, { problems: [], failure });
  }
  return { status: 200, type: 'text/html', body: renderDone(frame), saved: true };
}

function missingRegion(given: Fields, frame: PageFrame): Problem[] {
  if (frame.service !== undefined || (given.region ?? '').trim() !== '') return [];
  return [{ path: 'region', message: 'Choose the region in which the account sells' }];
}

/** Named one by one, so that no secret's own field is among what is shown again. */
const shownFields = ['clientId', 'region', 'sellerId', 'marketplaceId'] as const;

function formAgain(status: number, frame: PageFrame, given: Fields, trouble: Trouble): Answer {
  // Pasted into the wrong field, a secret would come back as an ordinary value: what was refused or is secret goes.
  const refused = new Set(trouble.problems.map(({ path }) => path));
  const secrets = [given.clientSecret, given.refreshToken].map((secret) => secret?.trim());
  const shown: ShownValues = {};
  for (const field of shownFields) {
    if (!refused.has(field) && !secrets.includes(given[field]?.trim())) shown[field] = given[field];
  }
  return { status, type: 'text/html', body: renderForm(frame, shown, trouble), saved: false };
}

function tellFailure(error: unknown, secrets: readonly string[]): { message: string; hint: string } {
  if (!(error instanceof AppError)) {
    return {
      message: 'Something unexpected went wrong while the values were checked or stored.',
      hint: `Try once more; if it happens again, ${howToLogin().replaceAll('`', '')}`,
    };
  }
  const hide = (text: string) =>
    secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '[hidden]'), text);
  return { message: hide(error.message), hint: hide(error.hint) };
}
