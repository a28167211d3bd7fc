/**
 * Opens a session for each user of a sandbox over HTTP, all with the same seller. All sessions end together
 * when none was used for a while, because ending one drops tables that the others use too.
 */

import { keyOf } from '../../http/caller/caller.ts';
import type { Session } from '../../write/session.ts';
import { type OpenSession, openSession } from '../runtime/open-session.ts';
import type { ProgramParts } from '../runtime/program.ts';
import { formatIdleNotice, type UserSessions } from './user-sessions.ts';

const LOOK_MS = 2_000;
/** The maximum number of users with an ended session whose notice is retained. */
const MAX_NOTICES = 10_000;

export function openSandboxUserSessions(program: ProgramParts): UserSessions {
  const { now } = program;
  const { sessionIdleMinutes } = program.config();
  const opened = new Map<string, { session: OpenSession; shown: Session; usedAt: number }>();
  const ended = new Set<string>();
  const ending = new Set<Promise<void>>();

  const open = (key: string, name: string) => {
    const session = openSession(program, { name, isElsewhere: true });
    const takeNews = () => (ended.delete(key) ? formatIdleNotice(sessionIdleMinutes) : session.takeNews?.());
    return { session, shown: { ...session, takeNews }, usedAt: now() };
  };
  const look = async () => {
    for (const one of opened.values()) if (await one.session.isAtWork()) one.usedAt = now();
    const last = Math.max(...[...opened.values()].map(({ usedAt }) => usedAt));
    if (now() - last <= sessionIdleMinutes * 60_000) return;
    for (const [key, one] of [...opened]) {
      opened.delete(key);
      if (ended.size >= MAX_NOTICES) ended.clear();
      ended.add(key);
      const closed = one.session.close().finally(() => ending.delete(closed));
      ending.add(closed);
    }
  };
  const timer = setInterval(() => void look().catch(() => {}), LOOK_MS).unref();

  return {
    async sessionOf(caller) {
      const key = keyOf(caller);
      const known = opened.get(key) ?? open(key, caller.subject);
      opened.set(key, known);
      known.usedAt = now();
      return known.shown;
    },
    connectedOf: (session) => [...opened.values()].find(({ shown }) => shown === session)?.session.connected,
    firstSecretEnd: () => undefined,
    hasAccess: async () => true,
    startWords: async () => 'the sandbox',
    readiness: async () => ({}),
    async close() {
      clearInterval(timer);
      await Promise.allSettled([...[...opened.values()].map(({ session }) => session.close()), ...ending]);
    },
  };
}
