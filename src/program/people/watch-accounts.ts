/**
 * Checks the secret of each account of a server at the start and from then on, so that the operator sees
 * mistakes before users do.
 */

import { parseAccountInput } from '../../accounts/account-input.ts';
import type { ServerStore } from '../../accounts/server/server-store.ts';
import { AppError, CredentialError } from '../../base/errors.ts';

/** The lifetime of the result; a probe may ask every second, and files change seldom. */
const CACHE_MS = 10_000;

export interface AccountsFound {
  names: readonly string[];
  /** The problems by account. */
  problems: ReadonlyMap<string, string>;
}

interface AccountWatch {
  /** Returns milliseconds of any clock. */
  now(): number;
  tell(message: string): void;
}

/**
 * Reports each problem once, and when it is resolved.
 * @returns the result of at most ten seconds ago; the promise rejects when the folder cannot be read
 */
export function watchAccounts(store: Pick<ServerStore, 'list' | 'read'>, { now, tell }: AccountWatch) {
  let known: { at: number; found: Promise<AccountsFound> } | undefined;
  let reported: ReadonlyMap<string, string> = new Map();
  const look = async (): Promise<AccountsFound> => {
    const names = await store.list();
    const problems = new Map<string, string>();
    for (const name of names) {
      const problem = await problemOf(name, store);
      if (problem !== undefined) problems.set(name, problem);
    }
    for (const [name, problem] of problems) if (reported.get(name) !== problem) tell(problem);
    for (const name of reported.keys())
      if (!problems.has(name) && names.includes(name))
        tell(`The secret of account ${name} can be used again.`);
    reported = problems;
    return { names, problems };
  };
  return (): Promise<AccountsFound> => {
    if (known === undefined || now() - known.at > CACHE_MS) known = { at: now(), found: look() };
    return known.found;
  };
}

/** Reads one secret and checks its mode, its JSON, and the kind of each value. */
async function problemOf(name: string, store: Pick<ServerStore, 'read'>): Promise<string | undefined> {
  try {
    const account = await store.read(name);
    if (account === undefined) return undefined;
    const { clientId, clientSecret, refreshToken, region, baseUrl, authUrl } = account;
    const checked = parseAccountInput({ clientId, clientSecret, refreshToken });
    const problems = checked.ok ? [] : checked.problems.map(({ path, message }) => `${path}: ${message}`);
    if (region === undefined && (baseUrl === undefined || authUrl === undefined))
      problems.push('region: is missing (na, eu or fe; or baseUrl and authUrl)');
    if (problems.length === 0) return undefined;
    return `The secret of account ${name} has a mistake: ${problems.join('; ')}.`;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `${error.message} ${error.hint}`.trim();
  }
}

/**
 * Hides from users why an account is unusable, because only the operator needs the reason, which is in the
 * log.
 */
export const withoutReasons = (store: ServerStore): ServerStore => ({
  ...store,
  read: (name) =>
    store.read(name).catch((error: unknown) => {
      if (!(error instanceof CredentialError)) throw error;
      const message = `Account ${name} can't be used right now.`;
      throw new CredentialError('unreachable', message, 'Tell whoever runs this server: the log says why.', {
        cause: error,
      });
    }),
});
