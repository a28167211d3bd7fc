/** What `login` stores: asked at the terminal or read from a pipe, completed by the settings, checked. */

import { parseAccountInput } from '../../credentials/account-input.ts';
import { type PlainValues, settingsFor } from '../../credentials/resolve-account.ts';
import type { StoredAccount } from '../../credentials/types.ts';
import { InputError, type Problem } from '../../errors.ts';
import type { Outside } from '../../runtime/outside.ts';
import { settingsSchema } from '../../settings.ts';
import { ask } from '../line/ask.ts';
import type { CommandArguments } from '../line/command.ts';
import { type GivenValues, readPiped } from './login-piped.ts';

/** @throws InputError naming each field that is wrong, never its value; CancelledError */
export async function readLoginInput(io: Outside, flags: Flags = {}): Promise<StoredAccount> {
  const isTerminal = io.stdin.isTTY === true;
  const settings = settingsOf(io.config, flags);
  const given = isTerminal ? await askForValues(settings, io) : await readPiped(io);
  for (const secret of [given.clientSecret, given.refreshToken]) io.learn(secret?.trim() ?? '');
  const { baseUrl, authUrl, ...rest } = withSettings(given, settings);
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
  message: 'is missing: add --region na, eu or fe (or --base-url and --auth-url)',
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
 * The settings that are this account's: its own, and the flags beside `login`. What belongs to the account that the
 * environment defines is never stored under another name, nor are secrets sent to its address.
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

/** The settings stand in for what was not given; addresses come from one place whole. */
function withSettings(given: GivenValues, settings: PlainValues): GivenValues {
  const own = given.region ?? given.baseUrl ?? given.authUrl;
  const { region, baseUrl, authUrl } = own === undefined ? settings : given;
  return {
    ...given,
    region,
    baseUrl,
    authUrl,
    sellerId: given.sellerId ?? settings.sellerId,
    marketplaceId: given.marketplaceId ?? settings.marketplaceId,
  };
}

function knowsAddresses({ region, baseUrl, authUrl }: PlainValues | GivenValues): boolean {
  return region !== undefined || (baseUrl !== undefined && authUrl !== undefined);
}

function wrongAddress(field: 'baseUrl' | 'authUrl', value: string | undefined): Problem[] {
  const { error } = settingsSchema.shape[field].safeParse(value);
  return (error?.issues ?? []).map(({ message }) => ({ path: field, message }));
}

async function askForValues(settings: PlainValues, io: Outside): Promise<GivenValues> {
  const { config } = io;
  io.stderr(`Account "${config.account}". What you type for a secret is not shown; Ctrl-C stores nothing.\n`);
  return {
    clientId: await ask({ prompt: 'Client ID:' }, io),
    clientSecret: await ask({ prompt: 'Client secret (hidden):', secret: true }, io),
    refreshToken: await ask({ prompt: 'Refresh token (hidden):', secret: true }, io),
    region: knowsAddresses(settings) ? undefined : await askForRegion(io),
  };
}

async function askForRegion(io: Outside): Promise<string> {
  for (;;) {
    const answer = await ask({ prompt: 'Region (na = North America, eu = Europe, fe = Far East):' }, io);
    if (['na', 'eu', 'fe'].includes(answer.toLowerCase())) return answer.toLowerCase();
    io.stderr('Please type na, eu or fe.\n');
  }
}
