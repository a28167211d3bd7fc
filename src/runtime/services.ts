/** Composes what the tools use; each part is loaded and opened on first use, so that starting costs nothing. */

import type { Config } from '../config.ts';
import { createLog } from '../log.ts';
import type { Services } from '../mcp/tool-context.ts';
import { createRedactor } from '../redact/redact.ts';
import { lazy } from './lazy.ts';
import type { Outside } from './outside.ts';

export function createServices(io: Outside): Services {
  const config = rememberConfig(io);
  const redactor = createRedactor();
  const log = createLog({ level: () => logLevel(config), write: io.stderr, redact: redactor.redact });
  const closing = new AbortController();

  const sandbox = lazy(async () => {
    const { openSandbox } = await import('./open-sandbox.ts');
    return openSandbox(config(), log);
  });
  const store = lazy(async () => (await import('./open-accounts.ts')).openKeychain(io));
  const accounts = lazy(async () => {
    const { openAccounts } = await import('./open-accounts.ts');
    const embedded = config().sandbox ? { sandbox } : {};
    return openAccounts(io, await store(), { learn: redactor.add, ...embedded });
  });
  const client = lazy(async () => {
    const { createClient } = await import('../client/create-client.ts');
    const settings = { ...config(), version: io.version };
    return createClient({
      accounts: await accounts(),
      settings,
      onSecret: redactor.add,
      warn: (message) => log.warn(message),
    });
  });

  return {
    config,
    accounts,
    client,
    redactor,
    log,
    now: Date.now,
    registry: lazy(async () => (await import('./open-registry.ts')).openRegistry(config(), log)),
    writes: lazy(async () =>
      (await import('./open-writes.ts')).openWrites(config(), await client(), redactor),
    ),
    answers: lazy(async () => (await import('../answers/answer-store.ts')).createAnswerStore()),
    credentialsPages: lazy(async () => {
      const { createCredentialsPages } = await import('./credentials-pages.ts');
      const parts = { store: await store(), accounts: await accounts() };
      return createCredentialsPages({
        ...parts,
        config: config(),
        closing: closing.signal,
        learn: redactor.add,
      });
    }),
    async close() {
      closing.abort();
      const opened = [client.made(), sandbox.made()].filter((made) => made !== undefined);
      await Promise.allSettled(opened.map(async (made) => (await made).close()));
    },
  };
}

/** Read once: a wrong setting is told by every call that needs it, and the server starts all the same. */
function rememberConfig(io: Outside): () => Config {
  let config: Config | undefined;
  return () => {
    config ??= io.config;
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
