/**
 * What belongs to whom on a server that many people use, in this one place. To a person: the session with its answers,
 * codes, questions, marks and files, tables with personal data of buyers, a place of its own in every line. To an
 * account, for everyone who may see it, with the person's name beside each entry: journal, history, lists of writes,
 * snapshots, other tables, tokens. To the process: sockets, the service's limits, threads.
 */

import { dirname, join } from 'node:path';
import type { Accounts } from '../../accounts/account.ts';
import { createAccountSource, type Learn } from '../../accounts/account-source.ts';
import type { ServerStore } from '../../accounts/server/server-store.ts';
import type { Config } from '../../base/config.ts';
import { closeMade, lazy } from '../../base/lazy.ts';
import { createAccountTokens } from '../../call/tokens/account-tokens.ts';
import { createFairWorkerPool } from '../../data/tables/fair-worker-pool.ts';
import type { Principal, SessionSettings } from '../../tell/reading-session.ts';
import { restrictAccounts } from '../runtime/open-accounts.ts';
import type { SharedParts } from '../runtime/open-session.ts';
import type { ProgramParts } from '../runtime/program.ts';
import type { Rights } from './access/rights.ts';

/** As bundles name them. */
const TABLES_WORKER = 'tables-worker.mjs';
const CONTENT_WORKER = 'content-worker.mjs';

/** At work in all, of each kind: a thread takes some 10 MB, a query up to 512 MB. */
const MOST_THREADS = 8;

const MEGABYTE = 1024 * 1024;

export interface Person {
  /** Tells them from all others. */
  id: string;
  /** As colleagues know them. */
  name: string;
}

export function createBelongings(program: ProgramParts, store: ServerStore, tell: (message: string) => void) {
  const { outside, config } = program;
  const accounts = createAccountSource({
    // Whatever the environment says of an account takes no part.
    config: { ...config(), clientId: undefined, clientSecret: undefined, refreshToken: undefined },
    store,
    learn: outside.learn,
    // What is told of an account names no other: each session has its own list.
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
      most: MOST_THREADS,
    });
  const tableWorkers = workers(TABLES_WORKER);
  const contentWorkers = workers(CONTENT_WORKER);

  return {
    /** What the session of this person is opened for. */
    principalOf: ({ id, name }: Person, rights: Rights): Principal => ({
      id,
      name,
      isElsewhere: true,
      accounts: [...rights.keys()],
      settings: { writes: writesOfAll(rights, config()) },
      writesOf: (account) => (config().writes === 'deny' ? 'deny' : writesOf(rights, account)),
    }),
    /** @param takeNews said once with the next answer */
    sharedWith: (person: Person, rights: Rights, takeNews: () => string | undefined): SharedParts => ({
      accounts: async (learn) =>
        restrictAccounts(learning({ ...accounts, names: () => store.list() }, learn), [...rights.keys()]),
      tokens,
      tableWorkers: () => tableWorkers.of(person.id),
      contentWorkers: () => contentWorkers.of(person.id),
      tables: {
        id: person.id,
        accounts: [...rights.keys()],
        mostCollections: config().personCollections,
        mostBytes: config().personMegabytes * MEGABYTE,
      },
      mostLists: config().personLists,
      by: { name: person.name, id: person.id },
      denied: (account) => [
        `You may read account ${account} here, and not write to it; nothing was done.`,
        'Whoever runs this server says who may write; a login may need the scope seller:write too. A preview with dryRun still works.',
      ],
      takeNews,
    }),
    async close(): Promise<void> {
      await accounts.settled();
      await closeMade(tokens);
      await Promise.all([tableWorkers.close(), contentWorkers.close()]);
    },
  };
}

function writesOf(rights: Rights, account: string): SessionSettings['writes'] {
  const right = rights.get(account);
  return right?.write === true ? right.confirm : 'deny';
}

/** What is shown of writes: nothing where no account may be written to. */
function writesOfAll(rights: Rights, { writes }: Config): SessionSettings['writes'] {
  const first = [...rights.values()].find(({ write }) => write);
  return writes === 'deny' ? 'deny' : (first?.confirm ?? 'deny');
}

/** What a session comes to use, its own redaction knows. */
function learning(accounts: Accounts, learn: Learn): Accounts {
  const told = <One extends Awaited<ReturnType<Accounts['get']>> | undefined>(one: One): One => {
    if (one === undefined) return one;
    learn(one.clientSecret, `client secret of ${one.name}`);
    learn(one.refreshToken, `refresh token of ${one.name}`);
    return one;
  };
  return {
    ...accounts,
    get: async (name) => told(await accounts.get(name)),
    reread: async (name, rejected) => told(await accounts.reread(name, rejected)),
  };
}
