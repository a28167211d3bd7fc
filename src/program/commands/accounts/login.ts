/** The `login` command asks for an account's secrets, verifies them, and stores them in the keychain. */

import type { CredentialStore, StoredAccount } from '../../../accounts/account.ts';
import {
  type AccountIds,
  formatMarketplaceChoice,
  howToAddIds,
  type MarketplaceOffer,
  NO_MARKETPLACE_MESSAGE,
  NO_SELLER_ID_MESSAGE,
  parseAccountIds,
  SELLER_ID_HELP,
  storeAccountIds,
} from '../../../accounts/account-ids.ts';
import { accountInputSchema, parseAccountInput } from '../../../accounts/account-input.ts';
import {
  ENVIRONMENT_ACCOUNT,
  isEnvironmentUsed,
  mergePlain,
  type PlainValues,
  secretFields,
  settingsFor,
} from '../../../accounts/resolve-account.ts';
import { AppError, CancelledError, CredentialError, InputError, type Problem } from '../../../base/errors.ts';
import { commandLine } from '../../../base/invocation.ts';
import { settingsSchema } from '../../../base/settings.ts';
import { findMarketplace } from '../../../service/facts/find-marketplace.ts';
import { marketplaceLabel, marketplaceName } from '../../../service/facts/marketplaces.ts';
import { REGIONS } from '../../../service/facts/regions.ts';
import { findMarketplaces, offerRegion } from '../../runtime/find-marketplaces.ts';
import { openKeychain } from '../../runtime/open-accounts.ts';
import type { Outside } from '../../runtime/outside.ts';
import { storeAccount, type VerifiedAccount, verifyCredentials } from '../../runtime/verify-credentials.ts';
import { ask, confirmAtTerminal } from '../line/ask.ts';
import type { Command, CommandArguments } from '../line/command.ts';
import { type LoginValues, pipedForms, readPiped } from './login-piped.ts';

/**
 * The time in which a rotated refresh token can still be stored after Ctrl-C, because the old one may be
 * invalid. A keychain on a busy machine takes seconds; a second Ctrl-C ends at once.
 */
const GRACE_MS = 10_000;

export const login: Command = {
  name: 'login',
  graceMs: GRACE_MS,
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
    const store = openKeychain(io);
    // The keychain is checked first, so that nobody types secrets for one that is unusable.
    const replaces = (await store.list()).includes(name);
    if (replaces && !(await confirmReplacement(name, values.replace, store, io))) {
      io.stdout('Nothing was changed.\n');
      return 1;
    }
    const given = await readLoginInput(io, flags);
    // The account is stored before the following questions, so that no failure there loses accepted values.
    const { credentials, tried } = await tryAndStore(name, given, values.verify !== false, store, io);
    const offer = () => (tried === undefined ? offerRegion(name, store) : fetchOffer(name, store, io));
    const account = await completeIds(name, credentials, store, offer, io);
    io.stdout(describeStored(name, account, replaces, tried));
    warnAboutEnvironment(name, io);
    return 0;
  },
};

/**
 * Asks before an account is replaced, because a replaced refresh token cannot be recovered. A script decides
 * by its flags and only gets a notice.
 * @throws InputError with --no-replace
 */
async function confirmReplacement(
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
    return confirmAtTerminal(`Replace account "${name}"?`, '', io);
  }
  io.stderr(`${found}; the new values replace it whole.\n`);
  return true;
}

/**
 * Verifies and stores the values. At a terminal, typed values survive a refusal, an unavailable provider and
 * a failing keychain, because the service shows a refresh token only once.
 * @returns the stored account; without `tried` if it was not verified
 */
async function tryAndStore(
  name: string,
  given: StoredAccount,
  isToTry: boolean,
  store: CredentialStore,
  io: Outside,
): Promise<{ credentials: StoredAccount; tried: VerifiedAccount | undefined }> {
  let [typed, isTrying] = [given, isToTry];
  let tried: VerifiedAccount | undefined;
  for (;;) {
    try {
      if (isTrying) tried ??= await verify(name, typed, io);
      const credentials = tried?.account ?? typed;
      await storeAccount(name, credentials, tried?.token, store);
      return { credentials, tried };
    } catch (error) {
      const isRefused = error instanceof CredentialError && error.reason === 'refused';
      const canSkip = isTrying && tried === undefined && !isRefused;
      if (!(error instanceof AppError) || error instanceof CancelledError || io.stdin.isTTY !== true) {
        const isSkippable = canSkip && error instanceof AppError && !(error instanceof CancelledError);
        io.stderr(`Nothing was stored.${isSkippable ? ' To store without trying: add --no-verify.' : ''}\n`);
        throw error;
      }
      io.stderr(`${error.message}\n${error.hint}\nNothing is stored yet; what you typed is kept.\n`);
      if (isRefused) typed = { ...typed, ...(await askForSecrets(typed, io)) };
      else if (canSkip) isTrying = !(await confirmUnverified(io));
      else await ask({ prompt: 'Enter to try again:' }, io);
    }
  }
}

function verify(name: string, given: StoredAccount, io: Outside): Promise<VerifiedAccount> {
  io.stderr('Trying the values with the identity provider ...\n');
  return verifyCredentials(name, given, io);
}

/** Asks whether to store the values without the verification, which failed. */
async function confirmUnverified(io: Outside): Promise<boolean> {
  for (;;) {
    const answer = await ask({ prompt: 'Enter to try again, or "store" to store the values untried:' }, io);
    if (answer === '') return false;
    if (answer.replaceAll('"', '').toLowerCase() === 'store') return true;
  }
}

/** Adds a missing marketplace and seller ID. */
async function completeIds(
  name: string,
  account: StoredAccount,
  store: CredentialStore,
  offerMarketplaces: () => Promise<MarketplaceOffer>,
  io: Outside,
): Promise<StoredAccount> {
  const isTerminal = io.stdin.isTTY === true;
  const { marketplaceId, sellerId } = account;
  if (marketplaceId !== undefined && (sellerId !== undefined || !isTerminal)) return account;
  const add = (current: StoredAccount, ids: AccountIds) => addIds(name, current, ids, store, io);
  if (!isTerminal) return add(account, { marketplaceId: pickMarketplace(await offerMarketplaces(), io) });
  return askForIds(name, account, { offerMarketplaces, add }, io);
}

async function addIds(
  name: string,
  account: StoredAccount,
  ids: AccountIds,
  store: CredentialStore,
  io: Outside,
): Promise<StoredAccount> {
  if (ids.sellerId === undefined && ids.marketplaceId === undefined) return account;
  if (await storeAccountIds(name, ids, account, store)) return { ...account, ...ids };
  io.stderr(`Account "${name}" was removed or replaced in the meantime; nothing was added to it.\n`);
  return account;
}

function fetchOffer(name: string, store: CredentialStore, io: Outside): Promise<MarketplaceOffer> {
  io.stderr('Asking the service in which marketplaces this account sells ...\n');
  return findMarketplaces(name, { store, config: io.config, signal: io.signal, learn: io.learn });
}

/** Describes the stored values; never a secret. */
function describeStored(
  name: string,
  account: StoredAccount,
  replaces: boolean,
  tried: VerifiedAccount | undefined,
): string {
  const { region, baseUrl, authUrl, sellerId, marketplaceId } = account;
  const address = [region, baseUrl, authUrl].filter((part) => part !== undefined).join(', ');
  return [
    tried === undefined
      ? 'The values were not tried.'
      : `The identity provider accepted the values${tried.rotated ? ' and renewed the refresh token, which is the one stored' : ''}.`,
    `Account "${name}" is in the keychain of this system${replaces ? '; it replaces the one stored before' : ''}:`,
    '  client ID, client secret, refresh token',
    `  ${region === undefined ? 'addresses' : 'region'}: ${address}`,
    `  seller ID: ${sellerId ?? `none. ${NO_SELLER_ID_MESSAGE} To add it, ${howToAddIds(name, ['sellerId'])}`}`,
    `  marketplace: ${marketplaceId === undefined ? `none; to add it, ${howToAddIds(name, ['marketplaceId'])}` : (marketplaceLabel(marketplaceId) ?? marketplaceId)}`,
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

// The last part of `login` asks which marketplace and seller the stored account means.

interface IdSteps {
  offerMarketplaces(): Promise<MarketplaceOffer>;
  /** Stores an answer at once, so that a failure of the next question does not lose it. */
  add(account: StoredAccount, ids: AccountIds): Promise<StoredAccount>;
}

/**
 * Asks for the missing values at the terminal.
 * @throws AppError that states what is stored, and how to add the rest
 */
async function askForIds(
  name: string,
  account: StoredAccount,
  { offerMarketplaces, add }: IdSteps,
  io: Outside,
): Promise<StoredAccount> {
  const secrets = [account.clientSecret, account.refreshToken];
  let current = account;
  try {
    if (current.marketplaceId === undefined) {
      const offer = await offerMarketplaces();
      io.signal.throwIfAborted();
      current = await add(current, { marketplaceId: await askForMarketplace(offer, secrets, io) });
    }
    if (current.sellerId === undefined)
      current = await add(current, { sellerId: await askForSellerId(secrets, io) });
    return current;
  } catch (error) {
    throw explainStored(name, current, error, io);
  }
}

/** Builds the error of a cancellation or keychain failure after the account itself was stored. */
function explainStored(name: string, account: StoredAccount, error: unknown, { signal }: Outside): unknown {
  const lacking = (['sellerId', 'marketplaceId'] as const).filter((one) => account[one] === undefined);
  const id = account.marketplaceId;
  const picked = id === undefined ? '' : `, with marketplace ${marketplaceLabel(id) ?? id}`;
  const stored = `Account "${name}" is stored${picked}; what is missing: ${lacking.map((one) => NAMES[one]).join(' and ')}.`;
  const next = `To add ${lacking.length === 1 ? 'it' : 'them'} without typing the secrets again, ${howToAddIds(name, lacking)}`;
  if (error instanceof CancelledError || signal.aborted)
    return new CancelledError(`Cancelled. ${stored}`, next);
  return error instanceof AppError ? error.withHint(`${stored} ${next}`) : error;
}

const NAMES = { sellerId: 'the seller ID', marketplaceId: 'the marketplace' } as const;

/** Selects the only marketplace of the account without a terminal, or none of several, and reports it. */
function pickMarketplace(
  { marketplaces, isOwn, failure }: MarketplaceOffer,
  io: Pick<Outside, 'stderr'>,
): string | undefined {
  if (!isOwn) {
    if (failure !== undefined) io.stderr(`The marketplaces were not found out: ${failure}\n`);
    return undefined;
  }
  const [first, ...others] = marketplaces;
  if (others.length === 0) return first?.id;
  const names = marketplaces.map(formatMarketplaceChoice).join(', ');
  io.stderr(`Marketplaces of this account: ${names}. To choose one, add --marketplace-id.\n`);
  return undefined;
}

async function askForMarketplace(
  { marketplaces, isOwn, failure }: MarketplaceOffer,
  secrets: readonly string[],
  io: Outside,
): Promise<string | undefined> {
  if (failure !== undefined) io.stderr(`The marketplaces were not found out: ${failure}\n`);
  const lines = marketplaces.map((choice, index) => `  ${index + 1}  ${formatMarketplaceChoice(choice)}\n`);
  const title = isOwn ? 'Marketplaces of this account:' : 'Marketplaces of the region:';
  if (lines.length > 0) io.stderr(`${title}\n${lines.join('')}`);
  const prompt = marketplacePrompt(marketplaces.length, isOwn);
  for (;;) {
    const answer = await ask({ prompt }, io);
    const chosen = readChoice(answer, marketplaces, isOwn, secrets);
    if (chosen.ok && chosen.id === undefined) io.stderr(`${NO_MARKETPLACE_MESSAGE}\n`);
    if (chosen.ok) return chosen.id;
    io.stderr(`${chosen.problem}\n`);
  }
}

function marketplacePrompt(count: number, isOwn: boolean): string {
  if (count === 0) return 'Marketplace, by country or ID (Enter for none):';
  const numbers = count === 1 ? '1' : `1 to ${count}`;
  return isOwn
    ? `Marketplace used where a question names none (${numbers}; Enter for 1, 0 for none):`
    : `Marketplace used where a question names none (${numbers}; Enter for none):`;
}

type Choice = { ok: true; id: string | undefined } | { ok: false; problem: string };

/** Returns the marketplace ID for an ID, or the name or code of a country. */
function idOf(answer: string): string {
  const found = findMarketplace(answer);
  return found.kind === 'known' ? found.marketplace.id : answer.toUpperCase();
}

/** Parses a number of the list, a country, or an ID. */
function readChoice(
  answer: string,
  marketplaces: MarketplaceOffer['marketplaces'],
  isOwn: boolean,
  secrets: readonly string[],
): Choice {
  if (answer === '') return { ok: true, id: isOwn ? marketplaces[0]?.id : undefined };
  if (answer === '0') return { ok: true, id: undefined };
  const isNumber = /^\d{1,3}$/.test(answer);
  const listed = isNumber
    ? marketplaces[Number(answer) - 1]
    : marketplaces.find(({ id }) => id === idOf(answer));
  if (listed !== undefined) return { ok: true, id: listed.id };
  if (isNumber && marketplaces.length === 0) {
    return { ok: false, problem: 'There is no list to choose from: please name the country.' };
  }
  if (isNumber || (isOwn && marketplaces.length > 0)) {
    const more = isNumber ? '' : explainOtherAnswer(answer);
    return { ok: false, problem: `Please type a number from 0 to ${marketplaces.length}.${more}` };
  }
  const checked = parseAccountIds({ marketplaceId: answer }, secrets);
  if (checked.ok) return { ok: true, id: checked.value.marketplaceId };
  return { ok: false, problem: asSentence(checked.problems[0]?.message) };
}

/** Explains an answer that is not in the account's own list, without repeating it. */
function explainOtherAnswer(answer: string): string {
  const found = findMarketplace(answer);
  if (found.kind === 'known')
    return ` This account does not sell in ${marketplaceName(found.marketplace.id)}.`;
  return found.near === undefined ? '' : ` Did you mean ${found.near.name}?`;
}

/** Asks for the seller ID. Only a second Enter skips it, after a note on what does not work then. */
async function askForSellerId(secrets: readonly string[], io: Outside): Promise<string | undefined> {
  io.stderr(`The seller ID is needed to read and change listings. ${SELLER_ID_HELP}\n`);
  let wasExplained = false;
  for (;;) {
    const sellerId = await ask({ prompt: 'Seller ID:' }, io);
    if (sellerId === '' && wasExplained) return undefined;
    const checked = parseAccountIds({ sellerId }, secrets);
    if (sellerId === '') {
      io.stderr(`${NO_SELLER_ID_MESSAGE} Type it, or press Enter again to go on without it.\n`);
      wasExplained = true;
    } else if (checked.ok) return checked.value.sellerId;
    else io.stderr(`${asSentence(checked.problems[0]?.message)}\n`);
  }
}

const asSentence = (text = '') => (text.endsWith('?') ? text : `${text}.`);

// The values to store come from the terminal or a pipe, are completed by the settings, and validated.

/**
 * Reads and validates the values.
 * @throws InputError naming each wrong field, never its value; CancelledError
 */
async function readLoginInput(io: Outside, flags: Flags = {}): Promise<StoredAccount> {
  const isTerminal = io.stdin.isTTY === true;
  const settings = settingsOf(io.config, flags);
  const given = isTerminal ? await askForValues(settings, io) : await readPiped(io);
  for (const secret of [given.clientSecret, given.refreshToken]) io.learn(secret?.trim() ?? '');
  // The settings complete the missing values.
  const { baseUrl, authUrl, ...rest } = { ...given, ...mergePlain(given, settings) };
  const checked = parseAccountInput(rest);
  const problems = [
    ...(checked.ok ? [] : checked.problems),
    ...wrongAddress('baseUrl', baseUrl),
    ...wrongAddress('authUrl', authUrl),
    ...(knowsAddresses({ ...rest, baseUrl, authUrl }) ? [] : [noAddresses]),
  ];
  if (checked.ok && problems.length === 0) return { ...checked.value, baseUrl, authUrl };
  throw new InputError(
    'Nothing was stored: some values are not valid.',
    'Correct them and run login again.',
    problems,
  );
}

const noAddresses: Problem = {
  path: 'region',
  message: 'is missing: add --region na, eu or fe (US sellers: na), or --base-url and --auth-url',
};

type Flags = NonNullable<CommandArguments['flags']>;

const FLAGS = {
  region: 'region',
  baseUrl: 'base-url',
  authUrl: 'auth-url',
  sellerId: 'seller-id',
  marketplaceId: 'marketplace-id',
} as const;

/**
 * Returns the settings that apply to this account: its own, and the flags of `login`. Values of the account
 * that the environment defines are never stored under another name, and no secrets are sent to its addresses.
 */
function settingsOf(config: Outside['config'], flags: Flags): PlainValues {
  const own = settingsFor(config.account, config);
  const take = <Field extends keyof typeof FLAGS>(field: Field) =>
    flags[FLAGS[field]] === undefined ? own[field] : config[field];
  return {
    region: take('region'),
    baseUrl: take('baseUrl'),
    authUrl: take('authUrl'),
    sellerId: take('sellerId'),
    marketplaceId: take('marketplaceId'),
  };
}

function knowsAddresses({ region, baseUrl, authUrl }: PlainValues | LoginValues): boolean {
  return region !== undefined || (baseUrl !== undefined && authUrl !== undefined);
}

function wrongAddress(field: 'baseUrl' | 'authUrl', value: string | undefined): Problem[] {
  const { error } = settingsSchema.shape[field].safeParse(value);
  return (error?.issues ?? []).map(({ message }) => ({ path: field, message }));
}

async function askForValues(settings: PlainValues, io: Outside): Promise<LoginValues> {
  const { config } = io;
  io.stderr(`Account "${config.account}". What you type for a secret is not shown; Ctrl-C stores nothing.\n`);
  const region = knowsAddresses(settings) ? undefined : await askForRegion(io);
  return { ...(await askForSecrets({}, io)), region };
}

/**
 * Asks for the three credentials.
 * @param typed earlier values, which Enter retains
 */
async function askForSecrets(typed: LoginValues, io: Outside) {
  const [clientId, clientSecret, refreshToken] = secretFields;
  return {
    clientId: await askForSecret(clientId, 'Client ID', typed, io),
    clientSecret: await askForSecret(clientSecret, 'Client secret', typed, io),
    refreshToken: await askForSecret(refreshToken, 'Refresh token', typed, io),
  };
}

/** Asks until the value can be valid, so that a mistake in one does not cost the others. */
async function askForSecret(
  field: (typeof secretFields)[number],
  label: string,
  { [field]: kept }: LoginValues,
  io: Outside,
): Promise<string> {
  const secret = field !== 'clientId';
  const notes = [
    ...(secret ? ['hidden'] : []),
    ...(kept === undefined ? [] : ['Enter keeps what you typed']),
  ];
  const prompt = `${label}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}:`;
  for (;;) {
    const answer = await ask({ prompt, secret }, io);
    if (answer === '' && kept !== undefined) return kept;
    if (secret) io.learn(answer);
    const { error } = accountInputSchema.shape[field].safeParse(answer);
    if (error === undefined) return answer;
    io.stderr(`${asSentence(error.issues[0]?.message)}\n`);
  }
}

async function askForRegion(io: Outside): Promise<string> {
  for (;;) {
    const answer = await ask({ prompt: 'Region (US sellers: na; Europe: eu; Far East: fe):' }, io);
    const region = REGIONS.find((known) => known === answer.toLowerCase());
    if (region !== undefined) return region;
    io.stderr('Please type na, eu or fe.\n');
  }
}
