/**
 * Defines the owner of every resource on a server for many users. A user owns the session with its answers,
 * codes, questions, placeholders and files, tables with personal data of buyers, and a place in every queue.
 * An account owns the journal, history, batches of writes, snapshots, other tables and tokens. All its users
 * share them, with the user's name on each entry. The process owns sockets, the service's limits and threads.
 */

import { dirname, join } from 'node:path';
import type { Accounts } from '../../accounts/account.ts';
import { createAccountSource, type RegisterSecret } from '../../accounts/account-source.ts';
import type { ServerStore } from '../../accounts/server/server-store.ts';
import type { Config } from '../../base/config.ts';
import { closeCreated, lazy } from '../../base/lazy.ts';
import { createAccountTokens } from '../../call/tokens/account-tokens.ts';
import { createFairWorkerPool } from '../../data/tables/fair-worker-pool.ts';
import type { Principal, SessionSettings } from '../../render/reading-session.ts';
import { restrictAccounts } from '../runtime/open-accounts.ts';
import type { SharedParts } from '../runtime/open-session.ts';
import type { ProgramParts } from '../runtime/program.ts';
import type { Rights } from './access/rights.ts';

/** The file names that the bundler uses. */
const TABLES_WORKER = 'tables-worker.mjs';
const CONTENT_WORKER = 'content-worker.mjs';

/** The maximum number of concurrent threads of each kind; a thread takes some 10 MB, a query up to 512 MB. */
const MAX_THREADS = 8;

const MEGABYTE = 1024 * 1024;

export interface ServerUser {
  /** The user's unique ID. */
  id: string;
  /** The name that colleagues know. */
  name: string;
}

export function createServerResources(
  program: ProgramParts,
  store: ServerStore,
  tell: (message: string) => void,
) {
  const { outside, config } = program;
  const accounts = createAccountSource({
    // Credentials of the environment are ignored.
    config: { ...config(), clientId: undefined, clientSecret: undefined, refreshToken: undefined },
    store,
    learn: outside.learn,
    // Messages about an account name no other, because each session has its own list.
    isShown: () => false,
    tell,
  });
  const tokens = lazy(async () => {
    const { send } = await program.transport();
    return createAccountTokens({
      accounts,
      send,
      timeoutMs: config().callTimeoutMs,
      replicas: await program.replicas(),
      onSecret: outside.learn,
      warn: tell,
    });
  });
  const workers = (file: string) =>
    createFairWorkerPool(join(dirname(outside.entryFile), file), {
      mostOfPerson: config().personWorkers,
      most: MAX_THREADS,
    });
  const tableWorkers = workers(TABLES_WORKER);
  const contentWorkers = workers(CONTENT_WORKER);

  return {
    /** Returns the principal of the user's session. */
    principalOf: ({ id, name }: ServerUser, rights: Rights): Principal => ({
      id,
      name,
      isElsewhere: true,
      accounts: [...rights.keys()],
      settings: { writes: writesOfAll(rights, config()) },
      writesOf: (account) => (config().writes === 'deny' ? 'deny' : writesOf(rights, account)),
    }),
    /**
     * Returns the shared parts of a user's session.
     * @param takeNews returns a notice for the next answer, once
     */
    sharedWith: (user: ServerUser, rights: Rights, takeNews: () => string | undefined): SharedParts => ({
      accounts: async (learn) =>
        restrictAccounts(tracking({ ...accounts, names: () => store.list() }, learn), [...rights.keys()]),
      tokens,
      tableWorkers: () => tableWorkers.of(user.id),
      contentWorkers: () => contentWorkers.of(user.id),
      tables: {
        id: user.id,
        accounts: [...rights.keys()],
        mostCollections: config().personCollections,
        mostBytes: config().personMegabytes * MEGABYTE,
      },
      mostLists: config().personLists,
      by: { name: user.name, id: user.id },
      denied: (account) => [
        `You may read account ${account} here, and not write to it; nothing was done.`,
        'Whoever runs this server says who may write; a login may need the scope seller:write too. A preview with dryRun still works.',
      ],
      takeNews,
    }),
    async close(): Promise<void> {
      await accounts.settled();
      await closeCreated(tokens);
      await Promise.all([tableWorkers.close(), contentWorkers.close()]);
    },
  };
}

function writesOf(rights: Rights, account: string): SessionSettings['writes'] {
  const right = rights.get(account);
  return right?.write === true ? right.confirm : 'deny';
}

/** Returns the confirmation that is shown in general; `deny` when no account is writable. */
function writesOfAll(rights: Rights, { writes }: Config): SessionSettings['writes'] {
  const first = [...rights.values()].find(({ write }) => write);
  return writes === 'deny' ? 'deny' : (first?.confirm ?? 'deny');
}

/** Registers used secrets in the session's own redaction. */
function tracking(accounts: Accounts, learn: RegisterSecret): Accounts {
  const register = <One extends Awaited<ReturnType<Accounts['get']>> | undefined>(one: One): One => {
    if (one === undefined) return one;
    learn(one.clientSecret, `client secret of ${one.name}`);
    learn(one.refreshToken, `refresh token of ${one.name}`);
    return one;
  };
  return {
    ...accounts,
    get: async (name) => register(await accounts.get(name)),
    reread: async (name, rejected) => register(await accounts.reread(name, rejected)),
  };
}
