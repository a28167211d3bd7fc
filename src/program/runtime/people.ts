/** Who may use a server of many, and the session of each: opened on first use, ended when it was idle for a while. */

import type { Caller } from '../../http/caller/caller.ts';
import type { Session } from '../../write/session.ts';

export interface People {
  /** The session of this person, opened on first use, closed after idle minutes. undefined: nobody who has access. */
  sessionOf(caller: Caller): Promise<Session | undefined>;
  close(): Promise<void>;
}
