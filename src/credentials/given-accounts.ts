/** Credentials given as arguments: each set an account of its own, under a name that no stored account can have, until the program ends. */

import { createHmac, randomBytes } from 'node:crypto';
import { InputError, type Problem } from '../errors.ts';
import { parseAccountInput } from './account-input.ts';
import { grantOf } from './rotation.ts';
import type { AccountProfile, GivenAccount, GivenValues, StoredAccount } from './types.ts';

/** The colon keeps it apart from every account that can be stored, now or later. */
const GIVEN_NAME = /^given:[0-9a-f]{12}$/;

export function isGivenName(name: string): boolean {
  return GIVEN_NAME.test(name);
}

/** Holds nothing itself: it checks the values and names the account that they would make. */
export interface GivenAccounts {
  /** @throws InputError that names each wrong value by its argument, never showing it */
  build(values: GivenValues, addresses: Addresses): Omit<GivenAccount, 'hold'> & { stored: StoredAccount };
}

type Addresses = Pick<AccountProfile, 'baseUrl' | 'authUrl'>;

/** The name is an HMAC with a key of this process: the same for the same values, and it gives nothing of them away. */
export function createGivenAccounts(key: Buffer = randomBytes(32)): GivenAccounts {
  return {
    build(values, { baseUrl, authUrl }) {
      const { clientId, clientSecret, refreshToken } = checkValues(values);
      const text = JSON.stringify([clientId, clientSecret, refreshToken, baseUrl, authUrl]);
      const digest = createHmac('sha256', key).update(text).digest('hex');
      const stored = { clientId, clientSecret, refreshToken, baseUrl, authUrl };
      const name = `given:${digest.slice(0, 12)}`;
      const login = { clientId, grant: grantOf(stored) };
      return { profile: { name, baseUrl, authUrl, login, isGiven: true }, digest, stored };
    },
  };
}

/** What is shorter could be a word. */
const SHORTEST_SECRET = 8;

const ARGUMENTS = {
  clientId: 'client_id',
  clientSecret: 'client_secret',
  refreshToken: 'refresh_token',
} as const;

/** All three come together: values of different sources are never mixed, and a token from a chat gets no stored secret. */
function checkValues(values: GivenValues): Required<GivenValues> {
  const problems: Problem[] = [];
  const given = { clientId: '', clientSecret: '', refreshToken: '' };
  for (const field of ['clientId', 'clientSecret', 'refreshToken'] as const) {
    const value = values[field];
    if (value === undefined) problems.push({ path: ARGUMENTS[field], message: 'is missing' });
    else given[field] = value;
  }
  if (problems.length > 0) throw refuse('Credentials are given whole or not at all', problems);
  const checked = parseAccountInput(given);
  if (!checked.ok)
    throw refuse('The credentials that were given are not right', checked.problems.map(toArgument));
  const { clientId, clientSecret, refreshToken } = checked.value;
  // The client id is shown: it must not carry a secret.
  const isInside = (secret: string) => secret.length >= SHORTEST_SECRET && clientId.includes(secret);
  if (isInside(clientSecret) || isInside(refreshToken)) {
    const message = 'holds the client secret or the refresh token; it is shown, so it must not';
    throw refuse('The credentials that were given are not right', [{ path: 'client_id', message }]);
  }
  return { clientId, clientSecret, refreshToken };
}

function toArgument({ path, message }: Problem): Problem {
  const field = (['clientId', 'clientSecret', 'refreshToken'] as const).find((known) => known === path);
  return { path: field === undefined ? path : ARGUMENTS[field], message };
}

function refuse(what: string, problems: readonly Problem[]): InputError {
  return new InputError(
    `${what}; nothing was sent.`,
    'Give refresh_token, client_id and client_secret together, or leave all three out to use the account that is stored.',
    problems,
  );
}
