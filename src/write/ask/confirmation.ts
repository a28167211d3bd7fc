/** Confirmation codes for writes: each is bound by HMAC to one exact content, works for ten minutes and once. */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../../base/canonical-json.ts';
import type { WriteContent } from '../run/send-write.ts';

export const CODE_LIFETIME_MS = 600_000;
/** Codes remembered at once; the oldest is forgotten, and with it refused, when another is issued. */
const MAX_REMEMBERED = 1_000;
const NONCE_BYTES = 5;
const MAC_BYTES = 10;
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
};

/**
 * `other-content`, `other-seller`, `other-state`: the first of them that is true, from the last to the first; a code
 * that was used and whose state has changed since is `used`.
 * `unknown`: well formed, but not issued by this process, or issued so long ago that it is forgotten.
 */
export type Redemption = 'ok' | keyof typeof REASONS;

export type Confirmations = ReturnType<typeof createConfirmations>;

interface Issued {
  /** What it was issued for, to tell what differs. */
  identity: string;
  basis: string | undefined;
  expiresAt: number;
  used: boolean;
}

/**
 * Codes of this process only: the key lives in its memory, so a code of another process or of an earlier start is
 * `unknown`. A code proves that the same content was previewed here; it does not prove that a person agreed.
 * @param options.now milliseconds that only grow; `key` is for tests
 */
export function createConfirmations(options: { now: () => number; key?: Buffer }) {
  const key = options.key ?? randomBytes(32);
  const issued = new Map<string, Issued>();

  const macOf = (nonce: string, content: WriteContent): string => {
    const { account, operation, parameters, body, identity, basis } = content;
    const text = canonicalJson({ nonce, account, operation, parameters, body, identity, basis });
    return encode(createHmac('sha256', key).update(text).digest().subarray(0, MAC_BYTES));
  };

  return {
    /** A code of 29 characters: six groups of four. @throws InputError when the content is not JSON */
    issue(content: WriteContent): string {
      const nonce = encode(randomBytes(NONCE_BYTES));
      const mac = macOf(nonce, content);
      issued.set(nonce, {
        identity: canonicalJson(content.identity),
        basis: content.basis,
        expiresAt: options.now() + CODE_LIFETIME_MS,
        used: false,
      });
      const [oldest] = issued.keys();
      if (issued.size > MAX_REMEMBERED && oldest !== undefined) issued.delete(oldest);
      return (nonce + mac).replace(/.{4}(?=.)/g, '$&-');
    },
    /** `ok` at most once per code; any other answer means: do not send. */
    redeem(content: WriteContent, code: string): Redemption {
      const parts = parseCode(code);
      if (parts === undefined) return 'malformed';
      const known = issued.get(parts.nonce);
      if (known === undefined) return 'unknown';
      if (!timingSafeEqual(Buffer.from(parts.mac), Buffer.from(macOf(parts.nonce, content)))) {
        return whatDiffers(known, content);
      }
      if (known.used) return 'used';
      if (options.now() >= known.expiresAt) return 'expired';
      known.used = true;
      return 'ok';
    },
  };
}

function whatDiffers(known: Issued, { identity, basis }: WriteContent): Redemption {
  if (known.identity !== canonicalJson(identity)) return 'other-seller';
  if (known.basis === basis) return 'other-content';
  // Its own write has changed the state.
  return known.used ? 'used' : 'other-state';
}

/** What to tell the caller when a code does not work; every text says the next step. */
export const explainRedemption = (redemption: Exclude<Redemption, 'ok'>): string =>
  `${REASONS[redemption]} Call the tool again without a code to get a preview and a new code.`;

/** As people and assistants copy it: any case, any dashes or spaces, o for 0, i and l for 1. */
export const normalizeCode = (code: string): string =>
  code.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1');

function parseCode(code: string): { nonce: string; mac: string } | undefined {
  const plain = normalizeCode(code);
  if (!/^[0-9a-hjkmnp-tv-z]{24}$/.test(plain)) return undefined;
  return { nonce: plain.slice(0, 8), mac: plain.slice(8) };
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
