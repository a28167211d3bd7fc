/** Starts the service without limits as a process. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as z from 'zod';
import type { Context } from './context.ts';

const text = z.string();
const startedSchema = z.object({
  account: z.object({
    baseUrl: text,
    authUrl: text,
    credentials: z.object({ clientId: text, clientSecret: text, refreshToken: text }),
    sellerId: text,
    marketplaceId: text,
  }),
  accessToken: text,
  /** The address of the service that gives every reader the same listings. */
  fixedUrl: text,
});

export type RunningService = Awaited<ReturnType<typeof startService>>;

export async function startService({ programs }: Context) {
  const child = spawn(process.execPath, [programs.service.file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line]: unknown[] = await once(child.stdout, 'data');
  const started = startedSchema.parse(JSON.parse(String(line)));
  return {
    ...started,
    /** The environment of the bare tool. */
    env: { SERVICE_URL: started.account.baseUrl, ACCESS_TOKEN: started.accessToken },
    async close() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}
