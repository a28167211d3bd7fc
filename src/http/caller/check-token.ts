/** Checks a bearer token: by the provider's keys, or against the one token of this machine. Tells clearly what is wrong, and lets nobody in. */

import { hash, timingSafeEqual } from 'node:crypto';
import { OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { hasHidden } from '../../base/text/escape-text.ts';
import { type Caller, READ_SCOPE, WRITE_SCOPE } from './caller.ts';
import { type Provider, ProviderAway } from './provider.ts';

/** @throws OAuthError that says what is wrong with it; ProviderAway */
export type CheckToken = (token: string) => Promise<Caller>;

/** Signed with a key pair alone: with a shared secret, whoever has the public key could sign. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Clocks differ. */
const TOLERANCE_S = 5;

/** A client sends the same token with each request. */
const MOST_CHECKED = 2_000;

export interface TokenRules {
  issuer: string;
  audience: string;
  /** Names the claim that holds the groups of a person; `groups` where left out. */
  groupsClaim?: string;
  now?: () => number;
}

export function createTokenCheck(
  provider: Pick<Provider, 'key' | 'edition'>,
  { issuer, audience, groupsClaim = 'groups', now = Date.now }: TokenRules,
): CheckToken {
  const check: CheckToken = async (token) => {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, provider.key, {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: TOLERANCE_S,
        requiredClaims: ['exp', 'sub'],
      });
      if (!isAccessToken(protectedHeader.typ))
        throw wrong('The token is of another kind than an access token.');
      return readCaller(payload, issuer, groupsClaim);
    } catch (error) {
      throw inWords(error, audience);
    }
  };
  /** Found right by the very keys that are held now; by digest, the oldest first. */
  const checked = new Map<string, { caller: Caller; edition: number }>();
  return async (token) => {
    const key = digestOf(token);
    const known = checked.get(key);
    const edition = provider.edition();
    if (known !== undefined && known.edition === edition && now() < known.caller.expiresAt * 1000)
      return known.caller;
    checked.delete(key);
    const caller = await check(token);
    if (edition === undefined || edition !== provider.edition()) return caller;
    checked.set(key, { caller, edition });
    const [oldest] = checked.keys();
    if (checked.size > MOST_CHECKED && oldest !== undefined) checked.delete(oldest);
    return caller;
  };
}

const digestOf = (text: string) => hash('sha256', text, 'base64');

/** As RFC 9068 names it, or not at all: a token to log out with, say, has a name of its own. */
function isAccessToken(typ: string | undefined): boolean {
  return typ === undefined || /^(?:application\/)?(?:at\+)?jwt$/i.test(typ);
}

/** For one person at this machine. */
export function createOwnTokenCheck(expected: string): CheckToken {
  return async (token) => {
    if (!timingSafeEqual(Buffer.from(digestOf(token)), Buffer.from(digestOf(expected))))
      throw wrong('The token is not the one of this server.');
    return ofThisMachine();
  };
}

/** Whoever holds the machine's own token, or uses its sandbox. */
export function ofThisMachine(): Caller {
  return {
    issuer: 'urn:seller-commerce-mcp:this-machine',
    subject: 'local',
    groups: [],
    scopes: [READ_SCOPE, WRITE_SCOPE],
    expiresAt: Number.MAX_SAFE_INTEGER,
  };
}

const MOST_SUBJECT = 512;
const MOST_NAME = 80;
const MOST_GROUPS = 500;
const MOST_GROUP = 256;

function readCaller(
  { sub = '', exp = 0, ...claims }: JWTPayload,
  issuer: string,
  groupsClaim: string,
): Caller {
  const { [groupsClaim]: groups } = claims;
  if (typeof sub !== 'string' || sub === '' || sub.length > MOST_SUBJECT)
    throw wrong('The token does not say whom it is for.');
  const name = [claims.name, claims.preferred_username, claims.email].find(isName);
  return {
    issuer,
    subject: sub,
    ...(name === undefined ? {} : { name }),
    // A name can have spaces: one text is one group.
    groups: textsOf(typeof groups === 'string' ? [groups] : groups)
      .filter((group) => group.length <= MOST_GROUP)
      .slice(0, MOST_GROUPS),
    // RFC 9068 has one text; some providers a list, or another name.
    scopes: [claims.scope, claims.scp].flatMap(textsOf),
    expiresAt: exp,
  };
}

/** It will stand beside entries of the journal. */
function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MOST_NAME && !hasHidden(value);
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.split(' ').filter((word) => word !== '');
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

const wrong = (message: string) => new OAuthError(OAuthErrorCode.InvalidToken, message);

/** Nothing of the token stands in them. */
const CLAIMS: Readonly<Record<string, string>> = {
  iss: 'The token is of another issuer (iss).',
  nbf: 'The token is not valid yet (nbf).',
  exp: 'The token has no end (exp).',
  sub: 'The token does not say whom it is for (sub).',
};

function inWords(error: unknown, audience: string): unknown {
  if (error instanceof errors.JWTExpired) return wrong('The token has ended.');
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud')
    return wrong(`The token is not for this server (aud): it has to be for ${audience}.`);
  if (error instanceof errors.JWTClaimValidationFailed)
    return wrong(CLAIMS[error.claim] ?? 'The token says something that is not allowed.');
  if (error instanceof errors.JOSEAlgNotAllowed)
    return wrong('The token is signed in a way that is not allowed (alg).');
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return wrong('The token is signed with a key that the issuer does not have.');
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return wrong('The signature of the token does not fit.');
  if (error instanceof ProviderAway || error instanceof OAuthError) return error;
  return wrong('The token cannot be read.');
}
