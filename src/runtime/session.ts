/** The lifetime of one principal's session: accounts, secrets, answers, confirmations and pages that nobody else reaches. */

import type { Client } from '../client/client.ts';
import type { Principal, Session, SessionSettings } from '../mcp/session.ts';
import { createRedactor, type Redactor } from '../redact/redact.ts';
import type { WriteGuard } from '../writes/write-guard.ts';
import { lazy } from './lazy.ts';
import { openLog, type ProgramParts } from './program.ts';

/** The person at this machine: over stdio there is no other. */
export const LOCAL: Principal = { name: 'local' };

/** What must not be lost gets this long when a session ends. */
const LAST_WORK_MS = 2_000;

/** Stdio opens one for the process; a server for many opens one for each connection. */
export function openSession(program: ProgramParts, principal: Principal = LOCAL): Session {
  const { outside, config } = program;
  const redactor = createRedactor();
  const log = openLog(outside, config, redactor.redact);
  const closing = new AbortController();
  const underWay = new Set<Promise<unknown>>();

  const learn = (secret: string) => {
    redactor.add(secret);
    outside.learn(secret);
  };
  const settings = rememberSettings(program, principal, learn);

  const accounts = lazy(async () => {
    const { openAccounts, restrictAccounts } = await import('./open-accounts.ts');
    const embedded = config().sandbox ? { sandbox: program.sandbox } : {};
    const all = openAccounts(outside, await program.store(), { learn, ...embedded });
    return principal.accounts === undefined ? all : restrictAccounts(all, principal.accounts);
  });
  const client = lazy(async () => {
    const { createClient } = await import('../client/create-client.ts');
    return createClient({
      accounts: await accounts(),
      settings: { ...config(), ...settings() },
      transport: await program.transport(),
      limiter: await program.limiter(),
      onSecret: learn,
      warn: (message) => log.warn(message),
    });
  });

  return {
    principal,
    program,
    settings,
    accountOf: (given) => given ?? settings().account,
    accounts,
    client,
    redactor,
    log,
    writes: lazy(async () => openWrites(program, settings(), await client(), redactor)),
    answers: lazy(async () => (await import('../answers/answer-store.ts')).createAnswerStore()),
    credentialsPages: lazy(async () => {
      const { createCredentialsPages } = await import('./credentials-pages.ts');
      return createCredentialsPages({
        store: await program.store(),
        accounts: await accounts(),
        account: settings().account,
        config: config(),
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
    async close() {
      closing.abort();
      const ended = client.made()?.then((opened) => opened.close());
      await withinTime(Promise.allSettled([...underWay, ended]), LAST_WORK_MS);
    },
  };
}

/** What the principal has of its own goes before what the process was given. */
function rememberSettings(
  { config }: ProgramParts,
  principal: Principal,
  learn: (secret: string) => void,
): () => SessionSettings {
  let settings: SessionSettings | undefined;
  return () => {
    if (settings !== undefined) return settings;
    const { account, answerTokens, callTimeoutMs, writes, clientSecret, refreshToken } = config();
    // Known before the first use, so that not even a call that repeats one of them gets it back.
    for (const secret of [clientSecret, refreshToken]) if (secret !== undefined) learn(secret);
    const own = principal.accounts?.includes(account) === false ? principal.accounts[0] : undefined;
    settings = { account: own ?? account, answerTokens, callTimeoutMs, writes, ...principal.settings };
    return settings;
  };
}

/** The journal is one for the machine; codes and questions are the session's. */
async function openWrites(
  { config }: ProgramParts,
  { writes: mode }: SessionSettings,
  client: Client,
  redactor: Redactor,
): Promise<WriteGuard> {
  const [
    { randomUUID },
    { createWriteGuard },
    { createJournal },
    { createConfirmations },
    { sha256 },
    paths,
  ] = await Promise.all([
    import('node:crypto'),
    import('../writes/write-guard.ts'),
    import('../journal/journal.ts'),
    import('../writes/confirmation.ts'),
    import('../writes/canonical-json.ts'),
    import('../journal/state-folder.ts'),
  ]);
  const monotonic = { now: () => performance.now() };
  const journal = createJournal({
    folder: await paths.findStateFolder(config()),
    now: Date.now,
    randomId: randomUUID,
    digest: sha256,
    redact: redactor.redactValue,
  });
  const codes = createConfirmations(monotonic);
  const questions = createConfirmations(monotonic);
  return createWriteGuard({ mode, client, journal, codes, questions, ...monotonic });
}

async function withinTime(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
