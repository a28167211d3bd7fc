/** Who may use a server of many, and the session of each: opened on first use, ended when it was idle for a while. */

import type { Session } from '../../write/session.ts';

/** As a checked token tells it. */
export interface Caller {
  issuer: string;
  subject: string;
  name?: string;
  groups: readonly string[];
  scopes: readonly string[];
  /** Seconds since the epoch, as in the token. */
  expiresAt: number;
}

export interface People {
  /** The session of this person, opened on first use, closed after idle minutes. undefined: nobody who has access. */
  sessionOf(caller: Caller): Promise<Session | undefined>;
  close(): Promise<void>;
}
