/**
 * The lifetime of one principal's session: accounts, secrets, answers, confirmations and pages, which no
 * other session reaches.
 */

import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Accounts } from '../../accounts/account.ts';
import { InputError } from '../../base/errors.ts';
import { closeCreated, lazy } from '../../base/lazy.ts';
import type { Client } from '../../call/client-types.ts';
import type { AccountTokens } from '../../call/tokens/account-tokens.ts';
import type { WorkerPool } from '../../data/tables/worker-thread.ts';
import { createRedactor } from '../../privacy/secrets/redact.ts';
import type { ConnectedClient } from '../../protocol/connected-client.ts';
import { DEMO_WORDS } from '../../protocol/instructions.ts';
import {
  type CredentialsPages,
  knownSettings,
  type Principal,
  type SessionSettings,
} from '../../render/reading-session.ts';
import { openWriting } from '../../write/open-writing.ts';
import type { Session } from '../../write/session.ts';
import { openLog, type ProgramParts } from './program.ts';
import type { TablesOfUser } from './session-tables.ts';

/** The principal over stdio: the user at this machine. */
export const LOCAL: Principal = { name: 'local' };

/** The time to complete essential work when a session ends. */
const LAST_WORK_MS = 2_000;

export interface OpenSession extends Session {
  /** Records the name of the session's client at each call; with several clients, the one that calls. */
  connected: ConnectedClient;
  /** Returns whether anything is in progress: a call, a batch of writes, a collection. */
  isAtWork(): Promise<boolean>;
  /** The same session for a login without the write scope. */
  readOnly: Session;
  /**
   * Closes the session.
   * @param why reported to users who later find a batch of writes that ended with it
   */
  close(why?: string): Promise<void>;
}

/**
 * Opens a session: one for the process over stdio, one for each user on a server.
 * @param shared the parts that users of one process share
 */
export function openSession(
  program: ProgramParts,
  principal: Principal = LOCAL,
  connected: ConnectedClient = { named: undefined },
  shared?: SharedParts,
): OpenSession {
  const { outside, config } = program;
  const redactor = createRedactor(principal.isElsewhere === true ? foldersOf(program) : []);
  const logged = principal.isElsewhere === true ? createRedactor() : redactor;
  const usedAccounts = new Set<string>();
  const personal = lazy(async () => {
    const { createPersonalData } = await import('../../privacy/personal/personal-data.ts');
    return createPersonalData({ isMasking: isMasking(program), isOwn: (value) => usedAccounts.has(value) });
  });
  const openRedaction = async () => (await personal()).maskText;
  const log = openLog(outside, config, { redact: logged.redact, openRedaction });
  const closing = new AbortController();
  const underWay = new Set<Promise<unknown>>();

  const learn = (secret: string, use?: string) => {
    for (const each of [redactor, logged]) each.add(secret, use);
    outside.learn(secret, use);
  };
  const settings = rememberSettings(program, principal, learn);

  const accounts = lazy(async () => {
    if (shared !== undefined) return shared.accounts(learn);
    const { isAllowedTo, openAccounts, restrictAccounts } = await import('./open-accounts.ts');
    const embedded = config().sandbox ? { sandbox: program.sandbox } : {};
    const { accounts: allowed } = principal;
    const isShown = allowed === undefined ? undefined : isAllowedTo(allowed);
    const all = openAccounts(outside, await program.store(), { learn, isShown, ...embedded });
    return allowed === undefined ? all : restrictAccounts(all, allowed);
  });
  const client = lazy(async () => {
    const [{ createClient }, { withClientName }] = await Promise.all([
      import('../../call/create-client.ts'),
      import('../../call/transport/transport.ts'),
    ]);
    const made = createClient({
      accounts: await accounts(),
      settings: { ...config(), ...settings() },
      transport: withClientName(await program.transport(), outside.version, () => connected.named),
      limiter: await program.limiter(),
      tokens: await shared?.tokens(),
      replicas: await program.replicas(),
      onSecret: learn,
      warn: (message) => log.warn(message),
    });
    return config().sandbox ? refuseUnsupportedWrites(made, program) : made;
  });

  const {
    changes,
    endLists,
    hasListAtWork,
    readOnlyGuard,
    close: endWriting,
    settled,
    ...writing
  } = openWriting({
    mode: (account) => principal.writesOf?.(account) ?? settings().writes,
    denied: shared?.denied,
    by: shared?.by,
    mostLists: shared?.mostLists,
    client,
    redactor,
    personal,
    sealer: program.sealer,
    replicas: program.replicas,
    otherWrites: program.otherWrites,
    stateStore: program.stateStore,
    keepHistoryDays: () => config().keepHistoryDays,
    now: program.now,
    contentWorkers: shared?.contentWorkers,
    outside,
  });
  const tables = lazy(async () => {
    const [{ createSessionTables }, { createLeases }] = await Promise.all([
      import('./session-tables.ts'),
      import('../../store/leases.ts'),
    ]);
    const { entryFile, tableWorkers } = outside;
    return createSessionTables({
      config: config(),
      accounts: await accounts(),
      entryFile,
      now: program.now,
      personal: await personal(),
      changes,
      leases: createLeases(program.stateStore),
      comparisons: program.comparisons,
      ...(config().sandbox && {
        yesterday: async (id, states) => (await program.sandbox()).yesterday(id, states),
      }),
      shared: shared?.tableWorkers() ?? tableWorkers,
      person: shared?.tables,
    });
  });

  const collections = lazy(async () => {
    const [{ CollectionJobs }, { systemClock }] = await Promise.all([
      import('../../data/collections/collection-jobs.ts'),
      import('../../base/clock.ts'),
    ]);
    return new CollectionJobs(systemClock);
  });
  const downloads = lazy(async () => {
    const { createDownloads } = await import('../../call/download/download.ts');
    return createDownloads({ ...config(), version: outside.version });
  });
  const uploads = lazy(async () => {
    const { createUploads } = await import('../../call/upload/upload.ts');
    return createUploads({ ...config(), version: outside.version });
  });

  /** Interrupted calls record their progress, and a new token reaches its store. */
  const lastWork = async (why: string | undefined) => {
    // Batches end between two items first, because an item in progress still needs the client.
    await endLists(why);
    const closed = closeCreated(client, collections, downloads, uploads);
    await Promise.allSettled([...underWay, closed, endWriting()]);
    // No more rows are written to the tables.
    await closeCreated(tables);
    await Promise.allSettled([accounts.made()?.then((opened) => opened.settled()), settled()]);
  };

  const session: Session = {
    principal,
    program,
    settings,
    accountOf(given) {
      const account = given ?? settings().account;
      // An account can be named like an e-mail address, which is not a buyer's.
      usedAccounts.add(account);
      return account;
    },
    accounts,
    client,
    redactor,
    personal,
    log,
    sealer: program.sealer,
    ...writing,
    takeNews: shared?.takeNews ?? once(() => (knownSettings(session)?.sandbox ? DEMO_WORDS : undefined)),
    answers: lazy(async () => (await import('../../render/answer-store.ts')).createAnswerStore()),
    tables: async (account) => (await tables()).of(account),
    collections,
    downloads,
    uploads,
    files: lazy(async () => {
      const [{ openFilesFolder }, { findFilesFolder }] = await Promise.all([
        import('../../store/files/files-folder.ts'),
        import('../../store/files/find-folder.ts'),
      ]);
      const owner = principal === LOCAL ? undefined : { name: principal.id ?? principal.name };
      return openFilesFolder({ find: lazy(() => findFilesFolder(config(), outside, owner)) });
    }),
    credentialsPages: lazy(async () => {
      if (shared !== undefined) return NO_PAGES;
      const { createCredentialsPages } = await import('./credentials-pages.ts');
      return createCredentialsPages({
        store: await program.store(),
        accounts: await accounts(),
        account: settings().account,
        allowed: principal.accounts,
        config: config(),
        openInBrowser: outside.openInBrowser,
        closing: closing.signal,
        learn,
      });
    }),
    async own(work) {
      underWay.add(work);
      try {
        return await work;
      } finally {
        underWay.delete(work);
      }
    },
    close: () => close(),
  };
  const close = async (why?: string) => {
    closing.abort();
    await withinTime(lastWork(why), LAST_WORK_MS);
  };
  return {
    ...session,
    connected,
    readOnly: { ...session, writeGuard: readOnlyGuard },
    close,
    isAtWork: async () =>
      underWay.size > 0 ||
      (await hasListAtWork()) ||
      (await collections.made()?.catch(() => undefined))?.isAtWork === true,
  };
}

function once(compute: () => string | undefined): () => string | undefined {
  let wasReturned = false;
  return () => {
    const computed = wasReturned ? undefined : compute();
    wasReturned = true;
    return computed;
  };
}

/** The parts that replace those of a user at this machine when several users share a process. */
export interface SharedParts {
  /**
   * Returns the accounts that this user may use.
   * @param learn receives each secret that is used
   */
  accounts(learn: (secret: string, use: string) => void): Promise<Accounts>;
  /** Returns the tokens of all accounts, so that all users of one share an exchange. */
  tokens(): Promise<AccountTokens>;
  tableWorkers(): WorkerPool;
  contentWorkers(): WorkerPool;
  tables: TablesOfUser;
  mostLists: number;
  /** The author of each entry that this user writes. */
  by: { name: string; id: string };
  /** Explains why an account is not writable, with the next step. */
  denied(account: string): readonly [problem: string, hint: string];
  /** Returns a notice for the next answer, once. */
  takeNews(): string | undefined;
}

/** Remote users of a server cannot open pages on its machine. */
const NO_PAGES: CredentialsPages = { offer: async () => undefined, awaitPage: async () => {} };

/** Returns the folders of the process, which the operator sees in the log and remote users must not see. */
function foldersOf({ outside: { env, entryFile }, config }: ProgramParts): string[] {
  const { secretsDir, stateDir, dataDir, filesDir, access, stateKeyFile } = config();
  const home = env.HOME ?? homedir();
  return [secretsDir, stateDir, dataDir, filesDir, access, stateKeyFile, dirname(entryFile), home]
    .filter((path) => path !== undefined)
    .flatMap((path) => [path, resolve(path)])
    .filter((path) => path.length > 1);
}

/** Refuses a write that the demo account cannot make before any approval is requested. */
const refuseUnsupportedWrites = (client: Client, { sandbox }: ProgramParts): Client => ({
  ...client,
  async prepare(input) {
    const { id, name, effect } = input.operation;
    if (effect !== 'read' && !(await sandbox()).plays(id)) {
      const real = 'The real service has it.';
      throw new InputError(`The demo account does not have ${name}; nothing was sent.`, real);
    }
    return client.prepare(input);
  },
});

/** Returns true unless the user chose otherwise; an invalid setting masks too. */
function isMasking({ config }: ProgramParts): boolean {
  try {
    return config().personalData === 'mask';
  } catch {
    return true;
  }
}

/** Returns the settings; those of the principal override those of the process. */
function rememberSettings(
  { config }: ProgramParts,
  principal: Principal,
  learn: (secret: string, use: string) => void,
): () => SessionSettings {
  let settings: SessionSettings | undefined;
  return () => {
    if (settings !== undefined) return settings;
    const {
      clientSecret,
      refreshToken,
      stateKey: _,
      httpToken: __,
      storePassword: ___,
      ...others
    } = config();
    // The secrets are registered before the first use, so that not even a call that repeats one gets it back.
    if (clientSecret !== undefined) learn(clientSecret, 'client secret of the settings');
    if (refreshToken !== undefined) learn(refreshToken, 'refresh token of the settings');
    const own = principal.accounts?.includes(others.account) === false ? principal.accounts[0] : undefined;
    settings = { ...others, account: own ?? others.account, ...principal.settings };
    return settings;
  };
}

async function withinTime(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
