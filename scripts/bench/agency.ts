/** A server for many people as the bench meets it: started, with sellers and an access file, and called. */

import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Agent, request } from 'undici';
import { startServing } from '../process/serving.ts';
import type { Program } from './programs.ts';
import type { RunningService } from './service.ts';

export const SELLERS = 40;
const ACCESS = `access:
  - group: all
    accounts: "*"
`;

/** @returns whether it succeeded */
export async function callHttp(
  endpoint: URL,
  dispatcher: Agent,
  name: string,
  args: object,
  token?: string,
): Promise<boolean> {
  const { statusCode, body } = await request(endpoint, {
    method: 'POST',
    dispatcher,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  const text = await body.text();
  return statusCode === 200 && !text.includes('"isError":true') && !text.includes('"error":{');
}

export const startHttp = ({ file }: Program, args: readonly string[]) =>
  startServing(file, args, { HOME: tmpdir() });

export async function writeAgency(
  folder: string,
  { account: { credentials, sellerId, marketplaceId }, fixedUrl }: RunningService,
  issuer: string,
): Promise<string[]> {
  const at = (name: string) => join(folder, name);
  await mkdir(at('secrets'), { mode: 0o700 });
  const common = { ...credentials, baseUrl: fixedUrl, authUrl: fixedUrl, marketplaceId };
  // Each has the limits of a seller to itself.
  for (let seller = 0; seller < SELLERS; seller++) {
    const secrets = JSON.stringify({ ...common, sellerId: `${sellerId}${seller}` });
    await writeFile(at(`secrets/seller-${seller}.json`), secrets, { mode: 0o400 });
  }
  await writeFile(at('key'), `${Buffer.alloc(32, 7).toString('base64')}\n`, { mode: 0o400 });
  await writeFile(at('access.yaml'), ACCESS);
  const flags = {
    listen: '127.0.0.1:0',
    issuer,
    'secrets-dir': at('secrets'),
    'state-key-file': at('key'),
    access: at('access.yaml'),
    'state-dir': at('state'),
    'data-dir': at('data'),
    'files-dir': at('files'),
    account: 'seller-0',
  };
  return Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
}
