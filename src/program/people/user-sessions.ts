/**
 * Opens a session for each user of a shared server on first use. It ends the session when it was idle for a
 * while or when the user's rights have changed. Tokens of one user with different rights have a session each.
 */

import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { createServerStore } from '../../accounts/server/server-store.ts';
import { readStateKeys, type StateKeys } from '../../accounts/server/state-keys.ts';
import type { Config } from '../../base/config.ts';
import { AppError, ConfigError } from '../../base/errors.ts';
import { closeCreated, lazy } from '../../base/lazy.ts';
import { quoteText } from '../../base/text/escape-text.ts';
import { plural } from '../../base/text/format-value.ts';
import { quoteUserName } from '../../base/text/quote-name.ts';
import { type Caller, WRITE_SCOPE } from '../../http/caller/caller.ts';
import type { Readiness } from '../../http/watch/monitor.ts';
import { createSealer, type SealingKeys } from '../../privacy/sealed/sealer.ts';
import type { ConnectedClient } from '../../protocol/connected-client.ts';
import type { Session } from '../../write/session.ts';
import { type OpenSession, openSession } from '../runtime/open-session.ts';
import { openLog, openOtherWrites, type ProgramParts, withKey } from '../runtime/program.ts';
import { openAccess } from './access/access.ts';
import type { ConfirmationMode } from './access/access-file.ts';
import { areSame, type Rights } from './access/rights.ts';
import { watchSecretEnds } from './secret-ends.ts';
import { createServerResources, type ServerUser } from './server-resources.ts';
import { watchAccounts, withoutReasons } from './watch-accounts.ts';

export interface UserSessions {
  /**
   * Returns the user's session, which is opened on first use and closed after idle minutes. Undefined for a
   * user without access.
   */
  sessionOf(caller: Caller): Promise<Session | undefined>;
  /** Returns the record of which of the user's clients calls. */
  connectedOf(session: Session): ConnectedClient | undefined;
  /** Returns the earliest end of a client secret, in milliseconds since the epoch; undefined when unknown. */
  firstSecretEnd(): number | undefined;
  /** Describes accounts and access for the start line. */
  startWords(): Promise<string>;
  /** Returns why no user can be served now, and other problems; both undefined when all is well. */
  readiness(): Promise<Readiness>;
  /**
   * Checks access without opening, extending or ending a session, because an open stream may have an older
   * token than the user's other calls.
   */
  hasAccess(caller: Caller): Promise<boolean>;
  close(): Promise<void>;
}

/** The interval of checks for changed rights and idle sessions. */
const LOOK_MS = 2_000;

/** The maximum number of users with an ended session whose notice is retained. */
const MAX_NOTICES = 10_000;

/**
 * The maximum number of a user's concurrent sessions, each with other rights; the least recently used one
 * ends when another is needed.
 */
const MAX_SESSIONS = 8;

/** The maximum number of users without access that the log names. */
const MAX_LOGGED_STRANGERS = 1_000;

interface UserSession {
  person: ServerUser;
  /** The caller of the last call. */
  caller: Caller;
  rights: Rights;
  session: OpenSession;
  usedAt: number;
  /** The last time that the user called with other rights; 0 for never. */
  otherRightsAt: number;
}

/**
 * Opens the sessions of all users.
 * @throws ConfigError for an access file, a key or a folder that is unusable
 */
export async function openUserSessions(given: ProgramParts): Promise<UserSessions> {
  const { outside, config, now } = given;
  const { access: file, secretsDir, stateKeyFile, stateKey, sessionIdleMinutes } = config();
  if (secretsDir === undefined)
    throw new ConfigError(
      'There is no folder with the secrets of the accounts.',
      'Name it with --secrets-dir (SELLER_SECRETS_DIR); docs/server.md says what is in it.',
    );
  const { platform } = outside;
  const keys = await readStateKeys({ file: stateKeyFile, value: stateKey, platform });
  const stateDir = await given.stateFolder();
  const store = createServerStore({ secretsDir: resolve(secretsDir), stateDir, keys, platform, now });
  const log = openLog(outside, config, { redact: (text) => text });
  const warn = (message: string) => log.warn(message);
  const usual = usualConfirmation(config());
  const access = await openAccess({
    file: file === undefined ? undefined : resolve(file),
    usual,
    names: store.list,
    tell: warn,
  });
  await store.sealAnew();
  const sealer = lazy(async () => createSealer(historyKeys(keys)));
  const replicas = lazy(async () => withKey(await given.sharedStore(), sealer));
  const otherWrites = lazy(async () => openOtherWrites(await replicas(), given, warn));
  const program: ProgramParts = {
    ...given,
    store: async () => store,
    sealer,
    replicas,
    otherWrites,
  };
  const belongings = createServerResources(program, withoutReasons(store), warn);
  const secretEnds = watchSecretEnds(store, { now, tell: warn });
  const accounts = watchAccounts(store, { now, tell: warn });
  // An unreadable folder is reported where the names are read.
  void accounts().catch(() => undefined);
  const strangers = new Set<string>();
  /**
   * Reports each user without access once, because the author of the access file needs the token's values and
   * cannot see them otherwise.
   */
  const reportStranger = ({ subject, groups }: Caller) => {
    const words = `The person ${quoteText(subject)} has a login and no access. Groups: ${groups.map(quoteText).join(', ') || 'none'}.`;
    if (strangers.has(words) || strangers.size >= MAX_LOGGED_STRANGERS) return;
    strangers.add(words);
    warn(words);
  };
  const opened = new Map<string, readonly UserSession[]>();
  const clients = new WeakMap<Session, ConnectedClient>();
  const news = new Map<string, string>();
  const ending = new Set<Promise<void>>();
  let isClosed = false;

  const sessionsOf = ({ id }: ServerUser) => opened.get(id) ?? [];
  const allSessions = () => [...opened.values()].flat();

  /** Ends a session. Its batch in progress stops between two items, and the next answer reports the end. */
  const end = ({ person, session, rights }: UserSession, why: string, whyLists?: string) => {
    const others = sessionsOf(person).filter((one) => one.session !== session);
    if (others.length > 0) opened.set(person.id, others);
    else opened.delete(person.id);
    news.delete(person.id);
    news.set(person.id, why);
    const [oldest] = news.keys();
    if (news.size > MAX_NOTICES && oldest !== undefined) news.delete(oldest);
    const closed = session.close(whyLists).then(() => {
      ending.delete(closed);
      if (whyLists === undefined) return;
      // Users who saw the account's open batches before are informed of the ones that ended now.
      for (const other of allSessions())
        for (const account of rights.keys()) other.session.toldUnfinished.delete(account);
    });
    ending.add(closed);
  };
  const open = (person: ServerUser, caller: Caller, rights: Rights): UserSession => {
    const takeNews = () => {
      const notice = news.get(person.id);
      news.delete(person.id);
      return notice;
    };
    const shared = belongings.sharedWith(person, rights, takeNews);
    const principal = belongings.principalOf(person, rights);
    const session = openSession(program, principal, { named: undefined }, shared);
    for (const each of [session, session.readOnly]) clients.set(each, session.connected);
    return { person, caller, rights, session, usedAt: now(), otherRightsAt: 0 };
  };
  /**
   * Returns true when the token of the session would open another session by now. The same holds when that
   * token has expired and the user has called with other rights since.
   */
  const isOutdated = async (one: UserSession): Promise<boolean> => {
    const hasEnded = one.caller.expiresAt * 1000 < now() && one.otherRightsAt > one.usedAt;
    return hasEnded || !areSame(await access.rightsOf(one.caller), one.rights);
  };
  /**
   * Ends outdated sessions. Two concurrent calls may check the same session, so one that is gone already is
   * skipped.
   */
  const endOutdated = async (all: readonly UserSession[]): Promise<void> => {
    for (const one of all) {
      const isGone = await isOutdated(one);
      if (isGone && sessionsOf(one.person).includes(one)) end(one, OTHER_RIGHTS, formatLoss(one.person));
    }
  };
  const look = async () => {
    await access.refresh();
    await accounts();
    await endOutdated(allSessions());
    for (const one of allSessions()) {
      if (await one.session.isAtWork()) one.usedAt = now();
      else if (now() - one.usedAt > sessionIdleMinutes * 60_000)
        end(one, formatIdleNotice(sessionIdleMinutes));
    }
  };
  let looking = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking.then(look).catch((error: unknown) => {
      // Problems of the accounts were reported where they are read.
      if (!(error instanceof AppError)) warn(`People were not looked at: ${String(error)}`);
    });
  }, LOOK_MS).unref();

  return {
    async sessionOf(caller) {
      if (isClosed) return undefined;
      await access.refresh();
      const rights = await access.rightsOf(caller);
      const person = userOf(caller);
      await endOutdated(sessionsOf(person).filter((one) => !areSame(one.rights, rights)));
      // No await follows, so that two concurrent calls find the same session.
      const known = sessionsOf(person).find((one) => areSame(one.rights, rights));
      for (const one of sessionsOf(person)) if (one !== known) one.otherRightsAt = now();
      if (known !== undefined) {
        known.rights = rights;
        known.usedAt = now();
        known.caller = caller;
        return sessionForToken(known.session, caller);
      }
      if (rights.size === 0) {
        reportStranger(caller);
        return undefined;
      }
      const made = open(person, caller, rights);
      const all = [...sessionsOf(person), made].sort((one, other) => other.usedAt - one.usedAt);
      opened.set(person.id, all);
      for (const one of all.slice(MAX_SESSIONS)) end(one, OTHER_RIGHTS, formatLoss(person));
      return sessionForToken(made.session, caller);
    },
    connectedOf: (session) => clients.get(session),
    firstSecretEnd: secretEnds.first,
    async startWords() {
      const { names } = await accounts();
      const which =
        names.length === 0 ? 'no account' : `${plural(names.length, 'account')} (${names.join(', ')})`;
      return `${which} in ${secretsDir}; ${access.words()}`;
    },
    async readiness() {
      const found = await accounts().catch(() => undefined);
      if (found === undefined) return { why: 'the accounts cannot be read' };
      const { names, problems } = found;
      const unusable =
        problems.size === 0
          ? undefined
          : `${problems.size} of ${plural(names.length, 'account')} cannot be used`;
      if (unusable === undefined)
        return access.problem() === undefined ? {} : { note: 'the access file has a mistake' };
      return problems.size === names.length ? { why: unusable } : { note: unusable };
    },
    async hasAccess(caller) {
      if (isClosed) return false;
      await access.refresh();
      return (await access.rightsOf(caller)).size > 0;
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await Promise.all([secretEnds.close(), looking]);
      await Promise.all([...allSessions().map(({ session }) => session.close()), ...ending]);
      opened.clear();
      await Promise.all([belongings.close(), closeCreated(otherWrites)]);
    },
  };
}

/** Returns the session for one token; a token without the write scope gets the read-only one. */
function sessionForToken(session: OpenSession, { scopes }: Caller): Session {
  return scopes.includes(WRITE_SCOPE) ? session : session.readOnly;
}

const OTHER_RIGHTS =
  'What you may do here has changed, and your session began anew: earlier codes, marks and kept answers have ended.';

export const formatIdleNotice = (minutes: number) =>
  `Your session had ended after ${minutes} idle minutes: earlier codes, marks and kept answers have ended with it.`;

const formatLoss = ({ name }: ServerUser) => `What ${quoteUserName(name)} may do here has changed.`;

/** Returns the default confirmation. A loopback page reaches no remote user, so asking replaces it. */
function usualConfirmation({ writes }: Config): ConfirmationMode {
  return writes === 'code' || writes === 'allow' ? writes : 'ask';
}

/** Identifies the user by issuer and subject alone; client, name and group do not identify anyone. */
function userOf({ issuer, subject, name }: Caller): ServerUser {
  const hash = createHash('sha256').update(JSON.stringify([issuer, subject]));
  const id = `${plain(subject, 24)}-${hash.digest('hex').slice(0, 16)}`;
  return { id, name: plain(name ?? subject, 60) || id };
}

/** Replaces characters of a user-chosen name that are unsafe in texts or folder names. */
function plain(text: string, max: number): string {
  return [...text.normalize('NFC').replace(/[^\p{L}\p{M}\p{N} .@'-]/gu, '_')].slice(0, max).join('').trim();
}

function historyKeys({ current, find }: StateKeys): SealingKeys {
  const toKey = ({ id, history }: StateKeys['current']) => ({ id, bytes: history });
  return {
    current: async () => toKey(current),
    find: async (id) => {
      const found = find(id);
      return found && toKey(found);
    },
  };
}
