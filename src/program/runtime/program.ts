/** The lifetime of the process: what every session shares, each part loaded and opened on first use. */

import type { Sandbox } from '../../../sandbox/sandbox.ts';
import type { CredentialStore } from '../../accounts/account.ts';
import type { Config } from '../../base/config.ts';
import { closeMade, lazy } from '../../base/lazy.ts';
import { createLog, type Log, type LogOptions } from '../../base/log.ts';
import type { Limiter } from '../../call/pacing/limiter.ts';
import type { Transport } from '../../call/transport/transport.ts';
import type { Comparisons } from '../../data/review/comparisons.ts';
import type { Store } from '../../disk/store.ts';
import type { Sealer } from '../../privacy/sealed/sealer.ts';
import { createRedactor } from '../../privacy/secrets/redact.ts';
import type { Replicas } from '../../replicas/sealed.ts';
import type { SharedStore } from '../../replicas/shared-store.ts';
import type { Program } from '../../tell/reading-session.ts';
import type { WritesOfReplicas } from '../../write/keep/writes-of-replicas.ts';
import type { Outside } from './outside.ts';
import type { SandboxWorld } from './sandbox-world.ts';

/** What sessions are opened from; tools see no more of it than a `Program`. */
export interface ProgramParts extends Program {
  outside: Outside;
  /** @throws ConfigError for a wrong setting, at every call, so that each tool call can say it. */
  config(): Config;
  /** The keychain. */
  store(): Promise<CredentialStore>;
  /** Where the journal and what belongs to it is kept. */
  stateFolder(): Promise<string>;
  /** The store in it. */
  stateStore(): Promise<Store>;
  /** The rows of that store that later reviews and collections are compared with. */
  comparisons(): Promise<Comparisons>;
  /** Encrypts what is kept on disk: under a key of the keychain, or with --sandbox under one of the process. */
  sealer(): Promise<Sealer>;
  /** The embedded service of --sandbox, started on first need. */
  sandbox(): Promise<Sandbox>;
  /** Where that one's seller is at home, and what is kept of it. @throws ConfigError where the settings name no home */
  sandboxWorld(): Promise<SandboxWorld>;
  /** Sockets, kept open between the calls of all sessions. */
  transport(): Promise<Transport>;
  /** The service's limits, which count the calls of all sessions. */
  limiter(): Promise<Limiter>;
  /** The store that replicas share; undefined where this process is alone. */
  sharedStore(): Promise<SharedStore | undefined>;
  /** The same with the key that all of them have. */
  replicas(): Promise<Replicas | undefined>;
  /** Journal and history of all of them. */
  otherWrites(): Promise<WritesOfReplicas | undefined>;
  /** Ends what the sessions have shared; close them before. */
  close(): Promise<void>;
}

export function createProgram(outside: Outside): ProgramParts {
  const config = rememberConfig(outside);
  const log = openLog(outside, config, createRedactor());
  const sandboxWorld = lazy(async () => {
    const { openSandboxWorld } = await import('./sandbox-world.ts');
    return openSandboxWorld(config(), (message) => log.warn(message));
  });
  const sandbox = lazy(async () => openSandbox(config(), await sandboxWorld()));
  const transport = lazy(async () => {
    const { createTransport } = await import('../../call/transport/transport.ts');
    return createTransport({ ...config(), version: outside.version });
  });
  const sharedStore = lazy(async () => {
    const { store: address, storePassword: password } = config();
    if (address === undefined) return undefined;
    const { openSharedStore } = await import('../../replicas/shared-store.ts');
    const { SHARED_TABLES: tables } = await import('../../write/state-store.ts');
    return openSharedStore({ address, password, tables, tell: (message) => log.warn(message) });
  });
  const limiter = lazy(async () => {
    const store = await sharedStore();
    if (store === undefined) return (await import('../../call/pacing/limiter.ts')).createLocalLimiter();
    return (await import('../../call/pacing/shared-limiter.ts')).createSharedLimiter(store);
  });
  const stateFolder = lazy(async () =>
    (await import('../../disk/state-folder.ts')).findStateFolder(config()),
  );
  const stateStore = lazy(async () => {
    const { openStateStore } = await import('../../write/state-store.ts');
    return openStateStore(await stateFolder(), outside.userId);
  });
  const comparisons = lazy(async () => {
    const [{ openComparisons }, { findOldSnapshotsFolder }] = await Promise.all([
      import('../../data/review/old-snapshots.ts'),
      import('../../data/tables/account-folders.ts'),
    ]);
    return openComparisons(await stateStore(), await findOldSnapshotsFolder(config()));
  });
  const store = lazy(async () => (await import('./open-accounts.ts')).openKeychain(outside));
  const sealer = lazy(async () => openSealer(config(), await stateFolder(), store, sandboxWorld));
  const replicas = lazy(async () => withKey(await sharedStore(), sealer));
  const otherWrites = lazy(async () =>
    openOtherWrites(await replicas(), { config, stateStore }, (message) => log.warn(message)),
  );
  return {
    outside,
    entryFile: outside.entryFile,
    config,
    store,
    stateFolder,
    stateStore,
    comparisons,
    sealer,
    sandboxWorld,
    sandbox,
    transport,
    limiter,
    sharedStore,
    replicas,
    otherWrites,
    now: Date.now,
    registry: lazy(async () => (await import('./open-registry.ts')).openRegistry(config(), log)),
    close: async () => {
      await closeMade(otherWrites);
      await closeMade(transport, limiter, sandbox, sharedStore, stateStore);
    },
  };
}

export const withKey = (store: SharedStore | undefined, sealer: Replicas['sealer']): Replicas | undefined =>
  store && { store, sealer };

/** Undefined where this process is alone. */
export async function openOtherWrites(
  replicas: Replicas | undefined,
  { config, stateStore }: Pick<ProgramParts, 'config' | 'stateStore'>,
  warn: (message: string) => void,
): Promise<WritesOfReplicas | undefined> {
  if (replicas === undefined) return undefined;
  const { writesOfReplicas } = await import('../../write/keep/writes-of-replicas.ts');
  const { keepHistoryDays: keepDays } = config();
  return writesOfReplicas({ replicas, store: await stateStore(), keepDays, warn });
}

/** Lines to stderr through a redaction that knows what the writer of the line knows. */
export function openLog(
  outside: Outside,
  config: () => Config,
  redaction: Pick<LogOptions, 'redact' | 'openRedaction'>,
): Log {
  return createLog({ level: () => logLevel(config), write: outside.stderr, ...redaction });
}

/** Read once: a wrong setting is told by every call that needs it, and the server starts all the same. */
function rememberConfig(outside: Outside): () => Config {
  let config: Config | undefined;
  return () => {
    config ??= outside.config;
    return config;
  };
}

function logLevel(config: () => Config): Config['logLevel'] {
  try {
    return config().logLevel;
  } catch {
    return 'warn';
  }
}

/** What is kept of the sandbox is sealed under a key of its world, which needs no keychain and ends with it. */
async function openSealer(
  { sandbox }: Config,
  folder: string,
  store: () => Promise<CredentialStore>,
  sandboxWorld: () => Promise<SandboxWorld>,
): Promise<Sealer> {
  const [{ createSealer }, { createKeychainKeys, createPassingKeys }] = await Promise.all([
    import('../../privacy/sealed/sealer.ts'),
    import('../../privacy/sealed/keychain-keys.ts'),
  ]);
  if (sandbox) {
    const { kept } = await sandboxWorld();
    return createSealer(createPassingKeys(kept && { id: kept.id, bytes: kept.key }));
  }
  return createSealer(createKeychainKeys({ folder, store: await store(), now: () => performance.now() }));
}

async function openSandbox(config: Config, { home, kept }: SandboxWorld): Promise<Sandbox> {
  const { startSandbox } = await import('../../../sandbox/start-sandbox.ts');
  return startSandbox({
    home,
    keeping: kept,
    // The same seller in every process, whose history is found again.
    credentials: kept && { clientId: `amzn1.application-oa2-client.${kept.id.repeat(2)}` },
    accessTokenHeader: config.accessTokenHeader,
  });
}
