/** Starts the service without limits as a process, with an access token for programs that do not exchange one themselves. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as z from 'zod';
import type { SandboxAccount } from '../../sandbox/environment.ts';
import type { Context } from './context.ts';
import { exchange } from './exchange.ts';

export interface RunningService {
  account: SandboxAccount;
  accessToken: string;
  /** Of the service that gives every reader the same listings. */
  fixedUrl: string;
  /** For the bare tool. */
  env: { SERVICE_URL: string; ACCESS_TOKEN: string };
  close(): Promise<void>;
}

const text = z.string();
const accountSchema = z.object({
  baseUrl: text,
  authUrl: text,
  credentials: z.object({ clientId: text, clientSecret: text, refreshToken: text }),
  sellerId: text,
  marketplaceId: text,
  fixedUrl: text,
});

export async function startService(
  { programs }: Context,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningService> {
  const child = spawn(process.execPath, [programs.service.file], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const [line]: unknown[] = await once(child.stdout, 'data');
  const { fixedUrl, ...account } = accountSchema.parse(JSON.parse(String(line)));
  const accessToken = await exchange(account);
  return {
    account,
    accessToken,
    fixedUrl,
    env: { SERVICE_URL: account.baseUrl, ACCESS_TOKEN: accessToken },
    async close() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}
