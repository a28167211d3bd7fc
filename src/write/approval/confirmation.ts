/**
 * Issues confirmation codes for writes: each is bound to one exact content and is valid once, within ten
 * minutes.
 */

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { canonicalJson, sha256 } from '../../base/canonical-json.ts';
import type { WriteContent } from '../run/send-write.ts';

export const CODE_LIFETIME_MS = 600_000;
/** The max number of remembered codes; issuing another forgets the oldest, which is then refused. */
const MAX_REMEMBERED = 1_000;
const NAME_BYTES = 5;
const PROOF_BYTES = 10;
/** Crockford's base 32 has no letter that is read as another. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

const REASONS = {
  used: 'This confirmation code was used already: each works once. Check whether the write was made before you repeat it.',
  expired: 'This confirmation code is older than 10 minutes.',
  'other-content':
    'This confirmation code belongs to another content: account, operation, parameters or body differ from the preview, or the code was copied wrongly. Send exactly what was previewed, with its own code.',
  'other-seller':
    'This confirmation code belongs to another content: the account has other credentials, another seller or another address than at the preview.',
  'other-state':
    'This confirmation code belongs to another content: the state that the changes were compared with has changed since the preview.',
  malformed:
    'This is not a confirmation code: it is 24 letters and digits in groups of four, as the preview shows it. Copy it whole.',
  unknown:
    "This confirmation code was not issued by this server process, which may have been restarted since; another process's code does not work here.",
  away: 'Whether this confirmation code was used elsewhere cannot be told now: the store that the servers share does not answer. A new code works at once.',
};

/**
 * The result of redeeming a code. `other-seller` comes before `other-state`, and `other-content` applies if
 * both match; a used code whose state has changed since is `used`. `unknown` is well formed, but was not
 * issued here or is forgotten. `away` means that nobody here knows.
 */
export type Redemption = 'ok' | keyof typeof REASONS;

export type Confirmations = ReturnType<typeof createConfirmations>;

interface Issued {
  /** The secret part of the code, after its name. */
  proof: string;
  /** The digest of the content that it was issued for; the members below show which part differs. */
  content: string;
  identity: string;
  basis?: string | undefined;
}

/** The state of a code; `away` if only an unavailable store could know it. */
type CodeState = { issued: Issued; state: 'good' | 'used' | 'expired'; ageMs: number } | 'unknown' | 'away';

/** Remembers codes while they are valid, and for some time after. */
export interface IssuedCodes {
  /** Adds a code. @param name makes a new name for each attempt @returns the name of the code */
  add(issued: Issued, name: () => string): Promise<string>;
  find(name: string): Promise<CodeState>;
  /** Uses the code in one step: of all callers, one gets `ok`. */
  take(name: string): Promise<Extract<Redemption, 'ok' | 'used' | 'expired' | 'unknown' | 'away'>>;
}

/** Stores codes in the memory of this process. @param now monotonic milliseconds */
export function createIssuedCodes(now: () => number): IssuedCodes {
  const all = new Map<string, { issued: Issued; expiresAt: number; isUsed: boolean }>();
  const find = (name: string): Exclude<CodeState, 'away'> => {
    const known = all.get(name);
    if (known === undefined) return 'unknown';
    const unused = now() < known.expiresAt ? 'good' : 'expired';
    const ageMs = CODE_LIFETIME_MS - (known.expiresAt - now());
    return { issued: known.issued, state: known.isUsed ? 'used' : unused, ageMs };
  };
  return {
    async add(issued, newName) {
      const name = newName();
      all.set(name, { issued, expiresAt: now() + CODE_LIFETIME_MS, isUsed: false });
      const [oldest] = all.keys();
      if (all.size > MAX_REMEMBERED && oldest !== undefined) all.delete(oldest);
      return name;
    },
    find: async (name) => find(name),
    async take(name) {
      const [found, known] = [find(name), all.get(name)];
      if (found === 'unknown' || known === undefined) return 'unknown';
      if (found.state !== 'good') return found.state;
      known.isUsed = true;
      return 'ok';
    },
  };
}

/**
 * Creates the confirmations. A code proves that the same content was previewed; it does not prove that a user
 * approved it.
 */
export function createConfirmations(codes: IssuedCodes) {
  return {
    /** Issues a code of 29 characters: six groups of four. @throws InputError when the content is not JSON */
    async issue(content: WriteContent): Promise<string> {
      const proof = encode(randomBytes(PROOF_BYTES));
      const { stateDigest: basis } = content;
      const issued = { proof, content: digestOf(content), identity: canonicalJson(content.identity), basis };
      const name = await codes.add(issued, () => encode(randomBytes(NAME_BYTES)));
      return (name + proof).replace(/.{4}(?=.)/g, '$&-');
    },
    /** Redeems a code. It returns `ok` at most once per code; with any other result nothing may be sent. */
    async redeem(content: WriteContent, code: string): Promise<Redemption> {
      const parts = parseCode(code);
      if (parts === undefined) return 'malformed';
      const known = await codes.find(parts.name);
      if (typeof known === 'string') return known;
      const { issued, state } = known;
      const isMatch = timingSafeEqual(Buffer.from(parts.proof), Buffer.from(issued.proof));
      if (!isMatch || issued.content !== digestOf(content)) return findDifference(known, content);
      return state === 'good' ? codes.take(parts.name) : state;
    },
    /**
     * Returns the milliseconds since the code was issued, by a monotonic clock; undefined if it is unknown
     * here.
     */
    async ageOf(code: string): Promise<number | undefined> {
      const known = await codes.find(parseCode(code)?.name ?? '');
      return typeof known === 'string' ? undefined : known.ageMs;
    },
  };
}

/** Returns a digest of the write that ignores the current state. */
export function digestOfChange({ stateDigest: _state, ...change }: WriteContent): string {
  return digestOf(change);
}

function digestOf({ account, operation, parameters, body, identity, stateDigest }: WriteContent): string {
  return sha256({ account, operation, parameters, body, identity, basis: stateDigest });
}

function findDifference(
  { issued, state }: Exclude<CodeState, string>,
  { identity, stateDigest }: WriteContent,
): Redemption {
  if (issued.identity !== canonicalJson(identity)) return 'other-seller';
  if (issued.basis === stateDigest) return 'other-content';
  // A used code's own write has changed the state.
  return state === 'used' ? 'used' : 'other-state';
}

/** Explains to the caller why a code does not work; every text has the next step. */
export const explainRedemption = (redemption: Exclude<Redemption, 'ok'>): string =>
  `${REASONS[redemption]} Call the tool again without a code to get a preview and a new code.`;

/** Normalizes a copied code: any case, any dashes or spaces, o for 0, i and l for 1. */
export const normalizeCode = (code: string): string =>
  code.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1');

function parseCode(code: string): { name: string; proof: string } | undefined {
  const plain = normalizeCode(code);
  if (!/^[0-9a-hjkmnp-tv-z]{24}$/.test(plain)) return undefined;
  return { name: plain.slice(0, 8), proof: plain.slice(8) };
}

/** Encodes whole 5-byte groups in base 32: 8 characters each. */
function encode(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 5) {
    const group = bytes.readUIntBE(at, 5);
    for (let power = 7; power >= 0; power--) text += ALPHABET[Math.floor(group / 32 ** power) % 32];
  }
  return text;
}
