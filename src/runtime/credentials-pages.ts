/** The pages that a session's tools offer when credentials are missing: opened on loopback, waited for, closed with it. */

import type { Config } from '../config.ts';
import type { AccountInput } from '../credentials/account-input.ts';
import type { AccountPages, CredentialsPage } from '../credentials/page/open-page.ts';
import type { SubmissionSteps } from '../credentials/page/submission.ts';
import { settingsFor } from '../credentials/resolve-account.ts';
import type { Accounts, CredentialStore, StoredAccount, StoredToken } from '../credentials/types.ts';
import { CredentialError } from '../errors.ts';
import { hasCommandLine, howToLogin } from '../invocation.ts';
import type { CredentialsPages } from '../mcp/session.ts';
import { storeAccount, tryCredentials } from './try-credentials.ts';

export interface CredentialsPagesOptions {
  config: Config;
  /** Whose page is offered where no account is named. */
  account: string;
  store: CredentialStore;
  accounts: Accounts;
  /** Told every secret, for the redaction. */
  learn(secret: string, use?: string): void;
  /** Aborts when the session ends. */
  closing: AbortSignal;
}

export function createCredentialsPages(options: CredentialsPagesOptions): CredentialsPages {
  const { config, store, closing } = options;
  const open = new Map<string, CredentialsPage>();
  /** One page per account: a newer one closes the older. */
  let pages: AccountPages | undefined;

  return {
    async offer(account = options.account) {
      if (!(await isUsable(store))) return undefined;
      const { createAccountPages } = await import('../credentials/page/open-page.ts');
      pages ??= createAccountPages();
      const { region, baseUrl, authUrl } = settingsFor(account, config);
      const isFixed = baseUrl !== undefined && authUrl !== undefined;
      const page = await pages.open({
        account,
        region,
        service: isFixed ? new URL(baseUrl).host : undefined,
        signal: closing,
        ...pageSteps(account, options),
      });
      const id = new URL(page.url).pathname;
      open.set(id, page);
      void page.done.finally(() => open.delete(id));
      return { id, url: page.url };
    },
    async awaitPage({ action, state }, signal) {
      if (action !== 'accept') {
        if (state !== undefined) open.get(state)?.close();
        throw new CredentialError(
          'missing',
          'The person did not open the page for the credentials; nothing was sent.',
          `They can also ${howToLogin(options.account)}${hasCommandLine() ? ' in a terminal' : ''}.`,
        );
      }
      const page = open.get(state ?? '');
      if (page === undefined) return;
      const { waitForCredentials } = await import('../credentials/page/open-page.ts');
      const end = await waitForCredentials(page.done, undefined, signal);
      if (end === 'waiting') {
        throw new CredentialError(
          'missing',
          'The page for the credentials is still open in the browser; nothing was sent yet.',
          'It stays open for 5 minutes. Make this call again when the person has filled it in.',
        );
      }
    },
  };
}

/** The page tries the values with a real exchange, then stores what that exchange left. */
function pageSteps(
  name: string,
  { config, store, accounts, learn }: CredentialsPagesOptions,
): SubmissionSteps {
  let token: StoredToken | undefined;
  return {
    async verify(values, signal) {
      for (const secret of [values.clientSecret, values.refreshToken]) learn(secret);
      const account = { ...values, ...addressesOf(values, name, config) };
      const tried = await tryCredentials(name, account, { config, signal, learn });
      token = tried.token;
      return { ...values, refreshToken: tried.account.refreshToken };
    },
    async save(values) {
      await storeAccount(name, { ...values, ...addressesOf(values, name, config) }, token, store);
      accounts.forget(name);
    },
  };
}

/** Addresses that the settings fix for this account win over the region that was chosen on the page. */
function addressesOf({ region }: AccountInput, name: string, config: Config): Partial<StoredAccount> {
  const { baseUrl, authUrl } = settingsFor(name, config);
  if (baseUrl === undefined || authUrl === undefined) return { region };
  return { region: undefined, baseUrl, authUrl };
}

async function isUsable(store: CredentialStore): Promise<boolean> {
  return store.list().then(
    () => true,
    () => false,
  );
}
