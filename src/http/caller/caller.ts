/** Who is calling, as a checked token says it. */

export interface Caller {
  issuer: string;
  /** With the issuer, who it is: a client is nobody, since many people share one. */
  subject: string;
  name?: string;
  groups: readonly string[];
  scopes: readonly string[];
  /** Seconds since the epoch, as in the token. */
  expiresAt: number;
}

/** What every call needs, and what one that changes something needs beside it. */
export const READ_SCOPE = 'seller:read';
export const WRITE_SCOPE = 'seller:write';

/** Of a person, to count by; never shown. */
export const keyOf = ({ issuer, subject }: Caller): string => JSON.stringify([issuer, subject]);
