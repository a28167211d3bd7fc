/** The lifetime of the process: the parts that all sessions share, each loaded and opened on first use. */

import type { Sandbox } from '../../../sandbox/sandbox.ts';
import type { CredentialStore } from '../../accounts/account.ts';
import type { Config } from '../../base/config.ts';
import { closeCreated, lazy } from '../../base/lazy.ts';
import { createLog, type Log, type LogOptions } from '../../base/log.ts';
import type { Limiter } from '../../call/pacing/limiter.ts';
import type { Transport } from '../../call/transport/transport.ts';
import type { Comparisons } from '../../data/review/comparisons.ts';
import type { Sealer } from '../../privacy/sealed/sealer.ts';
import { createRedactor } from '../../privacy/secrets/redact.ts';
import type { SharedProgram } from '../../render/reading-session.ts';
import type { Replicas } from '../../replicas/sealed.ts';
import type { SharedStore } from '../../replicas/shared-store.ts';
import type { Store } from '../../store/store.ts';
import type { WritesOfReplicas } from '../../write/records/writes-of-replicas.ts';
import type { Outside } from './outside.ts';
import type { SandboxState } from './sandbox-state.ts';

/** The parts from which sessions are opened; tools see only its `Program`. */
export interface ProgramParts extends SharedProgram {
  outside: Outside;
  /**
   * Returns the settings.
   * @throws ConfigError for a wrong setting, at every call, so that each tool call can report it.
   */
  config(): Config;
  /** The keychain. */
  store(): Promise<CredentialStore>;
  /** Returns the folder of the journal and its state. */
  stateFolder(): Promise<string>;
  /** Returns the store in that folder. */
  stateStore(): Promise<Store>;
  /** Returns the rows of that store that later reviews and collections are compared with. */
  comparisons(): Promise<Comparisons>;
  /** Encrypts stored data with a key of the keychain, or with --sandbox with one of the process. */
  sealer(): Promise<Sealer>;
  /** Returns the embedded service of --sandbox, started on first need. */
  sandbox(): Promise<Sandbox>;
  /**
   * Returns the sandbox's home country and its stored state.
   * @throws ConfigError when the settings name no home
   */
  sandboxWorld(): Promise<SandboxState>;
  /** Returns the sockets, kept open between the calls of all sessions. */
  transport(): Promise<Transport>;
  /** Returns the service's limits, which count the calls of all sessions. */
  limiter(): Promise<Limiter>;
  /** Returns the store that replicas share; undefined when this process is alone. */
  sharedStore(): Promise<SharedStore | undefined>;
  /** Returns the same store with the key that all replicas have. */
  replicas(): Promise<Replicas | undefined>;
  /** Returns the journal and history of all replicas. */
  otherWrites(): Promise<WritesOfReplicas | undefined>;
  /** Ends the parts that the sessions shared; close the sessions before. */
  close(): Promise<void>;
}

export function createProgram(outside: Outside): ProgramParts {
  const config = rememberConfig(outside);
  const log = openLog(outside, config, createRedactor());
  const sandboxWorld = lazy(async () => {
    const { openSandboxState } = await import('./sandbox-state.ts');
    return openSandboxState(config(), (message) => log.warn(message));
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
    (await import('../../store/state-folder.ts')).findStateFolder(config()),
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
      await closeCreated(otherWrites);
      await closeCreated(transport, limiter, sandbox, sharedStore, stateStore);
    },
  };
}

export const withKey = (store: SharedStore | undefined, sealer: Replicas['sealer']): Replicas | undefined =>
  store && { store, sealer };

/** Returns undefined when this process is alone. */
export async function openOtherWrites(
  replicas: Replicas | undefined,
  { config, stateStore }: Pick<ProgramParts, 'config' | 'stateStore'>,
  warn: (message: string) => void,
): Promise<WritesOfReplicas | undefined> {
  if (replicas === undefined) return undefined;
  const { writesOfReplicas } = await import('../../write/records/writes-of-replicas.ts');
  const { keepHistoryDays: keepDays } = config();
  return writesOfReplicas({ replicas, store: await stateStore(), keepDays, warn });
}

/** Opens a log to stderr with the redaction of its writer. */
export function openLog(
  outside: Outside,
  config: () => Config,
  redaction: Pick<LogOptions, 'redact' | 'openRedaction'>,
): Log {
  return createLog({ level: () => logLevel(config), write: outside.stderr, ...redaction });
}

/** Caches the settings. A wrong one is reported by every call that needs it, and the server still starts. */
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

/**
 * Opens the sealer. The sandbox's data are sealed with a key of its own state, which needs no keychain and
 * ends with it.
 */
async function openSealer(
  { sandbox }: Config,
  folder: string,
  store: () => Promise<CredentialStore>,
  sandboxWorld: () => Promise<SandboxState>,
): Promise<Sealer> {
  const [{ createSealer }, { createKeychainKeys, createSingleKey }] = await Promise.all([
    import('../../privacy/sealed/sealer.ts'),
    import('../../privacy/sealed/keychain-keys.ts'),
  ]);
  if (sandbox) {
    const { kept } = await sandboxWorld();
    return createSealer(createSingleKey(kept && { id: kept.id, bytes: kept.key }));
  }
  return createSealer(createKeychainKeys({ folder, store: await store(), now: () => performance.now() }));
}

async function openSandbox(config: Config, { home, kept }: SandboxState): Promise<Sandbox> {
  const { startSandbox } = await import('../../../sandbox/start-sandbox.ts');
  return startSandbox({
    home,
    keeping: kept,
    // A fixed client ID gives every process the same seller, so that its history is found again.
    credentials: kept && { clientId: `amzn1.application-oa2-client.${kept.id.repeat(2)}` },
    accessTokenHeader: config.accessTokenHeader,
  });
}
