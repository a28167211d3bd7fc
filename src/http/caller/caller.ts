/** The caller of a request, as its validated token identifies it. */

export interface Caller {
  issuer: string;
  /** Identifies the user together with the issuer. The client does not, because many users share one. */
  subject: string;
  name?: string;
  groups: readonly string[];
  scopes: readonly string[];
  /** Seconds since the epoch, as in the token. */
  expiresAt: number;
}

/** The scope that every call requires, and the additional one for calls that change something. */
export const READ_SCOPE = 'seller:read';
export const WRITE_SCOPE = 'seller:write';

/** Returns the key for counting a user's requests; it is never shown. */
export const keyOf = ({ issuer, subject }: Caller): string => JSON.stringify([issuer, subject]);
