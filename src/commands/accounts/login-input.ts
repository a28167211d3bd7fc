/** What `login` stores: asked at the terminal or read from a pipe, completed by the settings, checked. */

import { parseAccountInput } from '../../credentials/account-input.ts';
import type { StoredAccount } from '../../credentials/types.ts';
import { InputError, type Problem } from '../../errors.ts';
import type { Outside } from '../../runtime/outside.ts';
import { settingsSchema } from '../../settings.ts';
import { ask } from '../line/ask.ts';
import { type GivenValues, readPiped } from './login-piped.ts';

/** @throws InputError naming each field that is wrong, never its value; CancelledError */
export async function readLoginInput(io: Outside): Promise<StoredAccount> {
  const isTerminal = io.stdin.isTTY === true;
  const given = isTerminal ? await askForValues(io) : await readPiped(io);
  for (const secret of [given.clientSecret, given.refreshToken]) io.learn(secret?.trim() ?? '');
  const { baseUrl, authUrl, ...rest } = withSettings(given, io.config);
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

/** The settings stand in for what was not given; addresses come from one place whole. */
function withSettings(given: GivenValues, config: Outside['config']): GivenValues {
  const own = given.region ?? given.baseUrl ?? given.authUrl;
  const { region, baseUrl, authUrl } = own === undefined ? config : given;
  return {
    ...given,
    region,
    baseUrl,
    authUrl,
    sellerId: given.sellerId ?? config.sellerId,
    marketplaceId: given.marketplaceId ?? config.marketplaceId,
  };
}

function knowsAddresses({ region, baseUrl, authUrl }: GivenValues): boolean {
  return region !== undefined || (baseUrl !== undefined && authUrl !== undefined);
}

function wrongAddress(field: 'baseUrl' | 'authUrl', value: string | undefined): Problem[] {
  const { error } = settingsSchema.shape[field].safeParse(value);
  return (error?.issues ?? []).map(({ message }) => ({ path: field, message }));
}

async function askForValues(io: Outside): Promise<GivenValues> {
  const { config } = io;
  io.stderr(`Account "${config.account}". What you type for a secret is not shown; Ctrl-C stores nothing.\n`);
  return {
    clientId: await ask({ prompt: 'Client ID:' }, io),
    clientSecret: await ask({ prompt: 'Client secret (hidden):', secret: true }, io),
    refreshToken: await ask({ prompt: 'Refresh token (hidden):', secret: true }, io),
    region: knowsAddresses(config) ? undefined : await askForRegion(io),
  };
}

async function askForRegion(io: Outside): Promise<string> {
  for (;;) {
    const answer = await ask({ prompt: 'Region (na = North America, eu = Europe, fe = Far East):' }, io);
    if (['na', 'eu', 'fe'].includes(answer.toLowerCase())) return answer.toLowerCase();
    io.stderr('Please type na, eu or fe.\n');
  }
}
