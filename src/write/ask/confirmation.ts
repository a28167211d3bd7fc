/** Confirmation codes for writes: each is bound to one exact content, works for ten minutes and once. */

import { randomBytes, timingSafeEqual } from 'node:crypto';
import { canonicalJson, sha256 } from '../../base/canonical-json.ts';
import type { WriteContent } from '../run/send-write.ts';

export const CODE_LIFETIME_MS = 600_000;
/** Codes remembered at once; the oldest is forgotten, and with it refused, when another is issued. */
const MAX_REMEMBERED = 1_000;
const NAME_BYTES = 5;
const PROOF_BYTES = 10;
/** Crockford's base 32: no letter that is read as another. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Why a code does not work. */
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
 * `other-content`, `other-seller`, `other-state`: the first of them that is true, from the last to the first; a code
 * that was used and whose state has changed since is `used`.
 * `unknown`: well formed, but not issued here, or issued so long ago that it is forgotten. `away`: nobody here knows.
 */
export type Redemption = 'ok' | keyof typeof REASONS;

export type Confirmations = ReturnType<typeof createConfirmations>;

interface Issued {
  /** What of the code is not its name. */
  proof: string;
  /** Digest of what it was issued for; and, to tell what differs: */
  content: string;
  identity: string;
  basis?: string | undefined;
}

/** What is known of one: `away` where it is known elsewhere, if at all. */
type Known = { issued: Issued; state: 'good' | 'used' | 'expired'; ageMs: number } | 'unknown' | 'away';

/** Where codes are remembered while they are good, and for a while after. */
export interface IssuedCodes {
  /** @param name a new one for each that is tried @returns the name of the code */
  add(issued: Issued, name: () => string): Promise<string>;
  find(name: string): Promise<Known>;
  /** In one step: of all who take it, one is told `ok`. */
  take(name: string): Promise<Extract<Redemption, 'ok' | 'used' | 'expired' | 'unknown' | 'away'>>;
}

/** In the memory of this process. @param now milliseconds that only grow */
export function createIssuedCodes(now: () => number): IssuedCodes {
  const all = new Map<string, { issued: Issued; expiresAt: number; isUsed: boolean }>();
  const find = (name: string): Exclude<Known, 'away'> => {
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

/** A code proves that the same content was previewed; it does not prove that a person agreed. */
export function createConfirmations(codes: IssuedCodes) {
  return {
    /** A code of 29 characters: six groups of four. @throws InputError when the content is not JSON */
    async issue(content: WriteContent): Promise<string> {
      const proof = encode(randomBytes(PROOF_BYTES));
      const { stateDigest: basis } = content;
      const issued = { proof, content: digestOf(content), identity: canonicalJson(content.identity), basis };
      const name = await codes.add(issued, () => encode(randomBytes(NAME_BYTES)));
      return (name + proof).replace(/.{4}(?=.)/g, '$&-');
    },
    /** `ok` at most once per code; any other answer means: do not send. */
    async redeem(content: WriteContent, code: string): Promise<Redemption> {
      const parts = parseCode(code);
      if (parts === undefined) return 'malformed';
      const known = await codes.find(parts.name);
      if (typeof known === 'string') return known;
      const { issued, state } = known;
      const isIts = timingSafeEqual(Buffer.from(parts.proof), Buffer.from(issued.proof));
      if (!isIts || issued.content !== digestOf(content)) return whatDiffers(known, content);
      return state === 'good' ? codes.take(parts.name) : state;
    },
    /** Milliseconds since it was issued, by a clock that only grows; undefined where nobody here knows it. */
    async ageOf(code: string): Promise<number | undefined> {
      const known = await codes.find(parseCode(code)?.name ?? '');
      return typeof known === 'string' ? undefined : known.ageMs;
    },
  };
}

/** A digest of what is written, whatever is there now. */
export function digestOfChange({ stateDigest: _state, ...change }: WriteContent): string {
  return digestOf(change);
}

function digestOf({ account, operation, parameters, body, identity, stateDigest }: WriteContent): string {
  return sha256({ account, operation, parameters, body, identity, basis: stateDigest });
}

function whatDiffers(
  { issued, state }: Exclude<Known, string>,
  { identity, stateDigest }: WriteContent,
): Redemption {
  if (issued.identity !== canonicalJson(identity)) return 'other-seller';
  if (issued.basis === stateDigest) return 'other-content';
  // Its own write has changed the state.
  return state === 'used' ? 'used' : 'other-state';
}

/** What to tell the caller when a code does not work; every text says the next step. */
export const explainRedemption = (redemption: Exclude<Redemption, 'ok'>): string =>
  `${REASONS[redemption]} Call the tool again without a code to get a preview and a new code.`;

/** As people and assistants copy it: any case, any dashes or spaces, o for 0, i and l for 1. */
export const normalizeCode = (code: string): string =>
  code.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1');

function parseCode(code: string): { name: string; proof: string } | undefined {
  const plain = normalizeCode(code);
  if (!/^[0-9a-hjkmnp-tv-z]{24}$/.test(plain)) return undefined;
  return { name: plain.slice(0, 8), proof: plain.slice(8) };
}

/** Base 32 of a whole number of 5-byte groups: 8 characters each. */
function encode(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 5) {
    const group = bytes.readUIntBE(at, 5);
    for (let power = 7; power >= 0; power--) text += ALPHABET[Math.floor(group / 32 ** power) % 32];
  }
  return text;
}
