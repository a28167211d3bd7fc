/** `seller-commerce-mcp login`: asks for an account's secrets, tries them, and stores them in the keychain. */

import { type MarketplaceOffer, storeAccountIds, WITHOUT_SELLER_ID } from '../../credentials/account-ids.ts';
import { ENVIRONMENT_ACCOUNT, isEnvironmentUsed } from '../../credentials/resolve-account.ts';
import type { CredentialStore, StoredAccount } from '../../credentials/types.ts';
import { AppError, CancelledError, CredentialError, InputError } from '../../errors.ts';
import { commandLine } from '../../invocation.ts';
import { findMarketplaces, offerRegion } from '../../runtime/find-marketplaces.ts';
import { type OpenStore, openKeychain } from '../../runtime/open-accounts.ts';
import type { Outside } from '../../runtime/outside.ts';
import { storeAccount, type TriedAccount, tryCredentials } from '../../runtime/try-credentials.ts';
import { marketplaceLabel } from '../../service/facts/marketplaces.ts';
import { askYes } from '../line/ask.ts';
import type { Command } from '../line/command.ts';
import { askForIds, pickMarketplace } from './login-ids.ts';
import { readLoginInput } from './login-input.ts';
import { pipedForms } from './login-piped.ts';

export function createLogin(openStore: OpenStore): Command {
  return {
    name: 'login',
    summary: 'Store the credentials of an account in the keychain, after trying them',
    positionals: '[account]',
    takes: 1,
    positionalFlag: 'account',
    options: {
      verify: {
        type: 'boolean',
        help: 'Try the values with one token exchange before storing (on unless --no-verify)',
      },
      replace: {
        type: 'boolean',
        help: 'Replace an account of the same name without asking; --no-replace: never replace one',
      },
    },
    details: [
      'Asks for client ID, client secret and refresh token; secrets are not shown, and never flags.',
      'login NAME, or --account NAME, names the account (without one: default); --region, or --base-url and --auth-url, say where it sells;',
      '--seller-id and --marketplace-id are kept with it. What is missing of them is asked for at a terminal, once the service has named the marketplaces of the account (with --no-verify the service is not asked).',
      'An account of the same name is replaced whole: at a terminal only after a yes, from a pipe unless --no-replace is given.',
      '',
      pipedForms,
    ].join('\n'),
    async run({ values, flags }, io) {
      const name = io.config.account;
      const store = openStore(io);
      // First, so that nobody types secrets for a keychain that cannot be used.
      const replaces = (await store.list()).includes(name);
      if (replaces && !(await mayReplace(name, values.replace, store, io))) {
        io.stdout('Nothing was changed.\n');
        return 1;
      }
      const given = await readLoginInput(io, flags);
      const tried = values.verify === false ? undefined : await verify(name, given, io);
      if (io.signal.aborted) throw new CancelledError('Cancelled. Nothing was stored.');
      const credentials = tried?.account ?? given;
      // Before the questions that follow: nothing that happens there loses what was accepted.
      await storeAccount(name, credentials, tried?.token, store);
      const account = await completeIds(name, credentials, { store, mayAsk: tried !== undefined }, io);
      io.stdout(describeStored(name, account, replaces, tried));
      warnAboutEnvironment(name, io);
      return 0;
    },
  };
}

/**
 * A refresh token that is replaced cannot be had back. A script says by itself what it wants, so it is told only.
 * @throws InputError with --no-replace
 */
async function mayReplace(
  name: string,
  wanted: string | boolean | undefined,
  store: CredentialStore,
  io: Outside,
): Promise<boolean> {
  const { region, baseUrl, sellerId } = (await store.read(name).catch(() => undefined)) ?? {};
  const facts = [region ?? baseUrl, sellerId].filter((part) => part !== undefined).join(', ');
  const found = `Account "${name}"${facts === '' ? '' : ` (${facts})`} is in the keychain already`;
  const another = `To keep it, give the new one another name: ${commandLine('login NAME')}`;
  if (wanted === false) throw new InputError(`${found}. Nothing was stored.`, another);
  if (wanted === undefined && io.stdin.isTTY === true) {
    io.stderr(`${found}, and would be replaced whole. ${another}\n`);
    return askYes(`Replace account "${name}"?`, '', io);
  }
  io.stderr(`${found}; the new values replace it whole.\n`);
  return true;
}

async function verify(name: string, given: StoredAccount, io: Outside): Promise<TriedAccount> {
  io.stderr('Trying the values with the identity provider ...\n');
  try {
    return await tryCredentials(name, given, io);
  } catch (error) {
    const isRefused = error instanceof CredentialError && error.reason === 'refused';
    const canSkip = error instanceof AppError && !isRefused && !(error instanceof CancelledError);
    io.stderr(`Nothing was stored.${canSkip ? ' To store without trying: add --no-verify.' : ''}\n`);
    throw error;
  }
}

/** Adds marketplace and seller ID where they were not given. `mayAsk`: the service too, not only the person. */
async function completeIds(
  name: string,
  account: StoredAccount,
  { store, mayAsk }: { store: CredentialStore; mayAsk: boolean },
  io: Outside,
): Promise<StoredAccount> {
  const isTerminal = io.stdin.isTTY === true;
  const { marketplaceId, sellerId } = account;
  if (marketplaceId !== undefined && (sellerId !== undefined || !isTerminal)) return account;
  const offer = await offerMarketplaces(name, account, { store, mayAsk }, io);
  const ids = isTerminal
    ? await askForIds(account, offer, io)
    : { sellerId, marketplaceId: pickMarketplace(offer, io) };
  if (ids.sellerId === sellerId && ids.marketplaceId === marketplaceId) return account;
  if (await storeAccountIds(name, ids, account, store)) return { ...account, ...ids };
  io.stderr(`Account "${name}" was removed or replaced in the meantime; nothing was added to it.\n`);
  return account;
}

async function offerMarketplaces(
  name: string,
  { marketplaceId }: StoredAccount,
  { store, mayAsk }: { store: CredentialStore; mayAsk: boolean },
  io: Outside,
): Promise<MarketplaceOffer> {
  if (marketplaceId !== undefined) return { marketplaces: [], isOwn: false };
  if (!mayAsk) return offerRegion(name, store);
  io.stderr('Asking the service in which marketplaces this account sells ...\n');
  return findMarketplaces(name, { store, config: io.config, signal: io.signal, learn: io.learn });
}

/** What was stored where; never a secret. */
function describeStored(
  name: string,
  account: StoredAccount,
  replaces: boolean,
  tried: TriedAccount | undefined,
): string {
  const { region, baseUrl, authUrl, sellerId, marketplaceId } = account;
  const address = [region, baseUrl, authUrl].filter((part) => part !== undefined).join(', ');
  return [
    tried === undefined
      ? 'The values were not tried (--no-verify).'
      : `The identity provider accepted the values${tried.rotated ? ' and renewed the refresh token, which is the one stored' : ''}.`,
    `Account "${name}" is in the keychain of this system${replaces ? '; it replaces the one stored before' : ''}:`,
    '  client ID, client secret, refresh token',
    `  ${region === undefined ? 'addresses' : 'region'}: ${address}`,
    `  seller ID: ${sellerId ?? `none (add it with --seller-id). ${WITHOUT_SELLER_ID}`}`,
    `  marketplace: ${marketplaceId === undefined ? 'none (add it with --marketplace-id)' : (marketplaceLabel(marketplaceId) ?? marketplaceId)}`,
    `To check everything: ${commandLine(`status${name === 'default' ? '' : ` --account ${name}`}`)}`,
    '',
  ].join('\n');
}

function warnAboutEnvironment(name: string, { config, stderr }: Outside): void {
  if (name !== ENVIRONMENT_ACCOUNT || !isEnvironmentUsed(config)) return;
  stderr(
    'Note: SELLER_CLIENT_ID, SELLER_CLIENT_SECRET or SELLER_REFRESH_TOKEN is set in this environment and comes first for "default".\n',
  );
}

export const login = createLogin(openKeychain);
