/** The reads of listings that are measured, one with its issues and a page of 300 KB, through our program and the bare tool. */

import * as z from 'zod';
import type { Context } from './context.ts';
import type { Program } from './programs.ts';
import type { RunningService } from './service.ts';
import type { Session } from './session.ts';

export const LISTING_SKU = 'LAMP-OAK-E27';
/** The parts that read_operation requests if a call names none. */
export const INCLUDED = 'summaries,issues';

const listedSchema = z.object({ account: z.string(), confirmation_code: z.string().optional() });

export interface Reader {
  session: Session;
  readOne(): Promise<boolean>;
  readPage(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Our program keeps to the limit of each account, which no service lets it forget: it reads with several, in turn, each
 * below its limit.
 */
export async function openReader(
  context: Context,
  program: Program,
  { account, fixedUrl }: RunningService,
  accounts: number,
): Promise<Reader> {
  const { sellerId, marketplaceId, credentials } = account;
  const session = context.start(program, {
    env: {
      SELLER_BASE_URL: fixedUrl,
      SELLER_AUTH_URL: fixedUrl,
      SELLER_CLIENT_ID: credentials.clientId,
      SELLER_CLIENT_SECRET: credentials.clientSecret,
      SELLER_REFRESH_TOKEN: credentials.refreshToken,
      SELLER_WRITES: 'code',
    },
  });
  await session.initialize();
  const names: string[] = [];
  for (let at = 0; at < accounts; at += 1) names.push(await addAccount(session, at));
  let calls = 0;
  const read = (operation: string, parameters: object) => {
    calls += 1;
    return session.call('read_operation', {
      operation,
      parameters: { sellerId, marketplaceIds: [marketplaceId], ...parameters },
      account: names[calls % names.length],
    });
  };
  return {
    session,
    readOne: () => read('getListingsItem', { sku: LISTING_SKU }),
    readPage: () => read('searchListingsItems', { includedData: INCLUDED.split(',') }),
    close: () => session.close(),
  };
}

/** The same requests, whose addresses it is given. */
export async function openBareReader(
  context: Context,
  program: Program,
  { account, fixedUrl, accessToken }: RunningService,
): Promise<Reader> {
  const session = context.start(program, { env: { SERVICE_URL: fixedUrl, ACCESS_TOKEN: accessToken } });
  await session.initialize();
  const items = `/listings/2021-08-01/items/${account.sellerId}`;
  const query = `marketplaceIds=${account.marketplaceId}&includedData=${INCLUDED}`;
  return {
    session,
    readOne: () => session.call('pass_on', { path: `${items}/${LISTING_SKU}?${query}` }),
    readPage: () => session.call('pass_on', { path: `${items}?${query}` }),
    close: () => session.close(),
  };
}

/** Given to exchange_token, which asks back with a code. @returns its name */
async function addAccount(session: Session, at: number): Promise<string> {
  const given = {
    client_id: `client-of-the-bench-${at}`,
    client_secret: `secret-of-the-bench-${at}`,
    refresh_token: `refresh-of-the-bench-${at}`,
  };
  const exchange = async (args: object) => {
    const { result } = await session.request('tools/call', { name: 'exchange_token', arguments: args });
    return listedSchema.parse(result?.structuredContent);
  };
  const { confirmation_code: confirmationCode } = await exchange(given);
  const { account } = await exchange({ ...given, confirmationCode });
  return account;
}
