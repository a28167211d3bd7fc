/**
 * The pages that a session's tools offer when credentials are missing: opened on loopback, awaited, and
 * closed with the session.
 */

import { randomUUID } from 'node:crypto';
import type { Accounts, CredentialStore, StoredAccount, StoredToken } from '../../accounts/account.ts';
import { isAccountName } from '../../accounts/account.ts';
import { storeAccountIds } from '../../accounts/account-ids.ts';
import type { AccountInput } from '../../accounts/account-input.ts';
import type { AccountPages, CredentialsPage } from '../../accounts/page/open-page.ts';
import type { IdsStep, SubmissionSteps } from '../../accounts/page/submission.ts';
import { ENVIRONMENT_ACCOUNT, isEnvironmentUsed, settingsFor } from '../../accounts/resolve-account.ts';
import type { Config } from '../../base/config.ts';
import { CredentialError } from '../../base/errors.ts';
import { hasCommandLine, howToLogin } from '../../base/invocation.ts';
import { mayBeAnsweredByHost } from '../../render/client-user.ts';
import type { CredentialsPages } from '../../render/reading-session.ts';
import { findMarketplaces } from './find-marketplaces.ts';
import { storeAccount, verifyCredentials } from './verify-credentials.ts';

export interface CredentialsPagesOptions {
  config: Config;
  /** The session's own account, for advice when a page is no longer known. */
  account: string;
  /** The principal's accounts; all by default. */
  allowed?: readonly string[] | undefined;
  store: CredentialStore;
  accounts: Accounts;
  /** Receives every secret for redaction. */
  learn(secret: string, use?: string): void;
  /**
   * Opens an address in the user's browser.
   * @throws ConfigError when there is none
   */
  openInBrowser(url: string): Promise<void>;
  /** Aborts when the session ends. */
  closing: AbortSignal;
}

/** An offered page and its state. */
interface OfferedPage {
  account: string;
  page: CredentialsPage;
  /** The number of calls that it was offered to. */
  offers: number;
  isAccepted: boolean;
  /** Resolves to true if this program could open it in a browser; undefined when it did not try. */
  openedHere?: Promise<boolean>;
  /** The time of the last offer, in milliseconds of `performance.now()`. */
  offeredAt: number;
}

export function createCredentialsPages(options: CredentialsPagesOptions): CredentialsPages {
  const { config, closing } = options;
  const offered = new Map<string, OfferedPage>();
  let pages: AccountPages | undefined;

  return {
    async offer(account) {
      const isOpen = [...offered.values()].some((known) => known.account === account && known.page.isOpen);
      if (!isOpen && !(await wouldHelp(account, options))) return undefined;
      const { createAccountPages } = await import('../../accounts/page/open-page.ts');
      pages ??= createAccountPages();
      const { region, baseUrl, authUrl } = settingsFor(account, config);
      const isFixed = baseUrl !== undefined && authUrl !== undefined;
      const page = await pages({
        account,
        region,
        service: isFixed ? new URL(baseUrl).host : undefined,
        signal: closing,
        ...pageSteps(account, options),
      });
      return { id: remember(offered, account, page), url: page.url };
    },
    async awaitPage({ action, state }, signal) {
      const known = offered.get(state ?? '');
      const ageMs = known && performance.now() - known.offeredAt;
      const isOpened =
        action === 'accept' ||
        (mayBeAnsweredByHost(action, ageMs) && known && (await openedHere(known, options)));
      if (!isOpened) {
        // A decline does not close the page of another call, or one that the user is filling in.
        if (known?.offers === 1 && !known.isAccepted && !known.page.isVisited) known.page.close();
        throw new CredentialError(
          'missing',
          'The person did not open the page for the credentials; nothing was sent.',
          `They can also ${howToLogin(known?.account ?? options.account)}${hasCommandLine() ? ' in a terminal' : ''}.`,
        );
      }
      if (known === undefined) return;
      known.isAccepted = true;
      const { waitForCredentials } = await import('../../accounts/page/open-page.ts');
      const end = await waitForCredentials(known.page.done, undefined, signal);
      // The call does not need the values that the page still asks for.
      if (end === 'waiting' && !known.page.isStored) throw stillOpen(known.page);
    },
  };
}

/** Opens the page once when a host may have declined it without showing it. */
async function openedHere(known: OfferedPage, { openInBrowser }: CredentialsPagesOptions): Promise<boolean> {
  if (known.openedHere === undefined && (known.isAccepted || known.page.isVisited)) return false;
  known.openedHere ??= openInBrowser(known.page.url).then(
    () => true,
    () => false,
  );
  return known.openedHere;
}

/**
 * Registers an offered page.
 * @returns its ID, which stays the same when its address changes
 */
function remember(offered: Map<string, OfferedPage>, account: string, page: CredentialsPage): string {
  const known = [...offered].find(([, one]) => one.page === page);
  if (known !== undefined) {
    known[1].offers += 1;
    known[1].offeredAt = performance.now();
    return known[0];
  }
  const id = randomUUID();
  const offeredAt = performance.now();
  offered.set(id, { account, page, offers: 1, isAccepted: false, offeredAt });
  void page.done.finally(() => offered.delete(id));
  return id;
}

function stillOpen(page: CredentialsPage): CredentialError {
  return new CredentialError(
    'missing',
    'The page for the credentials is still open in the browser; nothing was sent yet.',
    `It stays open until ${page.closesAt} (15 minutes from when it was last offered), and keeps what was entered. Make this call again when the person has filled it in.`,
  );
}

/**
 * Builds the page's steps: verify the values with a real exchange, store the result, then ask for the
 * marketplace.
 */
function pageSteps(name: string, options: CredentialsPagesOptions): SubmissionSteps {
  const { config, store, accounts, learn } = options;
  let token: StoredToken | undefined;
  let stored: StoredAccount | undefined;
  return {
    async verify(values, signal) {
      for (const secret of [values.clientSecret, values.refreshToken]) learn(secret);
      const account = { ...values, ...addressesOf(values, name, config) };
      const tried = await verifyCredentials(name, account, { config, signal, learn });
      token = tried.token;
      return { ...values, refreshToken: tried.account.refreshToken };
    },
    async save(values) {
      await refuseReplacing(name, values, store);
      stored = { ...values, ...addressesOf(values, name, config) };
      await storeAccount(name, stored, token, store);
      accounts.forget(name);
    },
    ids: idsStep(name, options, () => stored),
  };
}

/** Returns undefined when the settings have both IDs already. */
function idsStep(
  name: string,
  { config, store, accounts, learn }: CredentialsPagesOptions,
  stored: () => StoredAccount | undefined,
): IdsStep | undefined {
  const { sellerId, marketplaceId } = settingsFor(name, config);
  if (sellerId !== undefined && marketplaceId !== undefined) return undefined;
  return {
    given: { sellerId, marketplaceId },
    offer: (signal) => findMarketplaces(name, { config, store, signal, learn }),
    async save(ids) {
      const account = stored();
      const isStored = account !== undefined && (await storeAccountIds(name, ids, account, store));
      accounts.forget(name);
      if (isStored) return;
      throw new CredentialError(
        'missing',
        'The account was removed or replaced in the meantime, so nothing was added to it.',
        `Make the call again in your assistant, or ${howToLogin(name)}.`,
      );
    },
  };
}

/**
 * Returns the addresses; those that the settings fix for this account override the region chosen on the page.
 */
function addressesOf({ region }: AccountInput, name: string, config: Config): Partial<StoredAccount> {
  const { baseUrl, authUrl } = settingsFor(name, config);
  if (baseUrl === undefined || authUrl === undefined) return { region };
  return { region: undefined, baseUrl, authUrl };
}

// A page is offered only for an account that the call would find, and never replaces another one.

/**
 * Returns true when the call would find credentials entered for this account, and they would replace none.
 * When other accounts exist, a name that only this call has is probably misspelled, so its error lists them.
 * A configured name is intended.
 */
async function wouldHelp(
  account: string,
  { config, store, accounts, allowed }: CredentialsPagesOptions,
): Promise<boolean> {
  // The keychain is not used for the sandbox and the environment's account.
  if (config.sandbox || (account === ENVIRONMENT_ACCOUNT && isEnvironmentUsed(config))) return false;
  if (!isAccountName(account) || allowed?.includes(account) === false) return false;
  try {
    const [stored, known] = await Promise.all([store.list(), accounts.names()]);
    const isMeant = known.length === 0 || (account === config.account && account !== ENVIRONMENT_ACCOUNT);
    return !stored.includes(account) && isMeant;
  } catch {
    // The credentials could not be stored.
    return false;
  }
}

/**
 * Refuses to replace an account that was stored by a login after the page was offered.
 * @throws CredentialError
 */
async function refuseReplacing(name: string, values: AccountInput, store: CredentialStore): Promise<void> {
  const found = await store.read(name);
  if (found === undefined || isSameLogin(found, values)) return;
  throw new CredentialError(
    'refused',
    `Account "${name}" was stored in the meantime, with other credentials; nothing was replaced.`,
    `Make the call again in your assistant to use those, or ${howToLogin(name)} to replace them.`,
  );
}

const isSameLogin = (found: StoredAccount, { clientId, clientSecret, refreshToken }: AccountInput) =>
  found.clientId === clientId && found.clientSecret === clientSecret && found.refreshToken === refreshToken;
