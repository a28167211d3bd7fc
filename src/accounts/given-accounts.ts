/**
 * Turns credentials from arguments into separate accounts that last until the program ends, under names that
 * no stored account can have.
 */

import { createHmac, randomBytes } from 'node:crypto';
import { InputError } from '../base/errors.ts';
import type { AccountProfile, GivenValues } from './account.ts';
import { secretFields } from './resolve-account.ts';
import { grantOf } from './rotation.ts';

/**
 * Validates values and names the account that they would make, without storing anything. The name is an HMAC
 * with a key of this process, so equal values have equal names that reveal nothing.
 */
export function createGivenAccounts() {
  const key = randomBytes(32);
  /**
   * Validates the credentials and builds the account.
   * @throws InputError that names the argument of each wrong value, never the value
   */
  return (values: GivenValues, { baseUrl, authUrl }: Pick<AccountProfile, 'baseUrl' | 'authUrl'>) => {
    const { clientId, clientSecret, refreshToken } = checkValues(values);
    const text = JSON.stringify([clientId, clientSecret, refreshToken, baseUrl, authUrl]);
    const digest = createHmac('sha256', key).update(text).digest('hex');
    const stored = { clientId, clientSecret, refreshToken, baseUrl, authUrl };
    const name = `given:${digest.slice(0, 12)}`;
    const login = { clientId, grant: grantOf(stored) };
    return { profile: { name, baseUrl, authUrl, login, isGiven: true }, digest, stored };
  };
}

/** The maximum length of one value in characters; real refresh tokens have a few hundred. */
export const MAX_VALUE_LENGTH = 4_096;
/** A shorter text could be an ordinary word. */
const MIN_SECRET_LENGTH = 8;

const ARGUMENTS = {
  clientId: 'client_id',
  clientSecret: 'client_secret',
  refreshToken: 'refresh_token',
} as const;

/**
 * Requires all three values: sources are never mixed, and a token from a chat is never combined with a stored
 * secret.
 */
function checkValues({ clientId, clientSecret, refreshToken }: GivenValues): Required<GivenValues> {
  const values = { clientId, clientSecret, refreshToken };
  const missing = secretFields.filter((field) => values[field] === undefined);
  if (clientId === undefined || clientSecret === undefined || refreshToken === undefined)
    throw refuse('Credentials are given whole or not at all', missing, 'is missing');
  // Longer values are not scanned, because scanning them would block other work.
  const tooLong = secretFields.filter((field) => (values[field] ?? '').length > MAX_VALUE_LENGTH);
  if (tooLong.length > 0) throw refuse(NOT_RIGHT, tooLong, `is longer than ${MAX_VALUE_LENGTH} characters`);
  // The client ID is shown, so it must contain neither a secret nor misleading characters.
  if (!/^[\x21-\x7e]+$/.test(clientId)) throw refuse(NOT_RIGHT, ['clientId'], NOT_A_CLIENT_ID);
  if ([clientSecret, refreshToken].some((secret) => containsSecret(clientId, secret)))
    throw refuse(NOT_RIGHT, ['clientId'], CONTAINS_A_SECRET);
  return { clientId, clientSecret, refreshToken };
}

const NOT_RIGHT = 'The credentials that were given are not right';
const NOT_A_CLIENT_ID = 'holds a space, a line break or an unusual character; copy it once more';
const CONTAINS_A_SECRET = 'is or holds the client secret or the refresh token; it is shown, so it must not';
/** Prefixes that identify, at the public service, a secret in the wrong field. */
const SECRET_PREFIX = /^(?:amzn1\.oa2-cs\.|Atz[ra]\|)/;

function containsSecret(clientId: string, secret: string): boolean {
  if (clientId === secret || SECRET_PREFIX.test(clientId)) return true;
  return secret.length >= MIN_SECRET_LENGTH && clientId.includes(secret);
}

function refuse(what: string, fields: readonly (keyof GivenValues)[], message: string): InputError {
  return new InputError(
    `${what}; nothing was sent.`,
    'Give refresh_token, client_id and client_secret together, or leave all three out to use the account that is stored.',
    fields.map((field) => ({ path: ARGUMENTS[field], message })),
  );
}
