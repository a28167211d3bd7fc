/** Handles one posted form: validates, verifies and stores the values, or reports the problems. */

import { AppError, type Problem } from '../../base/errors.ts';
import { howToLogin } from '../../base/invocation.ts';
import type { PageAnswer } from '../../page/page-server.ts';
import {
  type AccountIds,
  howToAddIds,
  type MarketplaceOffer,
  NO_MARKETPLACE_MESSAGE,
  NO_SELLER_ID_MESSAGE,
  parseAccountIds,
} from '../account-ids.ts';
import { type AccountInput, parseAccountInput } from '../account-input.ts';
import { type SecretName, type ShownValues, secretNames } from './fields.ts';
import { type FormFailure, type PageFrame, renderDone, renderForm, renderIds } from './render.ts';

/** The second form; without it the page ends when the credentials are stored. */
export interface IdsStep {
  /** The initial values of the form. */
  given: AccountIds;
  /** Returns the choices for the user; never rejects. */
  offer(signal: AbortSignal): Promise<MarketplaceOffer>;
  /** Adds the IDs to the stored account. */
  save(ids: AccountIds): Promise<void>;
}

export interface SubmissionSteps {
  /**
   * Verifies the values with the identity provider; resolves to the values to store (with a rotated refresh
   * token, for example).
   */
  verify(values: AccountInput, signal: AbortSignal): Promise<AccountInput>;
  save(values: AccountInput): Promise<void>;
  ids?: IdsStep | undefined;
}

/** The state of one page across attempts, for the lifetime of the page. It contains secrets. */
export interface PageState {
  shown: ShownValues;
  /** The typed values that were not refused. They fill empty fields and are never sent to the browser. */
  kept: TypedSecrets;
  /** Set once the credentials are stored; they are accepted only once. */
  stored?: { secrets: readonly string[]; offer: MarketplaceOffer };
}

/** The context of one submission. */
export interface Submission {
  frame: PageFrame;
  steps: SubmissionSteps;
  /** The state, which the handler changes. */
  state: PageState;
  /** Once it has aborted, nothing more is stored. */
  signal: AbortSignal;
}

/** Renders the current page without an attempt. */
export function renderState(frame: PageFrame, { stored, shown, kept }: PageState): string {
  if (stored !== undefined) return renderIds(frame, stored.offer, shown);
  return renderForm(frame, { shown, kept: namesOf(kept) });
}

/** Answers a submission. Never throws; each failure becomes an answer. */
export async function answerSubmission(fields: Fields, submission: Submission): Promise<PageAnswer> {
  const { frame, state, steps } = submission;
  const { step, ...given } = fields;
  const { stored } = state;
  if (stored === undefined) return answerCredentials(given, submission);
  // Another tab posted the credentials form again, although they are stored already.
  if (step !== 'ids' || steps.ids === undefined) return page(409, renderState(frame, state));
  return answerIds(given, stored, steps.ids, submission);
}

async function answerCredentials(typed: Fields, submission: Submission): Promise<PageAnswer> {
  const { frame, steps, state, signal } = submission;
  const given = { ...typed, ...fillEmptySecrets(typed, state.kept) };
  const checked = parseAccountInput(given);
  const problems = [...(checked.ok ? [] : checked.problems), ...missingRegion(given, frame)];
  if (!checked.ok || problems.length > 0) return formAgain(422, given, { problems }, submission);
  let values = checked.value;
  try {
    values = await steps.verify(values, signal);
    signal.throwIfAborted();
    await steps.save(values);
  } catch (error) {
    const { clientSecret, refreshToken } = values;
    const failure = formatFailure(error, [checked.value.refreshToken, clientSecret, refreshToken]);
    // A refresh token that was rotated meanwhile invalidates the typed one.
    return formAgain(502, { ...given, clientSecret, refreshToken }, { problems: [], failure }, submission);
  }
  state.kept = {};
  state.shown = {};
  if (steps.ids === undefined) return page(200, renderDone(frame), true);
  const secrets = [values.clientSecret, values.refreshToken, checked.value.refreshToken];
  // The credentials are stored from here on, even if the service cannot be called.
  state.stored = { secrets, offer: { marketplaces: [], isOwn: false } };
  const offer = await steps.ids.offer(signal);
  state.stored = { secrets, offer };
  const { sellerId, marketplaceId = offer.isOwn ? offer.marketplaces[0]?.id : undefined } = steps.ids.given;
  state.shown = { sellerId, marketplaceId };
  return page(200, renderState(frame, state));
}

async function answerIds(
  { withoutSellerId, ...typed }: Fields,
  { secrets, offer }: NonNullable<PageState['stored']>,
  step: IdsStep,
  { frame, state, signal }: Submission,
): Promise<PageAnswer> {
  const given = withoutSellerId === undefined ? typed : { ...typed, sellerId: '' };
  const checked = parseAccountIds(given, secrets);
  const problems = [...(checked.ok ? [] : checked.problems), ...missingSellerId(typed, withoutSellerId)];
  const again = (status: number, trouble: FormFailure) => {
    state.shown = showable(['sellerId', 'marketplaceId'], typed, trouble, secrets);
    return page(status, renderIds(frame, offer, state.shown, trouble));
  };
  if (!checked.ok || problems.length > 0) return again(422, { problems });
  try {
    signal.throwIfAborted();
    await step.save(checked.value);
  } catch (error) {
    return again(502, { problems: [], failure: formatFailure(error, secrets) });
  }
  const { sellerId, marketplaceId } = checked.value;
  const missing = [
    ...(sellerId === undefined
      ? [
          `No seller ID is stored. ${NO_SELLER_ID_MESSAGE} To add it later, ${howToAddIds(frame.account, ['sellerId']).replaceAll('`', '')}.`,
        ]
      : []),
    ...(marketplaceId === undefined ? [`No marketplace is stored. ${NO_MARKETPLACE_MESSAGE}`] : []),
  ];
  return page(200, renderDone(frame, missing), true);
}

function page(status: number, body: string, isEnd = false): PageAnswer {
  return { status, type: 'text/html', body, isEnd };
}

function missingRegion(given: Fields, frame: PageFrame): Problem[] {
  if (frame.service !== undefined || (given.region ?? '').trim() !== '') return [];
  return [{ path: 'region', message: 'Choose the region in which the account sells' }];
}

function missingSellerId({ sellerId = '' }: Fields, without: string | undefined): Problem[] {
  if (without !== undefined || sellerId.trim() !== '') return [];
  return [{ path: 'sellerId', message: 'Enter it, or choose "Finish without a seller ID"' }];
}

function formAgain(
  status: number,
  given: Fields,
  trouble: FormFailure,
  { frame, state }: Submission,
): PageAnswer {
  const secrets = secretNames.map((name) => given[name]?.trim());
  // Fields are listed by name, so that no secret field is shown again.
  state.shown = showable(['clientId', 'region'], given, trouble, secrets);
  state.kept = selectSecrets(given, trouble);
  const attempt = { shown: state.shown, kept: namesOf(state.kept) };
  return page(status, renderForm(frame, attempt, trouble));
}

function formatFailure(error: unknown, secrets: readonly string[]): { message: string; hint: string } {
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

// The values of a refused form are shown again, stored on the server, or dropped.

type Fields = Readonly<Record<string, string>>;

/** Typed secrets that were not refused. */
type TypedSecrets = Partial<Record<SecretName, string>>;

function namesOf(kept: TypedSecrets): SecretName[] {
  return secretNames.filter((name) => kept[name] !== undefined);
}

/** Returns the stored secrets for the fields that were submitted empty. */
function fillEmptySecrets(typed: Fields, kept: TypedSecrets): TypedSecrets {
  const used: TypedSecrets = {};
  for (const name of secretNames) {
    if ((typed[name] ?? '').trim() === '' && kept[name] !== undefined) used[name] = kept[name];
  }
  return used;
}

/**
 * Returns the typed secrets that were not refused. A value that appears in two fields is ambiguous, so it is
 * dropped.
 */
function selectSecrets(given: Fields, { problems }: FormFailure): TypedSecrets {
  const kept: TypedSecrets = {};
  for (const name of secretNames) {
    const value = given[name]?.trim() ?? '';
    const isElsewhere = Object.entries(given).some(
      ([other, text]) => other !== name && text.trim() === value,
    );
    if (value === '' || isElsewhere || problems.some(({ path }) => path === name)) continue;
    kept[name] = value;
  }
  return kept;
}

/**
 * Returns the values that may be shown again. It drops refused values and secrets, because a secret may be
 * pasted into the wrong field.
 */
function showable(
  names: readonly (keyof ShownValues)[],
  given: Fields,
  { problems }: FormFailure,
  secrets: readonly (string | undefined)[],
): ShownValues {
  const shown: ShownValues = {};
  for (const name of names) {
    const value = given[name];
    if (value === undefined || problems.some(({ path }) => path === name)) continue;
    if (!secrets.includes(value.trim())) shown[name] = value;
  }
  return shown;
}
