/**
 * Validates a bearer token with the provider's keys, or against the one token of this machine. Errors state
 * the reason and admit nobody.
 */

import { hash, timingSafeEqual } from 'node:crypto';
import { OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { hasHidden } from '../../base/text/escape-text.ts';
import { type Caller, READ_SCOPE, WRITE_SCOPE } from './caller.ts';
import { type Provider, ProviderUnavailable } from './provider.ts';

/**
 * Validates a token.
 * @throws OAuthError with the reason; ProviderAway
 */
export type CheckToken = (token: string) => Promise<Caller>;

/** Only key-pair algorithms are allowed: with a shared secret, anyone with the public key could sign. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** The tolerance for clocks that differ. */
const TOLERANCE_S = 5;

/** The maximum number of cached tokens; a client sends the same one with each request. */
const MAX_CACHED_TOKENS = 2_000;

export interface TokenRules {
  issuer: string;
  audience: string;
  /** The name of the claim with the user's groups; `groups` by default. */
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
      throw explainError(error, audience);
    }
  };
  /** Tokens that were validated with the current keys, by digest, oldest first. */
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
    if (checked.size > MAX_CACHED_TOKENS && oldest !== undefined) checked.delete(oldest);
    return caller;
  };
}

const digestOf = (text: string) => hash('sha256', text, 'base64');

/** Accepts the type of RFC 9068 or none. Other tokens, such as logout tokens, have types of their own. */
function isAccessToken(typ: string | undefined): boolean {
  return typ === undefined || /^(?:application\/)?(?:at\+)?jwt$/i.test(typ);
}

/** Validates the token of a single user at this machine. */
export function createOwnTokenCheck(expected: string): CheckToken {
  return async (token) => {
    if (!timingSafeEqual(Buffer.from(digestOf(token)), Buffer.from(digestOf(expected))))
      throw wrong('The token is not the one of this server.');
    return localCaller();
  };
}

/** Returns the caller who has the machine's own token or uses its sandbox. */
export function localCaller(): Caller {
  return {
    issuer: 'urn:seller-commerce-mcp:this-machine',
    subject: 'local',
    groups: [],
    scopes: [READ_SCOPE, WRITE_SCOPE],
    expiresAt: Number.MAX_SAFE_INTEGER,
  };
}

const MAX_SUBJECT_LENGTH = 512;
const MAX_NAME = 80;
const MAX_GROUPS = 500;
const MAX_GROUP_LENGTH = 256;

function readCaller(
  { sub = '', exp = 0, ...claims }: JWTPayload,
  issuer: string,
  groupsClaim: string,
): Caller {
  const { [groupsClaim]: groups } = claims;
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT_LENGTH)
    throw wrong('The token does not say whom it is for.');
  const name = [claims.name, claims.preferred_username, claims.email].find(isName);
  return {
    issuer,
    subject: sub,
    ...(name === undefined ? {} : { name }),
    // A group name may contain spaces, so a single text is one group.
    groups: textsOf(typeof groups === 'string' ? [groups] : groups)
      .filter((group) => group.length <= MAX_GROUP_LENGTH)
      .slice(0, MAX_GROUPS),
    // RFC 9068 defines one text; some providers send a list or use another name.
    scopes: [claims.scope, claims.scp].flatMap(textsOf),
    expiresAt: exp,
  };
}

/** Accepts only harmless names, because they are shown next to journal entries. */
function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MAX_NAME && !hasHidden(value);
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.split(' ').filter((word) => word !== '');
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

const wrong = (message: string) => new OAuthError(OAuthErrorCode.InvalidToken, message);

/** The messages contain no part of the token. */
const CLAIMS: Readonly<Record<string, string>> = {
  iss: 'The token is of another issuer (iss).',
  nbf: 'The token is not valid yet (nbf).',
  exp: 'The token has no end (exp).',
  sub: 'The token does not say whom it is for (sub).',
};

function explainError(error: unknown, audience: string): unknown {
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
  if (error instanceof ProviderUnavailable || error instanceof OAuthError) return error;
  return wrong('The token cannot be read.');
}
